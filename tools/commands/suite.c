/* vkmeter suite. In: a file of workloads. Out: a folder with profiles, results.json, summary.md,
 * junit.xml. Next: suite_devices, suite_lane, the views. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "commands/commands.h"
#include "commands/suite_compare.h"
#include "commands/suite_devices.h"
#include "commands/suite_lane.h"
#include "deliver.h"
#include "launch/folder.h"
#include "message.h"
#include "model/baseline.h"
#include "views/suite.h"
#include "views/term.h"

struct suite {
  const struct vkm_args *args;
  struct vkm_suite_file file;
  struct vkm_suite_choice choice;
  struct vkm_suite_results results;
  char *output;             /* absolute; owned */
  struct vkm_text *details; /* of each lane; owned */
};

static bool find_mode(const char *word, enum vkm_suite_mode *mode) {
  for (int i = 0; i < VKM_SUITE_MODES; i++) {
    if (strcmp(word, vkm_suite_mode_name((enum vkm_suite_mode)i)) == 0) {
      *mode = (enum vkm_suite_mode)i;
      return true;
    }
  }
  vkm_error("unknown suite '%s'; give quick, full or diagnose", word);
  return false;
}

static bool take_choice(const struct vkm_args *args, struct vkm_suite_choice *choice) {
  *choice = (struct vkm_suite_choice){.names = args->operands + 1,
                                      .name_count = args->operand_count - 1,
                                      .categories = args->categories,
                                      .category_count = args->category_count,
                                      .excluded = args->excluded,
                                      .excluded_count = args->excluded_count,
                                      .backend = args->backend != NULL ? args->backend : "auto",
                                      .repeat = args->repeat_given ? args->repeat : 0};
  if (!find_mode(args->operands[0], &choice->mode)) {
    return false;
  }
  if (args->workloads == NULL) {
    vkm_error("--workloads is missing; give a file of workloads, see vkmeter help suite");
    return false;
  }
  if (choice->mode == VKM_SUITE_DIAGNOSE && choice->name_count != 1) {
    vkm_error("suite diagnose looks at one workload; name it: vkmeter suite diagnose NAME");
    return false;
  }
  if (choice->name_count > 0 && choice->category_count + choice->excluded_count > 0) {
    vkm_error("workloads are named, and categories are given too; give the one or the other");
    return false;
  }
  return true;
}

static bool is_empty(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return errno == ENOENT;
  }
  bool empty = true;
  for (const struct dirent *entry; empty && (entry = readdir(folder)) != NULL;) {
    empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
  }
  closedir(folder);
  errno = ENOTEMPTY;
  return empty;
}

/* Results of two suites are never mixed. */
static bool make_output(struct suite *suite) {
  const char *asked = suite->args->file != NULL ? suite->args->file : "vkmeter-suite";
  if (!*asked || !is_empty(asked)) {
    vkm_error("'%s' cannot hold the results: %s; give --output=DIR, a folder that is new or empty",
              asked, *asked ? strerror(errno) : "it has no name");
    return false;
  }
  suite->output = vkm_folder_make(asked) ? realpath(asked, NULL) : NULL;
  if (suite->output == NULL) {
    vkm_error("cannot make the folder '%s': %s; give --output=DIR in a folder that can be written "
              "to",
              asked, strerror(errno));
  }
  return suite->output != NULL;
}

static bool write_text(const struct suite *suite, const char *name, const struct vkm_text *text) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", suite->output, name) < 0) {
    vkm_error("out of memory");
    return false;
  }
  bool good = vkm_deliver(path, text);
  free(path);
  return good;
}

static int64_t now_ns(clockid_t clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* After each lane, so that what is done is there when we are killed. */
static bool write_results(struct suite *suite, int64_t began_ns) {
  struct vkm_text text;
  struct vkm_view_settings settings = suite->args->view;
  vkm_term_resolve(&settings, -1);
  settings.ascii = false;
  suite->results.duration_ns = now_ns(CLOCK_MONOTONIC) - began_ns;
  vkm_suite_results_judge(&suite->results);
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_suite_json(&suite->results, &text);
  bool good = write_text(suite, "results.json", &text);
  vkm_text_clear(&text);
  vkm_view_suite_md(&suite->results, suite->details, &settings, &text);
  good = write_text(suite, "summary.md", &text) && good;
  vkm_text_clear(&text);
  vkm_view_suite_junit(&suite->results, &text);
  good = write_text(suite, "junit.xml", &text) && good;
  vkm_text_finish(&text);
  return good;
}

static void warn_of_baseline(const struct suite *suite) {
  for (size_t i = 0; i < suite->results.lane_count; i++) {
    const struct vkm_suite_compared *compared = &suite->results.lanes[i].compared;
    if (compared->never_promoted) {
      vkm_warning("nobody promoted a baseline '%s' in '%s', so nothing is comparable; promote one "
                  "with vkmeter baseline update %s %s/*/*/timing",
                  suite->results.baseline, vkm_baseline_directory(suite->args->baseline_dir),
                  suite->results.baseline, suite->output);
      return;
    }
  }
}

static bool print(const struct suite *suite) {
  struct vkm_view_settings settings = suite->args->view;
  const char *actions = getenv("GITHUB_ACTIONS");
  struct vkm_text text;
  vkm_term_resolve(&settings, STDOUT_FILENO);
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_suite_table(&suite->results, &settings, &text);
  if (actions != NULL && strcmp(actions, "true") == 0) {
    vkm_view_suite_github(&suite->results, &text);
  }
  bool good = vkm_deliver(NULL, &text);
  vkm_text_finish(&text);
  vkm_note("see '%s/summary.md' and results.json beside it", suite->output);
  return good;
}

static void say_gates(const struct vkm_suite_results *results) {
  for (size_t gate = 0; gate < VKM_SUITE_GATE_COUNT; gate++) {
    if ((results->tripped & 1U << gate) != 0) {
      vkm_error("--fail-on=%s: see the table", vkm_suite_gate_name(gate));
    }
  }
}

/* Nothing measured at all is never a success. */
static struct vkm_outcome conclude(const struct suite *suite, bool good) {
  const struct vkm_suite_results *results = &suite->results;
  say_gates(results);
  if (results->stop != 0) {
    return (struct vkm_outcome){VKM_OUTCOME_PROGRAM, 128 + results->stop};
  }
  if (!good) {
    return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
  }
  if (results->error_count > 0 || results->tripped != 0) {
    return (struct vkm_outcome){VKM_OUTCOME_GATE, 0};
  }
  if (results->ok_count == 0) {
    vkm_error("nothing was measured: every workload was skipped; see why in '%s/summary.md'",
              suite->output);
    return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
  }
  return (struct vkm_outcome){VKM_OUTCOME_DONE, 0};
}

static void warn_of_software(const struct vkm_suite_results *results) {
  for (size_t i = 0; i < results->lane_count; i++) {
    const char *device = vkm_suite_software(results, i);
    if (device != NULL) {
      vkm_warning("%s is a SOFTWARE driver: its times are not GPU times", device);
    }
  }
}

static void say_lane(const struct vkm_suite_lane *lane) {
  if (lane->planned.status == VKM_SUITE_SKIPPED) {
    vkm_warning("%s is skipped: %s", lane->folder, lane->planned.reason);
  } else if (lane->planned.status == VKM_SUITE_ERROR) {
    vkm_error("%s failed: %s", lane->folder, lane->planned.reason);
  } else if (lane->planned.instead_of != NULL) {
    vkm_warning("%s instead of %s: %s", lane->folder, lane->planned.instead_of,
                lane->planned.reason);
  }
}

/* False: reported. */
static bool run_lanes(struct suite *suite, int64_t began_ns) {
  struct vkm_signals signals;
  vkm_signals_take(&signals);
  struct vkm_suite_run run = {suite->args, &signals, suite->output, &suite->results};
  bool good = suite->results.baseline == NULL || vkm_suite_find_vanished(&run);
  for (size_t i = 0; i < suite->results.vanished_count; i++) {
    vkm_warning("the baseline has a workload %s, '%s' has not", suite->results.vanished[i],
                suite->file.path);
  }
  for (size_t i = 0; i < suite->results.lane_count && suite->results.stop == 0; i++) {
    struct vkm_suite_lane *lane = &suite->results.lanes[i];
    if (lane->planned.status == VKM_SUITE_PLANNED) {
      vkm_note("%s (%zu of %zu)", lane->folder, i + 1, suite->results.lane_count);
      good = vkm_suite_lane_run(&run, lane, &suite->details[i]) && good;
      good = write_results(suite, began_ns) && good;
    }
    say_lane(lane);
    int stop = vkm_signals_stop();
    suite->results.stop = stop != 0 ? stop : suite->results.stop;
  }
  return good;
}

static struct vkm_outcome run(struct suite *suite) {
  struct vkm_outcome trouble = {VKM_OUTCOME_TROUBLE, 0};
  int64_t began_ns = now_ns(CLOCK_MONOTONIC);
  suite->results.started_unix_ns = now_ns(CLOCK_REALTIME);
  suite->details = calloc(suite->results.lane_count, sizeof *suite->details);
  if (suite->details == NULL) {
    vkm_error("out of memory; choose fewer workloads");
    return trouble;
  }
  for (size_t i = 0; i < suite->results.lane_count; i++) {
    vkm_text_init(&suite->details[i], SIZE_MAX);
  }
  if (!write_results(suite, began_ns)) {
    return trouble;
  }
  bool good = run_lanes(suite, began_ns);
  suite->results.complete = suite->results.stop == 0;
  good = write_results(suite, began_ns) && good;
  warn_of_baseline(suite);
  warn_of_software(&suite->results);
  good = print(suite) && good;
  return conclude(suite, good);
}

static bool plan(struct suite *suite) {
  struct vkm_suite_plan plan;
  size_t devices = suite->file.device_count;
  struct vkm_suite_there *there = calloc(devices + 1, sizeof *there);
  bool good = there != NULL && vkm_suite_devices_look(&suite->file, &suite->choice, there) &&
              vkm_suite_plan_make(&plan, &suite->file, &suite->choice, there);
  free(there);
  if (good) {
    suite->results = (struct vkm_suite_results){.file = &suite->file,
                                                .choice = &suite->choice,
                                                .baseline = suite->args->baseline,
                                                .gates = suite->args->fail_on};
    good = vkm_suite_results_init(&suite->results, &plan);
    vkm_suite_plan_finish(&plan);
  }
  return good;
}

struct vkm_outcome vkm_command_suite(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct suite suite = {.args = args};
  if (!take_choice(args, &suite.choice) || !vkm_suite_file_read(&suite.file, args->workloads)) {
    return outcome;
  }
  if (vkm_suite_choice_check(&suite.file, &suite.choice) && plan(&suite) && make_output(&suite)) {
    outcome = run(&suite);
  }
  for (size_t i = 0; suite.details != NULL && i < suite.results.lane_count; i++) {
    vkm_text_finish(&suite.details[i]);
  }
  free(suite.details);
  free(suite.output);
  vkm_suite_results_finish(&suite.results);
  vkm_suite_file_finish(&suite.file);
  return outcome;
}
