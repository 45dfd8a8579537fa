/* The outcomes of an execution of a timed command, see reasons.def. */
#ifndef VKM_MEASURE_REASONS_H
#define VKM_MEASURE_REASONS_H

#include <stdint.h>

enum vkm_untimed {
#define VKM_UNTIMED(name, text) VKM_UNTIMED_##name,
#include "measure/reasons.def"
  VKM_UNTIMED_COUNT
};
enum vkm_missed {
#define VKM_MISSED(name, text) VKM_MISSED_##name,
#include "measure/reasons.def"
  VKM_MISSED_COUNT
};
enum vkm_rejected {
#define VKM_REJECTED(name, text) VKM_REJECTED_##name,
#include "measure/reasons.def"
  VKM_REJECTED_COUNT
};

/* Executions by outcome. executed is their sum: measured + control + untimed + missed + rejected.
 */
struct vkm_outcomes {
  uint64_t measured;
  uint64_t control;
  uint64_t untimed[VKM_UNTIMED_COUNT];
  uint64_t missed[VKM_MISSED_COUNT];
  uint64_t rejected[VKM_REJECTED_COUNT];
};

/* Names as in the profile; texts for people. Static. */
extern const char *const vkm_untimed_names[VKM_UNTIMED_COUNT];
extern const char *const vkm_untimed_texts[VKM_UNTIMED_COUNT];
extern const char *const vkm_missed_names[VKM_MISSED_COUNT];
extern const char *const vkm_missed_texts[VKM_MISSED_COUNT];
extern const char *const vkm_rejected_names[VKM_REJECTED_COUNT];
extern const char *const vkm_rejected_texts[VKM_REJECTED_COUNT];

uint64_t vkm_outcomes_executed(const struct vkm_outcomes *outcomes);
void vkm_outcomes_add(struct vkm_outcomes *to, const struct vkm_outcomes *from);

#endif
