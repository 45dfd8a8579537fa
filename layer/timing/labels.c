/* A stack of open labels, see labels.h. */
#include "timing/labels.h"

#include "device_record.h"

void vkm_labels_begin(struct vkm_labels *labels, struct vkm_device_record *record,
                      const char *name) {
  if (labels->depth < VKM_LABEL_DEPTH) {
    labels->outside[labels->depth] = labels->phase;
    labels->phase = vkm_phase_below(record, labels->phase, name ? name : "");
  }
  labels->depth++;
}

void vkm_labels_end(struct vkm_labels *labels) {
  if (labels->depth == 0) {
    return;
  }
  labels->depth--;
  if (labels->depth < VKM_LABEL_DEPTH) {
    labels->phase = labels->outside[labels->depth];
  }
}

uint32_t vkm_labels_of_queue(const struct vkm_labels *labels,
                             const struct vkm_device_record *record) {
  return labels->phase ? labels->phase : atomic_load_explicit(&record->frame, memory_order_relaxed);
}
