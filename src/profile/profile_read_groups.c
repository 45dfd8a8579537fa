/* In: families and phases as JSON. Out: plain structures. Next room: the tool's model. */
#include <math.h>

#include "profile/profile_read_sections.h"

static void read_group(struct vkm_parse *parse, const struct vkm_value *at,
                       struct vkm_read_group *out) {
  vkm_value_text(parse, at, "name", VKM_VALUE_NEEDED, &out->name);
  vkm_value_u64(parse, at, "kernels", VKM_VALUE_NEEDED, &out->kernels);
  vkm_value_u64(parse, at, "kernels_not_measured", VKM_VALUE_NEEDED, &out->kernels_not_measured);
  vkm_value_u64(parse, at, "executions", VKM_VALUE_NEEDED, &out->executions);
  vkm_value_u64(parse, at, "measured", VKM_VALUE_NEEDED, &out->measured);
  vkm_value_time(parse, at, "sum_ns", VKM_VALUE_NULLABLE, &out->sum_ns);
  vkm_value_time(parse, at, "sum_of_medians_ns", VKM_VALUE_NULLABLE, &out->sum_of_medians_ns);
  out->has_time = out->measured > 0;
  out->share_percent = -1;
  vkm_value_double(parse, at, "share_percent", VKM_VALUE_NULLABLE, &out->share_percent);
  out->has_share = out->share_percent >= 0;
  out->share_percent = out->has_share ? out->share_percent : 0;
}

/* Shares are hundredths that make up a hundred percent, or none of them is known. */
static void check_shares(struct vkm_parse *parse, const struct vkm_value *list,
                         const struct vkm_read_groups *groups) {
  double sum = 0;
  size_t known = 0;
  for (size_t i = 0; i < groups->count; i++) {
    known += groups->items[i].has_share;
    sum += groups->items[i].share_percent;
  }
  if (!parse->failed && known > 0 && (known < groups->count || fabs(sum - 100) > 1e-6)) {
    vkm_value_fail(parse, list, "the shares add up to %g percent", sum);
  }
}

static void read_groups(struct vkm_parse *parse, const struct vkm_value *root, const char *name,
                        struct vkm_read_groups *out) {
  struct vkm_value list = vkm_value_member(parse, root, name, cJSON_Array, VKM_VALUE_OPTIONAL);
  if (list.item == NULL) {
    return;
  }
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  out->items = vkm_value_array(parse, count, sizeof *out->items);
  if (out->items == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, out->count, cJSON_Object);
    read_group(parse, &at, &out->items[out->count++]);
  }
  check_shares(parse, &list, out);
}

void vkm_read_groups(struct vkm_parse *parse, const struct vkm_value *root,
                     struct vkm_read_profile *profile) {
  read_groups(parse, root, "families", &profile->families);
  read_groups(parse, root, "phases", &profile->phases);
}
