// Calibrated timestamps, both names.
//
// In: the host clock of script.c and the script's offset. Out: ticks and host nanoseconds of one
// moment.
#include "internal.h"

#include <time.h>

static const VkTimeDomainKHR domains[] = {VK_TIME_DOMAIN_DEVICE_KHR,
                                          VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
                                          VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR};

VkResult fake_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physical,
                                                             uint32_t *count,
                                                             VkTimeDomainKHR *out) {
  (void)physical;
  uint32_t room = out != NULL ? *count : 0;
  uint32_t total = 0;
  for (uint32_t i = 0; i < 3; i++) {
    if ((fake_settings()->calibration_domains & (1U << i)) == 0) {
      continue;
    }
    if (total < room) {
      out[total] = domains[i];
    }
    total++;
  }
  *count = out != NULL && room < total ? room : total;
  return out != NULL && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static uint64_t raw_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

VkResult fake_vkGetCalibratedTimestampsKHR(VkDevice handle, uint32_t count,
                                           const VkCalibratedTimestampInfoKHR *infos, uint64_t *out,
                                           uint64_t *deviation) {
  FAKE_ENTER();
  struct fake_device *device = (struct fake_device *)handle;
  const struct fake_config *config = fake_settings();
  fake_require(device, 0,
               FAKE_BIT(FAKE_KHR_calibrated_timestamps) | FAKE_BIT(FAKE_EXT_calibrated_timestamps),
               "vkGetCalibratedTimestamps");
  bool real = config->completion == FAKE_COMPLETION_REAL;
  pthread_mutex_lock(&fake_mutex);
  uint64_t now = fake_clock_locked();
  uint64_t monotonic =
      real ? (uint64_t)fake_clock_origin_locked() + now : config->host_origin_ns + now;
  pthread_mutex_unlock(&fake_mutex);
  for (uint32_t i = 0; i < count; i++) {
    if (infos[i].timeDomain == VK_TIME_DOMAIN_DEVICE_KHR) {
      out[i] = fake_ticks(now, 64) + (uint64_t)config->calibration_offset;
    } else if (infos[i].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR || !real) {
      out[i] = monotonic;
    } else {
      out[i] = raw_ns();
    }
  }
  *deviation = config->calibration_deviation;
  return VK_SUCCESS;
}
