/* In: kernel rows. Out: the section kernels. */
#include "measure/moves.h"
#include "profile/profile_write_sections.h"

/* Product of the three factors, false when 64 bits cannot hold it. */
static bool multiply(uint64_t *product, const uint32_t factors[3]) {
  for (int i = 0; i < 3; i++) {
    if (__builtin_mul_overflow(*product, (uint64_t)factors[i], product)) {
      return false;
    }
  }
  return true;
}

/* Why the group counts are not known; NULL: they are. */
static const char *no_groups_reason(const struct vkm_kernel_key *key) {
  if (!vkm_kind_is_dispatch(key->kind)) {
    return "no dispatch";
  }
  if (key->gathered) {
    return "all geometries of the pipeline that found no row of their own";
  }
  return key->kind == VKM_KIND_DISPATCH_INDIRECT && !key->read
             ? "indirect: the group counts lie in device memory and were not copied"
             : NULL;
}

static void write_invocations(struct vkm_json *json, const struct vkm_kernel_key *key,
                              const struct vkm_spirv_kernel *kernel) {
  static const char name[] = "invocations";
  uint64_t product = 1;
  bool empty = key->groups[0] == 0 || key->groups[1] == 0 || key->groups[2] == 0;
  if (no_groups_reason(key) != NULL) {
    vkm_json_null(json, name, "the group counts are not known");
  } else if (kernel == NULL || !kernel->known || kernel->local_size_reason != NULL) {
    vkm_json_null(json, name, "the local size is not known");
  } else if (!empty &&
             (!multiply(&product, key->groups) || !multiply(&product, kernel->local_size))) {
    vkm_json_null(json, name, "more than 64 bits can hold");
  } else {
    vkm_json_u64(json, name, empty ? 0 : product);
  }
}

static void write_geometry(struct vkm_json *json, const struct vkm_kernel_key *key,
                           const struct vkm_spirv_kernel *kernel) {
  const char *reason = no_groups_reason(key);
  if (reason != NULL) {
    vkm_json_null(json, "groups", reason);
  } else {
    vkm_json_list_u32s(json, "groups", key->groups, 3);
  }
  vkm_json_list_u32s(json, "base", key->base, 3);
  write_invocations(json, key, kernel);
}

/* Where from, where to and how much; of commands that move bytes only. */
static void write_moved(struct vkm_json *json, const struct vkm_kernel_row *row) {
  const struct vkm_kernel_key *key = &row->key;
  uint32_t direction = key->groups[VKM_MOVE_DIRECTION];
  if (!vkm_kind_moves(key->kind) || direction >= VKM_DIRECTION_COUNT) {
    return;
  }
  vkm_json_string(json, "direction", vkm_direction_names[direction], NULL);
  vkm_json_bool(json, "shared_memory", key->groups[VKM_MOVE_SHARED] != 0);
  if (!key->groups[VKM_MOVE_KNOWN]) {
    vkm_json_null(json, "bytes", "how much this command moves is not known when it is recorded");
    vkm_json_null(json, "source", "the bytes are not known");
    return;
  }
  vkm_json_open(json, "bytes", '{');
  vkm_json_u64(json, "in", direction == VKM_DIRECTION_FILL ? 0 : row->bytes);
  vkm_json_u64(json, "out", row->bytes);
  vkm_json_close(json, '}');
  vkm_json_string(json, "source", "exact", NULL);
}

static enum vkm_status write_row(struct vkm_document *document, struct vkm_row_scratch *scratch,
                                 size_t device_index, uint64_t first_pipeline,
                                 const struct vkm_kernel_row *row, struct vkm_place *place) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile_device *device = &document->profile->devices[device_index];
  const struct vkm_kernel_key *key = &row->key;
  const struct vkm_spirv_kernel *kernel = NULL;
  vkm_json_open(json, NULL, '{');
  if (key->pipeline < device->pipeline_count) {
    char id[VKM_VERSION_TEXT_BYTES];
    vkm_pipeline_id(first_pipeline + key->pipeline, id);
    vkm_json_string(json, "pipeline", id, NULL);
    kernel = device->pipelines[key->pipeline].kernel;
  } else if (!vkm_kind_is_dispatch(key->kind)) {
    vkm_json_null(json, "pipeline", "this kind of command runs no pipeline that is tracked");
  } else {
    vkm_json_null(json, "pipeline",
                  device->pipelines_dropped > 0
                      ? "no pipeline was bound, or it is one of those that found no place"
                      : "no pipeline was bound");
  }
  vkm_json_u64(json, "device", device_index);
  vkm_json_string(json, "kind", vkm_kind_names[key->kind], NULL);
  write_geometry(json, key, kernel);
  vkm_json_string(json, "phase", place->phase, NULL);
  vkm_json_string(json, "family", vkm_family_names[place->family], NULL);
  vkm_write_outcomes(json, "executions", &row->outcomes);
  enum vkm_status status = vkm_write_times(document, scratch, row);
  place->median_ns = document->row_median_ns;
  write_moved(json, row);
  vkm_json_close(json, '}');
  return status;
}

enum vkm_status vkm_write_kernels(struct vkm_document *document) {
  struct vkm_row_scratch scratch = {0};
  enum vkm_status status = VKM_OK;
  struct vkm_place *place = document->places;
  vkm_json_open(&document->json, "kernels", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    uint64_t first_pipeline = vkm_first_pipeline_number(document->profile, i);
    for (size_t j = 0; j < device->row_count && status == VKM_OK; j++) {
      status = write_row(document, &scratch, i, first_pipeline, device->rows[j], place++);
    }
  }
  vkm_json_close(&document->json, ']');
  vkm_row_scratch_finish(&scratch);
  return status;
}
