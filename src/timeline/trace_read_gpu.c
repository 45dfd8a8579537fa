/* In: render stages, and what is said of timed commands in either style. Out: slices, kernels,
 * launches. Next: trace_read_end. */
#include <stdlib.h>
#include <string.h>

#include "kernel/identity.h"
#include "timeline/trace_read_state.h"
#include "timeline/words.h"

uint8_t vkm_read_kind(const char *text) {
  for (size_t kind = 0; kind < VKM_KIND_COUNT; kind++) {
    if (strcmp(text, vkm_kind_names[kind]) == 0) {
      return (uint8_t)kind;
    }
  }
  return strcmp(text, VKM_WORD_WHOLE) == 0 ? VKM_TIMELINE_KIND_WHOLE : VKM_TIMELINE_KIND_OTHER;
}

struct vkm_read_command vkm_read_new_command(int64_t begin_ns, int64_t duration_ns) {
  return (struct vkm_read_command){.slice = {.begin_ns = begin_ns,
                                             .end_ns = begin_ns + duration_ns,
                                             .bytes = UINT64_MAX,
                                             .kernel = VKM_TIMELINE_NONE,
                                             .name = VKM_TIMELINE_NONE,
                                             .phase = VKM_TIMELINE_NONE,
                                             .launch = VKM_TIMELINE_NONE,
                                             .submit = VKM_TIMELINE_NONE,
                                             .kind = VKM_TIMELINE_KIND_OTHER},
                                   .identity = VKM_TIMELINE_NONE,
                                   .family = VKM_TIMELINE_NONE};
}

/* "64,32,1". */
static bool sizes_of(const char *text, uint32_t sizes[3]) {
  uint32_t read[3];
  for (size_t i = 0; i < 3; i++) {
    char *end = NULL;
    read[i] = (uint32_t)strtoul(text, &end, 10);
    if (end == text || *end != (i < 2 ? ',' : 0)) {
      return false;
    }
    text = end + 1;
  }
  memcpy(sizes, read, sizeof read);
  return true;
}

/* Of a note that is a text: whether it is called `word`. */
static bool is_text(const struct vkm_read_note *note, const char *name, const char *word) {
  return note->has_value && note->fact.type == VKM_TIMELINE_TEXT && strcmp(name, word) == 0;
}

static bool take_number(const struct vkm_read_note *note, const char *name,
                        struct vkm_timeline_slice *slice) {
  /* Extra data are texts only. */
  uint64_t number = note->fact.type == VKM_TIMELINE_TEXT ? strtoull(note->fact.text, NULL, 10)
                                                         : vkm_read_number(note, UINT64_MAX);
  if (strcmp(name, VKM_WORD_BYTES) == 0) {
    slice->bytes = number;
  } else if (strcmp(name, VKM_WORD_EVENT_ID) == 0) {
    slice->event_id = number == UINT64_MAX ? 0 : number;
  } else if (strcmp(name, VKM_WORD_SUBMISSION) == 0) {
    slice->submission = number == UINT64_MAX ? 0 : (uint32_t)number;
  } else {
    return false;
  }
  return true;
}

static bool index_of(struct vkm_reader *reader, const char *text, uint32_t *name) {
  return vkm_read_name(reader, (const uint8_t *)text, strlen(text), name) == VKM_OK;
}

bool vkm_read_command_note(struct vkm_reader *reader, const struct vkm_read_note *note,
                           struct vkm_read_command *command) {
  const char *name = reader->to->names[note->name];
  if (!note->has_value) {
    return false;
  }
  if (is_text(note, name, VKM_WORD_KIND)) {
    command->slice.kind = vkm_read_kind(note->fact.text);
  } else if (is_text(note, name, VKM_WORD_IDENTITY)) {
    return index_of(reader, note->fact.text, &command->identity);
  } else if (is_text(note, name, VKM_WORD_FAMILY)) {
    return index_of(reader, note->fact.text, &command->family);
  } else if (is_text(note, name, VKM_WORD_PHASE)) {
    return index_of(reader, note->fact.text, &command->slice.phase);
  } else if (is_text(note, name, VKM_WORD_GROUPS)) {
    command->has_launch = sizes_of(note->fact.text, command->launch.groups) || command->has_launch;
  } else if (is_text(note, name, VKM_WORD_LOCAL_SIZE)) {
    command->has_launch =
        sizes_of(note->fact.text, command->launch.local_size) || command->has_launch;
  } else {
    return take_number(note, name, &command->slice);
  }
  return true;
}

enum vkm_status vkm_read_kernel_of(struct vkm_reader *reader, uint32_t process, uint32_t name,
                                   uint32_t identity, uint32_t family, uint32_t *kernel) {
  struct vkm_timeline *to = reader->to;
  if (!vkm_room(&to->kernels, &reader->room.kernels, to->kernel_count, sizeof *to->kernels)) {
    return VKM_OUT_OF_MEMORY;
  }
  uint32_t *found = vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_KERNEL, process),
                                   (uint64_t)name << 32 | identity, (uint32_t)to->kernel_count);
  if (found == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  *kernel = *found;
  if (*found == to->kernel_count) {
    to->kernels[to->kernel_count++] = (struct vkm_timeline_kernel){
        .name = name == VKM_TIMELINE_NONE ? "" : to->names[name], .process = process};
  }
  struct vkm_timeline_kernel *item = &to->kernels[*kernel];
  item->identity = identity == VKM_TIMELINE_NONE ? item->identity : to->names[identity];
  item->family = family == VKM_TIMELINE_NONE ? item->family : to->names[family];
  return VKM_OK;
}

static enum vkm_status launch_of(struct vkm_reader *reader,
                                 const struct vkm_timeline_launch *launch, uint32_t *index) {
  struct vkm_timeline *to = reader->to;
  struct vkm_hash hash = vkm_hash_bytes(launch, sizeof *launch);
  if (!vkm_room(&to->launches, &reader->room.launches, to->launch_count, sizeof *to->launches)) {
    return VKM_OUT_OF_MEMORY;
  }
  uint32_t *found = vkm_lookup_put(&reader->lookup, (hash.high & ~UINT64_C(0xFF)) | VKM_READ_LAUNCH,
                                   hash.low, (uint32_t)to->launch_count);
  if (found == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  *index = *found;
  if (*found == to->launch_count) {
    to->launches[to->launch_count++] = *launch;
  }
  return VKM_OK;
}

enum vkm_status vkm_read_add_slice(struct vkm_reader *reader, struct vkm_read_command *command,
                                   uint32_t *index) {
  struct vkm_timeline *to = reader->to;
  struct vkm_timeline_slice *slice = &command->slice;
  enum vkm_status status = VKM_OK;
  if (command->has_launch) {
    status = launch_of(reader, &command->launch, &slice->launch);
  }
  if (status == VKM_OK && slice->name == VKM_TIMELINE_NONE) {
    status = vkm_read_name(reader, NULL, 0, &slice->name);
  }
  if (status != VKM_OK ||
      !vkm_room(&to->slices, &reader->room.slices, to->slice_count, sizeof *to->slices)) {
    return status == VKM_OK ? VKM_OUT_OF_MEMORY : status;
  }
  *index = (uint32_t)to->slice_count;
  to->slices[to->slice_count++] = *slice;
  return VKM_OK;
}

struct stage {
  struct vkm_read_command command;
  uint64_t duration_ns, context, queue, stage, kernel;
  bool has_kernel, has_queue, has_context;
};

static void read_dim(const struct vkm_wire_field *field, uint32_t sizes[3], bool *bad) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (vkm_wire_next(&wire, &part)) {
    if (part.number <= 3) {
      sizes[part.number - 1] = (uint32_t)part.value;
    }
  }
  *bad = *bad || wire.bad;
}

static enum vkm_status take_note(struct vkm_reader *reader, const struct vkm_read_packet *packet,
                                 const struct vkm_wire_field *field, struct stage *stage) {
  struct vkm_read_note note;
  enum vkm_status status = vkm_read_one_note(reader, packet->sequence, field, false, &note);
  if (status == VKM_OK && note.name != VKM_TIMELINE_NONE) {
    (void)vkm_read_command_note(reader, &note, &stage->command);
  }
  return status;
}

static enum vkm_status read_launch(struct vkm_reader *reader, const struct vkm_read_packet *packet,
                                   const struct vkm_wire_field *field, struct stage *stage) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  bool bad = false;
  stage->command.has_launch = true;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      read_dim(&part, stage->command.launch.groups, &bad);
    } else if (part.number == 2) {
      read_dim(&part, stage->command.launch.local_size, &bad);
    } else if (part.number == 3) {
      status = take_note(reader, packet, &part, stage);
    }
  }
  return status == VKM_OK && (wire.bad || bad) ? VKM_BAD_INPUT : status;
}

/* Extra data: name 1, value 2, both texts. */
static enum vkm_status read_extra(struct vkm_reader *reader, const struct vkm_wire_field *field,
                                  struct stage *stage) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  struct vkm_read_note note = {.name = VKM_TIMELINE_NONE};
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    uint32_t text = 0;
    status = vkm_read_name(reader, part.bytes, part.length_bytes, &text);
    if (status == VKM_OK && part.number == 1) {
      note.name = text;
    } else if (status == VKM_OK && part.number == 2) {
      note.has_value = true;
      note.fact.type = VKM_TIMELINE_TEXT;
      note.fact.text = reader->to->names[text];
    }
  }
  if (status == VKM_OK && note.name != VKM_TIMELINE_NONE) {
    (void)vkm_read_command_note(reader, &note, &stage->command);
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

static enum vkm_status take_part(struct vkm_reader *reader, const struct vkm_read_packet *packet,
                                 const struct vkm_wire_field *part, struct stage *stage) {
  struct vkm_timeline_slice *slice = &stage->command.slice;
  switch (part->number) {
  case 1:
    slice->event_id = part->value;
    break;
  case 2:
    stage->duration_ns = part->value;
    break;
  case 5:
    stage->context = part->value;
    stage->has_context = true;
    break;
  case 6:
    return read_extra(reader, part, stage);
  case 10:
    slice->submission = (uint32_t)part->value;
    break;
  case 13:
    stage->queue = part->value;
    stage->has_queue = true;
    break;
  case 14:
    stage->stage = part->value;
    break;
  case 17:
    return vkm_read_name(reader, part->bytes, part->length_bytes, &slice->name);
  case 19:
    stage->kernel = part->value;
    stage->has_kernel = true;
    break;
  case 20:
    slice->name = vkm_read_intern(reader, packet->sequence, VKM_READ_EVENT_NAME, part->value);
    break;
  case 21:
    return read_launch(reader, packet, part, stage);
  default:
    break;
  }
  return VKM_OK;
}

static enum vkm_status process_of(struct vkm_reader *reader, const struct vkm_read_packet *packet,
                                  const struct stage *stage, uint32_t *process) {
  uint32_t pid = stage->has_context
                     ? vkm_read_intern(reader, packet->sequence, VKM_READ_CONTEXT, stage->context)
                     : VKM_TIMELINE_NONE;
  uint32_t own = packet->sequence->process;
  if (pid != VKM_TIMELINE_NONE &&
      (own == VKM_TIMELINE_NONE || reader->to->processes[own].pid != (int32_t)pid)) {
    return vkm_read_process_by_pid(reader, (int32_t)pid, process);
  }
  return vkm_read_process_of(reader, packet->sequence, NULL, process);
}

static enum vkm_status name_it(struct vkm_reader *reader, const struct vkm_read_packet *packet,
                               struct stage *stage) {
  struct vkm_timeline_slice *slice = &stage->command.slice;
  uint32_t text = vkm_read_intern(reader, packet->sequence, VKM_READ_SPECIFICATION, stage->stage);
  if (slice->kind == VKM_TIMELINE_KIND_OTHER && text != VKM_TIMELINE_NONE) {
    slice->kind = vkm_read_kind(reader->to->names[text]);
  }
  if (stage->has_kernel) {
    slice->kernel =
        vkm_read_intern(reader, packet->sequence, VKM_READ_COMPUTE_KERNEL, stage->kernel);
    reader->to->unnamed += slice->kernel == VKM_TIMELINE_NONE;
  }
  if (slice->name != VKM_TIMELINE_NONE) {
    return VKM_OK;
  }
  if (slice->kernel != VKM_TIMELINE_NONE) {
    const char *name = reader->to->kernels[slice->kernel].name;
    return vkm_read_name(reader, (const uint8_t *)name, strlen(name), &slice->name);
  }
  slice->name = text;
  return VKM_OK;
}

enum vkm_status vkm_read_render_stage(struct vkm_reader *reader,
                                      const struct vkm_read_packet *packet,
                                      const struct vkm_wire_field *field) {
  struct stage stage = {.command = vkm_read_new_command(0, 0)};
  struct vkm_timeline_slice *slice = &stage.command.slice;
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  uint32_t process = 0;
  uint32_t index = 0;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    status = take_part(reader, packet, &part, &stage);
  }
  if (status != VKM_OK || wire.bad) {
    return status == VKM_OK ? VKM_BAD_INPUT : status;
  }
  uint32_t queue = stage.has_queue ? vkm_read_intern(reader, packet->sequence,
                                                     VKM_READ_SPECIFICATION, stage.queue)
                                   : VKM_TIMELINE_NONE;
  if (queue == VKM_TIMELINE_NONE) {
    reader->to->unnamed++;
    return VKM_OK;
  }
  if (!vkm_read_time(reader, packet, &slice->begin_ns) || stage.duration_ns > VKM_READ_TIME_LIMIT) {
    reader->to->unplaced++;
    return VKM_OK;
  }
  slice->end_ns = slice->begin_ns + (int64_t)stage.duration_ns;
  status = process_of(reader, packet, &stage, &process);
  if (status == VKM_OK) {
    status =
        vkm_read_queue_of(reader, process, reader->to->names[queue], &slice->queue, &slice->lane);
  }
  if (status == VKM_OK) {
    status = name_it(reader, packet, &stage);
  }
  return status == VKM_OK ? vkm_read_add_slice(reader, &stage.command, &index) : status;
}
