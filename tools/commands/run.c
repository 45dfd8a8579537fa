/* vkmeter run. In: a program. Out: its profile, and a word on it. Next room: launch/. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "launch/child.h"
#include "launch/environment.h"
#include "launch/profiles.h"
#include "message.h"
#include "model/require.h"
#include "profile/profile_read.h"

/* What the written profiles hold, as far as run cares. */
struct findings {
  size_t profile_count;
  bool unreadable;
  struct vkm_requirement requirement;
};

static void warn_of_software(const struct vkm_read_profile *profile, const char *path) {
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_read_device *device = &profile->devices[i];
    if (device->software && vkm_executed_on(profile, i) > 0) {
      vkm_warning("%s is a SOFTWARE driver: the times in '%s' are not GPU times",
                  device->name ? device->name : "the device", path);
      return;
    }
  }
}

static void look_at_settings(const struct vkm_read_run *run) {
  for (size_t i = 0; i < run->rejected_count; i++) {
    const struct vkm_read_setting_rejected *rejected = &run->rejected[i];
    vkm_warning("setting %s=%s was not understood, its default holds; accepted: %s",
                rejected->name ? rejected->name : "?", rejected->value ? rejected->value : "?",
                rejected->accepted ? rejected->accepted : "no setting has this name");
  }
}

static void look_at(const struct vkm_read_profile *profile, const char *path,
                    struct findings *findings) {
  warn_of_software(profile, path);
  vkm_requirement_add(&findings->requirement, profile);
  look_at_settings(&profile->run);
  if (!profile->complete) {
    vkm_warning("'%s' is not complete (%s): the program did not end in the usual way", path,
                profile->end_reason ? profile->end_reason : "no reason given");
  }
  const struct vkm_read_outcomes *dispatches = &profile->dispatches;
  char control[64] = "";
  if (dispatches->control > 0) {
    (void)snprintf(control, sizeof control, " and %" PRIu64 " in control spans",
                   dispatches->control);
  }
  vkm_note("wrote '%s': %" PRIu64 "%s of %" PRIu64 " dispatches timed; see vkmeter report", path,
           dispatches->measured, control, dispatches->executed);
}

/* Files of other runs that go on beside this one are passed over. */
static void look(const char *path, const char *run, struct findings *findings) {
  struct vkm_read_profile profile;
  struct vkm_read_error error;
  if (vkm_profile_read(path, &profile, &error) != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
    findings->unreadable = true;
    return;
  }
  if (profile.run.id != NULL && strcmp(profile.run.id, run) == 0) {
    findings->profile_count++;
    look_at(&profile, path, findings);
  }
  vkm_profile_read_finish(&profile);
}

static void explain_nothing(const char *output, bool stale) {
  const char *disabled = getenv("VK_LOADER_LAYERS_DISABLE");
  const char *chosen = getenv("VKMETER_PROCESS");
  if (disabled != NULL && *disabled) {
    vkm_note("no profile was written: VK_LOADER_LAYERS_DISABLE=%s may keep the layer out",
             disabled);
  } else if (chosen != NULL && *chosen) {
    vkm_note("no profile was written to '%s': no program of a name like VKMETER_PROCESS=%s used a "
             "Vulkan device%s",
             output, chosen, stale ? "; what is there is of an earlier run" : "");
  } else {
    vkm_note("no profile was written to '%s': the program used no Vulkan device%s", output,
             stale ? "; what is there is of an earlier run" : "");
  }
}

/* The program's status stands unless it is 0. */
static struct vkm_outcome judge(const struct vkm_child *child, const struct findings *findings,
                                int cannot_write) {
  struct vkm_outcome outcome = {VKM_OUTCOME_PROGRAM, child->status};
  bool unmet = !vkm_requirement_met(&findings->requirement);
  if (unmet) {
    char why[1024];
    vkm_requirement_explain(&findings->requirement, why, sizeof why);
    vkm_error("--require=%s is not met: %s; check how the program chooses its device, and see "
              "vkmeter doctor",
              findings->requirement.wanted, why);
  }
  if (child->status != 0) {
    return outcome;
  }
  if (cannot_write != 0 || findings->unreadable) {
    outcome.kind = VKM_OUTCOME_TROUBLE;
  } else if (unmet) {
    outcome.kind = VKM_OUTCOME_GATE;
  }
  return outcome;
}

static void explain_unwritable(const char *output, int cause, const char *consequence) {
  vkm_error("cannot write the profile to '%s': %s; %s--profile=PATH in a directory that exists, is "
            "writable and has space",
            output, strerror(cause), consequence);
}

static struct vkm_outcome conclude(const struct vkm_child *child, const char *output,
                                   const char *run, const char *require,
                                   const struct vkm_candidates *written, bool stale) {
  struct findings findings = {0};
  vkm_requirement_init(&findings.requirement, require);
  for (size_t i = 0; i < written->count; i++) {
    look(written->files[i].path, run, &findings);
  }
  int cannot_write = 0;
  if (findings.profile_count == 0 && !findings.unreadable) {
    cannot_write = vkm_output_writable(output, true);
    if (cannot_write != 0) {
      explain_unwritable(output, cannot_write, "give ");
    } else {
      explain_nothing(output, stale);
    }
  }
  return judge(child, &findings, cannot_write);
}

static struct vkm_outcome profile(const struct vkm_args *args, const char *output) {
  struct vkm_outcome trouble = {VKM_OUTCOME_TROUBLE, 0};
  int cannot_write = vkm_output_writable(output, false);
  if (cannot_write != 0) {
    explain_unwritable(output, cannot_write, "the program was not started; give ");
    return trouble;
  }
  struct vkm_candidates before;
  struct vkm_candidates after;
  if (!vkm_candidates_find(&before, output)) {
    return trouble;
  }
  struct vkm_outcome outcome = trouble;
  struct vkm_child child;
  const char *run = vkm_environment_run();
  if (run != NULL && vkm_environment_prepare(output, args->tags, args->tag_count) &&
      vkm_child_run(args->operands, &child) && vkm_candidates_find(&after, output)) {
    size_t all = after.count;
    vkm_candidates_keep_new(&after, &before);
    outcome = conclude(&child, output, run, args->require, &after, after.count < all);
    vkm_candidates_finish(&after);
  }
  vkm_candidates_finish(&before);
  return outcome;
}

struct vkm_outcome vkm_command_run(const struct vkm_args *args) {
  char *output = vkm_environment_output(args->profile);
  if (output == NULL) {
    return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
  }
  struct vkm_outcome outcome = profile(args, output);
  free(output);
  return outcome;
}
