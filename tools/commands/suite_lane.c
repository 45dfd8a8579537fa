/* Lanes. In: a workload, a device. Out: profiles in a folder, passes. Next: run_series,
 * suite_compare. */
#include "commands/suite_lane.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "commands/run_series.h"
#include "commands/suite_compare.h"
#include "commands/suite_setup.h"
#include "launch/environment.h"
#include "launch/folder.h"
#include "message.h"
#include "model/report.h"
#include "model/side.h"
#include "views/tables.h"
#include "views/term.h"

struct lane {
  const struct vkm_suite_run *run;
  struct vkm_suite_lane *lane;
  struct vkm_suite_setup setup;
  struct vkm_text *details;
};

/* What a phase sets for the layer, beside what the workload says. */
static bool set_phase(enum vkm_suite_phase phase, const char *folder) {
  bool good = true;
  bool named = getenv("VKMETER_MODE") != NULL;
  if (!named || phase == VKM_PHASE_ISOLATED || phase == VKM_PHASE_SUBMIT) {
    good = setenv("VKMETER_MODE", vkm_suite_phase_mode(phase), 1) == 0;
  }
  if (phase == VKM_PHASE_STATISTICS) {
    char *code = NULL;
    good = good && asprintf(&code, "%s/code", folder) >= 0 && vkm_folder_make(code) &&
           setenv("VKMETER_PIPELINE_STATISTICS", "all", 1) == 0 &&
           setenv("VKMETER_DUMP_SPIRV", code, 1) == 0 && setenv("VKMETER_DUMP_ISA", code, 1) == 0;
    free(code);
  }
  if (!good) {
    vkm_error("cannot prepare '%s': %s", folder, strerror(errno));
  }
  return good;
}

/* The folder with % doubled: it holds no placeholders. */
static char *pattern_in(const char *folder) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  for (; *folder; folder++) {
    vkm_text_append(&text, folder, 1);
    vkm_text_string(&text, *folder == '%' ? "%" : "");
  }
  vkm_text_string(&text, "/run-%n.json");
  if (text.failed) {
    vkm_text_finish(&text);
    vkm_error("out of memory");
  }
  return text.data;
}

static bool prepare(const struct lane *lane, enum vkm_suite_phase phase, const char *pattern) {
  const struct vkm_args *args = lane->run->args;
  const char *tags[VKM_TAGS_MAX + 2];
  char workload[128];
  size_t count = 0;
  for (; count < args->tag_count; count++) {
    tags[count] = args->tags[count];
  }
  snprintf(workload, sizeof workload, "workload=%s", lane->lane->planned.workload->name);
  tags[count++] = workload;
  if (phase == VKM_PHASE_COLD) {
    tags[count++] = "cache=cold";
  }
  return vkm_environment_prepare(pattern, tags, count);
}

/* With the lane's environment in force. False: reported. */
static bool run_prepared(struct lane *lane, enum vkm_suite_phase phase, const char *folder,
                         unsigned repeat, struct vkm_scene *scene) {
  const struct vkm_suite_planned *planned = &lane->lane->planned;
  struct vkm_args args = *lane->run->args;
  args.operands = lane->setup.command;
  args.repeat = repeat;
  args.require = planned->require;
  args.control = phase == VKM_PHASE_CONTROL;
  args.cold = args.keep_going = false;
  args.timeout_ns = planned->workload->timeout_ns;
  char **plain = vkm_environment_plain();
  char *pattern = pattern_in(folder);
  bool good =
      plain != NULL && pattern != NULL && set_phase(phase, folder) && prepare(lane, phase, pattern);
  if (good) {
    scene->plain = plain;
    scene->directory = lane->setup.work;
    scene->validate = lane->setup.validate;
    scene->outputs = planned->workload->outputs.items;
    scene->decimals = planned->workload->output_decimals;
    struct vkm_outcome outcome = vkm_run_series(&args, lane->run->signals, pattern, scene);
    good = outcome.kind != VKM_OUTCOME_TROUBLE || scene->sample_count > 0;
    lane->run->results->stop = scene->stop != 0 ? scene->stop : lane->run->results->stop;
  }
  free((void *)plain);
  free(pattern);
  return good;
}

/* `folder` is absolute. False: reported. */
static bool run_series(struct lane *lane, enum vkm_suite_phase phase, const char *folder,
                       unsigned repeat, struct vkm_scene *scene) {
  if (!vkm_folder_make(folder)) {
    vkm_error("cannot make the folder '%s': %s; give --output another path", folder,
              strerror(errno));
    return false;
  }
  char **saved = vkm_environment_save();
  bool good = saved != NULL && vkm_suite_setup_apply(&lane->setup) &&
              run_prepared(lane, phase, folder, repeat, scene);
  return (saved == NULL || vkm_environment_restore(saved)) && good;
}

static char *absolute(const struct lane *lane, const char *folder) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", lane->run->output, folder) < 0) {
    vkm_error("out of memory");
    return NULL;
  }
  return path;
}

/* Runs nobody looks at, unless one fails: it is then the pass's only sample. */
static bool warm_up(struct lane *lane, struct vkm_suite_pass *pass, bool *failed) {
  char *relative = NULL;
  char *folder =
      asprintf(&relative, "%s/warmup", lane->lane->folder) >= 0 ? absolute(lane, relative) : NULL;
  struct vkm_sample *samples = calloc(pass->warmups + 1, sizeof *samples);
  struct vkm_scene scene = {.samples = samples};
  bool good = samples != NULL && folder != NULL &&
              run_series(lane, pass->phase, folder, pass->warmups, &scene);
  *failed = good && scene.sample_count > 0 && !samples[scene.sample_count - 1].good;
  if (*failed) {
    pass->samples[0].run = samples[scene.sample_count - 1];
    pass->sample_count = 1;
    free(pass->folder);
    pass->folder = relative;
    relative = NULL;
  } else if (good && !vkm_folder_remove(folder)) {
    vkm_warning("cannot remove '%s': %s; remove it by hand", folder, strerror(errno));
  }
  free(samples);
  free(folder);
  free(relative);
  return good;
}

static bool measure(struct lane *lane, struct vkm_suite_pass *pass, const char *folder) {
  struct vkm_sample *samples = calloc(pass->repeats + 1, sizeof *samples);
  struct vkm_scene scene = {.samples = samples};
  bool good = samples != NULL && run_series(lane, pass->phase, folder, pass->repeats, &scene);
  for (size_t i = 0; good && i < scene.sample_count; i++) {
    pass->samples[pass->sample_count++].run = samples[i];
  }
  pass->overhead = scene.overhead;
  free(samples);
  return good;
}

/* What a person who diagnoses wants to see whole. */
static void tell(struct lane *lane, const struct vkm_suite_pass *pass,
                 const struct vkm_report *report) {
  if (lane->run->results->choice->mode == VKM_SUITE_DIAGNOSE && pass->phase == VKM_PHASE_TIMING) {
    struct vkm_view_settings settings = {.top = VKM_SUITE_KERNELS};
    vkm_term_resolve(&settings, -1);
    vkm_view_md.report(report, &settings, lane->details);
  }
}

static bool take_figures(struct lane *lane, struct vkm_suite_pass *pass, char *folder) {
  const struct vkm_workload *workload = lane->lane->planned.workload;
  struct vkm_side side = {0};
  if (pass->sample_count == 0) { /* interrupted before the first */
    return vkm_suite_pass_take(pass, workload, &side, NULL);
  }
  struct vkm_side_source source = {"new", &folder, 1, NULL};
  struct vkm_report report;
  if (!vkm_side_load(&side, &source)) {
    return false;
  }
  bool good = vkm_report_build(&report, side.profiles, side.profile_count, 1);
  if (good) {
    good = vkm_suite_pass_take(pass, workload, &side, &report);
    tell(lane, pass, &report);
    vkm_report_finish(&report);
  }
  if (good && pass->phase == VKM_PHASE_TIMING && pass->good_count > 0 &&
      lane->run->results->baseline != NULL) {
    good = vkm_suite_compare(lane->run, lane->lane, &side, lane->details);
  }
  vkm_side_finish(&side);
  return good;
}

/* False: reported. */
static bool run_pass(struct lane *lane, enum vkm_suite_phase phase, unsigned warmups,
                     unsigned repeats) {
  struct vkm_suite_pass *pass = &lane->lane->passes[lane->lane->pass_count];
  char *folder = NULL;
  bool failed = false;
  bool good = vkm_suite_pass_init(pass, phase, repeats);
  lane->lane->pass_count++;
  pass->warmups = warmups;
  pass->repeats = repeats;
  if (good &&
      asprintf(&pass->folder, "%s/%s", lane->lane->folder, vkm_suite_phase_name(phase)) < 0) {
    pass->folder = NULL;
    vkm_error("out of memory");
    good = false;
  }
  good = good && (folder = absolute(lane, pass->folder)) != NULL;
  if (good && warmups > 0) {
    good = warm_up(lane, pass, &failed);
  }
  if (good && failed) {
    struct vkm_side none = {0};
    good = vkm_suite_pass_take(pass, lane->lane->planned.workload, &none, NULL);
  } else if (good && lane->run->results->stop == 0) {
    good = measure(lane, pass, folder) && take_figures(lane, pass, folder);
  }
  free(folder);
  return good;
}

/* The first error of a workload ends it. */
static bool goes_on(const struct lane *lane) {
  const struct vkm_suite_lane *done = lane->lane;
  const struct vkm_suite_pass *last = &done->passes[done->pass_count - 1];
  bool failed = last->sample_count > 0 && !last->samples[last->sample_count - 1].run.good;
  return !failed && lane->run->results->stop == 0;
}

static bool diagnose(struct lane *lane) {
  enum { FEW = 3 };
  static const struct {
    enum vkm_suite_phase phase;
    unsigned repeats;
  } more[] = {{VKM_PHASE_ISOLATED, FEW},
              {VKM_PHASE_SUBMIT, FEW},
              {VKM_PHASE_STATISTICS, 1},
              {VKM_PHASE_CONTROL, FEW}};
  unsigned most = lane->lane->planned.repeats;
  for (size_t i = 0; i < sizeof more / sizeof *more && goes_on(lane); i++) {
    if (!run_pass(lane, more[i].phase, 0, more[i].repeats < most ? more[i].repeats : most)) {
      return false;
    }
  }
  return true;
}

static bool run_passes(struct lane *lane) {
  const struct vkm_suite_planned *planned = &lane->lane->planned;
  if (planned->cold && !run_pass(lane, VKM_PHASE_COLD, 0, 1)) {
    return false;
  }
  if ((lane->lane->pass_count == 0 || goes_on(lane)) &&
      !run_pass(lane, VKM_PHASE_TIMING, planned->warmups, planned->repeats)) {
    return false;
  }
  return lane->run->results->choice->mode != VKM_SUITE_DIAGNOSE || !goes_on(lane) || diagnose(lane);
}

bool vkm_suite_lane_run(const struct vkm_suite_run *run, struct vkm_suite_lane *lane,
                        struct vkm_text *details) {
  struct lane state = {.run = run, .lane = lane, .details = details};
  char why[VKM_SETUP_WHY_BYTES] = "";
  enum vkm_setup_result made = vkm_suite_setup_make(
      &state.setup, run->results->file, lane->planned.workload, lane->planned.device, why);
  bool good = made != VKM_SETUP_TROUBLE;
  if (made == VKM_SETUP_MISSING) {
    lane->planned.status = VKM_SUITE_SKIPPED;
    snprintf(lane->planned.reason, sizeof lane->planned.reason, "%s", why);
  } else if (good) {
    char **saved = vkm_environment_save();
    good = saved != NULL && vkm_suite_setup_place(&state.setup) && run_passes(&state);
    good = (saved == NULL || vkm_environment_restore(saved)) && good;
    vkm_suite_lane_judge(lane);
  }
  vkm_suite_setup_finish(&state.setup);
  return good;
}
