/* vkmeter run, several times. In: a program. Out: numbered profiles, records of runs that failed,
 * with --control what the layer cost. Next: run_one. */
#include "commands/run_series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "commands/run_logs.h"
#include "commands/run_one.h"
#include "commands/run_outputs.h"
#include "deliver.h"
#include "launch/environment.h"
#include "launch/folder.h"
#include "launch/numbers.h"
#include "launch/record.h"
#include "launch/timeline.h"
#include "message.h"
#include "model/overhead.h"
#include "views/overhead.h"

struct series {
  const struct vkm_args *args;
  const struct vkm_signals *signals;
  const char *pattern;
  struct vkm_scene *scene;
  char *run;              /* id of the series; owned */
  struct vkm_pair *pairs; /* a place for each run; owned */
  uint32_t number;        /* of the run, or of the next one */
  unsigned index;         /* of the run, from 0 */
  unsigned failed;
  bool over;                  /* nothing more is to be run */
  bool untold;                /* a record could not be written */
  bool gave_up;               /* because a run failed, where it could go on */
  struct vkm_outcome outcome; /* of the first failure */
  int64_t last_ns;            /* wall time of the last run; 0: none was yet */
  off_t input;                /* where standard input stood; -1: it cannot be read again */
};

enum { TITLE_BYTES = 48 };

/* What messages call the run. */
static const char *title(const struct series *series, char *text) {
  if (series->args->repeat == 1) {
    return "the run";
  }
  snprintf(text, TITLE_BYTES, "run %u of %u", series->index + 1, series->args->repeat);
  return text;
}

static void show_progress(const struct series *series, bool plain) {
  char last[48] = "";
  if (series->last_ns > 0) {
    snprintf(last, sizeof last, ", last %.1f s", (double)series->last_ns / 1e9);
  }
  char text[TITLE_BYTES];
  vkm_progress("%s%s%s", title(series, text), plain ? " without vkmeter" : "", last);
}

/* Every run gets the same: caches, and standard input where it is a file. */
static bool set_scene(const struct series *series) {
  if (series->input >= 0) {
    (void)lseek(STDIN_FILENO, series->input, SEEK_SET);
  }
  const struct vkm_scene *scene = series->scene;
  if (scene->directory != NULL && !vkm_folder_renew(scene->directory)) {
    vkm_error("cannot empty '%s': %s; does a program of an earlier run still write there?",
              scene->directory, strerror(errno));
    return false;
  }
  return scene->cold == NULL || vkm_cold_renew(scene->cold);
}

/* False: reported. */
static bool find_place(const struct series *series, const char *output, const char *word,
                       struct vkm_run_logs *logs, struct vkm_run_place *place) {
  *logs = (struct vkm_run_logs){NULL, NULL};
  *place = (struct vkm_run_place){NULL, NULL, NULL, NULL};
  if (series->scene->directory == NULL) {
    return true;
  }
  if (!vkm_run_logs_name(logs, output, word)) {
    return false;
  }
  *place =
      (struct vkm_run_place){series->scene->directory, "/dev/null", logs->output, logs->errors};
  return true;
}

static void note_failure(struct series *series, struct vkm_outcome outcome, bool fatal) {
  if (series->failed++ == 0) {
    series->outcome = outcome;
  }
  series->gave_up = !fatal && !series->args->keep_going;
  series->over = series->over || fatal || series->gave_up;
}

/* The signal was meant for all of it. */
static void note_stop(struct series *series, int number) {
  if (number == 0) {
    return;
  }
  series->over = true;
  series->scene->stop = number;
  unsigned left = series->args->repeat - series->index - 1;
  if (left > 0 || series->args->control) {
    vkm_note("stopped by %s: %u of %u runs were not begun", vkm_signal_name(number), left,
             series->args->repeat);
  }
  if (series->failed == 0 && left > 0) {
    series->outcome = (struct vkm_outcome){VKM_OUTCOME_PROGRAM, 128 + number};
  }
}

/* Beside where the profile would be. */
static void leave_record(const struct series *series, const char *run,
                         const struct vkm_run_result *result, const char *last_line) {
  char *const *command = series->args->operands;
  char *name = vkm_numbers_name(series->pattern, series->number, ".error");
  char *path = name != NULL ? vkm_numbers_expand(name, command[0], result->child.pid,
                                                 result->child.started_unix_ns)
                            : NULL;
  struct vkm_record record = {run,           series->number, command, &result->child,
                              result->cause, last_line};
  bool written = path != NULL && vkm_record_write(&record, path);
  if (written && series->scene->directory == NULL) {
    char text[TITLE_BYTES];
    vkm_error("%s failed: %s; see '%s'", title(series, text), result->cause, path);
  }
  free(name);
  free(path);
}

/* The program has ended well; has it done what it should? */
static void validate(const struct series *series, const struct vkm_run_place *place,
                     struct vkm_run_result *result, char *last_line, size_t size) {
  char *const *command = series->scene->validate;
  struct vkm_run_logs logs;
  struct vkm_run_place own;
  struct vkm_child child;
  char *output = vkm_numbers_name(series->pattern, series->number, NULL);
  if (output == NULL || setenv("SUITE_STDOUT", place->output, 1) != 0 ||
      setenv("SUITE_STDERR", place->errors, 1) != 0 ||
      !find_place(series, output, ".validate", &logs, &own)) {
    snprintf(result->cause, sizeof result->cause, "cannot be validated: out of memory");
    free(output);
    return;
  }
  struct vkm_order order = {.argv = command,
                            .environment = vkm_environment_plain(),
                            .limit_ns = series->args->timeout_ns,
                            .directory = own.directory,
                            .input = own.input,
                            .output = own.output,
                            .errors = own.errors};
  if (order.environment == NULL || !vkm_child_run(series->signals, &order, &child)) {
    snprintf(result->cause, sizeof result->cause, "the validation cannot be started");
  } else if (child.status != 0) {
    struct vkm_run_result judged = {.cause = ""};
    vkm_run_ended(&child, series->args, &judged);
    snprintf(result->cause, sizeof result->cause, "the validation failed: %.400s", judged.cause);
    vkm_run_logs_last_line(own.errors, last_line, size);
  }
  if (*result->cause) {
    result->outcome = (struct vkm_outcome){VKM_OUTCOME_GATE, 0};
  }
  free((void *)order.environment);
  vkm_run_logs_finish(&logs);
  free(output);
}

/* What a scene wants to know of the run. */
static struct vkm_sample *note_sample(const struct series *series,
                                      const struct vkm_run_result *result) {
  struct vkm_scene *scene = series->scene;
  if (scene->samples == NULL) {
    return NULL;
  }
  struct vkm_sample *sample = &scene->samples[scene->sample_count++];
  *sample = (struct vkm_sample){.sequence = series->number,
                                .good = result->begun && !*result->cause,
                                .wall_ns = result->child.duration_ns,
                                .resident_peak_bytes = result->child.resident_peak_bytes};
  snprintf(sample->cause, sizeof sample->cause, "%.500s",
           result->begun ? result->cause : "it could not be begun");
  return sample;
}

/* What a suite wants of a program that ended well: its outputs, before something else changes them,
 * and that they are valid. */
static void judge_in_suite(const struct series *series, const struct vkm_run_place *place,
                           struct vkm_run_result *result, struct vkm_output_digest *digests,
                           char *last_line, size_t size) {
  if (result->begun && !*result->cause) {
    vkm_run_outputs_take(series->scene, place, digests, result);
  }
  if (series->scene->validate != NULL && result->begun && !*result->cause) {
    validate(series, place, result, last_line, size);
  } else if (*result->cause) {
    vkm_run_logs_last_line(place->errors, last_line, size);
  }
}

static void keep_sample(struct series *series, const char *run, const struct vkm_run_result *result,
                        const struct vkm_output_digest *digests, const char *last_line) {
  struct vkm_sample *sample = note_sample(series, result);
  if (sample == NULL) {
    return;
  }
  if (!sample->good) {
    snprintf(sample->last_line, sizeof sample->last_line, "%s", last_line);
    return;
  }
  memcpy(sample->outputs, digests, sizeof sample->outputs);
  bool left = vkm_run_sample_leave(series->scene, series->pattern, run, sample, result,
                                   series->args->operands[0]);
  series->untold = series->untold || !left;
}

/* Whatever the run came to becomes a record, a sample and a message. */
static void conclude_profiled(struct series *series, const char *run,
                              const struct vkm_run_place *place, struct vkm_run_result *result) {
  char last_line[256] = "";
  bool in_suite = place->output != NULL;
  struct vkm_output_digest digests[VKM_SAMPLE_OUTPUTS_MAX] = {{0}};
  if (in_suite) {
    judge_in_suite(series, place, result, digests, last_line, sizeof last_line);
  }
  keep_sample(series, run, result, digests, last_line);
  if (*result->cause) {
    leave_record(series, run, result, in_suite ? last_line : NULL);
  }
  if (!result->begun || *result->cause) {
    note_failure(series, result->outcome, !result->begun || result->child.cause != 0);
  }
}

static void run_profiled(struct series *series, struct vkm_pair *pair) {
  struct vkm_run_result result = {.outcome = {VKM_OUTCOME_TROUBLE, 0}};
  struct vkm_run_logs logs = {NULL, NULL};
  struct vkm_run_place place = {NULL, NULL, NULL, NULL};
  char *output = vkm_numbers_name(series->pattern, series->number, NULL);
  bool ready = output != NULL && vkm_timeline_ask(series->args, true, series->number);
  const char *run = ready ? vkm_environment_number(series->run, series->number, output) : NULL;
  if (run != NULL && set_scene(series) && find_place(series, output, "", &logs, &place)) {
    struct vkm_run_start start = {.args = series->args,
                                  .signals = series->signals,
                                  .output = output,
                                  .run = run,
                                  .numbered = true,
                                  .later = series->index > 0,
                                  .place = place};
    show_progress(series, false);
    vkm_run_one(&start, &result);
    vkm_progress_end();
  }
  conclude_profiled(series, run, &place, &result);
  pair->profiled_ns = result.child.duration_ns;
  pair->profiled_good = result.begun && !*result.cause;
  series->last_ns = result.child.duration_ns;
  vkm_run_logs_finish(&logs);
  free(output);
  note_stop(series, result.child.stop);
}

static void run_plain(struct series *series, struct vkm_pair *pair) {
  struct vkm_run_result result = {.outcome = {VKM_OUTCOME_TROUBLE, 0}};
  struct vkm_run_logs logs = {NULL, NULL};
  struct vkm_run_place place = {NULL, NULL, NULL, NULL};
  char *output = vkm_numbers_name(series->pattern, series->number, NULL);
  if (output != NULL && set_scene(series) && find_place(series, output, ".plain", &logs, &place)) {
    struct vkm_order order = {.argv = series->args->operands,
                              .environment = series->scene->plain,
                              .limit_ns = series->args->timeout_ns,
                              .directory = place.directory,
                              .input = place.input,
                              .output = place.output,
                              .errors = place.errors};
    show_progress(series, true);
    result.begun = vkm_child_run(series->signals, &order, &result.child);
    vkm_progress_end();
    vkm_run_ended(&result.child, series->args, &result);
  }
  if (*result.cause) {
    char text[TITLE_BYTES];
    vkm_error("%s without vkmeter failed: %s", title(series, text), result.cause);
  }
  if (!result.begun || *result.cause) {
    note_failure(series, result.outcome, !result.begun);
  }
  pair->plain_ns = result.child.duration_ns;
  pair->plain_good = result.begun && !*result.cause;
  vkm_run_logs_finish(&logs);
  free(output);
  note_stop(series, result.child.stop);
}

/* First with, then without the layer, and the other way round next time: what drifts while the
 * series goes on adds to both alike. */
static void run_pair(struct series *series) {
  struct vkm_pair *pair = &series->pairs[series->index];
  *pair = (struct vkm_pair){.sequence = series->number};
  if (!series->args->control) {
    run_profiled(series, pair);
    return;
  }
  pair->plain_first = series->index % 2 == 1;
  for (int turn = 0; turn < 2 && !series->over; turn++) {
    if (pair->plain_first == (turn == 0)) {
      run_plain(series, pair);
    } else {
      run_profiled(series, pair);
    }
  }
}

/* The wall times, on stderr and beside the profiles. False: reported. */
static bool tell_overhead(const struct series *series, size_t count, uint32_t first) {
  struct vkm_scene *scene = series->scene;
  struct vkm_series told = {
      series->run, series->args->operands, scene->cold != NULL, series->pairs, count, {0}};
  struct vkm_text text;
  char *name = vkm_numbers_name(series->pattern, first, ".control");
  char *path = name != NULL ? vkm_numbers_expand(name, series->args->operands[0], getpid(),
                                                 (int64_t)time(NULL))
                            : NULL;
  free(name);
  if (path == NULL || !vkm_overhead_judge(told.pairs, count, &told.overhead)) {
    free(path);
    return false;
  }
  scene->overhead = told.overhead;
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_series(&told, &text);
  bool written = vkm_deliver(path, &text);
  vkm_text_clear(&text);
  if (told.overhead.count > 0) {
    vkm_view_overhead(&told.overhead, &text);
    vkm_note("%s; see '%s'", text.failed ? "out of memory" : text.data, path);
  } else {
    vkm_note("no pair of runs was good: what vkmeter costs is not known; see '%s'", path);
  }
  vkm_text_finish(&text);
  free(path);
  return written;
}

static void sum_up(const struct series *series, unsigned begun) {
  unsigned repeat = series->args->repeat;
  if (series->failed > 0 && repeat > 1 && series->scene->directory == NULL) {
    vkm_note(
        "%u of %u runs were good%s", begun > series->failed ? begun - series->failed : 0, repeat,
        begun < repeat && !series->args->keep_going ? "; --keep-going goes on after one that failed"
                                                    : "");
  }
}

/* False: reported. */
static bool start(struct series *series) {
  const char *run = vkm_environment_run();
  series->run = run != NULL ? strdup(run) : NULL;
  series->pairs = calloc(series->args->repeat, sizeof *series->pairs);
  series->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (run != NULL && (series->run == NULL || series->pairs == NULL)) {
    vkm_error("out of memory; give --repeat less");
  }
  return series->run != NULL && series->pairs != NULL &&
         vkm_numbers_free(series->pattern, 0, &series->number);
}

struct vkm_outcome vkm_run_series(const struct vkm_args *args, const struct vkm_signals *signals,
                                  const char *pattern, struct vkm_scene *scene) {
  struct vkm_outcome trouble = {VKM_OUTCOME_TROUBLE, 0};
  struct series series = {.args = args,
                          .signals = signals,
                          .pattern = pattern,
                          .scene = scene,
                          .outcome = {VKM_OUTCOME_PROGRAM, 0}};
  bool good = start(&series);
  uint32_t first = series.number;
  unsigned begun = 0;
  while (good && !series.over && begun < args->repeat) {
    series.index = begun++;
    run_pair(&series);
    note_stop(&series, vkm_signals_stop());
    if (!series.over && begun < args->repeat) {
      good = vkm_numbers_free(pattern, series.number + 1, &series.number);
    }
  }
  if (begun > 0) {
    sum_up(&series, begun);
    good = (!args->control || tell_overhead(&series, begun, first)) && good;
  }
  free(series.pairs);
  free(series.run);
  return (good && !series.untold) || series.failed > 0 ? series.outcome : trouble;
}
