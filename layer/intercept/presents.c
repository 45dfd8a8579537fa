/* Hook of presents: they part time into frames. In: presents that succeeded. Out: the phase of what
 * is submitted from here on without a label. */
#include "device.h"
#include "intercept/hooks.h"
#include "trace_calls.h"

VKAPI_ATTR VkResult VKAPI_CALL vkm_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info) {
  struct vkm_device *device = vkm_device_of(queue);
  struct vkm_inside inside = vkm_trace_enter(VKM_CALL_QueuePresentKHR);
  VkResult result = device->table.QueuePresentKHR(queue, info);
  vkm_trace_leave(&inside);
  vkm_trace_result(&inside, device, result);
  if (result >= 0 && vkm_device_active(device)) {
    struct vkm_device_record *record = device->record;
    uint64_t presents = atomic_fetch_add_explicit(&record->presents, 1, memory_order_relaxed) + 1;
    atomic_store_explicit(&record->frame, vkm_phase_of_frame(record, presents),
                          memory_order_relaxed);
  }
  return vkm_device_result(device, result);
}
