/* Whether a run's work went to the devices that were asked for. In: what was asked, profiles. Out:
 * yes, or a sentence on where it went. Main thread. */
#ifndef VKM_TOOLS_MODEL_REQUIRE_H
#define VKM_TOOLS_MODEL_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile_read.h"

/* Sums over the profiles of a run. */
struct vkm_requirement {
  const char *wanted; /* gpu, discrete, integrated, virtual, cpu, software, name~REGEX or REGEX */
  size_t profile_count, device_count;
  uint64_t inside, outside;       /* executions on devices that are wanted, and on others */
  uint64_t elsewhere_executed;    /* on the device below */
  char elsewhere[256], idle[256]; /* the others' device with most work; one without any work */
};

/* False, with the cause in `cause`: `wanted` is no regular expression. */
bool vkm_requirement_check(const char *wanted, char *cause, size_t cause_size)
    __attribute__((warn_unused_result));

/* Whether a device is wanted. `wanted` was checked; `type` as in a profile: "discrete_gpu". */
bool vkm_requirement_fits(const char *wanted, const char *name, const char *type, bool software);

/* `wanted` was checked and is borrowed; NULL: nothing is required. */
void vkm_requirement_init(struct vkm_requirement *requirement, const char *wanted);
void vkm_requirement_add(struct vkm_requirement *requirement,
                         const struct vkm_read_profile *profile);

/* Something was executed, and nothing of it on a device that is not wanted; true without a
 * requirement. Timed or not makes no difference. */
bool vkm_requirement_met(const struct vkm_requirement *requirement);
/* Why it is not met, as half a sentence. */
void vkm_requirement_explain(const struct vkm_requirement *requirement, char *text, size_t size);

/* Executions of all commands on a device of the profile, whatever became of their times. */
uint64_t vkm_executed_on(const struct vkm_read_profile *profile, size_t device);

#endif
