/* Tracks: who they are, and what viewers call them and in which order they show them. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernel/identity.h"
#include "timeline/trace_write_parts.h"

enum { BY_RANK = 3, UNIT_COUNT = 2, UNIT_BYTES = 3 };

/* Of the tracks of a process, from the top: what each queue does, its labels, what it has in
 * flight; memory; threads stand where the viewer puts them. */
enum { RANK_QUEUE = 0, RANK_QUEUES = 16, RANK_MEMORY = RANK_QUEUES * VKM_TRACE_QUEUES };

uint64_t vkm_trace_hash(const struct vkm_trace_writer *writer, const char *what, uint64_t a,
                        uint64_t b) {
  char text[128];
  int length = snprintf(text, sizeof text, "%s %lld %lld %llu %llu", what,
                        (long long)writer->facts.pid, (long long)writer->facts.started_unix_ns,
                        (unsigned long long)a, (unsigned long long)b);
  uint64_t hash = vkm_hash_bytes(text, (size_t)length).low;
  return hash != 0 ? hash : 1;
}

uint64_t vkm_trace_flow(const struct vkm_trace_writer *writer, uint32_t submission) {
  return vkm_trace_hash(writer, "submission", submission, 0);
}

static void put_track(struct vkm_trace_writer *writer, Vkm__TrackDescriptor *track) {
  Vkm__TracePacket packet;
  vkm_trace_packet_init(writer, &packet);
  packet.track_descriptor = track;
  vkm_trace_packet_put(writer, &packet);
}

static void init_track(Vkm__TrackDescriptor *track, uint64_t uuid) {
  vkm__track_descriptor__init(track);
  track->has_uuid = true;
  track->uuid = uuid;
}

void vkm_trace_process_use(struct vkm_trace_writer *writer) {
  if (!vkm_trace_mark_fresh(writer, &writer->process_mark)) {
    return;
  }
  Vkm__ProcessDescriptor process;
  Vkm__TrackDescriptor track;
  char *command[] = {writer->facts.process_name};
  char description[sizeof writer->facts.run * 3 + 32];
  char run[sizeof writer->facts.run * 3];
  vkm_text_clean(run, sizeof run, writer->facts.run);
  snprintf(description, sizeof description, VKM_WORD_PROCESS " %s", run);
  vkm__process_descriptor__init(&process);
  process.has_pid = true;
  process.pid = writer->facts.pid;
  process.process_name = writer->facts.process_name;
  process.n_cmdline = 1;
  process.cmdline = command;
  process.has_start_timestamp_ns = true;
  process.start_timestamp_ns = writer->facts.started_ns;
  init_track(&track, writer->process_track);
  track.process = &process;
  track.description = description;
  track.has_child_ordering = true;
  track.child_ordering = BY_RANK;
  put_track(writer, &track);
}

static void put_thread(struct vkm_trace_writer *writer, struct vkm_trace_thread *thread) {
  Vkm__ThreadDescriptor descriptor;
  Vkm__TrackDescriptor track;
  char name[sizeof thread->name * 3];
  vkm_text_clean(name, sizeof name, thread->name);
  vkm__thread_descriptor__init(&descriptor);
  descriptor.has_pid = true;
  descriptor.pid = writer->facts.pid;
  descriptor.has_tid = true;
  descriptor.tid = (int32_t)thread->tid;
  descriptor.thread_name = thread->name[0] != '\0' ? name : NULL;
  init_track(&track, thread->track);
  track.thread = &descriptor;
  put_track(writer, &track);
}

uint64_t vkm_trace_thread_use(struct vkm_trace_writer *writer, uint32_t tid, const char *name) {
  bool made = false;
  struct vkm_trace_key key = {VKM_THING_THREAD, tid, 0};
  struct vkm_trace_thread *thread = vkm_trace_thing(writer, key, sizeof *thread, &made);
  if (thread == NULL) { /* too many: told again each time */
    thread = &writer->spare_thread;
    *thread = (struct vkm_trace_thread){0};
    made = true;
  }
  if (made) {
    thread->tid = tid;
    thread->track = vkm_trace_hash(writer, "thread", tid, 0);
  }
  if (name != NULL && strncmp(name, thread->name, sizeof thread->name) != 0) {
    snprintf(thread->name, sizeof thread->name, "%.*s", (int)sizeof thread->name - 1, name);
    if (thread->mark.state == VKM_MARK_WRITTEN) {
      thread->mark.state = VKM_MARK_NEW;
    }
  }
  vkm_trace_process_use(writer);
  if (vkm_trace_mark_fresh(writer, &thread->mark)) {
    put_thread(writer, thread);
  }
  return thread->track;
}

/* A track below the process. `unit` 0: no counter. */
static void put_below(struct vkm_trace_writer *writer, uint64_t uuid, const char *name,
                      int32_t rank, int32_t unit) {
  Vkm__TrackDescriptor track;
  Vkm__CounterDescriptor counter;
  vkm_trace_process_use(writer);
  init_track(&track, uuid);
  track.name = (char *)(uintptr_t)name; /* read only */
  track.has_parent_uuid = true;
  track.parent_uuid = writer->process_track;
  track.has_sibling_order_rank = true;
  track.sibling_order_rank = rank;
  if (unit != 0) {
    vkm__counter_descriptor__init(&counter);
    counter.has_unit = true;
    counter.unit = unit;
    track.counter = &counter;
  }
  put_track(writer, &track);
}

static int32_t queue_rank(const struct vkm_trace_known_queue *queue, uint32_t place) {
  return (int32_t)(RANK_QUEUE + queue->number * RANK_QUEUES + place);
}

uint64_t vkm_trace_heap_use(struct vkm_trace_writer *writer, uint32_t device, uint32_t heap) {
  bool made = false;
  struct vkm_trace_key key = {VKM_THING_HEAP, device, heap};
  struct vkm_trace_heap *known = vkm_trace_thing(writer, key, sizeof *known, &made);
  if (known == NULL) {
    return 0;
  }
  if (made) {
    known->track = vkm_trace_hash(writer, "memory", device, heap);
  }
  if (vkm_trace_mark_fresh(writer, &known->mark)) {
    char name[64];
    snprintf(name, sizeof name, "memory of heap %u (device %u)", heap, device);
    put_below(writer, known->track, name,
              RANK_MEMORY + (int32_t)writer->thing_counts[VKM_THING_HEAP], UNIT_BYTES);
  }
  return known->track;
}

uint64_t vkm_trace_in_flight_use(struct vkm_trace_writer *writer,
                                 struct vkm_trace_known_queue *queue) {
  if (vkm_trace_mark_fresh(writer, &queue->in_flight_mark)) {
    char name[sizeof queue->name + 32];
    snprintf(name, sizeof name, "%s" VKM_WORD_IN_FLIGHT, queue->name);
    put_below(writer, queue->in_flight_track, name, queue_rank(queue, RANK_QUEUES - 1), UNIT_COUNT);
  }
  return queue->in_flight_track;
}

uint64_t vkm_trace_labels_use(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                              uint32_t lane) {
  if (vkm_trace_mark_fresh(writer, &queue->labels[lane].mark)) {
    char name[sizeof queue->name + 32];
    snprintf(name, sizeof name, "%s" VKM_WORD_LABELS, queue->name);
    put_below(writer, queue->labels[lane].track, name, queue_rank(queue, VKM_TRACE_LANES + lane),
              0);
  }
  return queue->labels[lane].track;
}

static void lane_name(const struct vkm_trace_known_queue *queue, uint32_t lane, char *to,
                      size_t size_bytes) {
  if (lane == 0) {
    snprintf(to, size_bytes, "%s", queue->name);
  } else {
    snprintf(to, size_bytes, "%s" VKM_WORD_LANE "%u", queue->name, lane + 1);
  }
}

static void put_hardware_queue(struct vkm_trace_writer *writer, uint64_t iid, char *name) {
  Vkm__InternedGpuRenderStageSpecification queue;
  Vkm__InternedGpuRenderStageSpecification *queues[] = {&queue};
  Vkm__InternedData data;
  vkm__interned_gpu_render_stage_specification__init(&queue);
  queue.has_iid = true;
  queue.iid = iid;
  queue.name = name;
  vkm__interned_data__init(&data);
  data.n_gpu_specifications = 1;
  data.gpu_specifications = queues;
  vkm_trace_data_put(writer, &data);
}

uint64_t vkm_trace_lane_use(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                            uint32_t at) {
  struct vkm_trace_lane *lane = &queue->lanes[at];
  if (!vkm_trace_mark_fresh(writer, &lane->mark)) {
    return lane->id;
  }
  char name[sizeof queue->name + 32];
  lane_name(queue, at, name, sizeof name);
  if (writer->facts.style == VKM_TRACE_RENDER_STAGE) {
    lane->id = lane->id != 0 ? lane->id : ++writer->last_iid[VKM_TRACE_STAGES];
    put_hardware_queue(writer, lane->id, name);
  } else {
    lane->id = vkm_trace_hash(writer, "lane", queue->key, at);
    put_below(writer, lane->id, name, queue_rank(queue, at), 0);
  }
  return lane->id;
}
