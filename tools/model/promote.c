/* Judges candidates for a baseline. In: a side. Out: sentences on what speaks against it. Next:
 * commands/baseline. */
#include "model/promote.h"

#include <string.h>

#include "message.h"
#include "model/require.h"
#include "model/segment.h"

static bool is_timed(const struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->kernel_count; i++) {
    if (profile->kernels[i].outcomes.measured > 0) {
      return true;
    }
  }
  return false;
}

/* Ends after which everything is there. */
static bool ended_well(const struct vkm_read_profile *profile) {
  const char *end = profile->end_reason;
  return end != NULL && (strcmp(end, "exit") == 0 || strcmp(end, "device_destroyed") == 0);
}

static bool meets(const struct vkm_read_profile *profile, const char *path, const char *require) {
  struct vkm_requirement requirement;
  vkm_requirement_init(&requirement, require);
  vkm_requirement_add(&requirement, profile);
  if (vkm_requirement_met(&requirement)) {
    return true;
  }
  char why[1024];
  vkm_requirement_explain(&requirement, why, sizeof why);
  vkm_error("'%s' is not promoted: --require=%s is not met: %s; record it again on such a device",
            path, require, why);
  return false;
}

static const char *mode_of(const struct vkm_read_profile *profile) {
  return profile->mode != NULL ? profile->mode : "unknown";
}

static bool is_fit(const struct vkm_side *side, size_t index, const char *require) {
  const struct vkm_read_profile *profile = &side->profiles[index];
  const struct vkm_read_profile *first = &side->profiles[0];
  const char *path = side->paths[index];
  if (!profile->complete || !ended_well(profile)) {
    vkm_error("'%s' is not promoted: it is not complete (%s); let the program come to its end and "
              "record it again",
              path, profile->end_reason ? profile->end_reason : "no reason given");
    return false;
  }
  if (strcmp(mode_of(profile), mode_of(first)) != 0) {
    vkm_error(
        "'%s' is not promoted: it was measured in mode %s, '%s' in mode %s; promote each mode "
        "under a name of its own",
        path, mode_of(profile), side->paths[0], mode_of(first));
    return false;
  }
  if (!meets(profile, path, require)) {
    return false;
  }
  if (!is_timed(profile)) {
    vkm_error("'%s' is not promoted: nothing in it was timed; see vkmeter info on why", path);
    return false;
  }
  return true;
}

bool vkm_promotable(const struct vkm_side *side, const char *require) {
  bool good = true;
  for (size_t i = 0; i < side->error_count; i++) {
    vkm_error("'%s' is not promoted: the run failed: %s; record it again", side->errors[i].path,
              side->errors[i].cause);
    good = false;
  }
  for (size_t i = 0; i < side->profile_count; i++) {
    good = is_fit(side, i, require) && good;
  }
  const struct vkm_read_device *device =
      good && side->profile_count > 0 ? vkm_segment_device(&side->profiles[0]) : NULL;
  if (device != NULL && device->software && require == NULL) {
    vkm_warning("%s is a SOFTWARE driver: its times are not GPU times; --require=gpu refuses it",
                device->name ? device->name : "the device");
  }
  return good;
}
