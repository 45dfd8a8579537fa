/* In: what the driver's compiler said of a pipeline. Out: its members of the section pipelines. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "profile/profile_write_sections.h"

/* ---- stages ---- */

static const struct {
  uint32_t bit; /* VkShaderStageFlagBits */
  const char *name;
} stage_names[] = {
    {0x1, "vertex"},
    {0x2, "tessellation_control"},
    {0x4, "tessellation_evaluation"},
    {0x8, "geometry"},
    {0x10, "fragment"},
    {0x20, "compute"},
    {0x40, "task"},
    {0x80, "mesh"},
    {0x100, "raygen"},
    {0x200, "any_hit"},
    {0x400, "closest_hit"},
    {0x800, "miss"},
    {0x1000, "intersection"},
    {0x2000, "callable"},
};
enum { STAGE_COUNT = sizeof stage_names / sizeof stage_names[0], STAGE_TEXT_BYTES = 16 };

/* One bit; those without a name in hex. */
static const char *stage_name(uint32_t bit, char text[STAGE_TEXT_BYTES]) {
  for (size_t i = 0; i < STAGE_COUNT; i++) {
    if (stage_names[i].bit == bit) {
      return stage_names[i].name;
    }
  }
  (void)snprintf(text, STAGE_TEXT_BYTES, "0x%" PRIx32, bit);
  return text;
}

static void write_stages(struct vkm_json *json, uint32_t stages) {
  vkm_json_list_open(json, "stages");
  for (unsigned i = 0; i < 32; i++) {
    uint32_t bit = UINT32_C(1) << i;
    char text[STAGE_TEXT_BYTES];
    if (stages & bit) {
      vkm_json_list_string(json, stage_name(bit, text));
    }
  }
  vkm_json_list_close(json);
}

/* ---- executables ---- */

static void write_value(struct vkm_json *json, const struct vkm_profile_statistic *statistic) {
  static const char *const names[] = {
      [VKM_STATISTIC_BOOL] = "bool",       [VKM_STATISTIC_INT64] = "int64",
      [VKM_STATISTIC_UINT64] = "uint64",   [VKM_STATISTIC_FLOAT64] = "float64",
      [VKM_STATISTIC_UNKNOWN] = "unknown",
  };
  vkm_json_string(json, "format", names[statistic->format], NULL);
  switch (statistic->format) {
  case VKM_STATISTIC_BOOL:
    vkm_json_bool(json, "value", statistic->value.truth);
    break;
  case VKM_STATISTIC_INT64:
    vkm_json_i64(json, "value", statistic->value.i64);
    break;
  case VKM_STATISTIC_UINT64:
    vkm_json_u64(json, "value", statistic->value.u64);
    break;
  case VKM_STATISTIC_FLOAT64:
    vkm_json_double_exact(json, "value", statistic->value.f64, "the driver gave no finite number");
    break;
  case VKM_STATISTIC_UNKNOWN:
    vkm_json_null(json, "value", "of a format that vkmeter does not know");
  }
}

static void write_statistics(struct vkm_json *json,
                             const struct vkm_profile_executable *executable) {
  if (executable->no_statistics_reason != NULL) {
    vkm_json_null(json, "statistics", executable->no_statistics_reason);
  } else {
    vkm_json_open(json, "statistics", '[');
    for (uint32_t i = 0; i < executable->statistic_count; i++) {
      vkm_json_open(json, NULL, '{');
      vkm_json_string(json, "name", executable->statistics[i].name, "not given");
      vkm_json_string(json, "description", executable->statistics[i].description, "not given");
      write_value(json, &executable->statistics[i]);
      vkm_json_close(json, '}');
    }
    vkm_json_close(json, ']');
  }
  vkm_json_u64(json, "statistics_dropped", executable->statistics_dropped);
}

static void write_representations(struct vkm_json *json,
                                  const struct vkm_profile_executable *executable) {
  vkm_json_open(json, "representations", '[');
  for (uint32_t i = 0; i < executable->representation_count; i++) {
    const struct vkm_profile_representation *from = &executable->representations[i];
    vkm_json_open(json, NULL, '{');
    vkm_json_string(json, "name", from->name, "not given");
    vkm_json_string(json, "description", from->description, "not given");
    vkm_json_bool(json, "text", from->text);
    vkm_json_u64(json, "bytes", from->bytes);
    vkm_json_string(json, "file", from->no_file_reason == NULL ? from->file : NULL,
                    from->no_file_reason);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_json_u64(json, "representations_dropped", executable->representations_dropped);
}

static void write_subgroup_size(struct vkm_json *json, const char *key, uint32_t size) {
  if (size == 0) {
    vkm_json_null(json, key, "the driver does not tell");
  } else {
    vkm_json_u64(json, key, size);
  }
}

void vkm_write_executables(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_profile_executables *executables = pipeline->executables;
  if (executables == NULL) {
    const char *reason = pipeline->no_executables_reason;
    vkm_json_null(json, "executables", reason != NULL ? reason : "not read yet");
    return;
  }
  vkm_json_open(json, "executables", '[');
  for (uint32_t i = 0; i < executables->count; i++) {
    const struct vkm_profile_executable *executable = &executables->items[i];
    vkm_json_open(json, NULL, '{');
    vkm_json_string(json, "name", executable->name, "not given");
    vkm_json_string(json, "description", executable->description, "not given");
    write_stages(json, executable->stages);
    write_subgroup_size(json, "subgroup_size", executable->subgroup_size);
    write_statistics(json, executable);
    if (executables->representations) {
      write_representations(json, executable);
    }
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_json_u64(json, "executables_dropped", executables->dropped);
  vkm_json_string(json, "executables_source", executables->source, "not given");
}

void vkm_write_reported_subgroup_size(struct vkm_json *json,
                                      const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_profile_executables *executables = pipeline->executables;
  const char *reason = pipeline->no_executables_reason;
  if (executables == NULL || executables->count == 0) {
    vkm_json_null(json, "reported",
                  executables == NULL && reason ? reason : "the driver names no executable");
    return;
  }
  for (uint32_t i = 1; i < executables->count; i++) {
    if (executables->items[i].subgroup_size != executables->items[0].subgroup_size) {
      vkm_json_null(json, "reported", "its executables differ");
      return;
    }
  }
  write_subgroup_size(json, "reported", executables->items[0].subgroup_size);
}

/* ---- creation ---- */

static void write_feedback(struct vkm_json *json, const struct vkm_profile_feedback *feedback,
                           const char *reason) {
  if (reason != NULL) {
    vkm_json_null(json, "cache_hit", reason);
    vkm_json_null(json, "base_acceleration", reason);
    vkm_json_null(json, "feedback_ns", reason);
    return;
  }
  vkm_json_bool(json, "cache_hit", feedback->cache_hit);
  vkm_json_bool(json, "base_acceleration", feedback->base_acceleration);
  vkm_json_u64(json, "feedback_ns", feedback->duration_ns);
}

void vkm_write_compile(struct vkm_json *json, const struct vkm_profile_compile *compile) {
  vkm_json_bool(json, "statistics_captured", compile->not_captured_reason == NULL);
  if (compile->not_captured_reason != NULL) {
    vkm_json_reason(json, "statistics_captured", compile->not_captured_reason);
  }
  write_feedback(json, &compile->whole, compile->no_feedback_reason);
  if (compile->stage_count == 0) {
    const char *reason = compile->no_feedback_reason;
    vkm_json_null(json, "stages", reason != NULL ? reason : "no stage was asked for");
    return;
  }
  vkm_json_open(json, "stages", '[');
  for (uint32_t i = 0; i < compile->stage_count; i++) {
    const struct vkm_profile_feedback *feedback = &compile->stages[i].feedback;
    char text[STAGE_TEXT_BYTES];
    vkm_json_open(json, NULL, '{');
    vkm_json_string(json, "stage", stage_name(compile->stages[i].stage, text), NULL);
    write_feedback(json, feedback, feedback->valid ? NULL : "the driver gave none");
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
}
