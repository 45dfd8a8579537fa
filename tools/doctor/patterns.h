/* What the self test runs, for the probe that runs it and for the tool that judges it. */
#ifndef VKM_TOOLS_DOCTOR_PATTERNS_H
#define VKM_TOOLS_DOCTOR_PATTERNS_H

#include <stdbool.h>

enum vkm_pattern {
#define VKM_PATTERN(name, waits) VKM_PATTERN_##name,
#include "doctor/patterns.def"
  VKM_PATTERN_COUNT
};

enum vkm_load { VKM_LOAD_empty, VKM_LOAD_light, VKM_LOAD_heavy };

enum {
  VKM_SELFTEST_RUNS = 13,
  VKM_SELFTEST_DROPPED = 3, /* the first runs: drivers and clocks warm up */
  VKM_SELFTEST_LONGEST = 3, /* positions of the longest pattern */
};

struct vkm_position {
  enum vkm_pattern pattern;
  int number; /* in its pattern, from 1 */
  enum vkm_load load;
  const char *entry_point;
};

enum {
#define VKM_POSITION(pattern, number, load) VKM_POSITION_##pattern##_##number,
#include "doctor/patterns.def"
  VKM_POSITION_COUNT
};

/* By pattern: each dispatch waits for the one before. */
static const bool vkm_pattern_waits[VKM_PATTERN_COUNT] = {
#define VKM_PATTERN(name, waits) waits,
#include "doctor/patterns.def"
};

/* In order: pattern by pattern. */
static const struct vkm_position vkm_positions[VKM_POSITION_COUNT] = {
#define VKM_POSITION(pattern, number, load)                                                        \
  {VKM_PATTERN_##pattern, number, VKM_LOAD_##load, #pattern "_" #number "_" #load},
#include "doctor/patterns.def"
};

#endif
