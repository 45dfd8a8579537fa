/* Executions become rows, plans and queues of the device record. In: one execution and the verdict
 * over its stamps, from timing/harvest. Out: the device record. Any thread; takes the record's
 * lock. */
#ifndef VKM_LAYER_TIMING_COUNT_H
#define VKM_LAYER_TIMING_COUNT_H

#include <stdint.h>

#include "device_record.h"
#include "measure/ticks.h"
#include "timing/submit.h"

/* What happened to an execution's timed marks. */
struct vkm_verdict {
  enum { VKM_VERDICT_MEASURED, VKM_VERDICT_MISSED, VKM_VERDICT_REJECTED } outcome;
  int reason; /* enum vkm_missed or vkm_rejected */
};

/* How the recording's ticks are to be read; of no use where it has none. */
const struct vkm_tick_clock *vkm_clock_of(const struct vkm_recording *recording);

/* Counts one execution whole. MEASURED: the recording's ticks are its own, read at `seen_ns`. */
void vkm_count_execution(struct vkm_execution *execution, struct vkm_verdict verdict,
                         int64_t seen_ns);

#endif
