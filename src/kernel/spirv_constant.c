/* In: OpConstant*, OpSpecConstant* and the program's specialization. Out: values of scalars and of
 * vectors of up to four components. Next room: spirv_evaluate.c, spirv.c. */
#include "kernel/spirv_module.h"

#include <string.h>

static const char NOT_UNDERSTOOD[] = "spirv: constant not understood";

static struct vkm_spirv_id *define_constant(struct vkm_spirv_module *module,
                                            const struct vkm_spirv_instruction *instruction) {
  uint32_t id = vkm_spirv_word(module, instruction->at + 2);
  struct vkm_spirv_id *constant = vkm_spirv_define(module, instruction, id);
  if (constant != NULL) {
    constant->type = vkm_spirv_word(module, instruction->at + 1);
    constant->reason = NOT_UNDERSTOOD; /* until a value is found */
  }
  return constant;
}

static void set_known(struct vkm_spirv_id *constant, uint32_t component_count) {
  constant->component_count = component_count;
  constant->reason = NULL;
}

static bool is_scalar(const struct vkm_spirv_id *type) {
  return type != NULL && type->reason == NULL &&
         (type->opcode == SpvOpTypeBool || type->opcode == SpvOpTypeInt ||
          type->opcode == SpvOpTypeFloat);
}

/* The scalar type of `id`, a scalar or a vector of at most four of them; NULL for any other type.
 */
static const struct vkm_spirv_id *scalar_of(const struct vkm_spirv_module *module, uint32_t id,
                                            uint32_t *component_count) {
  const struct vkm_spirv_id *type = vkm_spirv_find(module, id);
  *component_count = 1;
  if (type != NULL && type->opcode == SpvOpTypeVector && type->reason == NULL &&
      type->count <= VKM_SPIRV_COMPONENTS) {
    *component_count = type->count;
    type = vkm_spirv_find(module, type->type);
  }
  return is_scalar(type) ? type : NULL;
}

/* The constant `id` when its value is known; else NULL and `reason` says why. */
static const struct vkm_spirv_id *known_constant(const struct vkm_spirv_module *module, uint32_t id,
                                                 const char **reason) {
  const struct vkm_spirv_id *found = vkm_spirv_find(module, id);
  if (found == NULL || found->component_count == 0 || found->reason != NULL) {
    *reason = found == NULL || found->reason == NULL ? NOT_UNDERSTOOD : found->reason;
    return NULL;
  }
  return found;
}

/* A value of 1, 2, 4 or 8 bytes in the host's byte order, zero-extended. */
static bool read_host_value(const unsigned char *data, size_t size_bytes, uint64_t *bits) {
  union {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
  } value = {.u64 = 0};
  if (size_bytes != 1 && size_bytes != 2 && size_bytes != 4 && size_bytes != 8) {
    return false;
  }
  memcpy(&value, data, size_bytes);
  *bits = size_bytes == 1   ? value.u8
          : size_bytes == 2 ? value.u16
          : size_bytes == 4 ? value.u32
                            : value.u64;
  return true;
}

static const struct vkm_specialization_entry *
given_entry(const struct vkm_specialization *specialization, uint32_t constant_id) {
  for (size_t i = 0; specialization != NULL && i < specialization->entry_count; i++) {
    if (specialization->entries[i].constant_id == constant_id) {
      return &specialization->entries[i];
    }
  }
  return NULL;
}

/* A value of another size than the type's is taken as drivers take it: zero-extended, then cut. */
static void specialize(struct vkm_spirv_module *module, struct vkm_spirv_id *constant,
                       const struct vkm_spirv_id *type) {
  const struct vkm_specialization *given = module->specialization;
  const struct vkm_specialization_entry *entry = given_entry(given, constant->spec_id);
  if (entry == NULL) {
    return;
  }
  uint64_t bits = 0;
  bool inside = given->data != NULL && entry->offset_bytes <= given->data_bytes &&
                entry->size_bytes <= given->data_bytes - entry->offset_bytes;
  if (!inside || !read_host_value((const unsigned char *)given->data + entry->offset_bytes,
                                  entry->size_bytes, &bits)) {
    constant->reason = "specialization: value outside its data or of an odd size";
    return;
  }
  bits = type->opcode == SpvOpTypeBool ? bits != 0 : vkm_spirv_cut(bits, type->count);
  constant->component[0] = bits;
  module->values[module->value_count++] =
      (struct vkm_specialization_value){constant->spec_id, (uint32_t)type->size_bytes, bits};
}

void vkm_spirv_constant_literal(struct vkm_spirv_module *module,
                                const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *constant = define_constant(module, instruction);
  uint32_t opcode = instruction->opcode;
  bool numeric = opcode == SpvOpConstant || opcode == SpvOpSpecConstant;
  const struct vkm_spirv_id *type =
      constant == NULL ? NULL : vkm_spirv_find(module, constant->type);
  if (!is_scalar(type) || numeric != (type->opcode != SpvOpTypeBool)) {
    return;
  }
  if (!numeric) {
    constant->component[0] = opcode == SpvOpConstantTrue || opcode == SpvOpSpecConstantTrue;
  } else if (instruction->word_count < 3 + (type->count + 31) / 32) {
    module->malformed = "spirv: instruction too short";
    return;
  } else {
    uint64_t bits = vkm_spirv_word(module, instruction->at + 3);
    if (type->count == 64) {
      bits |= (uint64_t)vkm_spirv_word(module, instruction->at + 4) << 32;
    }
    constant->component[0] = vkm_spirv_cut(bits, type->count);
  }
  set_known(constant, 1);
  bool is_spec = opcode == SpvOpSpecConstant || opcode == SpvOpSpecConstantTrue ||
                 opcode == SpvOpSpecConstantFalse;
  if (is_spec && constant->has_spec_id) {
    specialize(module, constant, type);
  }
}

void vkm_spirv_constant_null(struct vkm_spirv_module *module,
                             const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *constant = define_constant(module, instruction);
  uint32_t component_count = 0;
  if (constant != NULL && scalar_of(module, constant->type, &component_count) != NULL) {
    set_known(constant, component_count);
  }
}

void vkm_spirv_constant_composite(struct vkm_spirv_module *module,
                                  const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *constant = define_constant(module, instruction);
  uint32_t component_count = 0;
  if (constant == NULL || scalar_of(module, constant->type, &component_count) == NULL ||
      instruction->word_count != 3 + component_count) {
    return;
  }
  for (uint32_t i = 0; i < component_count; i++) {
    uint32_t id = vkm_spirv_word(module, instruction->at + 3 + i);
    const struct vkm_spirv_id *component = known_constant(module, id, &constant->reason);
    if (component == NULL) {
      return;
    }
    constant->component[i] = component->component[0];
  }
  set_known(constant, component_count);
}

static bool has_constituents(const struct vkm_spirv_id *constant) {
  return constant->opcode == SpvOpConstantComposite ||
         constant->opcode == SpvOpSpecConstantComposite;
}

/* Follows the constituents' ids as long as there are any, so that one unknown constituent does not
 * hide the others; the last step may pick a component of a computed vector. */
static void extract(struct vkm_spirv_module *module,
                    const struct vkm_spirv_instruction *instruction,
                    struct vkm_spirv_id *constant) {
  uint32_t at = instruction->at + 4;
  uint32_t last = instruction->at + instruction->word_count - 1;
  uint32_t id = vkm_spirv_word(module, at);
  const struct vkm_spirv_id *found = vkm_spirv_find(module, id);
  while (at < last && found != NULL && has_constituents(found)) {
    uint32_t index = vkm_spirv_word(module, ++at);
    if (index >= found->word_count - 3U) {
      return;
    }
    id = vkm_spirv_word(module, found->at + 3 + index);
    found = vkm_spirv_find(module, id);
  }
  const struct vkm_spirv_id *known = known_constant(module, id, &constant->reason);
  if (known == NULL) {
    return;
  }
  if (at == last) {
    memcpy(constant->component, known->component, sizeof constant->component);
    set_known(constant, known->component_count);
  } else if (at + 1 == last && vkm_spirv_word(module, last) < known->component_count) {
    constant->component[0] = known->component[vkm_spirv_word(module, last)];
    set_known(constant, 1);
  }
}

static void insert(struct vkm_spirv_module *module, const struct vkm_spirv_instruction *instruction,
                   struct vkm_spirv_id *constant) {
  uint32_t at = instruction->at;
  if (instruction->word_count != 7) {
    return;
  }
  uint32_t index = vkm_spirv_word(module, at + 6);
  const struct vkm_spirv_id *object =
      known_constant(module, vkm_spirv_word(module, at + 4), &constant->reason);
  const struct vkm_spirv_id *vector =
      known_constant(module, vkm_spirv_word(module, at + 5), &constant->reason);
  if (object == NULL || vector == NULL || index >= vector->component_count) {
    return;
  }
  memcpy(constant->component, vector->component, sizeof constant->component);
  constant->component[index] = object->component[0];
  set_known(constant, vector->component_count);
}

static void shuffle(struct vkm_spirv_module *module,
                    const struct vkm_spirv_instruction *instruction,
                    struct vkm_spirv_id *constant) {
  uint32_t at = instruction->at;
  if (instruction->word_count < 7 || instruction->word_count > 6 + VKM_SPIRV_COMPONENTS) {
    return;
  }
  const struct vkm_spirv_id *first =
      known_constant(module, vkm_spirv_word(module, at + 4), &constant->reason);
  const struct vkm_spirv_id *second =
      known_constant(module, vkm_spirv_word(module, at + 5), &constant->reason);
  if (first == NULL || second == NULL) {
    return;
  }
  uint32_t count = instruction->word_count - 6;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = vkm_spirv_word(module, at + 6 + i);
    if (index < first->component_count) {
      constant->component[i] = first->component[index];
    } else if (index - first->component_count < second->component_count) {
      constant->component[i] = second->component[index - first->component_count];
    } else {
      return;
    }
  }
  set_known(constant, count);
}

/* The operands of an operation on `component_count` components; false: one is unknown or of another
 * shape. */
static bool read_operands(const struct vkm_spirv_module *module,
                          const struct vkm_spirv_instruction *instruction, uint32_t component_count,
                          const struct vkm_spirv_id *operands[3], const char **reason) {
  uint32_t operand_count = instruction->word_count - 4;
  for (uint32_t i = 0; i < operand_count; i++) {
    uint32_t id = vkm_spirv_word(module, instruction->at + 4 + i);
    operands[i] = known_constant(module, id, reason);
    /* One condition may select between whole vectors. */
    bool is_condition = i == 0 && operand_count == 3;
    if (operands[i] == NULL || (operands[i]->component_count != component_count &&
                                !(is_condition && operands[i]->component_count == 1))) {
      return false;
    }
  }
  return true;
}

static void by_component(struct vkm_spirv_module *module,
                         const struct vkm_spirv_instruction *instruction,
                         struct vkm_spirv_id *constant) {
  const struct vkm_spirv_id *operands[3] = {NULL, NULL, NULL};
  uint32_t operand_count = instruction->word_count - 4;
  uint32_t count = 0;
  uint32_t unused = 0;
  const struct vkm_spirv_id *result_type = scalar_of(module, constant->type, &count);
  if (result_type == NULL || operand_count > 3 ||
      !read_operands(module, instruction, count, operands, &constant->reason)) {
    return;
  }
  const struct vkm_spirv_id *type = scalar_of(module, operands[0]->type, &unused);
  for (uint32_t c = 0; c < count && type != NULL; c++) {
    uint64_t values[3] = {0, 0, 0};
    for (uint32_t i = 0; i < operand_count; i++) {
      values[i] = operands[i]->component[operands[i]->component_count == 1 ? 0 : c];
    }
    if (!vkm_spirv_evaluate(vkm_spirv_word(module, instruction->at + 3), values, operand_count,
                            type->count, result_type->count, &constant->component[c])) {
      return;
    }
  }
  if (type != NULL) {
    set_known(constant, count);
  }
}

void vkm_spirv_constant_op(struct vkm_spirv_module *module,
                           const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_id *constant = define_constant(module, instruction);
  if (constant == NULL || instruction->word_count < 5) {
    return;
  }
  switch (vkm_spirv_word(module, instruction->at + 3)) {
  case SpvOpCompositeExtract:
    extract(module, instruction, constant);
    break;
  case SpvOpCompositeInsert:
    insert(module, instruction, constant);
    break;
  case SpvOpVectorShuffle:
    shuffle(module, instruction, constant);
    break;
  default:
    by_component(module, instruction, constant);
  }
}
