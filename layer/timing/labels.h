/* A stack of open labels: of a command buffer being recorded, or of a queue. In: names. Out: the
 * phase, a label path. */
#ifndef VKM_LAYER_TIMING_LABELS_H
#define VKM_LAYER_TIMING_LABELS_H

#include <stdint.h>

struct vkm_device_record;

enum { VKM_LABEL_DEPTH = 16 }; /* deeper labels count in the one around them */

struct vkm_labels {
  uint32_t phase; /* index into the record's phases, 0 unlabelled */
  uint32_t depth;
  uint32_t outside[VKM_LABEL_DEPTH]; /* the phase outside each open label */
};

/* Zero-initialized is empty. Externally synchronized like the command buffer or queue. name may be
 * NULL. */
void vkm_labels_begin(struct vkm_labels *labels, struct vkm_device_record *record,
                      const char *name);
/* More ends than begins are harmless: a label may be opened in one command buffer and closed in the
 * next. */
void vkm_labels_end(struct vkm_labels *labels);
/* The phase of what is submitted to a queue with these labels: without one, the frame of the
 * device.
 */
uint32_t vkm_labels_of_queue(const struct vkm_labels *labels,
                             const struct vkm_device_record *record);

#endif
