/* What the time of a device was for: work, or moving bytes. In: measured marks, in order, from
 * timing/harvest. Out: unions of a queue and of its device. The record's lock is held by the
 * caller. */
#ifndef VKM_LAYER_TIMING_DEVICE_TIME_H
#define VKM_LAYER_TIMING_DEVICE_TIME_H

#include <stdint.h>

#include "device_record.h"

/* One execution. Marks that follow each other without a gap are added as one interval.
 * Zero-initialized: none. */
struct vkm_device_time_open {
  bool seen[2]; /* it holds work, moves bytes; set by the caller */
  struct vkm_interval interval[VKM_DEVICE_TIMES];
  bool open[VKM_DEVICE_TIMES];
};

/* One measured mark, in ns of the queue's line. `offset_ns`: CLOCK_MONOTONIC minus that, INT64_MIN
 * unknown. */
void vkm_device_time_mark(struct vkm_device_time_open *open, struct vkm_device_record *record,
                          struct vkm_queue_record *queue, int64_t offset_ns, uint32_t kind,
                          struct vkm_interval interval);
/* All of a control recording, whose commands have no times of their own. */
void vkm_device_time_span(struct vkm_device_time_open *open, struct vkm_device_record *record,
                          struct vkm_queue_record *queue, int64_t offset_ns,
                          struct vkm_interval interval);
/* Behind the last mark of an execution. */
void vkm_device_time_flush(struct vkm_device_time_open *open, struct vkm_device_record *record,
                           struct vkm_queue_record *queue, int64_t offset_ns);

/* Fills in the device's part of a breakdown. */
void vkm_device_time_read(const struct vkm_device_record *record, struct vkm_profile_gpu *gpu);

#endif
