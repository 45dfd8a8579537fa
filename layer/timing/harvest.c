/* One execution: queries -> ticks. In: a pending execution. Next room: timing/count. Reads in
 * pieces, checks everything; the execution then counts whole or not at all. */
#include "base/alloc.h"
#include "device.h"
#include "session.h"
#include "timing/count.h"

enum { READ_QUERIES = 256, READ_AT_ONCE = 32 };
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

/* Whether the last stamp is there. */
static enum read_result read_last(struct vkm_device *device,
                                  const struct vkm_recording *recording) {
  uint32_t last = vkm_last_stamp(recording);
  uint64_t closing_ticks;
  enum read_result result = read_one(device, recording, last, &closing_ticks);
  if (result == READ_DONE && any_stale(recording, last, 1, &closing_ticks)) {
    return READ_NOT_READY;
  }
  return result;
}

/* Of long ones the last stamp first, and the rest only when it is there. */
static enum read_result read_recording(struct vkm_device *device, struct vkm_recording *recording) {
  enum read_result result = READ_DONE;
  if (recording->stamp_count > READ_AT_ONCE || recording->blocks->next) {
    result = read_last(device, recording);
  }
  if (result != READ_DONE) {
    return result;
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

/* How far checking has come. */
struct checked {
  const struct vkm_tick_clock *clock;
  const uint64_t *ticks;
  uint32_t last[2]; /* last end of each stage: of two stages the later written may be the earlier */
  uint64_t latest;
};

/* The latest stamp so far. */
static void reach(struct checked *checked, uint64_t tick) {
  if (!vkm_ticks_go_back(checked->clock, checked->latest, tick)) {
    checked->latest = tick;
  }
}

/* VKM_REJECTED_COUNT: nothing speaks against it. */
static enum vkm_rejected check_mark(struct checked *checked, const struct vkm_mark *mark) {
  const uint64_t *ticks = checked->ticks;
  if (mark->begin == VKM_NO_STAMP) {
    return VKM_REJECTED_COUNT;
  }
  if (ticks[mark->begin] == 0 && ticks[mark->end] == 0) {
    return VKM_REJECTED_zero_stamp;
  }
  uint32_t *before = &checked->last[mark->flags & VKM_MARK_ALL_STAGES ? 1 : 0];
  if ((*before != VKM_NO_STAMP &&
       vkm_ticks_go_back(checked->clock, ticks[*before], ticks[mark->begin])) ||
      vkm_ticks_go_back(checked->clock, ticks[mark->begin], ticks[mark->end])) {
    return VKM_REJECTED_out_of_order;
  }
  *before = mark->end;
  reach(checked, ticks[mark->end]);
  return VKM_REJECTED_COUNT;
}

static enum vkm_rejected check_marks(struct checked *checked,
                                     const struct vkm_recording *recording) {
  enum vkm_rejected rejected = VKM_REJECTED_COUNT;
  uint32_t left = recording->mark_count;
  const struct vkm_mark_chunk *chunk = recording->chunks;
  for (; chunk && rejected == VKM_REJECTED_COUNT; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS && left && rejected == VKM_REJECTED_COUNT; i++, left--) {
      rejected = check_mark(checked, &chunk->marks[i]);
    }
  }
  return rejected;
}

static enum vkm_rejected check(const struct vkm_recording *recording, int64_t wall_ns) {
  const uint64_t *ticks = recording->ticks;
  struct checked checked = {vkm_clock_of(recording), ticks, {VKM_NO_STAMP, VKM_NO_STAMP}, ticks[0]};
  bool control = recording->mode == VKM_MODE_SUBMIT && recording->closing != VKM_NO_STAMP;
  if (control && ticks[0] == 0 && ticks[recording->closing] == 0) {
    return VKM_REJECTED_zero_stamp;
  }
  if (control) {
    reach(&checked, ticks[recording->closing]);
  }
  enum vkm_rejected rejected = check_marks(&checked, recording);
  if (rejected != VKM_REJECTED_COUNT) {
    return rejected;
  }
  int64_t span_ns =
      vkm_ticks_to_ns(checked.clock, vkm_ticks_between(checked.clock, ticks[0], checked.latest));
  int64_t limit_ns = wall_ns + wall_ns / 100 * WALL_SLACK_PERCENT + WALL_SLACK_NS;
  return span_ns > limit_ns ? VKM_REJECTED_too_long : VKM_REJECTED_COUNT;
}

/* Takes the lock: the execution is counted and goes. One whose queries the GPU may still write
 * stays, concluded, until a wait covers it. `read`: stamps of its end were there. */
static void leave(struct vkm_device *device, struct vkm_execution *execution, bool finished,
                  bool read) {
  struct vkm_recording *released = NULL;
  pthread_mutex_lock(&device->submissions.lock);
  if (read && execution->queue->flights) {
    vkm_flight_read(execution);
  }
  vkm_execution_leave(device, execution);
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

static struct vkm_verdict judge(struct vkm_device *device, const struct vkm_execution *execution,
                                enum read_result result, int64_t seen_ns) {
  if (result == READ_NO_MEMORY) {
    return (struct vkm_verdict){VKM_VERDICT_MISSED, VKM_MISSED_memory_short};
  }
  if (result == READ_ERROR) {
    return atomic_load(&device->lost)
               ? (struct vkm_verdict){VKM_VERDICT_MISSED, VKM_MISSED_device_lost}
               : (struct vkm_verdict){VKM_VERDICT_REJECTED, VKM_REJECTED_read_error};
  }
  enum vkm_rejected rejected = execution->recording->stamp_count
                                   ? check(execution->recording, seen_ns - execution->submit_ns)
                                   : VKM_REJECTED_COUNT;
  if (rejected != VKM_REJECTED_COUNT) {
    return (struct vkm_verdict){VKM_VERDICT_REJECTED, rejected};
  }
  return (struct vkm_verdict){VKM_VERDICT_MEASURED, 0};
}

enum vkm_harvest vkm_harvest(struct vkm_device *device, struct vkm_execution *execution) {
  struct vkm_recording *recording = execution->recording;
  int64_t begin_ns = vkm_own_wanted(&device->record->collect) ? vkm_now_ns() : INT64_MIN;
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
    vkm_execution_leave(device, execution);
    pthread_mutex_unlock(&device->submissions.lock);
    return VKM_HARVEST_NOT_READY;
  }
  execution->state = VKM_EXECUTION_COUNTING;
  pthread_mutex_unlock(&device->submissions.lock);
  struct vkm_verdict verdict = spoiled ? (struct vkm_verdict){VKM_VERDICT_MISSED, (int)missed}
                                       : judge(device, execution, result, seen_ns);
  vkm_count_execution(execution, verdict, seen_ns);
  leave(device, execution, !spoiled, result == READ_DONE && recording->stamp_count && !spoiled);
  vkm_session_touch();
  vkm_own_count(&device->record->collect);
  if (begin_ns != INT64_MIN) {
    vkm_own_timed(&device->record->collect, vkm_now_ns() - begin_ns);
  }
  return VKM_HARVEST_DONE;
}

void vkm_give_up(struct vkm_device *device, struct vkm_execution *execution) {
  struct vkm_verdict verdict =
      atomic_load(&device->lost)
          ? (struct vkm_verdict){VKM_VERDICT_MISSED, VKM_MISSED_device_lost}
          : (struct vkm_verdict){VKM_VERDICT_REJECTED, VKM_REJECTED_unavailable};
  if (execution->recording->stamp_count == 0) {
    verdict = (struct vkm_verdict){VKM_VERDICT_MEASURED,
                                   0}; /* only untimed marks: they are counted as they are */
  }
  pthread_mutex_lock(&device->submissions.lock);
  execution->state = VKM_EXECUTION_COUNTING;
  pthread_mutex_unlock(&device->submissions.lock);
  vkm_count_execution(execution, verdict, vkm_now_ns());
  leave(device, execution, true, false);
  vkm_session_touch();
}
