/* One execution: queries -> ticks -> samples. In: a pending execution. Out: rows and queues of the
 * device record. Reads in pieces, checks everything, then counts the execution whole or not at all.
 */
#include "base/alloc.h"
#include "device.h"
#include "session.h"
#include "timing/calibrate.h"

enum { READ_QUERIES = 256, COUNT_MARKS = 256 };
/* A GPU clock and the host's differ a little, and a read takes its time. */
enum { WALL_SLACK_NS = 10 * 1000 * 1000, WALL_SLACK_PERCENT = 1 };

/* NO_MEMORY: the result is there but cannot be kept. */
enum read_result { READ_DONE, READ_NOT_READY, READ_ERROR, READ_NO_MEMORY };

/* Queries [first, first + count) of a block to `ticks`. */
static enum read_result read_queries(struct vkm_device *device, const struct vkm_block *block,
                                     uint32_t first, uint32_t count, uint64_t *ticks) {
  uint64_t values[READ_QUERIES][2];
  VkResult result = device->table.GetQueryPoolResults(
      device->handle, block->slab->pool, block->first + first, count, count * sizeof values[0],
      values, sizeof values[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  if (result < 0) {
    vkm_device_result(device, result);
    return READ_ERROR;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (values[i][1] == 0) {
      return READ_NOT_READY;
    }
    ticks[i] = values[i][0];
  }
  return READ_DONE;
}

static enum read_result read_one(struct vkm_device *device, const struct vkm_recording *recording,
                                 uint32_t stamp, uint64_t *ticks) {
  const struct vkm_block *block = recording->blocks;
  while (stamp >= block->used) {
    stamp -= block->used;
    block = block->next;
  }
  return read_queries(device, block, stamp, 1, ticks);
}

static bool room_for_ticks(struct vkm_recording *recording) {
  if (recording->tick_capacity >= recording->stamp_count) {
    return true;
  }
  size_t bytes = recording->stamp_count * sizeof *recording->ticks;
  void *ticks = vkm_realloc(recording->ticks, bytes);
  recording->ticks = ticks ? ticks : recording->ticks;
  void *scratch = vkm_realloc(recording->scratch, bytes);
  recording->scratch = scratch ? scratch : recording->scratch;
  if (!ticks || !scratch) {
    return false;
  }
  recording->tick_capacity = recording->stamp_count;
  return true;
}

/* Whether a query may still hold the previous execution's value: the reset inside the recording has
 * not been executed yet, or the driver publishes late. Each query by itself can be late. */
static bool any_stale(const struct vkm_recording *recording, uint32_t first, uint32_t count,
                      const uint64_t *ticks) {
  if (!recording->reset_inside || !recording->read_before) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (ticks[i] == recording->ticks[first + i]) {
      return true;
    }
  }
  return false;
}

static enum read_result read_recording(struct vkm_device *device, struct vkm_recording *recording);

/* On drivers whose reads wait: only while nothing is outstanding, and with submissions kept out
 * meanwhile. */
static enum read_result read_when_idle(struct vkm_device *device, struct vkm_recording *recording) {
  if (!device->query_read_waits) {
    return read_recording(device, recording);
  }
  enum read_result result = READ_NOT_READY;
  if (pthread_mutex_trylock(&device->read_gate) == 0) {
    pthread_mutex_lock(&device->submissions.lock);
    bool idle = vkm_may_read(device);
    pthread_mutex_unlock(&device->submissions.lock);
    if (idle) {
      result = read_recording(device, recording);
    }
    pthread_mutex_unlock(&device->read_gate);
  }
  return result;
}

/* The last stamp first; the rest only when it is there. */
static enum read_result read_recording(struct vkm_device *device, struct vkm_recording *recording) {
  uint32_t last =
      recording->closing != VKM_NO_STAMP ? recording->closing : recording->stamp_count - 1;
  uint64_t closing_ticks;
  enum read_result result = read_one(device, recording, last, &closing_ticks);
  if (result != READ_DONE) {
    return result;
  }
  if (any_stale(recording, last, 1, &closing_ticks)) {
    return READ_NOT_READY;
  }
  if (!room_for_ticks(recording)) {
    return READ_NO_MEMORY;
  }
  uint32_t at = 0;
  for (const struct vkm_block *block = recording->blocks; block; block = block->next) {
    for (uint32_t first = 0; first < block->used; first += READ_QUERIES) {
      uint32_t count = block->used - first < READ_QUERIES ? block->used - first : READ_QUERIES;
      result = read_queries(device, block, first, count, &recording->scratch[at]);
      if (result != READ_DONE) {
        return result;
      }
      if (any_stale(recording, at, count, &recording->scratch[at])) {
        return READ_NOT_READY;
      }
      at += count;
    }
  }
  uint64_t *previous = recording->ticks;
  recording->ticks = recording->scratch;
  recording->scratch = previous;
  recording->read_before = true;
  return READ_DONE;
}

/* ---- can it be true? ---- */

static struct vkm_tick_clock clock_of(const struct vkm_recording *recording) {
  const struct vkm_device_record *record = recording->device->record;
  return (struct vkm_tick_clock){record->timestamp_period_ns,
                                 record->families[recording->family].timestamp_valid_bits};
}

static bool goes_back(const struct vkm_tick_clock *clock, uint64_t earlier, uint64_t later) {
  uint64_t half = UINT64_C(1) << (clock->valid_bits - 1);
  return vkm_ticks_between(clock, earlier, later) >= half;
}

/* VKM_REJECTED_COUNT: nothing speaks against it. */
static enum vkm_rejected check(const struct vkm_recording *recording, int64_t wall_ns) {
  struct vkm_tick_clock clock = clock_of(recording);
  const uint64_t *ticks = recording->ticks;
  /* Order is checked between stamps of one stage only: of two stages the later written may be the
   * earlier. */
  uint32_t last[2] = {VKM_NO_STAMP, VKM_NO_STAMP};
  uint64_t latest = ticks[0];
  for (const struct vkm_mark_chunk *chunk = recording->chunks; chunk; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS; i++) {
      const struct vkm_mark *mark = &chunk->marks[i];
      if (chunk == recording->last_chunk &&
          (uint32_t)i == (recording->mark_count - 1) % VKM_CHUNK_MARKS + 1) {
        break;
      }
      if (mark->begin == VKM_NO_STAMP) {
        continue;
      }
      if (ticks[mark->begin] == 0 && ticks[mark->end] == 0) {
        return VKM_REJECTED_zero_stamp;
      }
      uint32_t *before = &last[mark->flags & VKM_MARK_ALL_STAGES ? 1 : 0];
      if ((*before != VKM_NO_STAMP && goes_back(&clock, ticks[*before], ticks[mark->begin])) ||
          goes_back(&clock, ticks[mark->begin], ticks[mark->end])) {
        return VKM_REJECTED_out_of_order;
      }
      *before = mark->end;
      latest = goes_back(&clock, latest, ticks[mark->end]) ? latest : ticks[mark->end];
    }
  }
  int64_t span_ns = vkm_ticks_to_ns(&clock, vkm_ticks_between(&clock, ticks[0], latest));
  int64_t limit_ns = wall_ns + wall_ns / 100 * WALL_SLACK_PERCENT + WALL_SLACK_NS;
  return span_ns > limit_ns ? VKM_REJECTED_too_long : VKM_REJECTED_COUNT;
}

/* ---- counting ---- */

/* What happened to an execution's timed marks. */
struct verdict {
  enum { MEASURED, MISSED, REJECTED } outcome;
  int reason; /* enum vkm_missed or vkm_rejected */
};

/* Where counting stands within one execution. */
struct tally {
  struct vkm_device_record *record;
  const struct vkm_execution *execution; /* NULL when only counted */
  uint32_t phase;                        /* of the labels open on the queue */
  struct vkm_queue_record *queue;        /* NULL: unknown queue */
  struct vkm_tick_clock clock;
  int64_t offset_ns;        /* CLOCK_MONOTONIC minus line ns, INT64_MIN unknown */
  uint32_t last_end;        /* stamp of the previous mark's end; VKM_NO_STAMP: unknown */
  uint8_t last_stage;       /* its VKM_MARK_ALL_STAGES */
  struct vkm_interval busy; /* being extended */
  bool busy_open;
};

/* Rows are remembered in marks, but for executions under a label of the queue: there the path has
 * two parts. */
static struct vkm_kernel_row *row_of(struct vkm_device_record *record, struct vkm_mark *mark,
                                     uint32_t queue_phase) {
  if (!mark->row || queue_phase) {
    struct vkm_kernel_key key;
    __builtin_memset(&key, 0, sizeof key); /* compared as bytes */
    key.pipeline = mark->pipeline ? mark->pipeline->index : VKM_NO_PIPELINE;
    key.phase = vkm_device_record_join(record, queue_phase, mark->phase);
    key.kind = mark->kind;
    for (int i = 0; i < 3; i++) {
      key.groups[i] = mark->groups[i];
      key.base[i] = mark->base[i];
    }
    struct vkm_kernel_row *row = vkm_aggregate_row(&record->aggregate, &key);
    if (queue_phase) {
      return row;
    }
    mark->row = row;
  }
  return mark->row;
}

static void flush_busy(struct tally *tally) {
  if (tally->busy_open && tally->queue) {
    vkm_busy_add(&tally->queue->busy, tally->busy.begin_ns, tally->busy.end_ns);
  }
  tally->busy_open = false;
}

static void extend_busy(struct tally *tally, int64_t begin_ns, int64_t end_ns) {
  if (tally->busy_open && begin_ns >= tally->busy.begin_ns && begin_ns <= tally->busy.end_ns) {
    tally->busy.end_ns = end_ns > tally->busy.end_ns ? end_ns : tally->busy.end_ns;
    return;
  }
  flush_busy(tally);
  tally->busy = (struct vkm_interval){begin_ns, end_ns};
  tally->busy_open = true;
}

static void measure(struct tally *tally, struct vkm_mark *mark, struct vkm_kernel_row *row) {
  const struct vkm_recording *recording = tally->execution->recording;
  uint64_t begin = recording->ticks[mark->begin];
  uint64_t end = recording->ticks[mark->end];
  int64_t duration_ns =
      vkm_ticks_to_ns(&tally->clock, vkm_ticks_between(&tally->clock, begin, end));
  int64_t gap_ns = VKM_NO_GAP;
  uint8_t stage = mark->flags & VKM_MARK_ALL_STAGES;
  if (tally->last_end != VKM_NO_STAMP && tally->last_stage == stage) {
    gap_ns = vkm_ticks_to_ns(
        &tally->clock, vkm_ticks_between(&tally->clock, recording->ticks[tally->last_end], begin));
  }
  int64_t begin_ns = INT64_MIN;
  if (tally->queue) {
    int64_t line_ns = vkm_tick_line_ns(&tally->queue->line, &tally->clock, begin);
    extend_busy(tally, line_ns, line_ns + duration_ns);
    begin_ns = tally->offset_ns == INT64_MIN
                   ? INT64_MIN
                   : line_ns + tally->offset_ns - vkm_session_started_ns();
  }
  bool first_use = mark->flags & VKM_MARK_FIRST_USE && tally->execution->ordinal == 0;
  vkm_kernel_row_measured(row, duration_ns, gap_ns, begin_ns, first_use,
                          mark->flags & VKM_MARK_OVERLAP);
  row->conditional += mark->flags & VKM_MARK_CONDITIONAL ? 1 : 0;
  tally->last_end = mark->end;
  tally->last_stage = stage;
}

static void count_mark(struct tally *tally, struct vkm_mark *mark, struct verdict verdict) {
  struct vkm_kernel_row *row = row_of(tally->record, mark, tally->phase);
  struct vkm_outcomes *outcomes =
      row ? &row->outcomes : &tally->record->aggregate.overflow[mark->kind];
  if (mark->pipeline && tally->execution && mark->pipeline->first_use_ns == INT64_MIN) {
    mark->pipeline->first_use_ns = tally->execution->submit_ns;
  }
  if (mark->begin == VKM_NO_STAMP) {
    outcomes->untimed[mark->untimed]++;
    tally->last_end = VKM_NO_STAMP;
  } else if (verdict.outcome == MISSED) {
    outcomes->missed[verdict.reason]++;
  } else if (verdict.outcome == REJECTED) {
    outcomes->rejected[verdict.reason]++;
  } else if (row) {
    measure(tally, mark, row);
  } else {
    outcomes->measured++;
  }
}

/* Commands that found no memory for a mark, `times` executed. Lock held. */
static void count_lost(struct vkm_device_record *record, const struct vkm_recording *recording,
                       uint64_t times) {
  for (int i = 0; i < VKM_KIND_COUNT; i++) {
    record->aggregate.overflow[i].untimed[VKM_UNTIMED_out_of_memory] +=
        times * recording->lost_marks[i];
  }
}

/* All marks, the record's lock held for at most COUNT_MARKS of them at a time. */
static void count_marks(struct vkm_recording *recording, struct tally *tally,
                        struct verdict verdict) {
  uint32_t counted = 0;
  pthread_mutex_lock(&tally->record->lock);
  for (struct vkm_mark_chunk *chunk = recording->chunks; chunk; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS && counted < recording->mark_count; i++, counted++) {
      count_mark(tally, &chunk->marks[i], verdict);
    }
    if (counted % COUNT_MARKS == 0) {
      pthread_mutex_unlock(&tally->record->lock);
      pthread_mutex_lock(&tally->record->lock);
    }
  }
  count_lost(tally->record, recording, 1);
  flush_busy(tally);
  pthread_mutex_unlock(&tally->record->lock);
}

void vkm_conclude_missed(struct vkm_recording *recording, uint32_t phase, enum vkm_missed reason) {
  struct tally tally = {
      .record = recording->device->record, .phase = phase, .last_end = VKM_NO_STAMP};
  count_marks(recording, &tally, (struct verdict){MISSED, reason});
}

/* Brings the queue's clock up to date with this execution and fills in where it lies. */
static void place(struct tally *tally, int64_t seen_ns) {
  const struct vkm_recording *recording = tally->execution->recording;
  uint32_t index = tally->execution->queue->record_index;
  if (index == UINT32_MAX) {
    return;
  }
  uint32_t last =
      recording->closing != VKM_NO_STAMP ? recording->closing : recording->stamp_count - 1;
  pthread_mutex_lock(&tally->record->lock);
  tally->queue = tally->record->queues[index];
  vkm_calibrate_bracket(tally->queue, &tally->clock,
                        &(struct vkm_seen){.first_ticks = recording->ticks[0],
                                           .last_ticks = recording->ticks[last],
                                           .submit_ns = tally->execution->submit_ns,
                                           .seen_ns = seen_ns});
  tally->offset_ns = vkm_calibrate_offset(tally->record, tally->queue, &tally->clock);
  pthread_mutex_unlock(&tally->record->lock);
}

static void count_execution(const struct vkm_execution *execution, struct verdict verdict,
                            int64_t seen_ns) {
  struct tally tally = {.record = execution->recording->device->record,
                        .execution = execution,
                        .phase = execution->phase,
                        .last_end = VKM_NO_STAMP,
                        .offset_ns = INT64_MIN};
  if (verdict.outcome == MEASURED && execution->recording->stamp_count) {
    tally.clock = clock_of(execution->recording);
    place(&tally, seen_ns);
  }
  count_marks(execution->recording, &tally, verdict);
}

void vkm_count_pending(struct vkm_device *device, uint64_t add) {
  struct vkm_device_record *record = device->record;
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    for (struct vkm_execution *at = queue->first; at; at = at->next) {
      if (at->state != VKM_EXECUTION_PENDING) {
        continue;
      }
      count_lost(record, at->recording, add);
      uint32_t left = at->recording->mark_count;
      for (struct vkm_mark_chunk *chunk = at->recording->chunks; chunk; chunk = chunk->next) {
        for (int i = 0; i < VKM_CHUNK_MARKS && left; i++, left--) {
          struct vkm_kernel_row *row = row_of(record, &chunk->marks[i], at->phase);
          struct vkm_outcomes *outcomes =
              row ? &row->outcomes : &record->aggregate.overflow[chunk->marks[i].kind];
          outcomes->missed[VKM_MISSED_not_finished] += add;
        }
      }
    }
  }
}

/* Takes the lock: the execution is counted and goes. One whose queries the GPU may still write
 * stays, concluded, until a wait covers it. */
static void leave(struct vkm_device *device, struct vkm_execution *execution, bool finished) {
  struct vkm_recording *released = NULL;
  pthread_mutex_lock(&device->submissions.lock);
  execution->reading = false;
  if (!finished) {
    execution->state = VKM_EXECUTION_CONCLUDED; /* already among the recording's uncovered ones */
    if (execution->recording->last == execution) {
      execution->recording->last = NULL;
    }
  }
  if (finished || execution->sequence <= execution->queue->covered) {
    released = vkm_execution_remove(device, execution);
  }
  pthread_mutex_unlock(&device->submissions.lock);
  vkm_recording_release(released);
}

static struct verdict judge(struct vkm_device *device, const struct vkm_execution *execution,
                            enum read_result result, int64_t seen_ns) {
  if (result == READ_NO_MEMORY) {
    return (struct verdict){MISSED, VKM_MISSED_memory_short};
  }
  if (result == READ_ERROR) {
    return atomic_load(&device->lost) ? (struct verdict){MISSED, VKM_MISSED_device_lost}
                                      : (struct verdict){REJECTED, VKM_REJECTED_read_error};
  }
  enum vkm_rejected rejected = execution->recording->stamp_count
                                   ? check(execution->recording, seen_ns - execution->submit_ns)
                                   : VKM_REJECTED_COUNT;
  if (rejected != VKM_REJECTED_COUNT) {
    return (struct verdict){REJECTED, rejected};
  }
  return (struct verdict){MEASURED, 0};
}

enum vkm_harvest vkm_harvest(struct vkm_device *device, struct vkm_execution *execution) {
  struct vkm_recording *recording = execution->recording;
  int64_t begin_ns = vkm_now_ns();
  enum read_result result = READ_DONE;
  if (atomic_load(&device->lost)) {
    result = READ_ERROR; /* what a lost device gives for work in flight is undefined */
  } else if (recording->stamp_count) {
    result = read_when_idle(device, recording);
  }
  int64_t seen_ns = vkm_now_ns();
  pthread_mutex_lock(&device->submissions.lock);
  bool spoiled = execution->spoiled;
  enum vkm_missed missed = execution->missed;
  if (result == READ_NOT_READY && !spoiled) {
    execution->reading = false;
    pthread_mutex_unlock(&device->submissions.lock);
    return VKM_HARVEST_NOT_READY;
  }
  execution->state = VKM_EXECUTION_COUNTING;
  pthread_mutex_unlock(&device->submissions.lock);
  struct verdict verdict =
      spoiled ? (struct verdict){MISSED, (int)missed} : judge(device, execution, result, seen_ns);
  count_execution(execution, verdict, seen_ns);
  leave(device, execution, !spoiled);
  atomic_fetch_add_explicit(&device->record->collects, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&device->record->collect_ns, (uint64_t)(vkm_now_ns() - begin_ns),
                            memory_order_relaxed);
  vkm_session_touch();
  return VKM_HARVEST_DONE;
}

void vkm_give_up(struct vkm_device *device, struct vkm_execution *execution) {
  struct verdict verdict = atomic_load(&device->lost)
                               ? (struct verdict){MISSED, VKM_MISSED_device_lost}
                               : (struct verdict){REJECTED, VKM_REJECTED_unavailable};
  if (execution->recording->stamp_count == 0) {
    verdict = (struct verdict){MEASURED, 0}; /* only untimed marks: they are counted as they are */
  }
  pthread_mutex_lock(&device->submissions.lock);
  execution->state = VKM_EXECUTION_COUNTING;
  pthread_mutex_unlock(&device->submissions.lock);
  count_execution(execution, verdict, vkm_now_ns());
  leave(device, execution, true);
  vkm_session_touch();
}
