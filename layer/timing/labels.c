/* A stack of open labels, see labels.h. */
#include "timing/labels.h"

#include "device_record.h"

void vkm_labels_begin(struct vkm_labels *labels, struct vkm_device_record *record,
                      const char *name) {
  if (labels->depth < VKM_LABEL_DEPTH) {
    labels->outside[labels->depth] = labels->phase;
    labels->phase = vkm_device_record_subphase(record, labels->phase, name ? name : "");
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
