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
  struct vkm_trace_defaults defaults;
  bool good = vkm_trace_defaults_in(field, &defaults);
  sequence->clock = defaults.clock;
  sequence->track = defaults.track;
  return good ? VKM_OK : VKM_BAD_INPUT;
}

/* What a packet says for itself and those behind it. */
static enum vkm_status read_state(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                  const struct vkm_trace_parts *parts) {
  enum vkm_status status = VKM_OK;
  if (parts->cleared) {
    sequence->scope = reader->scopes++;
    sequence->clock = 0;
    sequence->track = 0;
  }
  if (parts->defaults.number != 0) {
    status = read_defaults(sequence, &parts->defaults);
  }
  if (status == VKM_OK && parts->interned.number != 0) {
    status = vkm_read_interned(reader, sequence, &parts->interned);
  }
  return status;
}

static enum vkm_status read_parts(struct vkm_reader *reader, struct vkm_read_packet *packet) {
  const struct vkm_trace_parts *parts = &packet->parts;
  enum vkm_status status = sequence_of(reader, parts->sequence, &packet->sequence);
  struct vkm_read_sequence *sequence = packet->sequence;
  if (status == VKM_OK) {
    status = read_state(reader, sequence, parts);
  }
  if (status == VKM_OK && parts->snapshot.number != 0 && parts->machine == 0) {
    status = vkm_read_snapshot(reader, &parts->snapshot);
  }
  if (status == VKM_OK && parts->descriptor.number != 0) {
    status = vkm_read_descriptor(reader, sequence, &parts->descriptor);
  }
  if (status == VKM_OK && parts->event.number != 0) {
    status = vkm_read_track_event(reader, packet, &parts->event);
  }
  if (status == VKM_OK && parts->stage.number != 0) {
    status = vkm_read_render_stage(reader, packet, &parts->stage);
  }
  return status;
}

static void count_parts(struct vkm_timeline *to, const struct vkm_trace_parts *parts,
                        uint64_t offset) {
  bool of_use = parts->snapshot.number != 0 || parts->event.number != 0 ||
                parts->interned.number != 0 || parts->stage.number != 0 ||
                parts->defaults.number != 0 || parts->descriptor.number != 0;
  to->foreign += !of_use;
  if (parts->compressed) {
    to->compressed_at_byte = to->compressed == 0 ? offset : to->compressed_at_byte;
    to->compressed++;
  }
}

static enum vkm_status read_packet(struct vkm_reader *reader,
                                   const struct vkm_trace_packet *packet) {
  struct vkm_timeline *to = reader->to;
  struct vkm_read_packet taken = {.sequence = NULL};
  enum vkm_status status = VKM_BAD_INPUT;
  to->packets++;
  if (vkm_trace_take_apart(packet, &taken.parts)) {
    status = read_parts(reader, &taken);
    count_parts(to, &taken.parts, packet->offset);
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
  *timeline = (struct vkm_timeline){.own = vkm_calloc(1, sizeof *timeline->own)};
  if (timeline->own != NULL) {
    reader.keep = timeline->own->keep = vkm_keep_new();
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
  if (timeline->own != NULL) {
    vkm_keep_finish(timeline->own->keep);
    vkm_free(timeline->own);
  }
  *timeline = (struct vkm_timeline){0};
}
