/* Places for programs of a suite. In: a workload, a device. Out: argument vectors, variables, a
 * folder. Next: suite_lane. */
#include "commands/suite_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/expand.h"
#include "launch/folder.h"
#include "message.h"

struct source {
  const struct vkm_suite_file *file;
  char *why;
};

static enum vkm_setup_result expand(const struct source *source, const char *text, char **out) {
  char missing[128] = "";
  switch (vkm_expand(text, source->file->directory, out, missing, sizeof missing)) {
  case VKM_EXPANDED:
    return VKM_SETUP_DONE;
  case VKM_EXPAND_MISSING:
    snprintf(source->why, VKM_SETUP_WHY_BYTES, "the variable %s is not set", missing);
    return VKM_SETUP_MISSING;
  case VKM_EXPAND_NO_MEMORY:
    break;
  }
  vkm_error("out of memory");
  return VKM_SETUP_TROUBLE;
}

static enum vkm_setup_result take_words(const struct source *source,
                                        const struct vkm_suite_words *words, char ***out) {
  *out = calloc(words->count + 1, sizeof **out);
  if (*out == NULL) {
    vkm_error("out of memory");
    return VKM_SETUP_TROUBLE;
  }
  enum vkm_setup_result result = VKM_SETUP_DONE;
  for (size_t i = 0; i < words->count && result == VKM_SETUP_DONE; i++) {
    result = expand(source, words->items[i], &(*out)[i]);
  }
  if (result == VKM_SETUP_DONE && words->count > 0) {
    char *program = vkm_program_path((*out)[0], source->file->directory);
    free((*out)[0]);
    (*out)[0] = program;
    result = program != NULL ? result : VKM_SETUP_TROUBLE;
  }
  return result;
}

static enum vkm_setup_result take_pairs(struct vkm_suite_setup *setup, const struct source *source,
                                        const struct vkm_read_pairs *pairs) {
  enum vkm_setup_result result = VKM_SETUP_DONE;
  for (size_t i = 0; i < pairs->count && result == VKM_SETUP_DONE; i++) {
    size_t at = setup->variable_count;
    result = expand(source, pairs->items[i].value, &setup->values[at]);
    setup->names[at] = strdup(pairs->items[i].name);
    setup->variable_count++;
    result = setup->names[at] != NULL ? result : VKM_SETUP_TROUBLE;
  }
  return result;
}

static enum vkm_setup_result check_needs(const struct source *source,
                                         const struct vkm_suite_words *needs) {
  enum vkm_setup_result result = VKM_SETUP_DONE;
  for (size_t i = 0; i < needs->count && result == VKM_SETUP_DONE; i++) {
    char *word = NULL;
    result = expand(source, needs->items[i], &word);
    if (result == VKM_SETUP_DONE && !vkm_is_there(word, source->file->directory)) {
      snprintf(source->why, VKM_SETUP_WHY_BYTES, "%.300s is not there", word);
      result = VKM_SETUP_MISSING;
    }
    free(word);
  }
  return result;
}

static bool make_room(struct vkm_suite_setup *setup, size_t variables) {
  setup->names = calloc(variables + 1, sizeof *setup->names);
  setup->values = calloc(variables + 1, sizeof *setup->values);
  if (setup->names == NULL || setup->values == NULL) {
    vkm_error("out of memory");
    return false;
  }
  return true;
}

enum vkm_setup_result vkm_suite_setup_make(struct vkm_suite_setup *setup,
                                           const struct vkm_suite_file *file,
                                           const struct vkm_workload *workload,
                                           const struct vkm_suite_device *device,
                                           char why[VKM_SETUP_WHY_BYTES]) {
  *setup = (struct vkm_suite_setup){0};
  struct source source = {file, why};
  size_t variables = workload->environment.count + (device ? device->environment.count : 0);
  enum vkm_setup_result result = make_room(setup, variables) ? VKM_SETUP_DONE : VKM_SETUP_TROUBLE;
  if (result == VKM_SETUP_DONE) {
    result = check_needs(&source, &workload->needs);
  }
  if (result == VKM_SETUP_DONE) {
    result = take_words(&source, &workload->command, &setup->command);
  }
  if (result == VKM_SETUP_DONE && workload->validate.count > 0) {
    result = take_words(&source, &workload->validate, &setup->validate);
  }
  if (result == VKM_SETUP_DONE && device != NULL) {
    result = take_pairs(setup, &source, &device->environment);
  }
  if (result == VKM_SETUP_DONE) {
    result = take_pairs(setup, &source, &workload->environment);
  }
  return result;
}

/* A folder in the lane's own, also as the value of a variable. */
static bool make_folder(const struct vkm_suite_setup *setup, const char *name,
                        const char *variable) {
  char *path = NULL;
  bool good = asprintf(&path, "%s/%s", setup->cold.folder, name) >= 0;
  good = good && vkm_folder_make(path) && setenv(variable, path, 1) == 0;
  if (!good) {
    vkm_error("cannot make a folder for a run: %s; set TMPDIR to one that can be written to",
              strerror(errno));
  }
  free(path);
  return good;
}

bool vkm_suite_setup_place(struct vkm_suite_setup *setup) {
  if (!vkm_cold_start(&setup->cold) || !vkm_cold_renew(&setup->cold)) {
    return false;
  }
  if (asprintf(&setup->work, "%s/work", setup->cold.folder) < 0) {
    setup->work = NULL;
    vkm_error("out of memory");
    return false;
  }
  return make_folder(setup, "home", "HOME") &&
         make_folder(setup, "home/.cache", "XDG_CACHE_HOME") && make_folder(setup, "tmp", "TMPDIR");
}

bool vkm_suite_setup_apply(const struct vkm_suite_setup *setup) {
  static const char *const ours[] = {"VKMETER_RUN", "VKMETER_SEQUENCE", "VKMETER_TAGS",
                                     "VKMETER_MODE"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    unsetenv(ours[i]);
  }
  for (size_t i = 0; i < setup->variable_count; i++) {
    if (setenv(setup->names[i], setup->values[i], 1) != 0) {
      vkm_error("cannot set %s: %s", setup->names[i], strerror(errno));
      return false;
    }
  }
  return true;
}

static void free_words(char **words) {
  for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
    free(words[i]);
  }
  free(words);
}

void vkm_suite_setup_finish(struct vkm_suite_setup *setup) {
  free_words(setup->command);
  free_words(setup->validate);
  for (size_t i = 0; i < setup->variable_count; i++) {
    free(setup->names[i]);
    free(setup->values[i]);
  }
  free(setup->names);
  free(setup->values);
  free(setup->work);
  vkm_cold_finish(&setup->cold);
  *setup = (struct vkm_suite_setup){0};
}

enum vkm_setup_result vkm_suite_setup_device(struct vkm_suite_setup *setup,
                                             const struct vkm_suite_file *file,
                                             const struct vkm_suite_device *device,
                                             char why[VKM_SETUP_WHY_BYTES]) {
  *setup = (struct vkm_suite_setup){0};
  struct source source = {file, why};
  if (!make_room(setup, device->environment.count)) {
    return VKM_SETUP_TROUBLE;
  }
  enum vkm_setup_result result = check_needs(&source, &device->needs);
  return result == VKM_SETUP_DONE ? take_pairs(setup, &source, &device->environment) : result;
}
