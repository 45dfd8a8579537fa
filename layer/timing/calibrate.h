/* Device ticks against the host's clock: calibrated where the device offers it, bracketed by submit
 * and availability everywhere. In: calibration samples, executions seen. Out: one offset a queue.
 * Line ns: nanoseconds since the queue's first stamp (measure/ticks.h). All functions need the
 * record's lock. */
#ifndef VKM_LAYER_TIMING_CALIBRATE_H
#define VKM_LAYER_TIMING_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "device_record.h"

struct vkm_device;

/* One execution and the host's clock around it. */
struct vkm_seen {
  uint64_t first_ticks, last_ticks;
  int64_t submit_ns, seen_ns;
};

/* Narrows the queue's bracket: nothing begins before its submit, nothing ends after it was seen. */
void vkm_calibrate_bracket(struct vkm_queue_record *queue, const struct vkm_tick_clock *clock,
                           const struct vkm_seen *seen);
/* CLOCK_MONOTONIC minus line ns at `line_ns`: calibrated while that agrees with the bracket, along
 * the drift between the last two calibrations; else the bracket's middle; INT64_MIN when neither is
 * known. A disagreement sets record->clock_mismatch for good. */
int64_t vkm_calibrate_offset(struct vkm_device_record *record, struct vkm_queue_record *queue,
                             const struct vkm_tick_clock *clock, int64_t line_ns);

/* Takes a calibration: at most 10 tries for the smallest deviation. Calls the driver: on the
 * collector thread, no lock held. */
void vkm_calibrate(struct vkm_device *device);

#endif
