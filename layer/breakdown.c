/* Where the time and the memory went, see breakdown.h. */
#include "breakdown.h"

#include <string.h>

#include "activity.h"
#include "hitches.h"
#include "os/os.h"
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

void vkm_breakdown_of_process(struct vkm_profile *profile, const struct vkm_device_record *first) {
  vkm_activity_read(&profile->activity);
  vkm_hitches_read(first, &profile->hitches);
  profile->resident_peak_bytes = vkm_os_resident_peak_bytes();
}
