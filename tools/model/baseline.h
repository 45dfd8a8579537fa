/* Named baselines: DIRECTORY/NAME/DEVICE-KEY.ndjson, a file for each environment segment. Its first
 * line is a head (vkmeter.baseline/1), each further line a profile as it was recorded, and behind
 * these, of runs of a suite, what was seen of them from outside. Main thread. */
#ifndef VKM_TOOLS_MODEL_BASELINE_H
#define VKM_TOOLS_MODEL_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/side.h"

#define VKM_BASELINE_SCHEMA "vkmeter.baseline/1"
#define VKM_BASELINE_DIRECTORY ".vkmeter/baselines"

/* The head of a file. Strings are owned; NULL: not known. */
struct vkm_baseline {
  char *path;
  char *name, *segment_key;
  char *device, *driver, *mode, *vkmeter_version;
  uint64_t runs, profiles, samples;
  int64_t recorded_unix_ns; /* begin of the latest run */
};
struct vkm_baselines {
  struct vkm_baseline *items; /* by name, then file; owned */
  size_t count;
};

/* Where baselines are: what was given, else $VKMETER_BASELINES, else VKM_BASELINE_DIRECTORY. */
const char *vkm_baseline_directory(const char *given);

/* Letters, digits and . _ -, and no dot first: a name is a directory. False: reported. */
bool vkm_baseline_name_check(const char *name) __attribute__((warn_unused_result));

/* Makes `side` (empty) the baseline: all its segments. One that was never promoted is empty and
 * says so. False: reported. */
bool vkm_baseline_load(struct vkm_side *side, const char *directory, const char *name)
    __attribute__((warn_unused_result));

/* The heads of all baselines; a directory that is not there has none. False: reported. */
bool vkm_baselines_list(struct vkm_baselines *baselines, const char *directory)
    __attribute__((warn_unused_result));
/* The name that is nearest to `name`; NULL: none is near. */
const char *vkm_baselines_nearest(const struct vkm_baselines *baselines, const char *name);
void vkm_baselines_finish(struct vkm_baselines *baselines);

/* Writes the profiles of `side` as NAME, a file for each of their segments, each whole or not at
 * all; other segments of NAME stay. Notes what was written. False: reported. */
bool vkm_baseline_write(const struct vkm_side *side, const char *directory, const char *name)
    __attribute__((warn_unused_result));

#endif
