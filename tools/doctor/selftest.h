/* Judges the self test. In: the profile that the layer wrote of the patterns, and what the probe
 * says of each run. Out: whether every time is that of the command it stands at. Pure. */
#ifndef VKM_TOOLS_DOCTOR_SELFTEST_H
#define VKM_TOOLS_DOCTOR_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doctor/facts.h"
#include "doctor/patterns.h"
#include "profile/profile_read.h"

enum vkm_attribution {
  VKM_ATTRIBUTION_UNKNOWN = 0, /* too little was measured, or heavy and light look alike */
  VKM_ATTRIBUTION_RIGHT,
  VKM_ATTRIBUTION_WRONG,
};

struct vkm_selftest {
  enum vkm_attribution attribution;
  char why[256]; /* where it is not right; empty otherwise */
  /* Medians of the runs that count, by position of doctor/patterns.h. */
  bool known[VKM_POSITION_COUNT];
  int64_t median_ns[VKM_POSITION_COUNT];
  bool has_bias;
  int64_t
      after_heavy_ns; /* light after heavy less light alone: positive is blamed on the wrong one */
  int64_t above_empty_ns; /* light alone less a pair of stamps with nothing between */
  /* Neighbours in a pattern: compared, and how often the light one took longer. */
  int compared, reversed;
  /* Stamps against the host's clock and each other; 0 of 0 without a common clock. */
  int placed, outside, disordered;
  int runs, wrong_results;
};

/* Whether everything that was looked at is as it has to be. */
bool vkm_selftest_placed(const struct vkm_selftest *selftest); /* of that: the stamps' places */
bool vkm_selftest_good(const struct vkm_selftest *selftest);

/* `device`: index in the profile. */
void vkm_selftest_judge(struct vkm_selftest *selftest, const struct vkm_read_profile *profile,
                        size_t device, const struct vkm_facts *facts);

#endif
