/* What became of one start of a program, as far as figures are made of it. Plain data. */
#ifndef VKM_TOOLS_MODEL_SAMPLE_H
#define VKM_TOOLS_MODEL_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

enum { VKM_SAMPLE_OUTPUTS_MAX = 16, VKM_SHA256_TEXT_BYTES = 65 };

/* A file that a run left, or what it wrote to a stream. */
struct vkm_output_digest {
  uint64_t bytes;
  char sha256[VKM_SHA256_TEXT_BYTES]; /* hex digits; empty: it was not looked at */
};

struct vkm_sample {
  uint32_t sequence;           /* of its profile, and of its record where it failed */
  bool good;                   /* it came to its end, and what was asked for holds */
  char cause[512];             /* why it is not good; empty: it is */
  char last_line[256];         /* on stderr, of one that is not good; empty: none */
  int64_t wall_ns;             /* 0: it did not start */
  int64_t resident_peak_bytes; /* 0: not known */
  struct vkm_output_digest outputs[VKM_SAMPLE_OUTPUTS_MAX]; /* of each that the workload declares */
};

#endif
