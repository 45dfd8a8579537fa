/* Unions by what device time was for, see device_time.h. A queue's own unions are exact whatever
 * the clocks; those of the whole device need its queues on one clock, the host's. */
#include "timing/device_time.h"

#include "measure/moves.h"

/* The device's unions begin as those of its first queue, when a second one is measured: most
 * programs use one, and need no second book. */
static void begin_merging(struct vkm_device_record *record, int64_t offset_ns) {
  const struct vkm_queue_record *first = record->time_first;
  record->time_merged = true;
  if (offset_ns == INT64_MIN) {
    record->time_untied++;
    return;
  }
  record->busy = first->busy;
  vkm_busy_shift(&record->busy, offset_ns);
  for (int i = 0; i < VKM_DEVICE_TIMES; i++) {
    record->time[i] = first->time[i];
    vkm_busy_shift(&record->time[i], offset_ns);
  }
}

static void close(struct vkm_device_time_open *open, int which, struct vkm_device_record *record,
                  struct vkm_queue_record *queue, int64_t offset_ns) {
  struct vkm_interval at = open->interval[which];
  if (!open->open[which]) {
    return;
  }
  open->open[which] = false;
  vkm_busy_add(&queue->time[which], at.begin_ns, at.end_ns);
  if (!record->time_first) {
    record->time_first = queue;
  }
  if (record->time_first == queue) {
    record->time_first_offset_ns = offset_ns;
  } else if (!record->time_merged) {
    begin_merging(record, record->time_first_offset_ns);
  }
  if (!record->time_merged) {
    return;
  }
  if (offset_ns == INT64_MIN) {
    record->time_untied++;
    return;
  }
  at.begin_ns += offset_ns;
  at.end_ns += offset_ns;
  vkm_busy_add(&record->time[which], at.begin_ns, at.end_ns);
  vkm_busy_add(&record->busy, at.begin_ns, at.end_ns);
}

static void extend(struct vkm_device_time_open *open, int which, struct vkm_device_record *record,
                   struct vkm_queue_record *queue, int64_t offset_ns,
                   struct vkm_interval interval) {
  struct vkm_interval *at = &open->interval[which];
  if (open->open[which] && interval.begin_ns >= at->begin_ns && interval.begin_ns <= at->end_ns) {
    at->end_ns = interval.end_ns > at->end_ns ? interval.end_ns : at->end_ns;
    return;
  }
  close(open, which, record, queue, offset_ns);
  *at = interval;
  open->open[which] = true;
}

void vkm_device_time_mark(struct vkm_device_time_open *open, struct vkm_device_record *record,
                          struct vkm_queue_record *queue, int64_t offset_ns, uint32_t kind,
                          struct vkm_interval interval) {
  int which = vkm_kind_moves(kind) ? VKM_DEVICE_TIME_TRANSFER : VKM_DEVICE_TIME_RUN;
  extend(open, which, record, queue, offset_ns, interval);
}

void vkm_device_time_span(struct vkm_device_time_open *open, struct vkm_device_record *record,
                          struct vkm_queue_record *queue, int64_t offset_ns,
                          struct vkm_interval interval) {
  int which = VKM_DEVICE_TIME_UNSPLIT;
  if (!open->seen[0] || !open->seen[1]) {
    which = open->seen[1] ? VKM_DEVICE_TIME_TRANSFER : VKM_DEVICE_TIME_RUN;
  }
  extend(open, which, record, queue, offset_ns, interval);
}

void vkm_device_time_flush(struct vkm_device_time_open *open, struct vkm_device_record *record,
                           struct vkm_queue_record *queue, int64_t offset_ns) {
  for (int which = 0; queue && which < VKM_DEVICE_TIMES; which++) {
    close(open, which, record, queue, offset_ns);
  }
}

static void fill(struct vkm_profile_gpu *gpu, const struct vkm_busy *busy,
                 const struct vkm_busy time[VKM_DEVICE_TIMES]) {
  gpu->known = true;
  gpu->busy_ns = vkm_busy_total_ns(busy);
  gpu->run_ns = vkm_busy_total_ns(&time[VKM_DEVICE_TIME_RUN]);
  gpu->transfer_ns = vkm_busy_total_ns(&time[VKM_DEVICE_TIME_TRANSFER]);
  gpu->unsplit_ns = vkm_busy_total_ns(&time[VKM_DEVICE_TIME_UNSPLIT]);
  gpu->idle_ns = busy->any ? busy->last_ns - busy->first_ns - gpu->busy_ns : 0;
}

void vkm_device_time_read(const struct vkm_device_record *record, struct vkm_profile_gpu *gpu) {
  static const struct vkm_queue_record nothing;
  *gpu = (struct vkm_profile_gpu){0};
  if (!record->time_merged) {
    const struct vkm_queue_record *only = record->time_first ? record->time_first : &nothing;
    fill(gpu, &only->busy, only->time);
  } else if (record->time_untied == 0) {
    fill(gpu, &record->busy, record->time);
  } else {
    gpu->reason = "several queues were measured, and their time was not tied to one clock";
  }
}
