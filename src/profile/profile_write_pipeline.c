/* In: the pipelines of all devices. Out: the section pipelines. */
#include <inttypes.h>
#include <stdio.h>

#include "profile/profile_write_sections.h"

uint64_t vkm_first_pipeline_number(const struct vkm_profile *profile, size_t device) {
  uint64_t number = 0;
  for (size_t i = 0; i < device; i++) {
    number += profile->devices[i].pipeline_count;
  }
  return number;
}

void vkm_pipeline_id(uint64_t number, char text[VKM_VERSION_TEXT_BYTES]) {
  (void)snprintf(text, VKM_VERSION_TEXT_BYTES, "p%" PRIu64, number);
}

static const char *unknown_kernel_reason(const struct vkm_profile_pipeline *pipeline) {
  if (!pipeline->has_spirv && pipeline->spirv_reason != NULL) {
    return pipeline->spirv_reason;
  }
  return pipeline->kernel->reason != NULL ? pipeline->kernel->reason : "the module was not read";
}

static void write_identity(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  vkm_json_open(json, "identity", '{');
  vkm_json_hash(json, "hash", pipeline->identity);
  if (pipeline->has_spirv) {
    vkm_json_hash(json, "spirv_hash", pipeline->spirv_hash);
  } else {
    vkm_json_null(json, "spirv_hash",
                  pipeline->spirv_reason != NULL ? pipeline->spirv_reason : "not given");
  }
  if (!pipeline->kernel->known) {
    vkm_json_null(json, "specialization_hash", unknown_kernel_reason(pipeline));
  } else if (pipeline->kernel->value_count == 0) {
    vkm_json_null(json, "specialization_hash", "no specialization constant was given a value");
  } else {
    vkm_json_hash(json, "specialization_hash", vkm_specialization_hash(pipeline->kernel));
  }
  vkm_json_close(json, '}');
}

static void write_specialization(struct vkm_json *json,
                                 const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_spirv_kernel *kernel = pipeline->kernel;
  if (!kernel->known) {
    vkm_json_null(json, "specialization", unknown_kernel_reason(pipeline));
    return;
  }
  vkm_json_open(json, "specialization", '{');
  for (uint32_t i = 0; i < kernel->value_count; i++) {
    const struct vkm_specialization_value *value = &kernel->values[i];
    char id[VKM_VERSION_TEXT_BYTES];
    char bits[VKM_VERSION_TEXT_BYTES];
    (void)snprintf(id, sizeof id, "%" PRIu32, value->constant_id);
    (void)snprintf(bits, sizeof bits, "0x%0*" PRIx64, (int)(2 * value->size_bytes), value->bits);
    vkm_json_open(json, id, '{');
    vkm_json_u64(json, "size_bytes", value->size_bytes);
    vkm_json_string(json, "bits", bits, NULL);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, '}');
}

static void write_local_size(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_spirv_kernel *kernel = pipeline->kernel;
  if (!kernel->known) {
    vkm_json_null(json, "local_size", unknown_kernel_reason(pipeline));
  } else if (kernel->local_size_reason != NULL) {
    vkm_json_null(json, "local_size", kernel->local_size_reason);
  } else {
    vkm_json_list_u32s(json, "local_size", kernel->local_size, 3);
  }
}

static void write_resources(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_spirv_kernel *kernel = pipeline->kernel;
  if (kernel->known) {
    vkm_json_u64(json, "push_constant_bytes", kernel->push_constant_bytes);
  } else {
    vkm_json_null(json, "push_constant_bytes", unknown_kernel_reason(pipeline));
  }
  if (pipeline->layout_push_constant_bytes == UINT32_MAX) {
    vkm_json_null(json, "layout_push_constant_bytes",
                  pipeline->kind == VKM_PIPELINE_COMPUTE ? "the pipeline layout was not seen"
                                                         : "added up for compute only");
  } else {
    vkm_json_u64(json, "layout_push_constant_bytes", pipeline->layout_push_constant_bytes);
  }
  if (!kernel->known) {
    vkm_json_null(json, "shared_memory_bytes", unknown_kernel_reason(pipeline));
  } else if (kernel->shared_memory_reason != NULL) {
    vkm_json_null(json, "shared_memory_bytes", kernel->shared_memory_reason);
  } else {
    vkm_json_u64(json, "shared_memory_bytes", kernel->shared_memory_bytes);
  }
}

static void write_spirv(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  const struct vkm_spirv_kernel *kernel = pipeline->kernel;
  if (!pipeline->has_spirv) {
    vkm_json_null(json, "spirv", unknown_kernel_reason(pipeline));
    return;
  }
  vkm_json_open(json, "spirv", '{');
  vkm_json_u64(json, "bytes", pipeline->spirv_bytes);
  if (kernel->known) {
    size_t cap = sizeof kernel->capabilities / sizeof kernel->capabilities[0];
    size_t count = kernel->capability_count < cap ? kernel->capability_count : cap;
    vkm_json_list_u32s(json, "capabilities", kernel->capabilities, count);
  } else {
    vkm_json_null(json, "capabilities", unknown_kernel_reason(pipeline));
  }
  if (kernel->known && kernel->counts.known) {
    vkm_json_open(json, "counts", '{');
    for (int i = 0; i < VKM_COUNT_COUNT; i++) {
      vkm_json_u64(json, vkm_count_names[i], kernel->counts.values[i]);
    }
    vkm_json_close(json, '}');
  } else {
    vkm_json_null(json, "counts",
                  kernel->known && kernel->counts.reason != NULL ? kernel->counts.reason
                                                                 : unknown_kernel_reason(pipeline));
  }
  vkm_json_string(json, "source_name", kernel->source_name[0] != '\0' ? kernel->source_name : NULL,
                  "the module names no source file");
  vkm_json_close(json, '}');
}

static void write_create(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline) {
  vkm_json_open(json, "create", '{');
  vkm_json_u64(json, "count", pipeline->create.count);
  vkm_json_i64(json, "wall_ns", pipeline->create.wall_ns);
  vkm_json_bool(json, "between_submits", pipeline->create.between_submits);
  if (pipeline->first_use_ns == INT64_MIN) {
    vkm_json_null(json, "first_use_ns",
                  pipeline->kind == VKM_PIPELINE_COMPUTE
                      ? "never submitted"
                      : "uses of pipelines of this kind are not followed");
  } else {
    vkm_json_i64(json, "first_use_ns", pipeline->first_use_ns);
  }
  vkm_write_compile(json, &pipeline->compile);
  vkm_json_close(json, '}');
}

static void write_pipeline(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline,
                           const struct vkm_family_answer *answer) {
  static const char no_name[] = "the program gave none";
  static const char *const kinds[] = {[VKM_PIPELINE_COMPUTE] = "compute",
                                      [VKM_PIPELINE_GRAPHICS] = "graphics",
                                      [VKM_PIPELINE_RAY_TRACING] = "ray_tracing"};
  write_identity(json, pipeline);
  vkm_json_string(json, "kind", kinds[pipeline->kind], NULL);
  vkm_json_string(json, "name", pipeline->name, no_name);
  vkm_json_string(json, "module_name", pipeline->module_name, no_name);
  vkm_json_string(json, "entry_point", pipeline->entry_point, "not given");
  write_local_size(json, pipeline);
  vkm_json_open(json, "subgroup_size", '{');
  if (pipeline->required_subgroup_size == 0) {
    vkm_json_null(json, "required", "the program requires none");
  } else {
    vkm_json_u64(json, "required", pipeline->required_subgroup_size);
  }
  vkm_write_reported_subgroup_size(json, pipeline);
  vkm_json_close(json, '}');
  write_specialization(json, pipeline);
  write_resources(json, pipeline);
  write_spirv(json, pipeline);
  write_create(json, pipeline);
  vkm_json_string(json, "family", vkm_family_names[answer->family], NULL);
  vkm_json_string(json, "family_source", vkm_family_source_names[answer->source], NULL);
  vkm_write_executables(json, pipeline);
}

void vkm_write_pipelines(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  uint64_t number = 0;
  vkm_json_open(json, "pipelines", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    for (size_t j = 0; j < device->pipeline_count; j++) {
      char id[VKM_VERSION_TEXT_BYTES];
      const struct vkm_family_answer *answer = &document->answers[number];
      vkm_pipeline_id(number++, id);
      vkm_json_open(json, NULL, '{');
      vkm_json_string(json, "id", id, NULL);
      vkm_json_u64(json, "device", i);
      write_pipeline(json, &device->pipelines[j], answer);
      vkm_json_close(json, '}');
    }
  }
  vkm_json_close(json, ']');
}
