/* Who a kernel is, see kernels.h. */
#include "intercept/kernels.h"

#include <string.h>

#include "base/alloc.h"
#include "chain.h"
#include "choice.h"
#include "device.h"
#include "families.h"
#include "hitches.h"
#include "output.h"
#include "session.h"

/* ---- modules ---- */

void vkm_module_destroy(struct vkm_module *module) {
  if (module) {
    vkm_free(module->words);
    vkm_free(module->name);
    vkm_free(module);
  }
}

struct vkm_module *vkm_module_create(const void *code, size_t code_bytes) {
  struct vkm_module *module = vkm_calloc(1, sizeof *module);
  uint32_t *words = vkm_alloc(code_bytes ? code_bytes : 1);
  if (!module || !words) {
    vkm_free(module);
    vkm_free(words);
    return NULL;
  }
  memcpy(words, code, code_bytes);
  module->words = words;
  module->word_count = code_bytes / sizeof *words;
  module->hash = vkm_hash_bytes(words, code_bytes);
  const char *folder = vkm_session_settings()->dump_spirv;
  if (folder && *folder) {
    vkm_output_spirv(folder, module->hash, words, code_bytes);
  }
  return module;
}

/* ---- kernels ---- */

static uint32_t required_subgroup_size(const void *chain) {
  const VkBaseInStructure *size = vkm_chain_find(
      chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  return size ? ((const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *)size)
                    ->requiredSubgroupSize
              : 0;
}

/* VkSpecializationInfo in src's terms. False without memory. */
static bool describe(const struct vkm_kernel_source *source, struct vkm_spirv_kernel *kernel) {
  const VkSpecializationInfo *info = source->specialization;
  struct vkm_specialization_entry *entries = NULL;
  struct vkm_specialization specialization = {0};
  if (info && info->mapEntryCount) {
    entries = vkm_calloc(info->mapEntryCount, sizeof *entries);
    if (!entries) {
      return false;
    }
    for (uint32_t i = 0; i < info->mapEntryCount; i++) {
      entries[i] = (struct vkm_specialization_entry){
          info->pMapEntries[i].constantID, info->pMapEntries[i].offset, info->pMapEntries[i].size};
    }
    specialization =
        (struct vkm_specialization){entries, info->mapEntryCount, info->pData, info->dataSize};
  }
  bool described =
      vkm_spirv_describe(source->module->words, source->module->word_count, source->entry_point,
                         specialization.entry_count ? &specialization : NULL, kernel) == VKM_OK;
  vkm_free(entries);
  return described;
}

void vkm_pipeline_record_destroy(struct vkm_pipeline_record *pipeline) {
  if (pipeline) {
    vkm_free(pipeline->entry_point);
    vkm_free(pipeline->module_name);
    vkm_free(pipeline->name);
    vkm_free(pipeline);
  }
}

static struct vkm_pipeline_record *describe_kernel(const struct vkm_kernel_source *source) {
  struct vkm_pipeline_record *pipeline = vkm_calloc(1, sizeof *pipeline);
  if (!pipeline) {
    return NULL;
  }
  pipeline->spirv_reason = source->no_module_reason;
  pipeline->kernel.reason = source->no_module_reason;
  pipeline->first_use_ns = INT64_MIN;
  pipeline->required_subgroup_size = required_subgroup_size(source->stage_chain);
  pipeline->layout_push_constant_bytes = source->push_constant_bytes;
  pipeline->entry_point = vkm_strdup(source->entry_point ? source->entry_point : "");
  bool complete = pipeline->entry_point != NULL;
  if (source->module) {
    pipeline->has_spirv = true;
    pipeline->spirv_hash = source->module->hash;
    pipeline->spirv_bytes = source->module->word_count * sizeof(uint32_t);
    pipeline->module_name = source->module->name ? vkm_strdup(source->module->name) : NULL;
    complete = complete && describe(source, &pipeline->kernel);
  }
  if (!complete) {
    vkm_pipeline_record_destroy(pipeline);
    return NULL;
  }
  pipeline->identity = vkm_identity(pipeline->spirv_hash, pipeline->entry_point, &pipeline->kernel,
                                    pipeline->required_subgroup_size, VKM_PIPELINE_COMPUTE);
  vkm_families_classify(pipeline);
  return pipeline;
}

struct vkm_pipeline_record *vkm_pipeline_record_keep(struct vkm_device *device,
                                                     struct vkm_pipeline_record *candidate,
                                                     int64_t wall_ns,
                                                     const struct vkm_profile_compile *compile) {
  if (!candidate) {
    pthread_mutex_lock(&device->record->lock);
    device->record->pipelines_dropped++;
    pthread_mutex_unlock(&device->record->lock);
    return NULL;
  }
  struct vkm_pipeline_record *known = vkm_device_record_pipeline(device->record, candidate);
  if (known != candidate) {
    vkm_pipeline_record_destroy(candidate);
  }
  if (known) {
    vkm_choice_kernel(device->record, known);
    pthread_mutex_lock(&device->record->lock);
    if (known->create_count++ == 0) {
      known->create_wall_ns = wall_ns;
      known->compile = *compile;
      known->no_executables_reason = compile->not_captured_reason;
    }
    pthread_mutex_unlock(&device->record->lock);
  }
  vkm_hitch_built(device->record, known, wall_ns);
  return known;
}

struct vkm_pipeline_record *vkm_kernel_remember(struct vkm_device *device,
                                                const struct vkm_kernel_source *source,
                                                int64_t wall_ns,
                                                const struct vkm_profile_compile *compile) {
  return vkm_pipeline_record_keep(device, describe_kernel(source), wall_ns, compile);
}
