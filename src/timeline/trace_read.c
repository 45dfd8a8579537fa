/* In: packets. Out: the model. A reader of the wire of its own: messages are looked at in place,
 * and what is not of use costs nothing, which matters in traces of a whole system, where nearly all
 * is of no use. Next: trace_read_* by what a packet holds; trace_read_end, when all were read. */
#include "timeline/trace_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "timeline/trace_file.h"
#include "timeline/trace_read_state.h"

enum { STATE_CLEARED = 1 };

/* Fields of a packet that are of use. */
struct parts {
  struct vkm_wire_field snapshot, event, interned, stage, defaults, descriptor;
  uint64_t sequence, flags;
  struct vkm_read_packet packet;
  bool compressed;
};

static bool take_apart(const struct vkm_trace_packet *packet, struct parts *parts) {
  struct vkm_wire wire = vkm_wire_of(packet->bytes, packet->length_bytes);
  struct vkm_wire_field field;
  while (vkm_wire_next(&wire, &field)) {
    switch (field.number) {
    case 6:
      parts->snapshot = field;
      break;
    case 8:
      parts->packet.timestamp = field.value;
      parts->packet.has_timestamp = true;
      break;
    case 10:
      parts->sequence = field.value;
      break;
    case 11:
      parts->event = field;
      break;
    case 12:
      parts->interned = field;
      break;
    case 13:
      parts->flags = field.value;
      break;
    case 41: /* as older writers say that the state was cleared */
      parts->flags |= field.value != 0 ? STATE_CLEARED : 0;
      break;
    case 50:
      parts->compressed = true;
      break;
    case 53:
      parts->stage = field;
      break;
    case 58:
      parts->packet.clock = field.value;
      break;
    case 59:
      parts->defaults = field;
      break;
    case 60:
      parts->descriptor = field;
      break;
    default:
      break;
    }
  }
  return !wire.bad;
}

static enum vkm_status sequence_of(struct vkm_reader *reader, uint64_t id,
                                   struct vkm_read_sequence **sequence) {
  if (!vkm_room(&reader->sequences, &reader->sequence_capacity, reader->sequence_count,
                sizeof *reader->sequences)) {
    return VKM_OUT_OF_MEMORY;
  }
  uint32_t *found = vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_SEQUENCE, 0), id,
                                   (uint32_t)reader->sequence_count);
  if (found == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  if (*found == reader->sequence_count) {
    reader->sequences[reader->sequence_count++] =
        (struct vkm_read_sequence){.scope = reader->scopes++, .process = VKM_TIMELINE_NONE};
  }
  *sequence = &reader->sequences[*found];
  return VKM_OK;
}

static enum vkm_status read_defaults(struct vkm_read_sequence *sequence,
                                     const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  sequence->clock = 0;
  sequence->track = 0;
  bool bad = false;
  while (vkm_wire_next(&wire, &part)) {
    if (part.number == 58) {
      sequence->clock = part.value;
    } else if (part.number == 11) {
      struct vkm_wire inner = vkm_wire_in(&part);
      struct vkm_wire_field track;
      while (vkm_wire_next(&inner, &track)) {
        sequence->track = track.number == 11 ? track.value : sequence->track;
      }
      bad = bad || inner.bad;
    }
  }
  return wire.bad || bad ? VKM_BAD_INPUT : VKM_OK;
}

static enum vkm_status read_parts(struct vkm_reader *reader, struct parts *parts) {
  struct vkm_read_sequence *sequence = NULL;
  enum vkm_status status = sequence_of(reader, parts->sequence, &sequence);
  parts->packet.sequence = sequence;
  if (status == VKM_OK && (parts->flags & STATE_CLEARED) != 0) {
    sequence->scope = reader->scopes++;
    sequence->clock = 0;
    sequence->track = 0;
  }
  if (status == VKM_OK && parts->defaults.number != 0) {
    status = read_defaults(sequence, &parts->defaults);
  }
  if (status == VKM_OK && parts->interned.number != 0) {
    status = vkm_read_interned(reader, sequence, &parts->interned);
  }
  if (status == VKM_OK && parts->snapshot.number != 0) {
    status = vkm_read_snapshot(reader, &parts->snapshot);
  }
  if (status == VKM_OK && parts->descriptor.number != 0) {
    status = vkm_read_descriptor(reader, sequence, &parts->descriptor);
  }
  if (status == VKM_OK && parts->event.number != 0) {
    status = vkm_read_track_event(reader, &parts->packet, &parts->event);
  }
  if (status == VKM_OK && parts->stage.number != 0) {
    status = vkm_read_render_stage(reader, &parts->packet, &parts->stage);
  }
  return status;
}

static enum vkm_status read_packet(struct vkm_reader *reader,
                                   const struct vkm_trace_packet *packet) {
  struct vkm_timeline *to = reader->to;
  struct parts parts = {.sequence = 0};
  enum vkm_status status = VKM_BAD_INPUT;
  to->packets++;
  if (take_apart(packet, &parts)) {
    status = read_parts(reader, &parts);
    bool of_use = parts.snapshot.number != 0 || parts.event.number != 0 ||
                  parts.interned.number != 0 || parts.stage.number != 0 ||
                  parts.defaults.number != 0 || parts.descriptor.number != 0;
    to->foreign += !of_use;
    to->compressed += parts.compressed;
  }
  if (status == VKM_BAD_INPUT) {
    to->damaged_at_byte = to->damaged == 0 ? packet->offset : to->damaged_at_byte;
    to->damaged++;
    status = VKM_OK;
  }
  return status;
}

static enum vkm_status read_all(struct vkm_reader *reader, struct vkm_trace_file *file) {
  struct vkm_trace_packet packet;
  enum vkm_status status = vkm_trace_file_next(file, &packet);
  while (status == VKM_OK && packet.bytes != NULL) {
    status = read_packet(reader, &packet);
    if (status == VKM_OK) {
      status = vkm_trace_file_next(file, &packet);
    }
  }
  reader->to->cut = file->cut;
  reader->to->cut_at_byte = file->cut ? file->cut_at_byte : 0;
  return status;
}

static enum vkm_status refuse(const struct vkm_trace_file *file, struct vkm_timeline_error *error) {
  bool empty = file->before + file->used == 0;
  snprintf(error->cause, sizeof error->cause, "%s",
           empty ? "the file is empty" : "it is no Perfetto trace");
  error->remedy = empty ? "was the program killed before it used Vulkan?"
                        : "give a file that VKMETER_TRACE or vkmeter run --trace wrote, "
                          "uncompressed";
  return VKM_BAD_INPUT;
}

static void say_why(enum vkm_status status, struct vkm_timeline_error *error) {
  const char *cause = status == VKM_IO ? strerror(errno) : "out of memory";
  error->remedy =
      status == VKM_IO ? "is it readable?" : "close other programs, or trace a shorter run";
  snprintf(error->cause, sizeof error->cause, "%s", cause);
}

static void drop(struct vkm_reader *reader) {
  vkm_lookup_finish(&reader->lookup);
  vkm_free(reader->sequences);
  vkm_free(reader->tracks);
  vkm_free(reader->opens);
  vkm_free(reader->flows);
}

static enum vkm_status read_file(struct vkm_trace_file *file, struct vkm_timeline *timeline,
                                 struct vkm_timeline_error *error) {
  struct vkm_reader reader = {.to = timeline, .free_open = VKM_TIMELINE_NONE};
  enum vkm_status status = VKM_OUT_OF_MEMORY;
  *timeline = (struct vkm_timeline){.private = vkm_calloc(1, sizeof *timeline->private)};
  if (timeline->private != NULL) {
    reader.keep = timeline->private->keep = vkm_keep_new();
  }
  if (reader.keep != NULL) {
    status = read_all(&reader, file);
  }
  if (status == VKM_OK) {
    status = timeline->packets == 0 ? refuse(file, error) : vkm_read_conclude(&reader);
  }
  if (status != VKM_OK && status != VKM_BAD_INPUT) {
    say_why(status, error);
  }
  drop(&reader);
  if (status != VKM_OK) {
    vkm_timeline_finish(timeline);
  }
  return status;
}

enum vkm_status vkm_timeline_read(const char *path, struct vkm_timeline *timeline,
                                  struct vkm_timeline_error *error) {
  struct vkm_trace_file file;
  *timeline = (struct vkm_timeline){0};
  if (!vkm_trace_file_open(&file, path)) {
    say_why(VKM_IO, error);
    error->remedy = "is the path right?";
    return VKM_IO;
  }
  enum vkm_status status = read_file(&file, timeline, error);
  vkm_trace_file_close(&file);
  return status;
}

enum vkm_status vkm_timeline_read_bytes(const void *bytes, size_t length_bytes,
                                        struct vkm_timeline *timeline,
                                        struct vkm_timeline_error *error) {
  struct vkm_trace_file file;
  vkm_trace_file_from(&file, bytes, length_bytes);
  return read_file(&file, timeline, error);
}

void vkm_timeline_finish(struct vkm_timeline *timeline) {
  vkm_free(timeline->processes);
  vkm_free(timeline->threads);
  vkm_free(timeline->calls);
  vkm_free(timeline->seen);
  vkm_free(timeline->queues);
  vkm_free(timeline->kernels);
  vkm_free(timeline->facts);
  vkm_free(timeline->launches);
  vkm_free(timeline->names);
  vkm_free(timeline->slices);
  vkm_free(timeline->labels);
  vkm_free(timeline->counters);
  vkm_free(timeline->samples);
  vkm_free(timeline->instants);
  if (timeline->private != NULL) {
    vkm_keep_finish(timeline->private->keep);
    vkm_free(timeline->private);
  }
  *timeline = (struct vkm_timeline){0};
}
