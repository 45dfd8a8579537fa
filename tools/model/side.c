/* Sides. In: what the user named. Out: profiles and failed runs. Next: comparison. */
#include "model/side.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/baseline.h"
#include "model/directory.h"
#include "model/process.h"
#include "model/recorded.h"
#include "model/run_error.h"
#include "model/sample_file.h"
#include "model/segment.h"

static bool out_of_memory(void) {
  vkm_error("out of memory; give fewer files at once");
  return false;
}

/* Room for one element more; arrays grow by doubling, at powers of two. */
static bool grow(void **items, size_t count, size_t element_bytes) {
  if ((count & (count - 1)) != 0) {
    return true;
  }
  void *grown = realloc(*items, (count > 0 ? 2 * count : 1) * element_bytes);
  if (grown == NULL) {
    return false;
  }
  *items = grown;
  return true;
}

bool vkm_side_add(struct vkm_side *side, struct vkm_read_profile *profile, const char *path) {
  char *copy = strdup(path);
  size_t count = side->profile_count;
  if (copy == NULL || !grow((void **)&side->profiles, count, sizeof *side->profiles) ||
      !grow((void **)&side->paths, count, sizeof *side->paths)) {
    free(copy);
    vkm_profile_read_finish(profile);
    return out_of_memory();
  }
  side->profiles[count] = *profile;
  side->paths[count] = copy;
  side->profile_count++;
  return true;
}

static bool add_error(struct vkm_side *side, struct vkm_run_error *error) {
  if (!grow((void **)&side->errors, side->error_count, sizeof *side->errors)) {
    vkm_run_error_finish(error);
    return out_of_memory();
  }
  side->errors[side->error_count++] = *error;
  return true;
}

bool vkm_side_add_sample(struct vkm_side *side, struct vkm_side_sample *sample) {
  if (!grow((void **)&side->samples, side->sample_count, sizeof *side->samples)) {
    vkm_sample_file_finish(sample);
    return out_of_memory();
  }
  side->samples[side->sample_count++] = *sample;
  *sample = (struct vkm_side_sample){0};
  return true;
}

static bool add_sample_file(struct vkm_side *side, const char *path) {
  struct vkm_side_sample sample;
  return vkm_sample_file_read(&sample, path) && vkm_side_add_sample(side, &sample);
}

/* A profile, or the record of a run. */
static bool add_file(struct vkm_side *side, const char *path) {
  if (vkm_sample_file_is(path)) {
    return add_sample_file(side, path);
  }
  struct vkm_recorded recorded;
  if (!vkm_recorded_read(&recorded, path)) {
    return false;
  }
  return recorded.failed ? add_error(side, &recorded.error)
                         : vkm_side_add(side, &recorded.profile, path);
}

static bool add_directory(struct vkm_side *side, const char *path) {
  struct vkm_directory directory;
  if (!vkm_directory_list(&directory, path, ".json")) {
    return false;
  }
  bool good = directory.count > 0;
  if (!good) {
    vkm_error("'%s' holds no profile: no file in it is called *.json; give the directory that runs "
              "were recorded into",
              path);
  }
  for (size_t i = 0; i < directory.count; i++) {
    const char *file = directory.paths[i];
    bool beside = vkm_recorded_beside(file) && !vkm_sample_file_is(file);
    good = (beside || add_file(side, file)) && good;
  }
  vkm_directory_finish(&directory);
  return good;
}

static bool add_operand(struct vkm_side *side, const char *operand, const char *baseline_dir) {
  if (operand[0] == '@') {
    return vkm_baseline_load(side, baseline_dir, operand + 1);
  }
  switch (strcmp(operand, "-") == 0 ? VKM_PATH_FILE : vkm_path_kind(operand)) {
  case VKM_PATH_DIRECTORY:
    return add_directory(side, operand);
  case VKM_PATH_FILE:
    return add_file(side, operand);
  default:
    vkm_path_explain_missing(operand);
    return false;
  }
}

/* What stands behind LABEL= (the whole operand without), and the label's length. A path that is
 * there is a path, whatever signs it has. */
static const char *split_label(const char *operand, size_t *length) {
  const char *equals = strchr(operand, '=');
  const char *slash = strchr(operand, '/');
  bool labelled = equals != NULL && equals > operand && (slash == NULL || slash > equals) &&
                  vkm_path_kind(operand) == VKM_PATH_MISSING;
  *length = labelled ? (size_t)(equals - operand) : 0;
  return labelled ? equals + 1 : operand;
}

/* A path without the slashes at its end. */
static char *label_of_path(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') {
    length--;
  }
  return strcmp(path, "-") == 0 ? strdup("standard input") : strndup(path, length);
}

/* A baseline is a side by itself: it knows of segments, files beside it do not. */
static bool is_alone(const struct vkm_side_source *source) {
  for (size_t i = 0; i < source->operand_count && source->operand_count > 1; i++) {
    if (source->operands[i][0] == '@') {
      vkm_error("%s: the baseline '%s' stands beside other files; give it alone", source->name,
                source->operands[i]);
      return false;
    }
  }
  return true;
}

static bool has_failed(const struct vkm_side *side, const struct vkm_read_run *run) {
  for (size_t i = 0; i < side->error_count; i++) {
    const struct vkm_run_error *error = &side->errors[i];
    if (error->sequence == run->sequence && run->id != NULL && strcmp(error->run, run->id) == 0) {
      return true;
    }
  }
  return false;
}

/* A run that failed may have left a profile, of whatever it came to. */
static void leave_out_failed(struct vkm_side *side) {
  size_t kept = 0;
  for (size_t i = 0; i < side->profile_count; i++) {
    if (has_failed(side, &side->profiles[i].run)) {
      vkm_note("'%s' is of a run that failed: it is left out", side->paths[i]);
      vkm_profile_read_finish(&side->profiles[i]);
      free(side->paths[i]);
      continue;
    }
    side->profiles[kept] = side->profiles[i];
    side->paths[kept++] = side->paths[i];
  }
  side->profile_count = kept;
}

static bool group_runs(struct vkm_side *side) {
  side->runs = calloc(side->profile_count + 1, sizeof *side->runs);
  if (side->runs == NULL) {
    return out_of_memory();
  }
  for (size_t i = 0; i < side->profile_count; i++) {
    side->runs[i] = vkm_run_of(side->profiles, i);
    side->run_count += side->runs[i] == i;
  }
  return true;
}

bool vkm_side_load(struct vkm_side *side, const struct vkm_side_source *source) {
  *side = (struct vkm_side){0};
  size_t label_length = 0;
  const char *first = source->operands[0];
  if (source->operand_count == 1) {
    first = split_label(first, &label_length);
    side->label =
        label_length > 0 ? strndup(source->operands[0], label_length) : label_of_path(first);
  } else {
    side->label = strdup(source->name);
  }
  bool good = is_alone(source) && (side->label != NULL || out_of_memory());
  if (good) {
    good = add_operand(side, first, source->baseline_dir);
    for (size_t i = 1; i < source->operand_count; i++) {
      good = add_operand(side, source->operands[i], source->baseline_dir) && good;
    }
  }
  leave_out_failed(side);
  good = good && vkm_processes_differ(side->profiles, side->paths, side->profile_count) &&
         group_runs(side);
  if (!good) {
    vkm_side_finish(side);
  }
  return good;
}

static bool has_segment(const struct vkm_side *side, const struct vkm_read_profile *profile) {
  for (size_t i = 0; i < side->profile_count; i++) {
    if (vkm_segment_same(&side->profiles[i], profile)) {
      return true;
    }
  }
  return false;
}

size_t vkm_side_narrow(struct vkm_side *side, const struct vkm_side *other) {
  size_t kept = 0;
  size_t count = side->profile_count;
  side->run_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (has_segment(other, &side->profiles[i])) {
      side->profiles[kept] = side->profiles[i];
      side->paths[kept] = side->paths[i];
      kept++;
    } else {
      vkm_profile_read_finish(&side->profiles[i]);
      free(side->paths[i]);
    }
  }
  side->profile_count = kept;
  for (size_t i = 0; i < kept; i++) {
    side->runs[i] = vkm_run_of(side->profiles, i);
    side->run_count += side->runs[i] == i;
  }
  return count - kept;
}

void vkm_side_finish(struct vkm_side *side) {
  for (size_t i = 0; i < side->profile_count; i++) {
    vkm_profile_read_finish(&side->profiles[i]);
    free(side->paths[i]);
  }
  for (size_t i = 0; i < side->error_count; i++) {
    vkm_run_error_finish(&side->errors[i]);
  }
  for (size_t i = 0; i < side->sample_count; i++) {
    vkm_sample_file_finish(&side->samples[i]);
  }
  free(side->samples);
  free(side->label);
  free(side->profiles);
  free(side->paths);
  free(side->runs);
  free(side->errors);
  *side = (struct vkm_side){0};
}
