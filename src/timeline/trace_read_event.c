/* In: track events. Out: calls, labels, instants, counters, and timed commands where they are track
 * events. Next: trace_read_end, which ties them together. */
#include <string.h>

#include "timeline/trace_read_state.h"
#include "timeline/words.h"

enum type { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4 };
enum category { NO_CATEGORY = 0, CALL = 1, GPU = 2, LABEL = 4, HAPPENED = 8, COUNTS = 16 };

struct event {
  const struct vkm_read_packet *packet;
  const struct vkm_wire_field *field;
  int64_t at_ns;
  uint64_t type, track_uuid;
  int64_t counter;
  uint32_t name; /* in names; VKM_TIMELINE_NONE */
  unsigned categories;
  bool has_category;
};

static unsigned category_of(const char *text) {
  static const struct {
    const char *text;
    unsigned bit;
  } known[] = {{VKM_WORD_CALL, CALL},
               {VKM_WORD_GPU, GPU},
               {VKM_WORD_LABEL, LABEL},
               {VKM_WORD_INSTANT, HAPPENED},
               {VKM_WORD_COUNTS, COUNTS}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(text, known[i].text) == 0) {
      return known[i].bit;
    }
  }
  return NO_CATEGORY;
}

/* Numbers in a field that is packed or repeated: the next one. */
static bool each_varint(struct vkm_wire *wire, const struct vkm_wire_field *field,
                        uint64_t *value) {
  if (field->type == VKM_WIRE_BYTES) {
    return vkm_wire_varint(wire, value);
  }
  bool first = wire->at == NULL;
  wire->at = field->header;
  wire->end = field->header;
  *value = field->value;
  return first;
}

static void take_categories(struct vkm_reader *reader, struct event *event,
                            const struct vkm_wire_field *field) {
  uint64_t iid = 0;
  struct vkm_wire wire =
      field->type == VKM_WIRE_BYTES ? vkm_wire_in(field) : (struct vkm_wire){NULL, NULL, false};
  while (each_varint(&wire, field, &iid)) {
    uint32_t name = vkm_read_intern(reader, event->packet->sequence, VKM_READ_CATEGORY, iid);
    event->has_category = true;
    if (name != VKM_TIMELINE_NONE) {
      event->categories |= category_of(reader->to->names[name]);
    }
  }
}

static enum vkm_status take_part(struct vkm_reader *reader, struct event *event,
                                 const struct vkm_wire_field *part) {
  uint32_t text = 0;
  enum vkm_status status = VKM_OK;
  switch (part->number) {
  case 3:
    take_categories(reader, event, part);
    break;
  case 9:
    event->type = part->value;
    break;
  case 10:
    event->name =
        vkm_read_intern(reader, event->packet->sequence, VKM_READ_EVENT_NAME, part->value);
    break;
  case 11:
    event->track_uuid = part->value;
    break;
  case 22:
    status = vkm_read_name(reader, part->bytes, part->length_bytes, &text);
    event->has_category = true;
    event->categories |= status == VKM_OK ? category_of(reader->to->names[text]) : 0;
    break;
  case 23:
    status = vkm_read_name(reader, part->bytes, part->length_bytes, &event->name);
    break;
  case 30:
    event->counter = (int64_t)part->value;
    break;
  default:
    break;
  }
  return status;
}

static enum vkm_status push(struct vkm_reader *reader, struct vkm_read_track *track,
                            enum vkm_open_kind kind, uint32_t index) {
  uint32_t at = reader->free_open;
  if (at != VKM_TIMELINE_NONE) {
    reader->free_open = reader->opens[at].outer;
  } else if (vkm_room(&reader->opens, &reader->open_capacity, reader->open_count,
                      sizeof *reader->opens)) {
    at = (uint32_t)reader->open_count++;
  } else {
    return VKM_OUT_OF_MEMORY;
  }
  reader->opens[at] = (struct vkm_read_open){track->opened, index, kind};
  track->opened = at;
  track->depth += kind == VKM_OPEN_LABEL;
  return VKM_OK;
}

static void end(struct vkm_reader *reader, struct vkm_read_track *track, int64_t at_ns) {
  uint32_t at = track->opened;
  if (at == VKM_TIMELINE_NONE) {
    reader->to->unpaired++;
    return;
  }
  struct vkm_read_open *open = &reader->opens[at];
  int64_t *begin_ns = NULL;
  int64_t *end_ns = NULL;
  if (open->kind == VKM_OPEN_CALL) {
    struct vkm_timeline_call *call = &reader->to->calls[open->index];
    begin_ns = &call->begin_ns;
    end_ns = &call->end_ns;
    call->open = false;
  } else if (open->kind == VKM_OPEN_LABEL) {
    struct vkm_timeline_label *label = &reader->to->labels[open->index];
    begin_ns = &label->begin_ns;
    end_ns = &label->end_ns;
    label->open = false;
    track->depth--;
  } else if (open->kind == VKM_OPEN_SLICE) {
    struct vkm_timeline_slice *slice = &reader->to->slices[open->index];
    begin_ns = &slice->begin_ns;
    end_ns = &slice->end_ns;
  }
  if (end_ns != NULL) {
    *end_ns = at_ns > *begin_ns ? at_ns : *begin_ns;
  }
  track->opened = open->outer;
  open->outer = reader->free_open;
  reader->free_open = at;
}

static enum vkm_status add_flow(struct vkm_reader *reader, uint64_t id, uint32_t call, bool ends) {
  if (!ends) {
    return vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_FLOW, 0), id, call) == NULL
               ? VKM_OUT_OF_MEMORY
               : VKM_OK;
  }
  if (!vkm_room(&reader->flows, &reader->flow_capacity, reader->flow_count,
                sizeof *reader->flows)) {
    return VKM_OUT_OF_MEMORY;
  }
  reader->flows[reader->flow_count++] = (struct vkm_read_flow){id, call};
  return VKM_OK;
}

static enum vkm_status take_flows(struct vkm_reader *reader, const struct vkm_wire_field *field,
                                  uint32_t call) {
  bool ends = field->number == 48;
  uint64_t id = field->value;
  if (field->type != VKM_WIRE_BYTES) {
    return add_flow(reader, id, call, ends);
  }
  enum vkm_status status = VKM_OK;
  struct vkm_wire wire = vkm_wire_in(field);
  while (status == VKM_OK && vkm_wire_fixed64(&wire, &id)) {
    status = add_flow(reader, id, call, ends);
  }
  return status;
}

static void take_call_note(const struct vkm_reader *reader, const struct vkm_read_note *note,
                           struct vkm_timeline_call *call) {
  const char *name = reader->to->names[note->name];
  uint64_t number = vkm_read_number(note, UINT64_MAX);
  if (number == UINT64_MAX && strcmp(name, VKM_WORD_RESULT) != 0) {
    return;
  }
  if (strcmp(name, VKM_WORD_SUBMISSION) == 0) {
    call->submission = (uint32_t)number;
  } else if (strcmp(name, VKM_WORD_RESULT) == 0) {
    call->result = (int32_t)vkm_read_number(note, 0);
  } else if (strcmp(name, VKM_WORD_BYTES) == 0) {
    call->bytes = number;
  } else if (strcmp(name, VKM_WORD_MADE) == 0) {
    call->made = (uint32_t)number;
  } else if (strcmp(name, VKM_WORD_CACHE_HITS) == 0) {
    call->cache_hits = (uint32_t)number;
  }
}

static uint8_t call_of(const char *name) {
  static const char *const names[] = {
#define VKM_CALL(name, activity) "vk" #name,
#include "timeline/calls.def"
#undef VKM_CALL
  };
  uint8_t call = 0;
  while (call < VKM_CALL_COUNT && strcmp(names[call], name) != 0) {
    call++;
  }
  return call;
}

static enum vkm_status begin_call(struct vkm_reader *reader, const struct event *event,
                                  struct vkm_read_track *track) {
  struct vkm_timeline *to = reader->to;
  if (!vkm_room(&to->calls, &reader->room.calls, to->call_count, sizeof *to->calls)) {
    return VKM_OUT_OF_MEMORY;
  }
  uint32_t index = (uint32_t)to->call_count++;
  const char *name = event->name == VKM_TIMELINE_NONE ? "" : to->names[event->name];
  struct vkm_timeline_call call = {.begin_ns = event->at_ns,
                                   .end_ns = event->at_ns,
                                   .bytes = UINT64_MAX,
                                   .name = name,
                                   .thread = track->of,
                                   .cache_hits = VKM_TIMELINE_NONE,
                                   .call = call_of(name),
                                   .open = true};
  enum vkm_status status = push(reader, track, VKM_OPEN_CALL, index);
  struct vkm_wire wire = vkm_wire_in(event->field);
  struct vkm_wire_field part;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 4) {
      struct vkm_read_note note;
      status = vkm_read_one_note(reader, event->packet->sequence, &part, true, &note);
      if (status == VKM_OK && note.name != VKM_TIMELINE_NONE) {
        take_call_note(reader, &note, &call);
      }
    } else if (part.number == 47 || part.number == 48) {
      status = take_flows(reader, &part, index);
    }
  }
  to->calls[index] = call;
  return status;
}

/* Notes of a command; what is none of a command's words is a fact of its kernel. */
static enum vkm_status take_command_notes(struct vkm_reader *reader, const struct event *event,
                                          struct vkm_read_command *command) {
  struct vkm_wire wire = vkm_wire_in(event->field);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    struct vkm_read_note note;
    if (part.number != 4) {
      continue;
    }
    status = vkm_read_one_note(reader, event->packet->sequence, &part, true, &note);
    if (status == VKM_OK && note.name != VKM_TIMELINE_NONE && note.has_value &&
        !vkm_read_command_note(reader, &note, command)) {
      status = vkm_read_add_fact(reader, &note);
    }
  }
  return status;
}

static enum vkm_status begin_slice(struct vkm_reader *reader, const struct event *event,
                                   struct vkm_read_track *track) {
  struct vkm_timeline *to = reader->to;
  const char *lane = track->name == VKM_TIMELINE_NONE ? "" : to->names[track->name];
  struct vkm_read_command command = vkm_read_new_command(event->at_ns, 0);
  size_t first_fact = to->fact_count;
  uint32_t process = 0;
  uint32_t index = 0;
  command.slice.name = event->name;
  enum vkm_status status = vkm_read_process_of(reader, event->packet->sequence, track, &process);
  if (status == VKM_OK) {
    status = vkm_read_queue_of(reader, process, lane, &command.slice.queue, &command.slice.lane);
  }
  if (status == VKM_OK) {
    status = take_command_notes(reader, event, &command);
  }
  if (status == VKM_OK && command.identity != VKM_TIMELINE_NONE) {
    status = vkm_read_kernel_of(reader, process, event->name, command.identity, command.family,
                                &command.slice.kernel);
  }
  if (status == VKM_OK) {
    vkm_read_tie_facts(reader, command.slice.kernel, first_fact);
    status = vkm_read_add_slice(reader, &command, &index);
  }
  return status == VKM_OK ? push(reader, track, VKM_OPEN_SLICE, index) : status;
}

/* The queue of an event on its track of labels; VKM_TIMELINE_NONE: none. */
static enum vkm_status queue_of_track(struct vkm_reader *reader, const struct event *event,
                                      const struct vkm_read_track *track, uint32_t *queue) {
  uint8_t lane = 0;
  uint32_t process = 0;
  const char *name =
      track == NULL || track->name == VKM_TIMELINE_NONE ? "" : reader->to->names[track->name];
  *queue = VKM_TIMELINE_NONE;
  if (strncmp(name, VKM_WORD_QUEUE, strlen(VKM_WORD_QUEUE)) != 0) {
    return VKM_OK;
  }
  enum vkm_status status = vkm_read_process_of(reader, event->packet->sequence, track, &process);
  return status == VKM_OK ? vkm_read_queue_of(reader, process, name, queue, &lane) : status;
}

static enum vkm_status begin_label(struct vkm_reader *reader, const struct event *event,
                                   struct vkm_read_track *track) {
  struct vkm_timeline *to = reader->to;
  struct vkm_timeline_label label = {.begin_ns = event->at_ns,
                                     .end_ns = event->at_ns,
                                     .name = "",
                                     .depth = track->depth,
                                     .open = true};
  if (event->name != VKM_TIMELINE_NONE) {
    label.name = to->names[event->name];
  }
  enum vkm_status status = queue_of_track(reader, event, track, &label.queue);
  if (status != VKM_OK || label.queue == VKM_TIMELINE_NONE) {
    to->unnamed += status == VKM_OK;
    return status == VKM_OK ? push(reader, track, VKM_OPEN_FOREIGN, 0) : status;
  }
  if (!vkm_room(&to->labels, &reader->room.labels, to->label_count, sizeof *to->labels)) {
    return VKM_OUT_OF_MEMORY;
  }
  to->labels[to->label_count++] = label;
  return push(reader, track, VKM_OPEN_LABEL, (uint32_t)to->label_count - 1);
}

static enum vkm_status begin(struct vkm_reader *reader, const struct event *event,
                             struct vkm_read_track *track) {
  if ((event->categories & CALL) != 0 && track->kind == VKM_TRACK_THREAD) {
    return begin_call(reader, event, track);
  }
  if ((event->categories & GPU) != 0) {
    return begin_slice(reader, event, track);
  }
  if ((event->categories & LABEL) != 0) {
    return begin_label(reader, event, track);
  }
  reader->to->foreign++;
  return push(reader, track, VKM_OPEN_FOREIGN, 0);
}

static void take_count(const struct vkm_reader *reader, const struct vkm_read_note *note,
                       struct vkm_timeline_process *process) {
  const char *name = reader->to->names[note->name];
  uint64_t number = vkm_read_number(note, 0);
  process->events = strcmp(name, VKM_WORD_EVENTS) == 0 ? number : process->events;
  process->dropped[0] = strcmp(name, VKM_WORD_DROPPED_FULL) == 0 ? number : process->dropped[0];
  process->dropped[1] = strcmp(name, VKM_WORD_DROPPED_RATE) == 0 ? number : process->dropped[1];
  process->dropped[2] = strcmp(name, VKM_WORD_DROPPED_SIZE) == 0 ? number : process->dropped[2];
  process->short_calls = strcmp(name, VKM_WORD_SHORT_CALLS) == 0 ? number : process->short_calls;
}

static enum vkm_status counts(struct vkm_reader *reader, const struct event *event,
                              const struct vkm_read_track *track) {
  uint32_t process = 0;
  enum vkm_status status = vkm_read_process_of(reader, event->packet->sequence, track, &process);
  struct vkm_wire wire = vkm_wire_in(event->field);
  struct vkm_wire_field part;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    struct vkm_read_note note;
    if (part.number != 4) {
      continue;
    }
    status = vkm_read_one_note(reader, event->packet->sequence, &part, true, &note);
    if (status == VKM_OK && note.name != VKM_TIMELINE_NONE) {
      take_count(reader, &note, &reader->to->processes[process]);
      reader->to->processes[process].has_counts = true;
    }
  }
  return status;
}

static enum vkm_status instant(struct vkm_reader *reader, const struct event *event,
                               const struct vkm_read_track *track) {
  struct vkm_timeline *to = reader->to;
  if ((event->categories & COUNTS) != 0) {
    return counts(reader, event, track);
  }
  if ((event->categories & HAPPENED) == 0 || event->name == VKM_TIMELINE_NONE) {
    to->foreign++;
    return VKM_OK;
  }
  struct vkm_timeline_instant happened = {event->at_ns, to->names[event->name], 0};
  enum vkm_status status = queue_of_track(reader, event, track, &happened.queue);
  if (status != VKM_OK ||
      !vkm_room(&to->instants, &reader->room.instants, to->instant_count, sizeof *to->instants)) {
    return status == VKM_OK ? VKM_OUT_OF_MEMORY : status;
  }
  to->instants[to->instant_count++] = happened;
  return VKM_OK;
}

static enum vkm_status counter(struct vkm_reader *reader, const struct event *event,
                               const struct vkm_read_track *track) {
  struct vkm_timeline *to = reader->to;
  if (!event->packet->sequence->ours || track->kind != VKM_TRACK_COUNTER) {
    to->foreign++;
    return VKM_OK;
  }
  if (!vkm_room(&to->samples, &reader->room.samples, to->sample_count, sizeof *to->samples)) {
    return VKM_OUT_OF_MEMORY;
  }
  to->samples[to->sample_count++] =
      (struct vkm_timeline_sample){event->at_ns, event->counter, track->of};
  return VKM_OK;
}

static enum vkm_status take_apart(struct vkm_reader *reader, struct event *event) {
  enum vkm_status status = VKM_OK;
  struct vkm_wire wire = vkm_wire_in(event->field);
  struct vkm_wire_field part;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    status = take_part(reader, event, &part);
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

enum vkm_status vkm_read_track_event(struct vkm_reader *reader,
                                     const struct vkm_read_packet *packet,
                                     const struct vkm_wire_field *field) {
  struct event event = {.packet = packet,
                        .field = field,
                        .track_uuid = packet->sequence->track,
                        .name = VKM_TIMELINE_NONE};
  enum vkm_status status = take_apart(reader, &event);
  if (status != VKM_OK) {
    return status;
  }
  packet->sequence->ours = packet->sequence->ours || event.categories != NO_CATEGORY;
  struct vkm_read_track *track = vkm_read_track_of(reader, event.track_uuid);
  bool ours = packet->sequence->ours;
  if (track == NULL && (event.categories & COUNTS) == 0) {
    reader->to->unnamed += ours;
    reader->to->foreign += !ours;
    return VKM_OK;
  }
  if (!vkm_read_time(reader, packet, &event.at_ns)) {
    reader->to->unplaced++;
    return VKM_OK;
  }
  switch (event.type) {
  case BEGIN:
    return track == NULL ? VKM_OK : begin(reader, &event, track);
  case END:
    if (track != NULL) {
      end(reader, track, event.at_ns);
    }
    return VKM_OK;
  case INSTANT:
    return instant(reader, &event, track);
  case COUNTER:
    return track == NULL ? VKM_OK : counter(reader, &event, track);
  default:
    reader->to->foreign++;
    return VKM_OK;
  }
}
