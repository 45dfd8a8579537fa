/* See calibrate_world.h. In: calls of the test. Next room: layer/timing/calibrate.c. */
#include "calibrate_world.h"

#include "session.h"
#include "timing/calibrate.h"

static struct vkm_device_record record;
static struct vkm_queue_record queue;
static struct vkm_tick_clock tick_clock;

bool vkm_session_exiting(void) { /* asked only by what calls a driver, which nothing here does */
  return true;
}

void calibrate_open(double period_ns, uint32_t valid_bits) {
  record = (struct vkm_device_record){0};
  queue = (struct vkm_queue_record){0};
  tick_clock = vkm_tick_clock_of(period_ns, valid_bits);
}

void calibrate_seen(uint64_t first, uint64_t last, int64_t submit_ns, int64_t seen_ns) {
  struct vkm_seen seen = {first, last, submit_ns, seen_ns};
  vkm_calibrate_bracket(&queue, &tick_clock, &seen);
}

void calibrate_taken(uint64_t ticks, int64_t host_ns) {
  record.calibration.serial++;
  record.calibration.device_ticks = ticks;
  record.calibration.host_ns = host_ns;
}

int64_t calibrate_host_ns(uint64_t ticks) {
  int64_t line_ns = vkm_tick_line_ns(&queue.line, &tick_clock, ticks);
  int64_t offset_ns = vkm_calibrate_offset(&record, &queue, &tick_clock, line_ns);
  return offset_ns == INT64_MIN ? INT64_MIN : line_ns + offset_ns;
}

bool calibrate_mismatch(void) {
  return record.clock_mismatch;
}
