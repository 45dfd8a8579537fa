/* In: the words of a module, never trusted. Out: its ids with decorations, sizes and values, by way
 * of the handlers in spirv_type.c, spirv_constant.c and spirv_variable.c. Next room: spirv.c. */
#include "kernel/spirv_module.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { BOUND_CAP = 4 * 1024 * 1024 };

static vkm_spirv_handler take_capability, take_entry_point, take_mode, take_string, take_source,
    take_name, take_decorate, take_member_decorate, take_group_decorate, take_group_member_decorate;

enum walk { WALK_DECLARATIONS = 1, WALK_DEFINITIONS };

struct rule {
  vkm_spirv_handler *handler; /* NULL: the instruction does not matter */
  uint8_t walk;
  uint8_t words_min;
  uint8_t id_word; /* where the id that is defined or decorated stands; 0 = none */
};

static const struct rule RULES[] = {
    [SpvOpSource] = {take_source, WALK_DECLARATIONS, 3, 0},
    [SpvOpName] = {take_name, WALK_DECLARATIONS, 3, 0},
    [SpvOpString] = {take_string, WALK_DECLARATIONS, 3, 1},
    [SpvOpEntryPoint] = {take_entry_point, WALK_DECLARATIONS, 4, 0},
    [SpvOpExecutionMode] = {take_mode, WALK_DECLARATIONS, 3, 0},
    [SpvOpExecutionModeId] = {take_mode, WALK_DECLARATIONS, 3, 0},
    [SpvOpCapability] = {take_capability, WALK_DECLARATIONS, 2, 0},
    [SpvOpDecorate] = {take_decorate, WALK_DECLARATIONS, 3, 1},
    [SpvOpMemberDecorate] = {take_member_decorate, WALK_DECLARATIONS, 4, 0},
    [SpvOpGroupDecorate] = {take_group_decorate, WALK_DECLARATIONS, 2, 1},
    [SpvOpGroupMemberDecorate] = {take_group_member_decorate, WALK_DECLARATIONS, 2, 0},
    [SpvOpTypeBool] = {vkm_spirv_type_scalar, WALK_DEFINITIONS, 2, 1},
    [SpvOpTypeInt] = {vkm_spirv_type_scalar, WALK_DEFINITIONS, 4, 1},
    [SpvOpTypeFloat] = {vkm_spirv_type_scalar, WALK_DEFINITIONS, 3, 1},
    [SpvOpTypeVector] = {vkm_spirv_type_vector, WALK_DEFINITIONS, 4, 1},
    [SpvOpTypeMatrix] = {vkm_spirv_type_matrix, WALK_DEFINITIONS, 4, 1},
    [SpvOpTypeArray] = {vkm_spirv_type_array, WALK_DEFINITIONS, 4, 1},
    [SpvOpTypeStruct] = {vkm_spirv_type_struct, WALK_DEFINITIONS, 2, 1},
    [SpvOpTypePointer] = {vkm_spirv_type_pointer, WALK_DEFINITIONS, 4, 1},
    [SpvOpTypeForwardPointer] = {vkm_spirv_type_forward_pointer, WALK_DEFINITIONS, 3, 1},
    [SpvOpConstantTrue] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 3, 2},
    [SpvOpConstantFalse] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 3, 2},
    [SpvOpConstant] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 4, 2},
    [SpvOpConstantComposite] = {vkm_spirv_constant_composite, WALK_DEFINITIONS, 3, 2},
    [SpvOpConstantNull] = {vkm_spirv_constant_null, WALK_DEFINITIONS, 3, 2},
    [SpvOpSpecConstantTrue] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 3, 2},
    [SpvOpSpecConstantFalse] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 3, 2},
    [SpvOpSpecConstant] = {vkm_spirv_constant_literal, WALK_DEFINITIONS, 4, 2},
    [SpvOpSpecConstantComposite] = {vkm_spirv_constant_composite, WALK_DEFINITIONS, 3, 2},
    [SpvOpSpecConstantOp] = {vkm_spirv_constant_op, WALK_DEFINITIONS, 4, 2},
    [SpvOpFunction] = {vkm_spirv_function, WALK_DEFINITIONS, 5, 2},
    [SpvOpVariable] = {vkm_spirv_variable, WALK_DEFINITIONS, 4, 2},
};

/* The one far beyond the table. */
static const struct rule UNTYPED_VARIABLE = {vkm_spirv_untyped_variable, WALK_DEFINITIONS, 4, 2};

static const struct rule *rule_of(uint32_t opcode) {
  if (opcode == SpvOpUntypedVariableKHR) {
    return &UNTYPED_VARIABLE;
  }
  bool in_table = opcode < sizeof RULES / sizeof RULES[0] && RULES[opcode].handler != NULL;
  return in_table ? &RULES[opcode] : NULL;
}

uint32_t vkm_spirv_word(const struct vkm_spirv_module *module, uint32_t at) {
  uint32_t word = module->words[at];
  return module->swapped ? __builtin_bswap32(word) : word;
}

bool vkm_spirv_instruction_at(struct vkm_spirv_module *module, uint32_t at,
                              struct vkm_spirv_instruction *instruction) {
  if (at >= module->word_count || module->malformed != NULL) {
    return false;
  }
  uint32_t first = vkm_spirv_word(module, at);
  *instruction = (struct vkm_spirv_instruction){at, first >> 16, first & 0xFFFF};
  if (instruction->word_count == 0) {
    module->malformed = "spirv: instruction of 0 words";
  } else if (instruction->word_count > module->word_count - at) {
    module->malformed = "spirv: truncated instruction";
  }
  return module->malformed == NULL;
}

struct vkm_spirv_id *vkm_spirv_find(const struct vkm_spirv_module *module, uint32_t id) {
  if (id >= module->slot_count || module->slots[id] == 0) {
    return NULL;
  }
  struct vkm_spirv_id *found = &module->ids[module->slots[id] - 1];
  return found->at == 0 ? NULL : found;
}

/* The id, made when it is new. The first walk has found it within bounds and counted it. */
static struct vkm_spirv_id *touch(struct vkm_spirv_module *module, uint32_t id) {
  if (id >= module->slot_count ||
      (module->slots[id] == 0 && module->id_count == module->id_capacity)) {
    module->malformed = "spirv: id out of bounds";
    return NULL;
  }
  if (module->slots[id] == 0) {
    module->slots[id] = ++module->id_count;
  }
  return &module->ids[module->slots[id] - 1];
}

struct vkm_spirv_id *vkm_spirv_define(struct vkm_spirv_module *module,
                                      const struct vkm_spirv_instruction *instruction,
                                      uint32_t id) {
  struct vkm_spirv_id *defined = touch(module, id);
  if (defined == NULL) {
    return NULL;
  }
  if (defined->at != 0) {
    module->malformed = "spirv: id defined twice";
    return NULL;
  }
  defined->at = instruction->at;
  defined->opcode = (uint16_t)instruction->opcode;
  defined->word_count = (uint16_t)instruction->word_count;
  return defined;
}

static void count_id(struct vkm_spirv_module *module, uint32_t id) {
  if (id == 0 || id >= module->bound) {
    module->malformed = "spirv: id out of bounds";
    return;
  }
  module->id_capacity++;
  if (id >= module->slot_count) {
    module->slot_count = id + 1;
  }
}

static void measure(struct vkm_spirv_module *module) {
  struct vkm_spirv_instruction here;
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  for (; vkm_spirv_instruction_at(module, at, &here); at += here.word_count) {
    const struct rule *rule = rule_of(here.opcode);
    if (rule == NULL) {
      continue;
    }
    if (here.word_count < rule->words_min) {
      module->malformed = "spirv: instruction too short";
      return;
    }
    if (rule->id_word != 0) {
      count_id(module, vkm_spirv_word(module, at + rule->id_word));
    }
    for (uint32_t i = 2; here.opcode == SpvOpGroupDecorate && i < here.word_count; i++) {
      count_id(module, vkm_spirv_word(module, at + i));
    }
    module->member_capacity += here.opcode == SpvOpMemberDecorate;
    module->value_capacity += rule->handler == vkm_spirv_constant_literal;
  }
}

static void walk(struct vkm_spirv_module *module, enum walk which) {
  struct vkm_spirv_instruction here;
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  for (; vkm_spirv_instruction_at(module, at, &here); at += here.word_count) {
    const struct rule *rule = rule_of(here.opcode);
    if (rule != NULL && rule->walk == which) {
      rule->handler(module, &here);
    }
  }
}

static void read_header(struct vkm_spirv_module *module) {
  if (module->word_count < VKM_SPIRV_HEADER_WORDS) {
    module->malformed = "spirv: shorter than its header";
    return;
  }
  module->swapped = module->words[0] == __builtin_bswap32(SpvMagicNumber);
  module->version = vkm_spirv_word(module, 1);
  module->bound = vkm_spirv_word(module, 3);
  if (vkm_spirv_word(module, 0) != SpvMagicNumber) {
    module->malformed = "spirv: wrong magic number";
  } else if (module->version >> 16 != 1) {
    module->malformed = "spirv: unknown version";
  } else if (module->bound > BOUND_CAP) {
    module->malformed = "spirv: id bound over 4194304";
  }
}

static int compare_members(const void *left, const void *right) {
  const struct vkm_spirv_member *a = left;
  const struct vkm_spirv_member *b = right;
  if (a->structure != b->structure) {
    return a->structure < b->structure ? -1 : 1;
  }
  if (a->member != b->member) {
    return a->member < b->member ? -1 : 1;
  }
  return (a->decoration > b->decoration) - (a->decoration < b->decoration);
}

bool vkm_spirv_member_value(const struct vkm_spirv_module *module, uint32_t structure,
                            uint32_t member, uint32_t decoration, uint32_t *value) {
  struct vkm_spirv_member key = {structure, member, decoration, 0};
  const struct vkm_spirv_member *found = module->member_count == 0
                                             ? NULL
                                             : bsearch(&key, module->members, module->member_count,
                                                       sizeof module->members[0], compare_members);
  if (found != NULL) {
    *value = found->value;
  }
  return found != NULL;
}

enum vkm_status vkm_spirv_module_read(struct vkm_spirv_module *module) {
  read_header(module);
  if (module->malformed == NULL) {
    measure(module);
  }
  if (module->malformed != NULL) {
    return VKM_OK;
  }
  if (module->id_capacity > module->slot_count) {
    module->id_capacity = module->slot_count; /* some ids are decorated several times */
  }
  module->slots = vkm_calloc(module->slot_count, sizeof module->slots[0]);
  module->ids = vkm_calloc(module->id_capacity, sizeof module->ids[0]);
  module->members = vkm_calloc(module->member_capacity, sizeof module->members[0]);
  module->values = vkm_calloc(module->value_capacity, sizeof module->values[0]);
  if (module->slots == NULL || module->ids == NULL || module->members == NULL ||
      module->values == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  walk(module, WALK_DECLARATIONS);
  qsort(module->members, module->member_count, sizeof module->members[0], compare_members);
  walk(module, WALK_DEFINITIONS);
  return VKM_OK;
}

void vkm_spirv_module_finish(struct vkm_spirv_module *module) {
  vkm_free(module->slots);
  vkm_free(module->ids);
  vkm_free(module->members);
  vkm_free(module->values);
}

static void take_capability(struct vkm_spirv_module *module,
                            const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_kernel *out = module->out;
  if (out->capability_count < sizeof out->capabilities / sizeof out->capabilities[0]) {
    out->capabilities[out->capability_count++] = vkm_spirv_word(module, instruction->at + 1);
  }
}

/* Whether the literal string from word `at` on equals `string`; `*after` is the word behind it, or
 * 0 when it does not end before `end`. */
static bool string_equals(const struct vkm_spirv_module *module, uint32_t at, uint32_t end,
                          const char *string, uint32_t *after) {
  bool equal = true;
  *after = 0;
  for (; at < end; at++) {
    uint32_t word = vkm_spirv_word(module, at);
    for (int i = 0; i < 4; i++, word >>= 8) {
      unsigned char byte = word & 0xFF;
      equal = equal && (unsigned char)*string == byte;
      if (byte == 0) {
        *after = at + 1;
        return equal;
      }
      string += equal;
    }
  }
  return false;
}

static void take_entry_point(struct vkm_spirv_module *module,
                             const struct vkm_spirv_instruction *instruction) {
  uint32_t at = instruction->at;
  uint32_t end = at + instruction->word_count;
  uint32_t after = 0;
  bool equal = string_equals(module, at + 3, end, module->entry, &after);
  if (after == 0) {
    module->malformed = "spirv: unterminated string";
    return;
  }
  /* Other execution models may have an entry point of the same name. */
  bool compute = vkm_spirv_word(module, at + 1) == SpvExecutionModelGLCompute;
  if (equal && compute && module->entry_function == 0) {
    module->entry_function = vkm_spirv_word(module, at + 2);
    module->interface_at = after;
    module->interface_end = end;
  }
}

static void take_mode(struct vkm_spirv_module *module,
                      const struct vkm_spirv_instruction *instruction) {
  uint32_t at = instruction->at;
  uint32_t mode = vkm_spirv_word(module, at + 2);
  bool literal = instruction->opcode == SpvOpExecutionMode && mode == SpvExecutionModeLocalSize;
  bool by_id = instruction->opcode == SpvOpExecutionModeId && mode == SpvExecutionModeLocalSizeId;
  if (module->entry_function == 0 || vkm_spirv_word(module, at + 1) != module->entry_function ||
      (!literal && !by_id)) {
    return;
  }
  if (instruction->word_count < 6) {
    module->malformed = "spirv: instruction too short";
    return;
  }
  module->has_local_size = true;
  module->has_local_size_id = by_id;
  for (uint32_t i = 0; i < 3; i++) {
    module->local_size[i] = vkm_spirv_word(module, at + 3 + i);
  }
}

static void take_string(struct vkm_spirv_module *module,
                        const struct vkm_spirv_instruction *instruction) {
  (void)vkm_spirv_define(module, instruction, vkm_spirv_word(module, instruction->at + 1));
}

static void take_source(struct vkm_spirv_module *module,
                        const struct vkm_spirv_instruction *instruction) {
  if (instruction->word_count > 3 && module->source_file_id == 0) {
    module->source_file_id = vkm_spirv_word(module, instruction->at + 3);
  }
}

/* Names stand behind entry points. */
static void take_name(struct vkm_spirv_module *module,
                      const struct vkm_spirv_instruction *instruction) {
  if (module->entry_function != 0 &&
      vkm_spirv_word(module, instruction->at + 1) == module->entry_function) {
    module->function_name_at = instruction->at + 2;
    module->function_name_end = instruction->at + instruction->word_count;
  }
}

static void take_decorate(struct vkm_spirv_module *module,
                          const struct vkm_spirv_instruction *instruction) {
  uint32_t id = vkm_spirv_word(module, instruction->at + 1);
  uint32_t decoration = vkm_spirv_word(module, instruction->at + 2);
  bool has_value = instruction->word_count > 3;
  uint32_t value = has_value ? vkm_spirv_word(module, instruction->at + 3) : 0;
  struct vkm_spirv_id *target = touch(module, id);
  if (target == NULL) {
    return;
  }
  if (decoration == SpvDecorationBlock) {
    target->is_block = true;
  } else if (decoration == SpvDecorationSpecId && has_value) {
    target->has_spec_id = true;
    target->spec_id = value;
  } else if (decoration == SpvDecorationArrayStride && has_value) {
    target->array_stride = value;
  } else if (decoration == SpvDecorationBuiltIn && has_value && value == SpvBuiltInWorkgroupSize) {
    target->is_workgroup_size = true;
    module->workgroup_size_id = id;
  }
}

static void take_member_decorate(struct vkm_spirv_module *module,
                                 const struct vkm_spirv_instruction *instruction) {
  uint32_t at = instruction->at;
  uint32_t value = instruction->word_count > 4 ? vkm_spirv_word(module, at + 4) : 0;
  module->members[module->member_count++] =
      (struct vkm_spirv_member){vkm_spirv_word(module, at + 1), vkm_spirv_word(module, at + 2),
                                vkm_spirv_word(module, at + 3), value};
}

static void take_group_decorate(struct vkm_spirv_module *module,
                                const struct vkm_spirv_instruction *instruction) {
  const struct vkm_spirv_id *group = touch(module, vkm_spirv_word(module, instruction->at + 1));
  for (uint32_t i = 2; group != NULL && i < instruction->word_count; i++) {
    uint32_t id = vkm_spirv_word(module, instruction->at + i);
    struct vkm_spirv_id *target = touch(module, id);
    if (target == NULL) {
      return;
    }
    target->is_block = target->is_block || group->is_block;
    if (group->array_stride != 0) {
      target->array_stride = group->array_stride;
    }
    if (group->has_spec_id) {
      target->has_spec_id = true;
      target->spec_id = group->spec_id;
    }
    if (group->is_workgroup_size) {
      module->workgroup_size_id = id;
    }
  }
}

static void take_group_member_decorate(struct vkm_spirv_module *module,
                                       const struct vkm_spirv_instruction *instruction) {
  (void)instruction;
  module->malformed = "spirv: member decoration groups are not understood";
}
