/* Records of good runs of a suite, read back: vkmeter.sample/1, ../launch/sample.schema.json. Main
 * thread. */
#ifndef VKM_TOOLS_MODEL_SAMPLE_FILE_H
#define VKM_TOOLS_MODEL_SAMPLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile_read.h"

struct vkm_side;

struct vkm_sample_output {
  char *name; /* as the workload declared it; owned */
  char *sha256;
  int64_t decimals; /* -1: of the file as it is */
};

/* Of one run of a side. Strings are owned. */
struct vkm_side_sample {
  char *path; /* of its file; of the baseline it is in */
  char *run;  /* id */
  int64_t sequence, wall_ns;
  bool has_resident;
  uint64_t resident_peak_bytes;
  struct vkm_sample_output *outputs; /* owned */
  size_t output_count;
};

/* Whether a file in a folder of profiles is called as such a record is: run-0.sample.json. */
bool vkm_sample_file_is(const char *path);
/* Reads `path`. False: reported, and nothing is held. */
bool vkm_sample_file_read(struct vkm_side_sample *sample, const char *path)
    __attribute__((warn_unused_result));
/* The same from memory, a line of the baseline `path`; nothing is reported: `error` says why. */
VKM_MUST_CHECK enum vkm_status vkm_sample_file_read_bytes(struct vkm_side_sample *sample,
                                                          const char *path, const char *bytes,
                                                          size_t length,
                                                          struct vkm_read_error *error);
void vkm_sample_file_finish(struct vkm_side_sample *sample);

/* Index of the first profile of the side that is of the sample's run; SIZE_MAX: none is. */
size_t vkm_sample_profile(const struct vkm_side *side, const struct vkm_side_sample *sample);

#endif
