/* Where the time and the memory went, see breakdown.h. */
#include "breakdown.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "activity.h"
#include "hitches.h"
#include "session.h"
#include "timing/device_time.h"

static void copy_memory(struct vkm_profile_memory *to, struct vkm_memory *from) {
  pthread_mutex_lock(&from->lock);
  *to = from->figures;
  pthread_mutex_unlock(&from->lock);
  for (int i = 0; i < VKM_HEAP_CAP; i++) {
    if (to->heaps[i].peak_at_ns != INT64_MIN) {
      to->heaps[i].peak_at_ns -= vkm_session_started_ns();
    }
  }
}

void vkm_breakdown_of_device(struct vkm_profile_device *device, struct vkm_device_record *record) {
  copy_memory(&device->memory, &record->memory);
  vkm_device_time_read(record, &device->gpu);
  memcpy(device->dispatches_per_submit, record->dispatches_per_submit,
         sizeof device->dispatches_per_submit);
}

/* VmHWM of /proc/self/status, in kB there; -1 where it cannot be read. Read with one call: a line
 * is not looked for across pieces. */
static int64_t resident_peak_bytes(void) {
  char text[4096];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) {
    (void)close(file);
  }
  if (length <= 0) {
    return -1;
  }
  text[length] = 0;
  const char *at = strstr(text, "VmHWM:");
  int64_t kilobytes = 0;
  if (!at) {
    return -1;
  }
  for (at += strcspn(at, "0123456789\n"); *at >= '0' && *at <= '9'; at++) {
    kilobytes = kilobytes * 10 + (*at - '0');
  }
  return kilobytes * 1024;
}

void vkm_breakdown_of_process(struct vkm_profile *profile, const struct vkm_device_record *first) {
  vkm_activity_read(&profile->activity);
  vkm_hitches_read(first, &profile->hitches);
  profile->resident_peak_bytes = resident_peak_bytes();
}
