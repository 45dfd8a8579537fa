/* One execution: ticks -> samples, see count.h. */
#include "timing/count.h"

#include "activity.h"
#include "choice.h"
#include "device.h"
#include "session.h"
#include "timing/calibrate.h"
#include "timing/collect.h"
#include "timing/device_time.h"
#include "timing/gpu_events.h"
#include "trace.h"

enum { COUNT_MARKS = 256 };

const struct vkm_tick_clock *vkm_clock_of(const struct vkm_recording *recording) {
  static const struct vkm_tick_clock any = {.period_ns = 1, .valid_bits = 64};
  const struct vkm_device_record *record = recording->device->record;
  return recording->family < record->family_count ? &record->clocks[recording->family] : &any;
}

/* Where counting stands within one execution. */
struct tally {
  struct vkm_device_record *record;
  struct vkm_execution *execution;    /* NULL when only counted */
  uint32_t phase;                     /* of the labels open on the queue */
  struct vkm_queue_record *queue;     /* NULL: unknown queue */
  const struct vkm_tick_clock *clock; /* of use where something is measured */
  bool measured;
  int64_t offset_ns;        /* CLOCK_MONOTONIC minus line ns, INT64_MIN unknown */
  int64_t started_ns;       /* of the session */
  int64_t first_line_ns;    /* of the first stamp, where there is a queue */
  uint32_t last_end;        /* stamp of the previous mark's end; VKM_NO_STAMP: unknown */
  uint8_t last_stage;       /* its VKM_MARK_ALL_STAGES */
  struct vkm_interval busy; /* being extended */
  bool busy_open;
  struct vkm_device_time_open time;
  struct vkm_plan *plan;         /* NULL: it found no place */
  struct vkm_gpu_events *events; /* NULL: no timeline */
};

/* `counts`: of an indirect dispatch, read back; NULL otherwise. */
static struct vkm_kernel_row *find_row(struct vkm_device_record *record, struct vkm_mark *mark,
                                       uint32_t queue_phase, const uint32_t *counts) {
  struct vkm_kernel_key key;
  __builtin_memset(&key, 0, sizeof key); /* compared as bytes */
  key.pipeline = mark->pipeline ? mark->pipeline->index : VKM_NO_PIPELINE;
  key.phase = vkm_phase_join(record, queue_phase, mark->phase);
  key.kind = mark->kind;
  key.read = counts != NULL;
  bool other = vkm_kind_moves(mark->kind) || mark->kind == VKM_KIND_DISPATCH_INDIRECT;
  for (int i = 0; i < 3; i++) {
    key.groups[i] = counts ? counts[i] : mark->groups[i];
    key.base[i] = other ? 0 : mark->base[i];
  }
  return mark->pipeline ? vkm_aggregate_row_of(&record->aggregate, &key, &mark->pipeline->row_count)
                        : vkm_aggregate_row(&record->aggregate, &key);
}

/* Rows are remembered in marks, but for executions under a label of the queue: there the path has
 * two parts. */
static struct vkm_kernel_row *row_of(struct vkm_device_record *record, struct vkm_mark *mark,
                                     uint32_t queue_phase) {
  if (queue_phase) {
    return find_row(record, mark, queue_phase, NULL);
  }
  if (!mark->row) {
    mark->row = find_row(record, mark, 0, NULL);
  }
  return mark->row;
}

/* The row of a measured execution: an indirect dispatch may have other counts each time. */
static struct vkm_kernel_row *measured_row(const struct tally *tally, struct vkm_mark *mark) {
  if (mark->kind != VKM_KIND_DISPATCH_INDIRECT || mark->base[0] == 0) {
    return row_of(tally->record, mark, tally->phase);
  }
  uint32_t counts[3];
  vkm_indirect_read(tally->execution->recording, mark->base[0], counts);
  return find_row(tally->record, mark, tally->phase, counts);
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

/* Where it was on the host's clock. */
static struct vkm_interval on_host(const struct tally *tally, int64_t line_ns,
                                   int64_t duration_ns) {
  if (!tally->queue || tally->offset_ns == INT64_MIN) {
    return (struct vkm_interval){INT64_MIN, INT64_MIN};
  }
  int64_t begin_ns = line_ns + tally->offset_ns;
  return (struct vkm_interval){begin_ns, begin_ns + duration_ns};
}

/* One that is measured but has no row: only the timeline has its time. */
static void trace_without_row(struct tally *tally, const struct vkm_mark *mark) {
  const struct vkm_recording *recording = tally->execution->recording;
  uint64_t begin = recording->ticks[mark->begin];
  int64_t duration_ns = vkm_ticks_to_ns(
      tally->clock, vkm_ticks_between(tally->clock, begin, recording->ticks[mark->end]));
  int64_t line_ns = tally->queue ? vkm_tick_line_ns(&tally->queue->line, tally->clock, begin) : 0;
  vkm_gpu_events_mark(tally->events, mark, vkm_phase_join(tally->record, tally->phase, mark->phase),
                      on_host(tally, line_ns, duration_ns));
}

/* `at`: the mark's place in its recording. */
static void measure(struct tally *tally, uint32_t at, const struct vkm_mark *mark,
                    struct vkm_kernel_row *row) {
  const struct vkm_recording *recording = tally->execution->recording;
  uint64_t begin = recording->ticks[mark->begin];
  uint64_t end = recording->ticks[mark->end];
  int64_t duration_ns = vkm_ticks_to_ns(tally->clock, vkm_ticks_between(tally->clock, begin, end));
  int64_t gap_ns = VKM_NO_GAP;
  uint8_t stage = mark->flags & VKM_MARK_ALL_STAGES;
  if (tally->last_end == mark->begin) { /* one stamp for both */
    gap_ns = 0;
  } else if (tally->last_end != VKM_NO_STAMP && tally->last_stage == stage) {
    gap_ns = vkm_ticks_to_ns(
        tally->clock, vkm_ticks_between(tally->clock, recording->ticks[tally->last_end], begin));
  }
  int64_t begin_ns = INT64_MIN;
  int64_t line_ns = 0;
  if (tally->queue) {
    line_ns = vkm_tick_line_ns(&tally->queue->line, tally->clock, begin);
    extend_busy(tally, line_ns, line_ns + duration_ns);
    vkm_device_time_mark(&tally->time, tally->record, tally->queue, tally->offset_ns, mark->kind,
                         (struct vkm_interval){line_ns, line_ns + duration_ns});
    begin_ns =
        tally->offset_ns == INT64_MIN ? INT64_MIN : line_ns + tally->offset_ns - tally->started_ns;
  }
  if (tally->events) {
    vkm_gpu_events_mark(tally->events, mark, row->key.phase, on_host(tally, line_ns, duration_ns));
  }
  bool first_use = mark->flags & VKM_MARK_FIRST_USE && tally->execution->ordinal == 0;
  vkm_kernel_row_measured(row, duration_ns, gap_ns, begin_ns, first_use,
                          mark->flags & VKM_MARK_OVERLAP);
  if (tally->plan) {
    vkm_plan_measured(tally->plan, at, duration_ns, row->index);
  }
  row->conditional += mark->flags & VKM_MARK_CONDITIONAL ? 1 : 0;
  tally->last_end = mark->end;
  tally->last_stage = stage;
}

/* Inside a control recording: only the span around all of it may be measured. */
static void count_control(struct tally *tally, const struct vkm_kernel_row *row,
                          struct vkm_outcomes *outcomes) {
  outcomes->control++;
  if (tally->plan && row && row->outcomes.measured == 0) {
    tally->plan->unseen_kernels++;
  }
}

/* One that had stamps, or lay in a control recording. `row` NULL: it found no place. */
static void count_timed(struct tally *tally, uint32_t at, const struct vkm_mark *mark,
                        struct vkm_verdict verdict, struct vkm_kernel_row *row,
                        struct vkm_outcomes *outcomes) {
  if (verdict.outcome == VKM_VERDICT_MISSED) {
    outcomes->missed[verdict.reason]++;
  } else if (verdict.outcome == VKM_VERDICT_REJECTED) {
    outcomes->rejected[verdict.reason]++;
  } else if (!vkm_choice_counted(tally->record, tally->phase, mark)) {
    outcomes->missed[VKM_MISSED_not_chosen]++;
    tally->last_end = VKM_NO_STAMP;
  } else if (mark->flags & VKM_MARK_CONTROL) {
    count_control(tally, row, outcomes);
  } else if (row) {
    measure(tally, at, mark, row);
  } else {
    outcomes->measured++;
    if (tally->events) {
      trace_without_row(tally, mark);
    }
  }
}

static void count_mark(struct tally *tally, uint32_t at, struct vkm_mark *mark,
                       struct vkm_verdict verdict) {
  bool timed = mark->begin != VKM_NO_STAMP && verdict.outcome == VKM_VERDICT_MEASURED;
  struct vkm_kernel_row *row =
      timed ? measured_row(tally, mark) : row_of(tally->record, mark, tally->phase);
  struct vkm_outcomes *outcomes =
      row ? &row->outcomes : &tally->record->aggregate.overflow[mark->kind];
  tally->time.seen[vkm_kind_moves(mark->kind)] = true;
  if (row) {
    row->bytes += vkm_mark_bytes(mark);
  }
  if (mark->pipeline && tally->execution && mark->pipeline->first_use_ns == INT64_MIN) {
    mark->pipeline->first_use_ns = tally->execution->submit_ns;
  }
  if (mark->begin == VKM_NO_STAMP) {
    tally->last_end = VKM_NO_STAMP;
  }
  if (mark->begin == VKM_NO_STAMP && !(mark->flags & VKM_MARK_CONTROL)) {
    outcomes->untimed[mark->untimed]++;
  } else {
    count_timed(tally, at, mark, verdict, row, outcomes);
  }
  if (tally->events && mark->begin != VKM_NO_STAMP) {
    tally->events->timed++;
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

/* ---- plans ---- */

/* The recording's signature. No lock: what it reads is written while recording. */
static struct vkm_plan_shape shape_of(const struct vkm_recording *recording) {
  struct vkm_plan_signer signer;
  signer.hash = (struct vkm_hash){0};
  signer.used = 0;
  uint32_t left = recording->mark_count;
  for (const struct vkm_mark_chunk *chunk = recording->chunks; chunk; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS && left; i++, left--) {
      const struct vkm_mark *mark = &chunk->marks[i];
      vkm_plan_sign(&signer, mark->pipeline ? mark->pipeline->identity : (struct vkm_hash){0},
                    mark->kind);
    }
  }
  return (struct vkm_plan_shape){
      .signature = vkm_plan_signature(&signer, recording->child_count, recording->secondary),
      .mark_count = recording->mark_count,
      .child_count = recording->child_count,
      .secondary = recording->secondary};
}

/* The recording's plan is looked up when it is counted first. Lock held on entry and exit, given up
 * meanwhile: a long recording takes its time. */
static struct vkm_plan *plan_of(struct vkm_device_record *record, struct vkm_recording *recording) {
  if (recording->plan_known) {
    return recording->plan;
  }
  pthread_mutex_unlock(&record->lock);
  struct vkm_plan_shape shape = shape_of(recording);
  pthread_mutex_lock(&record->lock);
  if (!recording->plan_known) {
    /* Of a recording with commands that found no memory the sequence is not known. */
    recording->plan = recording->lost_total ? NULL : vkm_plans_find(&record->plans, &shape);
    recording->plan_known = true;
    struct vkm_plan *plan = recording->plan;
    if (plan) {
      plan->recordings++;
    }
    bool repeats = plan && !plan->child_count && plan->measured >= VKM_PLAN_SETTLE_EXECUTIONS;
    if (!recording->secondary) {
      vkm_mode_learn(recording->device, recording->family, repeats);
    }
  }
  return recording->plan;
}

/* From its first stamp to the closing one; commands of a control recording have no times of their
 * own, so the queue is busy for all of it. Lock held. */
static void count_span(struct tally *tally, const struct vkm_recording *recording) {
  bool control = recording->mode == VKM_MODE_SUBMIT;
  if (recording->closing == VKM_NO_STAMP) {
    return;
  }
  uint64_t first = recording->ticks[0];
  uint64_t last = recording->ticks[recording->closing];
  if (vkm_ticks_go_back(tally->clock, first, last)) {
    return; /* stamps of two stages */
  }
  int64_t span_ns = vkm_ticks_to_ns(tally->clock, vkm_ticks_between(tally->clock, first, last));
  if (control && tally->queue) {
    int64_t line_ns = vkm_tick_line_ns(&tally->queue->line, tally->clock, first);
    extend_busy(tally, line_ns, line_ns + span_ns);
    if (tally->events) {
      vkm_gpu_events_whole(tally->events, on_host(tally, line_ns, span_ns));
    }
    vkm_device_time_span(&tally->time, tally->record, tally->queue, tally->offset_ns,
                         (struct vkm_interval){line_ns, line_ns + span_ns});
  }
  if (tally->plan && !(control && recording->child_count)) {
    vkm_plan_span(tally->plan, control, span_ns);
  }
}

/* Lock held. */
static void count_plan(struct tally *tally, const struct vkm_recording *recording,
                       struct vkm_verdict verdict) {
  struct vkm_plan_other *other = &tally->record->plans.other;
  struct vkm_plan *plan = tally->plan;
  bool measured = verdict.outcome == VKM_VERDICT_MEASURED && recording->stamp_count;
  bool control = recording->mode == VKM_MODE_SUBMIT;
  *(plan ? &plan->executions : &other->executions) += 1;
  other->marks += plan ? 0 : recording->mark_count;
  if (!measured) {
    return;
  }
  if (control) {
    *(plan ? &plan->control : &other->control) += 1;
  } else {
    *(plan ? &plan->measured : &other->measured) += 1;
  }
  count_span(tally, recording);
  if (plan && recording->cut) {
    uint32_t left = recording->mark_count - recording->window_first;
    uint32_t count = recording->window_count < left ? recording->window_count : left;
    vkm_plan_windowed(plan, recording->window_first, count, recording->windows_needed);
  }
}

/* All marks. Lock held on entry and exit, given up after each COUNT_MARKS of them. */
static void count_marks(struct vkm_recording *recording, struct tally *tally,
                        struct vkm_verdict verdict) {
  uint32_t counted = 0;
  tally->plan = plan_of(tally->record, recording);
  for (struct vkm_mark_chunk *chunk = recording->chunks; chunk; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS && counted < recording->mark_count; i++, counted++) {
      count_mark(tally, counted, &chunk->marks[i], verdict);
    }
    if (tally->execution) { /* a picture taken meanwhile has the rest as not finished */
      tally->execution->counted = counted;
    }
    if (counted % COUNT_MARKS == 0) {
      pthread_mutex_unlock(&tally->record->lock);
      pthread_mutex_lock(&tally->record->lock);
    }
  }
  count_lost(tally->record, recording, 1);
  if (tally->execution) {
    tally->execution->counted = UINT32_MAX;
  }
  count_plan(tally, recording, verdict);
  flush_busy(tally);
  vkm_device_time_flush(&tally->time, tally->record, tally->queue, tally->offset_ns);
}

/* Lays the execution beside what the host did. */
static void note_active(const struct tally *tally) {
  const uint64_t *ticks = tally->execution->recording->ticks;
  uint64_t last_ticks = ticks[vkm_last_stamp(tally->execution->recording)];
  if (tally->offset_ns == INT64_MIN) {
    vkm_activity_device(INT64_MIN, INT64_MIN);
  } else if (!vkm_ticks_go_back(tally->clock, ticks[0], last_ticks)) {
    int64_t span_ns =
        vkm_ticks_to_ns(tally->clock, vkm_ticks_between(tally->clock, ticks[0], last_ticks));
    int64_t begin_ns = tally->first_line_ns + tally->offset_ns;
    vkm_activity_device(begin_ns, begin_ns + span_ns);
  }
}

/* A calibration has reached the queue. */
static void trace_clock(const struct tally *tally, uint32_t index) {
  const struct vkm_queue_record *queue = tally->queue;
  if (tally->record->clock_mismatch) {
    return;
  }
  struct vkm_event event = {
      .type = VKM_EVENT_CLOCK,
      .device = (uint16_t)tally->record->number,
      .begin_ns = queue->calibrated_line_ns + queue->calibrated_offset_ns,
      .queue = index,
      .clock = {queue->calibrated_line_ns, tally->record->calibration.max_deviation_ns}};
  event.end_ns = event.begin_ns;
  vkm_trace_push(&event, 1);
}

/* Brings the queue's clock up to date with this execution and fills in where it lies. Lock held. */
static void place(struct tally *tally, int64_t seen_ns) {
  const struct vkm_recording *recording = tally->execution->recording;
  uint32_t index = tally->execution->queue->record_index;
  if (index == UINT32_MAX) {
    return;
  }
  tally->queue = tally->record->queues[index];
  vkm_calibrate_bracket(
      tally->queue, tally->clock,
      &(struct vkm_seen){.first_ticks = recording->ticks[0],
                         .last_ticks = recording->ticks[vkm_last_stamp(recording)],
                         .submit_ns = tally->execution->submit_ns,
                         .seen_ns = seen_ns});
  tally->first_line_ns = vkm_tick_line_ns(&tally->queue->line, tally->clock, recording->ticks[0]);
  uint64_t serial = tally->queue->calibration_serial;
  tally->offset_ns =
      vkm_calibrate_offset(tally->record, tally->queue, tally->clock, tally->first_line_ns);
  if (vkm_trace_on() && serial != tally->queue->calibration_serial) {
    trace_clock(tally, index);
  }
}

/* The rows, the timeline, and where it lies. */
static void count_all(struct tally *tally, struct vkm_verdict verdict, int64_t seen_ns) {
  struct vkm_gpu_events events;
  if (vkm_trace_on() && tally->execution->number && !tally->execution->left_out) {
    vkm_gpu_events_open(&events, tally->execution);
    tally->events = &events;
  }
  pthread_mutex_lock(&tally->record->lock);
  if (tally->measured) {
    place(tally, seen_ns);
  }
  count_marks(tally->execution->recording, tally, verdict);
  pthread_mutex_unlock(&tally->record->lock);
  if (tally->queue) {
    note_active(tally);
  }
  if (tally->events) { /* VKM_REJECTED_COUNT: see vkm_gpu_events_close */
    bool rejected = verdict.outcome == VKM_VERDICT_REJECTED;
    vkm_gpu_events_close(&events, rejected ? verdict.reason : VKM_REJECTED_COUNT, seen_ns);
  }
}

void vkm_conclude_missed(struct vkm_execution *execution) {
  struct tally tally = {.record = execution->recording->device->record,
                        .execution = execution,
                        .phase = execution->phase,
                        .clock = vkm_clock_of(execution->recording),
                        .last_end = VKM_NO_STAMP};
  count_all(&tally, (struct vkm_verdict){VKM_VERDICT_MISSED, execution->missed}, vkm_now_ns());
}

void vkm_count_execution(struct vkm_execution *execution, struct vkm_verdict verdict,
                         int64_t seen_ns) {
  struct tally tally = {.record = execution->recording->device->record,
                        .execution = execution,
                        .phase = execution->phase,
                        .clock = vkm_clock_of(execution->recording),
                        .last_end = VKM_NO_STAMP,
                        .offset_ns = INT64_MIN,
                        .started_ns = vkm_session_started_ns()};
  if (execution->left_out) {
    verdict = (struct vkm_verdict){VKM_VERDICT_MISSED, VKM_MISSED_not_chosen};
  }
  tally.measured = verdict.outcome == VKM_VERDICT_MEASURED && execution->recording->stamp_count;
  count_all(&tally, verdict, seen_ns);
}

void vkm_count_pending(struct vkm_device *device, uint64_t add) {
  struct vkm_device_record *record = device->record;
  /* What is taken back is taken from where it was put, though there may be memory by now. */
  record->phases.sealed = record->aggregate.sealed = add != 1;
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    for (struct vkm_execution *at = queue->first; at; at = at->next) {
      bool open = at->state == VKM_EXECUTION_PENDING || at->state == VKM_EXECUTION_COUNTING;
      if (!open || at->counted == UINT32_MAX) {
        continue;
      }
      count_lost(record, at->recording, add);
      uint32_t left = at->recording->mark_count;
      uint32_t skip = at->counted;
      for (struct vkm_mark_chunk *chunk = at->recording->chunks; chunk; chunk = chunk->next) {
        for (int i = 0; i < VKM_CHUNK_MARKS && left; i++, left--) {
          if (skip > 0) { /* in its row already */
            skip--;
            continue;
          }
          struct vkm_kernel_row *row = row_of(record, &chunk->marks[i], at->phase);
          struct vkm_outcomes *outcomes =
              row ? &row->outcomes : &record->aggregate.overflow[chunk->marks[i].kind];
          outcomes->missed[at->left_out ? VKM_MISSED_not_chosen : VKM_MISSED_not_finished] += add;
          if (row) {
            row->bytes += add * vkm_mark_bytes(&chunk->marks[i]);
          }
        }
      }
    }
  }
  record->phases.sealed = record->aggregate.sealed = false;
}
