/* In: what a pipeline was made with, and how, as JSON. Out: plain structures. Next room: the tool's
 * model. */
#include "profile/profile_read_sections.h"

bool vkm_read_triple(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     enum vkm_value_need need, uint32_t out[3]) {
  struct vkm_value list = vkm_value_member(parse, object, name, cJSON_Array, need);
  if (list.item == NULL) {
    return false;
  }
  if (cJSON_GetArraySize(list.item) != 3) {
    vkm_value_fail(parse, &list, "expected 3 numbers, found %d", cJSON_GetArraySize(list.item));
    return false;
  }
  size_t index = 0;
  for (const cJSON *item = list.item->child; item != NULL; item = item->next) {
    struct vkm_value count = vkm_value_element(parse, &list, item, index, cJSON_Number);
    vkm_value_as_u32(parse, &count, &out[index++]);
  }
  return true;
}

static bool optional_u64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                         uint64_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, VKM_VALUE_OPTIONAL);
  vkm_value_as_u64(parse, &at, out);
  return at.item != NULL;
}

static void read_specialization(struct vkm_parse *parse, const struct vkm_value *pipeline,
                                struct vkm_read_pairs *out) {
  struct vkm_value constants =
      vkm_value_member(parse, pipeline, "specialization", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (constants.item == NULL) {
    return;
  }
  out->items =
      vkm_value_array(parse, (size_t)cJSON_GetArraySize(constants.item), sizeof *out->items);
  if (out->items == NULL) {
    return;
  }
  for (const cJSON *item = constants.item->child; item != NULL && !parse->failed;
       item = item->next) {
    struct vkm_value constant = vkm_value_child(parse, &constants, item, cJSON_Object);
    struct vkm_read_pair *pair = &out->items[out->count++];
    pair->name = vkm_value_keep(parse, item->string);
    vkm_value_text(parse, &constant, "bits", VKM_VALUE_NEEDED, &pair->value);
  }
}

static void read_create(struct vkm_parse *parse, const struct vkm_value *pipeline,
                        struct vkm_read_pipeline *out) {
  struct vkm_value create =
      vkm_value_member(parse, pipeline, "create", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (create.item == NULL) {
    return;
  }
  vkm_value_u64(parse, &create, "count", VKM_VALUE_OPTIONAL, &out->created);
  struct vkm_value wall =
      vkm_value_member(parse, &create, "wall_ns", cJSON_Number, VKM_VALUE_OPTIONAL);
  out->has_create = wall.item != NULL;
  vkm_value_as_time(parse, &wall, &out->create_ns);
  vkm_value_bool(parse, &create, "between_submits", VKM_VALUE_OPTIONAL, &out->between_submits);
}

void vkm_read_shape(struct vkm_parse *parse, const struct vkm_value *pipeline,
                    struct vkm_read_pipeline *out) {
  vkm_value_text(parse, pipeline, "kind", VKM_VALUE_OPTIONAL, &out->kind);
  out->has_local_size =
      vkm_read_triple(parse, pipeline, "local_size", VKM_VALUE_OPTIONAL, out->local_size);
  struct vkm_value subgroup =
      vkm_value_member(parse, pipeline, "subgroup_size", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (subgroup.item != NULL) {
    vkm_value_u32(parse, &subgroup, "required", VKM_VALUE_OPTIONAL, &out->subgroup_required);
    vkm_value_u32(parse, &subgroup, "reported", VKM_VALUE_OPTIONAL, &out->subgroup_reported);
  }
  read_specialization(parse, pipeline, &out->specialization);
  out->has_shared_memory =
      optional_u64(parse, pipeline, "shared_memory_bytes", &out->shared_memory_bytes);
  out->has_push_constants =
      optional_u64(parse, pipeline, "push_constant_bytes", &out->push_constant_bytes);
  read_create(parse, pipeline, out);
}
