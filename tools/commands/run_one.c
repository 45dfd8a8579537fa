/* One start of the program under the layer. In: where its profile goes. Out: how it ended, and a
 * word on its profile. Next: run. */
#include "commands/run_one.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "launch/profiles.h"
#include "launch/record.h"
#include "message.h"
#include "model/require.h"
#include "profile/profile_read.h"

/* What the written profiles hold, as far as run cares. */
struct findings {
  size_t profile_count;
  bool unreadable;
  bool later; /* see struct vkm_run_start */
  bool told;  /* of each profile on stderr; those of a suite are in its results */
  struct vkm_requirement requirement;
  int cannot_write; /* errno */
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
  vkm_requirement_add(&findings->requirement, profile);
  if (!findings->later && findings->told) {
    warn_of_software(profile, path);
  }
  if (!findings->later) {
    look_at_settings(&profile->run);
  }
  if (!findings->told) {
    return;
  }
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

/* 124 as timeout(1) has it. */
enum { STATUS_TIMED_OUT = 124 };

void vkm_run_ended(const struct vkm_child *child, const struct vkm_args *args,
                   struct vkm_run_result *result) {
  char *cause = result->cause;
  size_t size = sizeof result->cause;
  const char *name = vkm_signal_name(child->signal != 0 ? child->signal : child->stop);
  result->outcome = (struct vkm_outcome){VKM_OUTCOME_PROGRAM, child->status};
  if (child->cause != 0) {
    result->outcome = (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
    snprintf(cause, size, "cannot be started: %s", strerror(child->cause));
  } else if (child->timed_out) {
    result->outcome.program_status = STATUS_TIMED_OUT;
    snprintf(cause, size, "timed out after %g s", (double)args->timeout_ns / 1e9);
  } else if (child->status != 0 && child->stop != 0) {
    snprintf(cause, size, "interrupted by %s", vkm_signal_name(child->stop));
  } else if (child->signal != 0) {
    snprintf(cause, size, "killed by signal %d%s%s%s", child->signal, name ? " (" : "",
             name ? name : "", name ? ")" : "");
  } else if (child->status != 0) {
    snprintf(cause, size, "exit status %d", child->status);
  }
}

/* The program's own failure stands before everything else. */
static void judge(const struct vkm_run_start *start, const struct findings *findings,
                  struct vkm_run_result *result) {
  bool unmet = !vkm_requirement_met(&findings->requirement);
  char why[512] = "";
  if (unmet) {
    vkm_requirement_explain(&findings->requirement, why, sizeof why);
  }
  if (unmet && findings->told) {
    vkm_error("--require=%s is not met: %s; check how the program chooses its device, and see "
              "vkmeter doctor",
              findings->requirement.wanted, why);
  }
  vkm_run_ended(&result->child, start->args, result);
  if (*result->cause) {
    return;
  }
  char *cause = result->cause;
  size_t size = sizeof result->cause;
  if (findings->cannot_write != 0) {
    result->outcome.kind = VKM_OUTCOME_TROUBLE;
    snprintf(cause, size, "cannot write the profile: %s", strerror(findings->cannot_write));
  } else if (findings->unreadable) {
    result->outcome.kind = VKM_OUTCOME_TROUBLE;
    snprintf(cause, size, "its profile cannot be read");
  } else if (unmet) {
    result->outcome.kind = VKM_OUTCOME_GATE;
    snprintf(cause, size, "--require=%.128s is not met: %s", findings->requirement.wanted, why);
  } else if (start->numbered && findings->profile_count == 0) {
    result->outcome.kind = VKM_OUTCOME_GATE;
    snprintf(cause, size, "no profile was written");
  }
}

static void explain_unwritable(const char *output, int cause, const char *consequence) {
  vkm_error("cannot write the profile to '%s': %s; %s--profile=PATH in a directory that exists, is "
            "writable and has space",
            output, strerror(cause), consequence);
}

static void conclude(const struct vkm_run_start *start, const struct vkm_candidates *written,
                     bool stale, struct vkm_run_result *result) {
  struct findings findings = {.later = start->later, .told = start->place.output == NULL};
  vkm_requirement_init(&findings.requirement, start->args->require);
  for (size_t i = 0; i < written->count; i++) {
    look(written->files[i].path, start->run, &findings);
  }
  if (findings.profile_count == 0 && !findings.unreadable) {
    findings.cannot_write = vkm_output_writable(start->output, true);
    if (findings.cannot_write != 0) {
      explain_unwritable(start->output, findings.cannot_write, "give ");
    } else if (findings.told) {
      explain_nothing(start->output, stale);
    }
  }
  judge(start, &findings, result);
}

void vkm_run_one(const struct vkm_run_start *start, struct vkm_run_result *result) {
  *result = (struct vkm_run_result){.outcome = {VKM_OUTCOME_TROUBLE, 0}};
  int cannot_write = vkm_output_writable(start->output, false);
  if (cannot_write != 0) {
    explain_unwritable(start->output, cannot_write, "the program was not started; give ");
    return;
  }
  struct vkm_candidates before;
  struct vkm_candidates after;
  if (!vkm_candidates_find(&before, start->output)) {
    return;
  }
  const struct vkm_run_place *place = &start->place;
  struct vkm_order order = {.argv = start->args->operands,
                            .limit_ns = start->args->timeout_ns,
                            .directory = place->directory,
                            .input = place->input,
                            .output = place->output,
                            .errors = place->errors};
  result->begun = true;
  if (!vkm_child_run(start->signals, &order, &result->child)) {
    vkm_run_ended(&result->child, start->args, result);
  } else if (vkm_candidates_find(&after, start->output)) {
    size_t all = after.count;
    vkm_candidates_keep_new(&after, &before);
    conclude(start, &after, after.count < all, result);
    vkm_candidates_finish(&after);
  }
  vkm_candidates_finish(&before);
}
