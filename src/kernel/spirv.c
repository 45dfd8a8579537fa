/* In: a module that was read. Out: what a compute kernel built from one of its entry points looks
 * like. Next room: identity. */
#include "kernel/spirv.h"

#include <stdlib.h>

#include "kernel/identity.h"
#include "kernel/spirv_module.h"

/* Why the value of constant `id` does not do as a local size, or NULL: then `*size` is set. */
static const char *scalar_size(const struct vkm_spirv_module *module, uint32_t id, uint32_t *size) {
  const struct vkm_spirv_id *constant = vkm_spirv_find(module, id);
  if (constant == NULL || constant->component_count != 1 || constant->reason != NULL) {
    return constant != NULL && constant->reason != NULL ? constant->reason
                                                        : "spirv: local size is not a constant";
  }
  if (constant->component[0] > UINT32_MAX) {
    return "spirv: local size over 32 bits";
  }
  *size = (uint32_t)constant->component[0];
  return NULL;
}

static const char *workgroup_size(const struct vkm_spirv_module *module, uint32_t size[3]) {
  const struct vkm_spirv_id *vector = vkm_spirv_find(module, module->workgroup_size_id);
  if (vector == NULL || vector->reason != NULL || vector->component_count != 3) {
    return vector != NULL && vector->reason != NULL
               ? vector->reason
               : "spirv: WorkgroupSize is not a constant of three components";
  }
  for (uint32_t i = 0; i < 3; i++) {
    if (vector->component[i] > UINT32_MAX) {
      return "spirv: local size over 32 bits";
    }
    size[i] = (uint32_t)vector->component[i];
  }
  return NULL;
}

static const char *mode_size(const struct vkm_spirv_module *module, uint32_t size[3]) {
  if (!module->has_local_size) {
    return "spirv: no local size";
  }
  for (uint32_t i = 0; i < 3; i++) {
    size[i] = module->local_size[i];
    if (module->has_local_size_id) {
      const char *reason = scalar_size(module, module->local_size[i], &size[i]);
      if (reason != NULL) {
        return reason;
      }
    }
  }
  return NULL;
}

static void describe_local_size(const struct vkm_spirv_module *module,
                                struct vkm_spirv_kernel *out) {
  uint32_t size[3] = {0, 0, 0};
  bool built_in = module->workgroup_size_id != 0;
  out->local_size_reason = built_in ? workgroup_size(module, size) : mode_size(module, size);
  if (out->local_size_reason == NULL && (size[0] == 0 || size[1] == 0 || size[2] == 0)) {
    out->local_size_reason = "spirv: local size of 0";
  }
  for (uint32_t i = 0; out->local_size_reason == NULL && i < 3; i++) {
    out->local_size[i] = size[i];
  }
}

static void describe_variables(const struct vkm_spirv_module *module,
                               struct vkm_spirv_kernel *out) {
  uint64_t sum = 0;
  uint64_t largest_block = 0;
  uint64_t push = 0;
  const struct vkm_spirv_id *variable = vkm_spirv_find(module, module->first_variable);
  for (; variable != NULL; variable = vkm_spirv_find(module, variable->next)) {
    bool shared = variable->storage_class == SpvStorageClassWorkgroup;
    const char **reason = shared ? &out->shared_memory_reason : &out->push_constant_reason;
    if (!variable->used) {
      continue;
    }
    if (variable->reason != NULL) {
      *reason = variable->reason;
    } else if (!shared) {
      push = variable->size_bytes > push ? variable->size_bytes : push;
    } else if (variable->is_block) {
      largest_block = variable->size_bytes > largest_block ? variable->size_bytes : largest_block;
    } else if (__builtin_add_overflow(sum, variable->size_bytes, &sum)) {
      *reason = "spirv: shared variables too large";
    }
  }
  if (__builtin_add_overflow(sum, largest_block, &sum)) {
    out->shared_memory_reason = "spirv: shared variables too large";
  }
  if (push > UINT32_MAX) {
    out->push_constant_reason = "spirv: push constants too large";
  }
  out->shared_memory_bytes = out->shared_memory_reason == NULL ? sum : 0;
  out->push_constant_bytes = out->push_constant_reason == NULL ? (uint32_t)push : 0;
}

static int compare_values(const void *left, const void *right) {
  const struct vkm_specialization_value *a = left;
  const struct vkm_specialization_value *b = right;
  if (a->constant_id != b->constant_id) {
    return a->constant_id < b->constant_id ? -1 : 1;
  }
  if (a->size_bytes != b->size_bytes) {
    return a->size_bytes < b->size_bytes ? -1 : 1;
  }
  return (a->bits > b->bits) - (a->bits < b->bits);
}

static void describe_values(struct vkm_spirv_module *module, struct vkm_spirv_kernel *out) {
  struct vkm_specialization_value *values = module->values;
  uint32_t count = 0;
  qsort(values, module->value_count, sizeof values[0], compare_values);
  for (uint32_t i = 0; i < module->value_count; i++) {
    /* Two constants may share one number: the program gave one value. */
    if (count == 0 || values[count - 1].constant_id != values[i].constant_id) {
      values[count++] = values[i];
    }
  }
  for (; out->value_count < count && out->value_count < VKM_SPIRV_SPECIALIZATION_CAP;
       out->value_count++) {
    out->values[out->value_count] = values[out->value_count];
  }
  out->values_dropped = count - out->value_count;
  if (out->values_dropped > 0) {
    uint64_t hash =
        vkm_hash_bytes(values + out->value_count, out->values_dropped * sizeof values[0]).low;
    out->values_dropped_hash = hash == 0 ? 1 : hash;
  }
}

/* The literal string in words [at, end), cut to what fits. */
static void copy_literal(const struct vkm_spirv_module *module, uint32_t at, uint32_t end,
                         char *text, size_t size) {
  size_t length = 0;
  for (; at < end; at++) {
    uint32_t word = vkm_spirv_word(module, at);
    for (int byte = 0; byte < 4; byte++, word >>= 8) {
      if ((word & 0xFF) == 0 || length == size - 1) {
        return;
      }
      text[length++] = (char)(word & 0xFF);
    }
  }
}

static void describe_names(const struct vkm_spirv_module *module, struct vkm_spirv_kernel *out) {
  const struct vkm_spirv_id *string = vkm_spirv_find(module, module->source_file_id);
  if (string != NULL && string->opcode == SpvOpString) {
    copy_literal(module, string->at + 2, string->at + string->word_count, out->source_name,
                 sizeof out->source_name);
  }
  if (module->function_name_at != 0) {
    copy_literal(module, module->function_name_at, module->function_name_end, out->function_name,
                 sizeof out->function_name);
  }
}

static enum vkm_status describe(struct vkm_spirv_module *module, struct vkm_spirv_kernel *out) {
  if (module->malformed == NULL && module->entry_function == 0) {
    module->malformed = "spirv: no compute entry point of this name";
  }
  if (module->malformed == NULL) {
    vkm_spirv_mark_used(module);
  }
  if (module->malformed != NULL) {
    *out = (struct vkm_spirv_kernel){.reason = module->malformed};
    return VKM_OK;
  }
  describe_local_size(module, out);
  describe_variables(module, out);
  describe_values(module, out);
  describe_names(module, out);
  out->known = true;
  return vkm_spirv_count(module);
}

enum vkm_status vkm_spirv_describe(const uint32_t *words, size_t word_count, const char *entry,
                                   const struct vkm_specialization *specialization,
                                   struct vkm_spirv_kernel *out) {
  *out = (struct vkm_spirv_kernel){.known = false};
  if (word_count > UINT32_MAX) {
    out->reason = "spirv: module too large";
    return VKM_OK;
  }
  struct vkm_spirv_module module = {
      .words = words,
      .word_count = (uint32_t)word_count,
      .entry = entry,
      .specialization = specialization,
      .out = out,
  };
  enum vkm_status status = vkm_spirv_module_read(&module);
  if (status == VKM_OK) {
    status = describe(&module, out);
  }
  if (status != VKM_OK) {
    *out = (struct vkm_spirv_kernel){.reason = "out of memory"};
  }
  vkm_spirv_module_finish(&module);
  return status;
}
