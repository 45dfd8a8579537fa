/* In: reasons.def. Out: its names and texts, and sums over outcomes. Next room: profile. */
#include "measure/reasons.h"

const char *const vkm_untimed_names[VKM_UNTIMED_COUNT] = {
#define VKM_UNTIMED(name, text) #name,
#include "measure/reasons.def"
};
const char *const vkm_untimed_texts[VKM_UNTIMED_COUNT] = {
#define VKM_UNTIMED(name, text) text,
#include "measure/reasons.def"
};
const char *const vkm_missed_names[VKM_MISSED_COUNT] = {
#define VKM_MISSED(name, text) #name,
#include "measure/reasons.def"
};
const char *const vkm_missed_texts[VKM_MISSED_COUNT] = {
#define VKM_MISSED(name, text) text,
#include "measure/reasons.def"
};
const char *const vkm_rejected_names[VKM_REJECTED_COUNT] = {
#define VKM_REJECTED(name, text) #name,
#include "measure/reasons.def"
};
const char *const vkm_rejected_texts[VKM_REJECTED_COUNT] = {
#define VKM_REJECTED(name, text) text,
#include "measure/reasons.def"
};

static uint64_t sum(const uint64_t *counts, int count) {
  uint64_t total = 0;
  for (int i = 0; i < count; i++) {
    total += counts[i];
  }
  return total;
}

uint64_t vkm_outcomes_executed(const struct vkm_outcomes *outcomes) {
  return outcomes->measured + outcomes->control + sum(outcomes->untimed, VKM_UNTIMED_COUNT) +
         sum(outcomes->missed, VKM_MISSED_COUNT) + sum(outcomes->rejected, VKM_REJECTED_COUNT);
}

static void add(uint64_t *to, const uint64_t *from, int count) {
  for (int i = 0; i < count; i++) {
    to[i] += from[i];
  }
}

void vkm_outcomes_add(struct vkm_outcomes *to, const struct vkm_outcomes *from) {
  to->measured += from->measured;
  to->control += from->control;
  add(to->untimed, from->untimed, VKM_UNTIMED_COUNT);
  add(to->missed, from->missed, VKM_MISSED_COUNT);
  add(to->rejected, from->rejected, VKM_REJECTED_COUNT);
}
