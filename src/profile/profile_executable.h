/* What the driver's compiler says of a pipeline, as plain structures. Part of profile.h. Texts may
 * hold any bytes. Meaning of the fields: src/README.md. */
#ifndef VKM_PROFILE_PROFILE_EXECUTABLE_H
#define VKM_PROFILE_PROFILE_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

enum vkm_statistic_format {
  VKM_STATISTIC_BOOL = 0,
  VKM_STATISTIC_INT64,
  VKM_STATISTIC_UINT64,
  VKM_STATISTIC_FLOAT64,
  VKM_STATISTIC_UNKNOWN, /* a format of the future: no value */
};

struct vkm_profile_statistic {
  const char *name, *description;
  enum vkm_statistic_format format;
  union {
    bool truth;
    int64_t i64;
    uint64_t u64;
    double f64;
  } value;
};

/* One text or binary that the compiler came through, and where it was written. */
struct vkm_profile_representation {
  const char *name, *description;
  bool text;
  uint64_t bytes;
  char file[128];             /* name within the folder; empty: not written */
  const char *no_file_reason; /* static */
};

struct vkm_profile_executable {
  const char *name, *description;
  uint32_t stages;        /* VkShaderStageFlags */
  uint32_t subgroup_size; /* 0: not told */
  struct vkm_profile_statistic *statistics;
  uint32_t statistic_count, statistics_dropped;       /* dropped: beyond the caps */
  const char *no_statistics_reason;                   /* static; NULL: they are there */
  struct vkm_profile_representation *representations; /* asked for by the setting DUMP_ISA */
  uint32_t representation_count, representations_dropped;
};

struct vkm_profile_executables {
  const char *source; /* name of the extension that they were read by; static */
  struct vkm_profile_executable *items;
  uint32_t count, dropped; /* dropped: beyond the cap */
  bool representations;    /* were asked for */
};

/* VkPipelineCreationFeedback. */
struct vkm_profile_feedback {
  bool valid, cache_hit, base_acceleration;
  uint64_t duration_ns;
};

enum { VKM_FEEDBACK_STAGE_CAP = 8 };

/* How the driver made a pipeline. Reasons are static; NULL: known. */
struct vkm_profile_compile {
  const char *not_captured_reason; /* why the flag for statistics was not set in the call */
  const char *no_feedback_reason;
  struct vkm_profile_feedback whole;
  struct {
    uint32_t stage; /* VkShaderStageFlagBits */
    struct vkm_profile_feedback feedback;
  } stages[VKM_FEEDBACK_STAGE_CAP];
  uint32_t stage_count; /* 0: the driver or the program gives none */
};

#endif
