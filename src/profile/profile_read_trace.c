/* In: the member trace as JSON. Out: plain counts. Next room: the tool's model. */
#include "profile/profile_read_sections.h"

/* Profiles from before there were timelines do not have it. */
void vkm_read_trace(struct vkm_parse *parse, const struct vkm_value *root,
                    struct vkm_read_profile *profile) {
  struct vkm_read_trace *out = &profile->trace;
  struct vkm_value trace = vkm_value_member(parse, root, "trace", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (trace.item == NULL) {
    return;
  }
  struct vkm_value dropped =
      vkm_value_member(parse, &trace, "dropped", cJSON_Object, VKM_VALUE_NEEDED);
  out->known = true;
  vkm_value_text(parse, &trace, "path", VKM_VALUE_OPTIONAL, &out->path);
  vkm_value_text(parse, &trace, "style", VKM_VALUE_OPTIONAL, &out->style);
  vkm_value_text(parse, &trace, "writable_reason", VKM_VALUE_OPTIONAL, &out->failed);
  vkm_value_u64(parse, &trace, "bytes", VKM_VALUE_NEEDED, &out->bytes);
  vkm_value_u64(parse, &trace, "events", VKM_VALUE_NEEDED, &out->events);
  vkm_value_u64(parse, &trace, "written", VKM_VALUE_NEEDED, &out->written);
  vkm_value_u64(parse, &trace, "short_calls", VKM_VALUE_NEEDED, &out->short_calls);
  vkm_value_u64(parse, &trace, "unplaced", VKM_VALUE_NEEDED, &out->unplaced);
  if (dropped.item != NULL) {
    vkm_value_u64(parse, &dropped, "full", VKM_VALUE_NEEDED, &out->dropped_full);
    vkm_value_u64(parse, &dropped, "rate", VKM_VALUE_NEEDED, &out->dropped_rate);
    vkm_value_u64(parse, &dropped, "size", VKM_VALUE_NEEDED, &out->dropped_size);
    vkm_value_u64(parse, &dropped, "late", VKM_VALUE_NEEDED, &out->dropped_late);
  }
}
