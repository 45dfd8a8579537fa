/* In: track descriptors. Out: processes, threads, counters, and which track is whose. Next:
 * trace_read_event. */
#include <stdlib.h>
#include <string.h>

#include "timeline/trace_read_state.h"
#include "timeline/words.h"

enum { PARENTS_MOST = 16 };

struct description {
  uint64_t uuid, parent;
  uint32_t name, detail; /* in names; VKM_TIMELINE_NONE */
  struct vkm_wire_field process, thread, counter;
};

static enum vkm_status new_process(struct vkm_reader *reader, int32_t pid, uint32_t *process) {
  struct vkm_timeline *to = reader->to;
  if (!vkm_room(&to->processes, &reader->room.processes, to->process_count,
                sizeof *to->processes)) {
    return VKM_OUT_OF_MEMORY;
  }
  *process = (uint32_t)to->process_count;
  to->processes[to->process_count++] = (struct vkm_timeline_process){.name = "", .pid = pid};
  return VKM_OK;
}

enum vkm_status vkm_read_process_by_pid(struct vkm_reader *reader, int32_t pid, uint32_t *process) {
  uint64_t key = vkm_read_key(VKM_READ_PROCESS, 0);
  const uint32_t *found = vkm_lookup_find(&reader->lookup, key, (uint32_t)pid);
  if (found != NULL) {
    *process = *found;
    return VKM_OK;
  }
  enum vkm_status status = new_process(reader, pid, process);
  if (status == VKM_OK && vkm_lookup_put(&reader->lookup, key, (uint32_t)pid, *process) == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  return status;
}

struct vkm_read_track *vkm_read_track_of(const struct vkm_reader *reader, uint64_t uuid) {
  const uint32_t *found = vkm_lookup_find(&reader->lookup, vkm_read_key(VKM_READ_TRACK, 0), uuid);
  return found == NULL ? NULL : &reader->tracks[*found];
}

static enum vkm_status track_of(struct vkm_reader *reader, uint64_t uuid, uint32_t *track) {
  uint32_t *found = vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_TRACK, 0), uuid,
                                   (uint32_t)reader->track_count);
  if (found == NULL || !vkm_room(&reader->tracks, &reader->track_capacity, reader->track_count,
                                 sizeof *reader->tracks)) {
    return VKM_OUT_OF_MEMORY;
  }
  *track = *found;
  if (*found == reader->track_count) {
    reader->tracks[reader->track_count++] = (struct vkm_read_track){.process = VKM_TIMELINE_NONE,
                                                                    .of = VKM_TIMELINE_NONE,
                                                                    .name = VKM_TIMELINE_NONE,
                                                                    .opened = VKM_TIMELINE_NONE};
  }
  return VKM_OK;
}

enum vkm_status vkm_read_process_of(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                    const struct vkm_read_track *track, uint32_t *process) {
  for (int i = 0; track != NULL && i < PARENTS_MOST; i++) {
    if (track->process != VKM_TIMELINE_NONE) {
      *process = track->process;
      return VKM_OK;
    }
    track = track->parent != 0 ? vkm_read_track_of(reader, track->parent) : NULL;
  }
  if (sequence->process == VKM_TIMELINE_NONE) {
    enum vkm_status status = new_process(reader, 0, &sequence->process);
    if (status != VKM_OK) {
      return status;
    }
  }
  *process = sequence->process;
  return VKM_OK;
}

/* Arguments joined by blanks. */
static void add_argument(const struct vkm_wire_field *field, char *command, size_t size,
                         size_t *used) {
  size_t length = field->length_bytes;
  if (*used + 1 < size && *used > 0) {
    command[(*used)++] = ' ';
  }
  length = length < size - 1 - *used ? length : size - 1 - *used;
  if (length > 0) {
    memcpy(command + *used, field->bytes, length);
  }
  *used += length;
}

static enum vkm_status read_process(struct vkm_reader *reader, const struct vkm_wire_field *field,
                                    struct vkm_timeline_process *told) {
  char command[4096];
  size_t used = 0;
  uint32_t name = 0;
  enum vkm_status status = VKM_OK;
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      told->pid = (int32_t)part.value;
    } else if (part.number == 2) {
      add_argument(&part, command, sizeof command, &used);
    } else if (part.number == 6) {
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &name);
      told->name = status == VKM_OK ? reader->to->names[name] : NULL;
    } else if (part.number == 7) {
      told->has_started = part.value <= VKM_READ_TIME_LIMIT;
      told->started_ns = told->has_started ? (int64_t)part.value : 0;
    }
  }
  if (status == VKM_OK && used > 0) {
    status = vkm_read_name(reader, (const uint8_t *)command, used, &name);
    told->command = status == VKM_OK ? reader->to->names[name] : NULL;
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

/* The process that was heard of before anything was told of it, else a new one. */
static enum vkm_status adopt(struct vkm_reader *reader, const struct vkm_read_sequence *sequence,
                             int32_t pid, uint32_t *process) {
  const uint32_t *found =
      vkm_lookup_find(&reader->lookup, vkm_read_key(VKM_READ_PROCESS, 0), (uint32_t)pid);
  uint32_t known = found != NULL ? *found : sequence->process;
  const struct vkm_timeline_process *item =
      known == VKM_TIMELINE_NONE ? NULL : &reader->to->processes[known];
  if (item != NULL && item->name[0] == 0 && item->command == NULL && !item->has_started &&
      (item->pid == pid || item->pid == 0)) {
    *process = known;
    return VKM_OK;
  }
  return new_process(reader, pid, process);
}

static enum vkm_status take_process(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                    const struct description *description, uint32_t index) {
  struct vkm_timeline_process told = {0};
  enum vkm_status status = read_process(reader, &description->process, &told);
  struct vkm_read_track *track = &reader->tracks[index];
  if (status == VKM_OK && track->process == VKM_TIMELINE_NONE) {
    status = adopt(reader, sequence, told.pid, &track->process);
  }
  if (status != VKM_OK) {
    return status;
  }
  track->kind = VKM_TRACK_PROCESS;
  struct vkm_timeline_process *process = &reader->to->processes[track->process];
  process->pid = told.pid;
  process->command = told.command != NULL ? told.command : process->command;
  if (told.name != NULL) {
    process->name = told.name;
  } else if (process->name[0] == 0 && description->name != VKM_TIMELINE_NONE) {
    process->name = reader->to->names[description->name];
  }
  if (told.has_started) {
    process->has_started = true;
    process->started_ns = told.started_ns;
  }
  const char *detail =
      description->detail == VKM_TIMELINE_NONE ? "" : reader->to->names[description->detail];
  if (strncmp(detail, VKM_WORD_PROCESS, strlen(VKM_WORD_PROCESS)) == 0) {
    sequence->ours = true;
  }
  if (sequence->process == VKM_TIMELINE_NONE) {
    sequence->process = track->process;
  }
  return vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_PROCESS, 0), (uint32_t)told.pid,
                        track->process) == NULL
             ? VKM_OUT_OF_MEMORY
             : VKM_OK;
}

static enum vkm_status new_thread(struct vkm_reader *reader, uint32_t process, uint32_t *thread) {
  struct vkm_timeline *to = reader->to;
  if (!vkm_room(&to->threads, &reader->room.threads, to->thread_count, sizeof *to->threads)) {
    return VKM_OUT_OF_MEMORY;
  }
  *thread = (uint32_t)to->thread_count;
  to->threads[to->thread_count++] = (struct vkm_timeline_thread){.process = process};
  return VKM_OK;
}

static enum vkm_status take_thread(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                   const struct description *description, uint32_t index) {
  struct vkm_wire wire = vkm_wire_in(&description->thread);
  struct vkm_wire_field part;
  uint32_t name = description->name;
  int32_t pid = 0;
  int32_t tid = 0;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    pid = part.number == 1 ? (int32_t)part.value : pid;
    tid = part.number == 2 ? (int32_t)part.value : tid;
    if (part.number == 5) {
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &name);
    }
  }
  uint32_t process = sequence->process;
  struct vkm_read_track *track = &reader->tracks[index];
  bool mine = process != VKM_TIMELINE_NONE && reader->to->processes[process].pid == pid;
  if (status == VKM_OK && !mine) {
    status = vkm_read_process_by_pid(reader, pid, &process);
  }
  if (status == VKM_OK && track->kind != VKM_TRACK_THREAD) {
    status = new_thread(reader, process, &track->of);
  }
  if (status != VKM_OK) {
    return status;
  }
  track->kind = VKM_TRACK_THREAD;
  track->process = process;
  struct vkm_timeline_thread *thread = &reader->to->threads[track->of];
  thread->tid = tid;
  thread->name = name != VKM_TIMELINE_NONE ? reader->to->names[name] : thread->name;
  return wire.bad ? VKM_BAD_INPUT : VKM_OK;
}

static const char *unit_of(uint64_t unit) {
  return unit == 3 ? "bytes" : unit == 2 ? "count" : unit == 1 ? "ns" : "";
}

static enum vkm_status take_counter(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                    const struct description *description, uint32_t index) {
  struct vkm_timeline *to = reader->to;
  struct vkm_read_track *track = &reader->tracks[index];
  struct vkm_wire wire = vkm_wire_in(&description->counter);
  struct vkm_wire_field part;
  const char *unit = "";
  uint32_t process = 0;
  uint32_t name = 0;
  enum vkm_status status = VKM_OK;
  track->parent = description->parent;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    unit = part.number == 3 ? unit_of(part.value) : unit;
    if (part.number == 6) {
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &name);
      unit = status == VKM_OK ? to->names[name] : unit;
    }
  }
  if (status == VKM_OK) {
    status = vkm_read_process_of(reader, sequence, track, &process);
  }
  if (status != VKM_OK ||
      !vkm_room(&to->counters, &reader->room.counters, to->counter_count, sizeof *to->counters)) {
    return status == VKM_OK ? VKM_OUT_OF_MEMORY : status;
  }
  if (track->kind != VKM_TRACK_COUNTER) {
    track->kind = VKM_TRACK_COUNTER;
    track->of = (uint32_t)to->counter_count++;
  }
  to->counters[track->of] = (struct vkm_timeline_counter){
      .name = description->name == VKM_TIMELINE_NONE ? "" : to->names[description->name],
      .unit = unit,
      .process = process};
  return wire.bad ? VKM_BAD_INPUT : VKM_OK;
}

static enum vkm_status take_apart(struct vkm_reader *reader, const struct vkm_wire_field *field,
                                  struct description *description) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    switch (part.number) {
    case 1:
      description->uuid = part.value;
      break;
    case 2:
    case 10: /* a name that is static, or of the trace's own */
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &description->name);
      break;
    case 3:
      description->process = part;
      break;
    case 4:
      description->thread = part;
      break;
    case 5:
      description->parent = part.value;
      break;
    case 8:
      description->counter = part;
      break;
    case 14:
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &description->detail);
      break;
    default:
      break;
    }
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

enum vkm_status vkm_read_descriptor(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                    const struct vkm_wire_field *field) {
  struct description description = {.name = VKM_TIMELINE_NONE, .detail = VKM_TIMELINE_NONE};
  uint32_t index = 0;
  enum vkm_status status = take_apart(reader, field, &description);
  if (status == VKM_OK) {
    status = track_of(reader, description.uuid, &index);
  }
  if (status != VKM_OK) {
    return status;
  }
  reader->tracks[index].parent = description.parent;
  if (description.name != VKM_TIMELINE_NONE) {
    reader->tracks[index].name = description.name;
  }
  if (description.thread.number != 0) {
    return take_thread(reader, sequence, &description, index);
  }
  if (description.process.number != 0) {
    return take_process(reader, sequence, &description, index);
  }
  if (description.counter.number != 0) {
    return take_counter(reader, sequence, &description, index);
  }
  return VKM_OK;
}

/* How much of the name of a lane is that of its queue: "queue 0.0 (device) lane 2" is a lane of
 * "queue 0.0 (device)". */
static size_t queue_length(const char *name, uint8_t *lane) {
  size_t length = strlen(name);
  size_t tail = length;
  size_t word = strlen(VKM_WORD_LANE);
  while (tail > 0 && name[tail - 1] >= '0' && name[tail - 1] <= '9') {
    tail--;
  }
  *lane = 0;
  if (tail < length && tail > word && strncmp(name + tail - word, VKM_WORD_LANE, word) == 0) {
    unsigned long number = strtoul(name + tail, NULL, 10);
    *lane = (uint8_t)(number == 0 ? 0 : number < UINT8_MAX ? number - 1 : UINT8_MAX - 1);
    length = tail - word;
  }
  word = strlen(VKM_WORD_LABELS);
  if (length > word && strncmp(name + length - word, VKM_WORD_LABELS, word) == 0) {
    length -= word;
  }
  return length;
}

enum vkm_status vkm_read_queue_of(struct vkm_reader *reader, uint32_t process, const char *name,
                                  uint32_t *queue, uint8_t *lane) {
  struct vkm_timeline *to = reader->to;
  size_t length = queue_length(name, lane);
  uint32_t text = 0;
  enum vkm_status status = vkm_read_name(reader, (const uint8_t *)name, length, &text);
  if (status != VKM_OK) {
    return status;
  }
  uint32_t *found = vkm_lookup_put(&reader->lookup, vkm_read_key(VKM_READ_QUEUE, process), text,
                                   (uint32_t)to->queue_count);
  if (found == NULL ||
      !vkm_room(&to->queues, &reader->room.queues, to->queue_count, sizeof *to->queues)) {
    return VKM_OUT_OF_MEMORY;
  }
  *queue = *found;
  if (*found == to->queue_count) {
    to->queues[to->queue_count++] =
        (struct vkm_timeline_queue){.process = process, .name = to->names[text]};
  }
  return VKM_OK;
}
