/* Judges --require. In: profiles. Out: met or not, and why. Next: commands/run. */
#include "model/require.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#define NAME_PREFIX "name~"

/* Words for kinds of devices; everything else is an expression for the name. */
static const struct kind {
  const char *word;
  const char *type;        /* of the profile; NULL: any */
  bool software, hardware; /* which of the two it may be */
} kinds[] = {
    {"gpu", NULL, false, true},
    {"software", NULL, true, false},
    {"cpu", "cpu", true, true},
    {"discrete", "discrete_gpu", false, true},
    {"integrated", "integrated_gpu", false, true},
    {"virtual", "virtual_gpu", false, true},
};

static const struct kind *kind_of(const char *wanted) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i].word, wanted) == 0) {
      return &kinds[i];
    }
  }
  return NULL;
}

static const char *expression_of(const char *wanted) {
  size_t prefix = strlen(NAME_PREFIX);
  return strncmp(wanted, NAME_PREFIX, prefix) == 0 ? wanted + prefix : wanted;
}

bool vkm_requirement_check(const char *wanted, char *cause, size_t cause_size) {
  const char *text = expression_of(wanted);
  if (!*text) {
    snprintf(cause, cause_size, "it is empty");
    return false;
  }
  regex_t expression;
  int problem = regcomp(&expression, text, REG_EXTENDED | REG_NOSUB);
  if (problem != 0) {
    regerror(problem, &expression, cause, cause_size);
    return false;
  }
  regfree(&expression);
  return true;
}

/* It was compiled once when the option was read, so it compiles again. */
static bool name_matches(const char *name, const char *text) {
  regex_t expression;
  if (regcomp(&expression, text, REG_EXTENDED | REG_NOSUB) != 0) {
    return false;
  }
  bool matches = regexec(&expression, name, 0, NULL, 0) == 0;
  regfree(&expression);
  return matches;
}

bool vkm_requirement_fits(const char *wanted, const char *name, const char *type, bool software) {
  const struct kind *kind = kind_of(wanted);
  if (kind == NULL) {
    return name_matches(name, expression_of(wanted));
  }
  return (software ? kind->software : kind->hardware) &&
         (kind->type == NULL || strcmp(kind->type, type) == 0);
}

static bool is_wanted(const struct vkm_read_device *device, const char *wanted) {
  return vkm_requirement_fits(wanted, device->name ? device->name : "", device->type,
                              device->software);
}

uint64_t vkm_executed_on(const struct vkm_read_profile *profile, size_t device) {
  uint64_t executed = 0;
  for (size_t i = 0; i < profile->kernel_count; i++) {
    if (profile->kernels[i].device == device) {
      executed += profile->kernels[i].outcomes.executed;
    }
  }
  return executed;
}

static void describe(const struct vkm_read_device *device, char *text, size_t size) {
  bool says_cpu = strcmp(device->type, "cpu") == 0;
  snprintf(text, size, "%s (%s%s)", device->name ? device->name : "a device without a name",
           device->type, device->software && !says_cpu ? ", software" : "");
}

void vkm_requirement_init(struct vkm_requirement *requirement, const char *wanted) {
  *requirement = (struct vkm_requirement){.wanted = wanted};
}

void vkm_requirement_add(struct vkm_requirement *requirement,
                         const struct vkm_read_profile *profile) {
  requirement->profile_count++;
  requirement->device_count += profile->device_count;
  for (size_t i = 0; requirement->wanted != NULL && i < profile->device_count; i++) {
    const struct vkm_read_device *device = &profile->devices[i];
    uint64_t executed = vkm_executed_on(profile, i);
    if (executed == 0) {
      describe(device, requirement->idle, sizeof requirement->idle);
    } else if (is_wanted(device, requirement->wanted)) {
      requirement->inside += executed;
    } else {
      requirement->outside += executed;
      if (executed > requirement->elsewhere_executed) {
        requirement->elsewhere_executed = executed;
        describe(device, requirement->elsewhere, sizeof requirement->elsewhere);
      }
    }
  }
}

bool vkm_requirement_met(const struct vkm_requirement *requirement) {
  return requirement->wanted == NULL || (requirement->inside > 0 && requirement->outside == 0);
}

void vkm_requirement_explain(const struct vkm_requirement *requirement, char *text, size_t size) {
  if (requirement->profile_count == 0 || requirement->device_count == 0) {
    snprintf(text, size, "the program left no profile: it used no Vulkan device");
    return;
  }
  uint64_t all = requirement->inside + requirement->outside;
  if (all == 0) {
    snprintf(text, size, "the program opened %s and executed nothing on it", requirement->idle);
    return;
  }
  snprintf(text, size, "%" PRIu64 " of %" PRIu64 " commands were executed on %s%s%s",
           requirement->elsewhere_executed, all, requirement->elsewhere,
           *requirement->idle ? ", and none on " : "", requirement->idle);
}
