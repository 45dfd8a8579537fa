/* In: outcomes and costs as JSON. Out: plain counts. Next room: the tool's model. */
#include <string.h>

#include "profile/profile_read_sections.h"

static const char *const OUTCOMES[] = {"untimed", "missed", "rejected"};
enum { OUTCOME_COUNT = sizeof OUTCOMES / sizeof OUTCOMES[0] };

void vkm_read_outcomes(struct vkm_parse *parse, const struct vkm_value *object,
                       const char *sum_name, struct vkm_read_outcomes *out) {
  vkm_value_u64(parse, object, sum_name, VKM_VALUE_NEEDED, &out->executed);
  vkm_value_u64(parse, object, "measured", VKM_VALUE_NEEDED, &out->measured);
  vkm_value_u64(parse, object, "control", VKM_VALUE_NEEDED, &out->control);
  struct vkm_value groups[OUTCOME_COUNT];
  size_t count = 0;
  for (int i = 0; i < OUTCOME_COUNT; i++) {
    groups[i] = vkm_value_member(parse, object, OUTCOMES[i], cJSON_Object, VKM_VALUE_NEEDED);
    count += (size_t)cJSON_GetArraySize(groups[i].item);
  }
  out->reasons = vkm_value_array(parse, count, sizeof *out->reasons);
  if (out->reasons == NULL) {
    return;
  }
  for (int i = 0; i < OUTCOME_COUNT; i++) {
    for (const cJSON *item = groups[i].item->child; item != NULL; item = item->next) {
      struct vkm_read_reason *reason = &out->reasons[out->reason_count++];
      *reason = (struct vkm_read_reason){OUTCOMES[i], vkm_value_keep(parse, item->string), 0};
      struct vkm_value count = vkm_value_child(parse, &groups[i], item, cJSON_Number);
      vkm_value_as_u64(parse, &count, &reason->count);
    }
  }
}

void vkm_read_coverage(struct vkm_parse *parse, const struct vkm_value *root,
                       struct vkm_read_profile *profile) {
  struct vkm_value coverage =
      vkm_value_member(parse, root, "coverage", cJSON_Object, VKM_VALUE_NEEDED);
  struct vkm_value dispatch =
      vkm_value_member(parse, &coverage, "dispatch", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_u64(parse, &dispatch, "recorded", VKM_VALUE_NEEDED, &profile->dispatches_recorded);
  vkm_read_outcomes(parse, &dispatch, "executed", &profile->dispatches);
  struct vkm_value beyond = vkm_value_member(parse, &coverage, "dispatch_beyond_row_cap",
                                             cJSON_Object, VKM_VALUE_OPTIONAL);
  if (beyond.item != NULL) {
    vkm_read_outcomes(parse, &beyond, "executed", &profile->beyond_rows);
  }
}

/* Profiles from before there were control recordings have none of these members. */
static void read_ratio(struct vkm_parse *parse, const struct vkm_value *overhead,
                       struct vkm_read_overhead *out) {
  const double unknown = -1;
  out->ratio = out->ratio_low = out->ratio_high = unknown;
  vkm_value_double(parse, overhead, "instrumentation_ratio", VKM_VALUE_OPTIONAL, &out->ratio);
  vkm_value_double(parse, overhead, "instrumentation_ratio_low", VKM_VALUE_OPTIONAL,
                   &out->ratio_low);
  vkm_value_double(parse, overhead, "instrumentation_ratio_high", VKM_VALUE_OPTIONAL,
                   &out->ratio_high);
  vkm_value_text(parse, overhead, "instrumentation_ratio_reason", VKM_VALUE_OPTIONAL,
                 &out->ratio_reason);
  vkm_value_u64(parse, overhead, "control_pairs", VKM_VALUE_OPTIONAL, &out->control_pairs);
  out->has_ratio = out->ratio >= 0;
  out->has_interval = out->has_ratio && out->ratio_low >= 0 && out->ratio_high >= out->ratio_low;
  out->ratio = out->has_ratio ? out->ratio : 0;
  out->ratio_low = out->has_interval ? out->ratio_low : 0;
  out->ratio_high = out->has_interval ? out->ratio_high : 0;
}

void vkm_read_overhead(struct vkm_parse *parse, const struct vkm_value *root,
                       struct vkm_read_profile *profile) {
  struct vkm_read_overhead *out = &profile->overhead;
  struct vkm_value overhead =
      vkm_value_member(parse, root, "overhead", cJSON_Object, VKM_VALUE_NEEDED);
  const struct {
    const char *name;
    uint64_t *out;
  } counts[] = {
      {"stamps_written", &out->stamps_written},
      {"marks_recorded", &out->marks_recorded},
      {"submits", &out->submits},
      {"submit_ns", &out->submit_ns},
      {"collects", &out->collects},
      {"collect_ns", &out->collect_ns},
      {"peak_bytes", &out->peak_bytes},
  };
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    vkm_value_u64(parse, &overhead, counts[i].name, VKM_VALUE_NEEDED, counts[i].out);
  }
  out->record_ns_per_mark = -1;
  vkm_value_double(parse, &overhead, "record_ns_per_mark", VKM_VALUE_NULLABLE,
                   &out->record_ns_per_mark);
  out->has_record = out->record_ns_per_mark >= 0;
  read_ratio(parse, &overhead, out);
}
