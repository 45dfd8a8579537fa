/* What is timed, see choice.h. */
#include "choice.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "os/os.h"
#include "session.h"
#include "trigger.h"

/* How long before it is chosen a one-time recording may be begun to have stamps. */
enum { AHEAD_SUBMISSIONS = 64, IDENTITY_DIGITS = 6 };
#define AHEAD_NS INT64_C(1000000000)

static struct {
  bool by_submission, by_time, by_kernel, by_label;
  bool by_frame; /* the label may be that of a frame, which holds where no other is open */
  struct vkm_chosen_part capture;
  struct vkm_os_regex kernel;
  bool compiled;
  atomic_uint_fast64_t submissions;
  _Atomic int64_t first_device_ns; /* INT64_MIN: none yet */
} choice;

/* ---- the process ---- */

bool vkm_choice_process(const char *globs, const char *executable) {
  const char *name = executable ? vkm_os_file_name(executable) : "unknown";
  bool any = false;
  while (*globs) {
    char glob[256];
    size_t length = strcspn(globs, ",");
    int written = snprintf(glob, sizeof glob, "%.*s", (int)length, globs);
    any = any || length > 0;
    if (length && (size_t)written < sizeof glob && vkm_os_glob(glob, name)) {
      return true;
    }
    globs += length;
    globs += *globs == ',';
  }
  return !any;
}

static void compile(void) {
  if (choice.compiled) {
    vkm_os_regex_free(&choice.kernel);
  }
  choice.compiled = choice.by_kernel && vkm_os_regex(&choice.kernel, choice.capture.kernel);
}

static bool is_part(const struct vkm_range *range) {
  return range->first > 0 || range->last != UINT64_MAX;
}

void vkm_choice_start(const struct vkm_settings *settings) {
  choice.capture = settings->capture;
  choice.by_kernel = *settings->capture.kernel;
  choice.by_label = *settings->capture.label;
  choice.by_frame = choice.by_label && strchr("f*?[\\", *settings->capture.label);
  choice.by_time = is_part(&settings->capture.time_ns);
  vkm_trigger_start(settings->capture.trigger);
  choice.by_submission =
      choice.by_time || is_part(&settings->capture.submissions) || vkm_trigger_given();
  atomic_store(&choice.first_device_ns, INT64_MIN);
  compile();
}

void vkm_choice_device_created(void) {
  int64_t none = INT64_MIN;
  int64_t now_ns = vkm_now_ns();
  atomic_compare_exchange_strong(&choice.first_device_ns, &none, now_ns);
  vkm_trigger_want(now_ns);
}

void vkm_choice_forked(void) {
  atomic_store(&choice.first_device_ns, INT64_MIN);
  atomic_store(&choice.submissions, 0);
  vkm_trigger_forked();
  compile(); /* the lock inside may be held by a thread that is not here */
}

/* ---- submissions and recordings ---- */

static int64_t since_first_device(int64_t now_ns) {
  int64_t first_ns = atomic_load(&choice.first_device_ns);
  return first_ns == INT64_MIN || now_ns < first_ns ? 0 : now_ns - first_ns;
}

bool vkm_choice_submission(void) {
  if (!choice.by_submission) {
    return true;
  }
  int64_t now_ns = vkm_now_ns();
  const struct vkm_chosen_part *capture = &choice.capture;
  uint64_t number = atomic_fetch_add(&choice.submissions, 1) + 1;
  uint64_t time_ns = (uint64_t)since_first_device(now_ns);
  vkm_trigger_want(now_ns);
  return number >= capture->submissions.first && number <= capture->submissions.last &&
         time_ns >= capture->time_ns.first && time_ns < capture->time_ns.last && vkm_trigger_on();
}

bool vkm_choice_recording(bool one_time) {
  if (!choice.by_submission) {
    return true;
  }
  const struct vkm_chosen_part *capture = &choice.capture;
  uint64_t next = atomic_load(&choice.submissions) + 1;
  uint64_t time_ns = choice.by_time ? (uint64_t)since_first_device(vkm_now_ns()) : 0;
  if (next > capture->submissions.last || time_ns >= capture->time_ns.last) {
    return false;
  }
  return !one_time || (next + AHEAD_SUBMISSIONS >= capture->submissions.first &&
                       time_ns + AHEAD_NS >= capture->time_ns.first && vkm_trigger_on());
}

/* ---- labels ---- */

/* The path of the phase, or one that ends before a slash of it: a label holds what is in it. Lock
 * held. */
static bool matches_label(struct vkm_device_record *record, uint32_t phase) {
  enum { UNKNOWN, NO, YES };
  uint8_t *known = &record->phase_choices[phase];
  if (*known == UNKNOWN) {
    char path[VKM_PATH_CAP + 1];
    snprintf(path, sizeof path, "%s", phase ? record->phases.paths[phase] : "unlabelled");
    *known = vkm_os_glob(choice.capture.label, path) ? YES : NO;
    char *slash;
    while (*known == NO && (slash = strrchr(path, '/')) != NULL) {
      *slash = '\0';
      *known = vkm_os_glob(choice.capture.label, path) ? YES : NO;
    }
  }
  return *known == YES;
}

bool vkm_choice_counted(struct vkm_device_record *record, uint32_t queue_phase,
                        const struct vkm_mark *mark) {
  if (!choice.by_label || (mark->phase && matches_label(record, mark->phase))) {
    return true;
  }
  return matches_label(record, vkm_phase_join(record, queue_phase, mark->phase));
}

/* Remembered in the command buffer: one lock a label, not one a command. */
static bool label_may_match(struct vkm_cmdbuf *cmdbuf, uint32_t phase) {
  if (cmdbuf->judged_phase != phase) {
    struct vkm_device_record *record = cmdbuf->device->record;
    pthread_mutex_lock(&record->lock);
    cmdbuf->judged_chosen = matches_label(record, phase);
    pthread_mutex_unlock(&record->lock);
    cmdbuf->judged_phase = phase;
  }
  return cmdbuf->judged_chosen || atomic_load(&cmdbuf->device->queues_labelled) ||
         (choice.by_frame && atomic_load(&cmdbuf->device->record->frame));
}

/* ---- commands ---- */

bool vkm_choice_by_command(void) {
  return choice.by_kernel || choice.by_label;
}

enum vkm_untimed vkm_choice_command(struct vkm_cmdbuf *cmdbuf, const struct vkm_mark *mark) {
  bool kernel = !choice.by_kernel || (mark->pipeline && atomic_load(&mark->pipeline->chosen));
  if (kernel && (!choice.by_label || label_may_match(cmdbuf, mark->phase))) {
    return VKM_UNTIMED_COUNT;
  }
  struct vkm_recording *recording = cmdbuf->recording;
  if (!recording->stamp_count) {
    recording->no_span_reason = "it begins with commands that were not chosen";
  }
  return VKM_UNTIMED_not_chosen;
}

static bool matches_kernel(const char *text) {
  return text && *text && choice.compiled && vkm_os_regex_find(&choice.kernel, text, NULL, NULL);
}

/* From its first digit on and at least as many as reports show: words like "add" and "f16" are hex
 * digits, too. */
static bool matches_identity(struct vkm_hash identity) {
  char text[VKM_HASH_TEXT_BYTES];
  size_t begin, end;
  vkm_hash_text(identity, text);
  return choice.compiled && vkm_os_regex_find(&choice.kernel, text, &begin, &end) && begin == 0 &&
         end >= IDENTITY_DIGITS;
}

void vkm_choice_kernel(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline) {
  if (!choice.by_kernel) {
    return;
  }
  pthread_mutex_lock(&record->lock);
  const char *name = pipeline->name; /* never freed */
  pthread_mutex_unlock(&record->lock);
  if (matches_kernel(name) || matches_kernel(pipeline->module_name) ||
      matches_kernel(pipeline->entry_point) || matches_kernel(pipeline->kernel.source_name) ||
      matches_identity(pipeline->identity)) {
    atomic_store(&pipeline->chosen, true);
  }
}

/* ---- what the profile says ---- */

size_t vkm_choice_names(const struct vkm_settings *settings,
                        struct vkm_named_text names[VKM_CHOICE_NAMES]) {
  static const struct {
    const char *setting, *name;
  } known[VKM_CHOICE_NAMES] = {{"CAPTURE_SUBMISSIONS", "submissions"},
                               {"CAPTURE_TIME", "time_seconds"},
                               {"CAPTURE_LABEL", "label"},
                               {"CAPTURE_KERNEL", "kernel"},
                               {"CAPTURE_TRIGGER", "trigger"}};
  size_t count = 0;
  for (size_t i = 0; i < VKM_CHOICE_NAMES; i++) {
    for (size_t j = 0; j < settings->in_force_count; j++) {
      const struct vkm_named_text *setting = &settings->in_force[j];
      if (strcmp(setting->name, known[i].setting) == 0 && *setting->value) {
        names[count++] = (struct vkm_named_text){known[i].name, setting->value};
      }
    }
  }
  return count;
}
