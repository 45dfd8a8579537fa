/* In: what the driver's compiler said of a pipeline, as JSON. Out: plain structures. Next room: the
 * tool's model. */
#include <string.h>

#include "base/alloc.h"
#include "profile/profile_read_sections.h"

static void read_value(struct vkm_parse *parse, const struct vkm_value *at,
                       struct vkm_read_statistic *out) {
  if (out->format != NULL && strcmp(out->format, "bool") == 0) {
    bool truth = false;
    vkm_value_bool(parse, at, "value", VKM_VALUE_NEEDED, &truth);
    out->has_value = true;
    out->value = truth ? 1 : 0;
    return;
  }
  struct vkm_value value = vkm_value_member(parse, at, "value", cJSON_Number, VKM_VALUE_NULLABLE);
  out->has_value = value.item != NULL;
  vkm_value_double(parse, at, "value", VKM_VALUE_NULLABLE, &out->value);
}

static void read_statistics(struct vkm_parse *parse, const struct vkm_value *at,
                            struct vkm_read_executable *out) {
  struct vkm_value list =
      vkm_value_member(parse, at, "statistics", cJSON_Array, VKM_VALUE_NULLABLE);
  if (list.item == NULL) {
    return;
  }
  out->has_statistics = true;
  out->statistics =
      vkm_value_array(parse, (size_t)cJSON_GetArraySize(list.item), sizeof *out->statistics);
  if (out->statistics == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value element =
        vkm_value_element(parse, &list, item, out->statistic_count, cJSON_Object);
    struct vkm_read_statistic *statistic = &out->statistics[out->statistic_count++];
    vkm_value_text(parse, &element, "name", VKM_VALUE_NEEDED, &statistic->name);
    vkm_value_text(parse, &element, "format", VKM_VALUE_NEEDED, &statistic->format);
    read_value(parse, &element, statistic);
  }
}

static void read_executables(struct vkm_parse *parse, const struct vkm_value *pipeline,
                             struct vkm_read_pipeline *out) {
  struct vkm_value list =
      vkm_value_member(parse, pipeline, "executables", cJSON_Array, VKM_VALUE_OPTIONAL);
  if (list.item == NULL) {
    return;
  }
  out->has_executables = true;
  out->executables =
      vkm_value_array(parse, (size_t)cJSON_GetArraySize(list.item), sizeof *out->executables);
  if (out->executables == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value element =
        vkm_value_element(parse, &list, item, out->executable_count, cJSON_Object);
    struct vkm_read_executable *executable = &out->executables[out->executable_count++];
    vkm_value_text(parse, &element, "name", VKM_VALUE_NEEDED, &executable->name);
    vkm_value_u32(parse, &element, "subgroup_size", VKM_VALUE_NULLABLE, &executable->subgroup_size);
    read_statistics(parse, &element, executable);
  }
}

void vkm_read_compile(struct vkm_parse *parse, const struct vkm_value *pipeline,
                      struct vkm_read_pipeline *out) {
  struct vkm_value create =
      vkm_value_member(parse, pipeline, "create", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (create.item != NULL) {
    vkm_value_bool(parse, &create, "statistics_captured", VKM_VALUE_OPTIONAL,
                   &out->statistics_captured);
    struct vkm_value feedback =
        vkm_value_member(parse, &create, "feedback_ns", cJSON_Number, VKM_VALUE_OPTIONAL);
    out->has_feedback = feedback.item != NULL;
    vkm_value_as_u64(parse, &feedback, &out->feedback_ns);
    vkm_value_bool(parse, &create, "cache_hit", VKM_VALUE_OPTIONAL, &out->cache_hit);
  }
  read_executables(parse, pipeline, out);
}

void vkm_read_executables_finish(struct vkm_read_pipeline *pipeline) {
  for (size_t i = 0; i < pipeline->executable_count; i++) {
    vkm_free(pipeline->executables[i].statistics);
  }
  vkm_free(pipeline->executables);
  vkm_free(pipeline->specialization.items);
}
