/* Device ticks against the host's clock, see calibrate.h. */
#include "timing/calibrate.h"

#include "device.h"
#include "session.h"

enum { TRIES = 10 };
/* How far a calibrated offset may lie outside the bracket before it is not believed. */
enum { MISMATCH_NS = 1000 * 1000 };
/* How far two clocks may drift apart, in millionths: crystals are good for a tenth of it. The
 * bounds of a bracket get wider by it, or those of an hour ago would contradict a good calibration.
 */
enum { DRIFT_MILLIONTHS = 1000 };
/* Calibrations that lie closer together say nothing of the drift. */
enum { DRIFT_NS = 100 * 1000 * 1000 };

static void widen(struct vkm_queue_record *queue, int64_t line_ns) {
  int64_t distance_ns = line_ns - queue->bracket_line_ns;
  distance_ns = distance_ns < 0 ? -distance_ns : distance_ns;
  int64_t by_ns = distance_ns / 1000000 * DRIFT_MILLIONTHS;
  queue->bracket_low_ns -= by_ns;
  queue->bracket_high_ns += by_ns;
  queue->bracket_line_ns = line_ns;
}

void vkm_calibrate_bracket(struct vkm_queue_record *queue, const struct vkm_tick_clock *clock,
                           const struct vkm_seen *seen) {
  int64_t first_ns = vkm_tick_line_ns(&queue->line, clock, seen->first_ticks);
  if (queue->bracketed) { /* a narrow counter may have wrapped while the queue was idle: the host's
                             clock knows */
    vkm_tick_line_near(&queue->line, clock, seen->submit_ns - queue->bracket_low_ns);
    first_ns = vkm_tick_line_ns(&queue->line, clock, seen->first_ticks);
  }
  int64_t last_ns = vkm_tick_line_ns(&queue->line, clock, seen->last_ticks);
  int64_t low_ns = seen->submit_ns - first_ns;
  int64_t high_ns = seen->seen_ns - last_ns;
  if (!queue->bracketed) {
    queue->bracket_low_ns = low_ns;
    queue->bracket_high_ns = high_ns;
    queue->bracket_line_ns = last_ns;
    queue->bracketed = true;
    return;
  }
  widen(queue, last_ns);
  int64_t low = low_ns > queue->bracket_low_ns ? low_ns : queue->bracket_low_ns;
  int64_t high = high_ns < queue->bracket_high_ns ? high_ns : queue->bracket_high_ns;
  if (low > high) { /* the clocks drift apart: only the newest bounds are true */
    low = low_ns;
    high = high_ns;
  }
  queue->bracket_low_ns = low;
  queue->bracket_high_ns = high;
}

static void use_calibration(const struct vkm_calibration *calibration,
                            struct vkm_queue_record *queue, const struct vkm_tick_clock *clock) {
  if (calibration->serial == queue->calibration_serial || !queue->line.started) {
    return;
  }
  /* A copy of the line: the calibration is no stamp of the queue and must not move it. */
  struct vkm_tick_line line = queue->line;
  int64_t line_ns = vkm_tick_line_ns(&line, clock, calibration->device_ticks);
  int64_t offset_ns = calibration->host_ns - line_ns;
  int64_t passed_ns = line_ns - queue->calibrated_line_ns;
  if (queue->calibrated && passed_ns >= DRIFT_NS) {
    double drift = (double)(offset_ns - queue->calibrated_offset_ns) / (double)passed_ns;
    double most = DRIFT_MILLIONTHS / 1e6;
    queue->calibrated_drift = drift >= -most && drift <= most ? drift : 0;
  }
  queue->calibrated_offset_ns = offset_ns;
  queue->calibrated_line_ns = line_ns;
  queue->calibration_serial = calibration->serial;
  queue->calibrated = true;
}

static int64_t calibrated_at(const struct vkm_queue_record *queue, int64_t line_ns) {
  double passed_ns = (double)(line_ns - queue->calibrated_line_ns);
  return queue->calibrated_offset_ns + (int64_t)(queue->calibrated_drift * passed_ns);
}

int64_t vkm_calibrate_offset(struct vkm_device_record *record, struct vkm_queue_record *queue,
                             const struct vkm_tick_clock *clock, int64_t line_ns) {
  use_calibration(&record->calibration, queue, clock);
  if (queue->calibrated && queue->bracketed) {
    int64_t offset_ns = calibrated_at(queue, queue->bracket_line_ns);
    if (offset_ns < queue->bracket_low_ns - MISMATCH_NS ||
        offset_ns > queue->bracket_high_ns + MISMATCH_NS) {
      record->clock_mismatch = true;
    }
  }
  if (queue->calibrated && !record->clock_mismatch) {
    return calibrated_at(queue, line_ns);
  }
  if (queue->bracketed) {
    return queue->bracket_low_ns + (queue->bracket_high_ns - queue->bracket_low_ns) / 2;
  }
  return INT64_MIN;
}

void vkm_calibrate(struct vkm_device *device) {
  if (!device->get_calibrated_timestamps || vkm_session_exiting()) {
    return;
  }
  VkCalibratedTimestampInfoKHR infos[2] = {
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
       .timeDomain = VK_TIME_DOMAIN_DEVICE_KHR},
      {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
       .timeDomain = device->host_domain}};
  struct vkm_calibration best = {.max_deviation_ns = INT64_MAX};
  for (int i = 0; i < TRIES; i++) {
    uint64_t stamps[2], deviation;
    if (device->get_calibrated_timestamps(device->handle, 2, infos, stamps, &deviation) !=
        VK_SUCCESS) {
      break;
    }
    if (deviation < (uint64_t)best.max_deviation_ns) {
      best.device_ticks = stamps[0];
      best.host_ns = (int64_t)stamps[1];
      best.max_deviation_ns = (int64_t)deviation;
      best.serial = 1;
    }
  }
  if (best.serial) {
    pthread_mutex_lock(&device->record->lock);
    best.serial = device->record->calibration.serial + 1;
    device->record->calibration = best;
    pthread_mutex_unlock(&device->record->lock);
  }
}
