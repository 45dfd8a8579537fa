/* Verdicts by name. In: a verdict. Out: its slug. Next: gates and the views for programs. */
#include "model/comparison.h"

const char *vkm_verdict_name(enum vkm_verdict verdict) {
  static const char *const names[VKM_VERDICT_COUNT] = {
      [VKM_VERDICT_SLOWER] = "slower",
      [VKM_VERDICT_LIKELY_SLOWER] = "likely-slower",
      [VKM_VERDICT_UNCLEAR] = "unclear",
      [VKM_VERDICT_NEW] = "new",
      [VKM_VERDICT_GONE] = "gone",
      [VKM_VERDICT_INCOMPARABLE] = "incomparable",
      [VKM_VERDICT_LIKELY_FASTER] = "likely-faster",
      [VKM_VERDICT_FASTER] = "faster",
      [VKM_VERDICT_SAME] = "same",
  };
  return names[verdict];
}
