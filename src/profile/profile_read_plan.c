/* In: plans as JSON. Out: plain structures. Next room: the tool's model. */
#include "base/alloc.h"
#include "profile/profile_read_sections.h"

static void read_span(struct vkm_parse *parse, const struct vkm_value *spans, const char *name,
                      struct vkm_read_span *out) {
  struct vkm_value span = vkm_value_member(parse, spans, name, cJSON_Object, VKM_VALUE_NULLABLE);
  if (span.item == NULL) {
    return;
  }
  vkm_value_u64(parse, &span, "count", VKM_VALUE_NEEDED, &out->count);
  vkm_value_time(parse, &span, "sum", VKM_VALUE_NEEDED, &out->sum_ns);
  vkm_value_time(parse, &span, "min", VKM_VALUE_NEEDED, &out->min_ns);
  vkm_value_time(parse, &span, "median", VKM_VALUE_NEEDED, &out->median_ns);
  vkm_value_time(parse, &span, "max", VKM_VALUE_NEEDED, &out->max_ns);
}

static void read_ratio(struct vkm_parse *parse, const struct vkm_value *at,
                       struct vkm_read_plan *out) {
  const double unknown = -1;
  out->ratio = out->ratio_low = out->ratio_high = unknown;
  vkm_value_double(parse, at, "instrumentation_ratio", VKM_VALUE_NULLABLE, &out->ratio);
  vkm_value_double(parse, at, "instrumentation_ratio_low", VKM_VALUE_NULLABLE, &out->ratio_low);
  vkm_value_double(parse, at, "instrumentation_ratio_high", VKM_VALUE_NULLABLE, &out->ratio_high);
  out->has_ratio = out->ratio >= 0;
  out->has_interval = out->has_ratio && out->ratio_low >= 0 && out->ratio_high >= out->ratio_low;
  out->ratio = out->has_ratio ? out->ratio : 0;
  out->ratio_low = out->has_interval ? out->ratio_low : 0;
  out->ratio_high = out->has_interval ? out->ratio_high : 0;
}

static void read_families(struct vkm_parse *parse, const struct vkm_value *at,
                          struct vkm_read_plan *out) {
  struct vkm_value list = vkm_value_member(parse, at, "families", cJSON_Array, VKM_VALUE_OPTIONAL);
  if (list.item == NULL) {
    return;
  }
  out->families =
      vkm_value_array(parse, (size_t)cJSON_GetArraySize(list.item), sizeof *out->families);
  if (out->families == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value element =
        vkm_value_element(parse, &list, item, out->family_count, cJSON_Object);
    struct vkm_read_plan_family *family = &out->families[out->family_count++];
    vkm_value_text(parse, &element, "name", VKM_VALUE_NEEDED, &family->name);
    family->share_percent = -1;
    vkm_value_double(parse, &element, "share_percent", VKM_VALUE_NULLABLE, &family->share_percent);
    family->has_share = family->share_percent >= 0;
    family->share_percent = family->has_share ? family->share_percent : 0;
  }
}

static void read_plan(struct vkm_parse *parse, const struct vkm_value *at,
                      const struct vkm_read_profile *profile, struct vkm_read_plan *out) {
  out->device = vkm_read_index(parse, at, "device", profile->device_count);
  vkm_value_text(parse, at, "signature", VKM_VALUE_NEEDED, &out->signature);
  vkm_value_bool(parse, at, "secondary", VKM_VALUE_NEEDED, &out->secondary);
  const struct {
    const char *name;
    uint64_t *out;
  } counts[] = {
      {"commands", &out->commands},         {"secondaries", &out->secondaries},
      {"recordings", &out->recordings},     {"executions", &out->executions},
      {"measured", &out->measured},         {"control_measured", &out->control_measured},
      {"window_count", &out->window_count},
  };
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    vkm_value_u64(parse, at, counts[i].name, VKM_VALUE_NEEDED, counts[i].out);
  }
  struct vkm_value spans = vkm_value_member(parse, at, "span", cJSON_Object, VKM_VALUE_NEEDED);
  read_span(parse, &spans, "instrumented", &out->instrumented);
  read_span(parse, &spans, "control", &out->control);
  read_ratio(parse, at, out);
  read_families(parse, at, out);
}

void vkm_read_plans(struct vkm_parse *parse, const struct vkm_value *root,
                    struct vkm_read_profile *profile) {
  struct vkm_value list = vkm_value_member(parse, root, "plans", cJSON_Array, VKM_VALUE_OPTIONAL);
  if (list.item == NULL) {
    return;
  }
  profile->plans =
      vkm_value_array(parse, (size_t)cJSON_GetArraySize(list.item), sizeof *profile->plans);
  if (profile->plans == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, profile->plan_count, cJSON_Object);
    read_plan(parse, &at, profile, &profile->plans[profile->plan_count++]);
  }
}

void vkm_read_plans_finish(struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->plan_count; i++) {
    vkm_free(profile->plans[i].families);
  }
  vkm_free(profile->plans);
}
