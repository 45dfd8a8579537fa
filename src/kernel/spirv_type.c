/* In: OpType* instructions. Out: sizes in bytes, by the module's own layout where it has one, else
 * by std430. Next room: spirv_constant.c, spirv_variable.c. */
#include "kernel/spirv_module.h"

static const char TOO_LARGE[] = "spirv: type too large";
static const char NOT_UNDERSTOOD[] = "spirv: type not understood";

static struct vkm_spirv_id *define_type(struct vkm_spirv_module *module,
                                        const struct vkm_spirv_instruction *instruction) {
  return vkm_spirv_define(module, instruction, vkm_spirv_word(module, instruction->at + 1));
}

/* `*value` up to a multiple of `align` (a power of two). False when it does not fit. */
static bool align_up(uint64_t *value, uint32_t align) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(*value, (uint64_t)align - 1, &sum)) {
    return false;
  }
  *value = sum & ~((uint64_t)align - 1);
  return true;
}

/* The type behind `id` when its size is known; else NULL and `type->reason` says why. A type that
 * is made of itself has no alignment yet. */
static const struct vkm_spirv_id *sized_type(const struct vkm_spirv_module *module, uint32_t id,
                                             struct vkm_spirv_id *type) {
  const struct vkm_spirv_id *found = vkm_spirv_find(module, id);
  if (found == NULL || found->align_bytes == 0) {
    type->reason = found == NULL || found->reason == NULL ? NOT_UNDERSTOOD : found->reason;
    return NULL;
  }
  if (found->reason != NULL) {
    type->reason = found->reason;
    return NULL;
  }
  return found;
}

void vkm_spirv_type_scalar(struct vkm_spirv_module *module,
                           const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type == NULL) {
    return;
  }
  if (instruction->opcode == SpvOpTypeBool) {
    type->count = 1;
    type->size_bytes = 4;
    type->align_bytes = 4;
    return;
  }
  uint32_t width = vkm_spirv_word(module, instruction->at + 2);
  if (width != 8 && width != 16 && width != 32 && width != 64) {
    type->reason = NOT_UNDERSTOOD;
    return;
  }
  type->count = width;
  type->is_signed =
      instruction->opcode == SpvOpTypeInt && vkm_spirv_word(module, instruction->at + 3) == 1;
  type->size_bytes = width / 8;
  type->align_bytes = width / 8;
}

void vkm_spirv_type_vector(struct vkm_spirv_module *module,
                           const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type == NULL) {
    return;
  }
  type->type = vkm_spirv_word(module, instruction->at + 2);
  type->count = vkm_spirv_word(module, instruction->at + 3);
  const struct vkm_spirv_id *element = sized_type(module, type->type, type);
  if (element == NULL) {
    return;
  }
  if (type->count < 2 || type->count > 16) {
    type->reason = NOT_UNDERSTOOD;
    return;
  }
  uint32_t aligned_count = 2;
  while (aligned_count < type->count) {
    aligned_count *= 2;
  }
  type->size_bytes = type->count * element->size_bytes;
  type->align_bytes = aligned_count * element->align_bytes;
}

void vkm_spirv_type_matrix(struct vkm_spirv_module *module,
                           const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type == NULL) {
    return;
  }
  type->type = vkm_spirv_word(module, instruction->at + 2);
  type->count = vkm_spirv_word(module, instruction->at + 3);
  const struct vkm_spirv_id *column = sized_type(module, type->type, type);
  if (column == NULL) {
    return;
  }
  if (column->opcode != SpvOpTypeVector || type->count > 16) {
    type->reason = NOT_UNDERSTOOD;
    return;
  }
  uint64_t stride = column->size_bytes;
  if (!align_up(&stride, column->align_bytes)) {
    type->reason = TOO_LARGE;
    return;
  }
  type->size_bytes = type->count * stride;
  type->align_bytes = column->align_bytes;
}

/* The value of an array's length; false: `type->reason` says why it is unknown. */
static bool array_length(const struct vkm_spirv_module *module, uint32_t id,
                         struct vkm_spirv_id *type, uint64_t *length) {
  const struct vkm_spirv_id *constant = vkm_spirv_find(module, id);
  const struct vkm_spirv_id *length_type =
      constant == NULL ? NULL : vkm_spirv_find(module, constant->type);
  if (length_type == NULL || length_type->opcode != SpvOpTypeInt) {
    type->reason = "spirv: array length is not an integer constant";
    return false;
  }
  if (constant->reason != NULL) {
    type->reason = constant->reason;
    return false;
  }
  bool negative =
      length_type->is_signed && vkm_spirv_signed(constant->component[0], length_type->count) < 0;
  if (constant->component_count != 1 || constant->component[0] == 0 || negative) {
    type->reason = "spirv: array length is not positive";
    return false;
  }
  *length = constant->component[0];
  return true;
}

void vkm_spirv_type_array(struct vkm_spirv_module *module,
                          const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type == NULL) {
    return;
  }
  type->type = vkm_spirv_word(module, instruction->at + 2);
  uint64_t length = 0;
  const struct vkm_spirv_id *element = sized_type(module, type->type, type);
  if (element == NULL ||
      !array_length(module, vkm_spirv_word(module, instruction->at + 3), type, &length)) {
    return;
  }
  uint64_t stride = type->array_stride;
  if (stride == 0) {
    stride = element->size_bytes;
    if (!align_up(&stride, element->align_bytes)) {
      type->reason = TOO_LARGE;
      return;
    }
  }
  if (__builtin_mul_overflow(stride, length, &type->size_bytes)) {
    type->reason = TOO_LARGE;
    return;
  }
  type->align_bytes = element->align_bytes;
}

/* Size of one member: a matrix takes its stride from the structure that it is a member of. */
static uint64_t member_size(const struct vkm_spirv_module *module, uint32_t structure,
                            uint32_t member, const struct vkm_spirv_id *type) {
  uint32_t stride = 0;
  uint32_t unused = 0;
  if (type->opcode != SpvOpTypeMatrix ||
      !vkm_spirv_member_value(module, structure, member, SpvDecorationMatrixStride, &stride)) {
    return type->size_bytes;
  }
  const struct vkm_spirv_id *column = vkm_spirv_find(module, type->type);
  bool row_major = column != NULL && vkm_spirv_member_value(module, structure, member,
                                                            SpvDecorationRowMajor, &unused);
  return (uint64_t)stride * (row_major ? column->count : type->count);
}

/* Places one member behind `type->size_bytes`, or where its Offset says (`*explicit_layout` is set
 * then). */
static bool place_member(const struct vkm_spirv_module *module, uint32_t structure, uint32_t member,
                         const struct vkm_spirv_id *member_type, struct vkm_spirv_id *type,
                         bool *explicit_layout) {
  uint64_t offset = type->size_bytes;
  uint64_t end = 0;
  uint32_t declared = 0;
  if (vkm_spirv_member_value(module, structure, member, SpvDecorationOffset, &declared)) {
    offset = declared;
    *explicit_layout = true;
  } else if (!align_up(&offset, member_type->align_bytes)) {
    return false;
  }
  uint64_t size = member_size(module, structure, member, member_type);
  if (__builtin_add_overflow(offset, size, &end)) {
    return false;
  }
  if (end > type->size_bytes) {
    type->size_bytes = end;
  }
  return true;
}

void vkm_spirv_type_struct(struct vkm_spirv_module *module,
                           const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type == NULL) {
    return;
  }
  uint32_t structure = vkm_spirv_word(module, instruction->at + 1);
  uint32_t align = 1;
  bool explicit_layout = false;
  for (uint32_t i = 2; i < instruction->word_count; i++) {
    const struct vkm_spirv_id *member =
        sized_type(module, vkm_spirv_word(module, instruction->at + i), type);
    if (member == NULL) {
      return;
    }
    if (!place_member(module, structure, i - 2, member, type, &explicit_layout)) {
      type->reason = TOO_LARGE;
      return;
    }
    align = member->align_bytes > align ? member->align_bytes : align;
  }
  if (!explicit_layout && !align_up(&type->size_bytes, align)) {
    type->reason = TOO_LARGE;
    return;
  }
  type->align_bytes = align;
}

static void set_pointer_size(struct vkm_spirv_id *type, uint32_t storage_class) {
  if (storage_class == SpvStorageClassPhysicalStorageBuffer) {
    type->size_bytes = 8;
    type->align_bytes = 8;
  }
}

void vkm_spirv_type_pointer(struct vkm_spirv_module *module,
                            const struct vkm_spirv_instruction *instruction) {
  uint32_t id = vkm_spirv_word(module, instruction->at + 1);
  struct vkm_spirv_id *type = vkm_spirv_find(module, id);
  if (type != NULL && type->opcode == SpvOpTypeForwardPointer) {
    type->at = 0; /* announced before, defined only now */
  }
  type = vkm_spirv_define(module, instruction, id);
  if (type == NULL) {
    return;
  }
  type->storage_class = vkm_spirv_word(module, instruction->at + 2);
  type->type = vkm_spirv_word(module, instruction->at + 3);
  set_pointer_size(type, type->storage_class);
}

void vkm_spirv_type_forward_pointer(struct vkm_spirv_module *module,
                                    const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *type = define_type(module, instruction);
  if (type != NULL) {
    set_pointer_size(type, vkm_spirv_word(module, instruction->at + 2));
  }
}
