/* In: variables and functions. Out: which Workgroup and PushConstant variables the entry point
 * uses, and their sizes. Next room: spirv.c. */
#include "kernel/spirv_module.h"

enum { VERSION_1_4 = 0x00010400 };

static void add_variable(struct vkm_spirv_module *module,
                         const struct vkm_spirv_instruction *instruction, uint32_t data_type) {
  uint32_t id = vkm_spirv_word(module, instruction->at + 2);
  struct vkm_spirv_id *variable = vkm_spirv_define(module, instruction, id);
  if (variable == NULL) {
    return;
  }
  variable->storage_class = vkm_spirv_word(module, instruction->at + 3);
  const struct vkm_spirv_id *type = vkm_spirv_find(module, data_type);
  if (type == NULL || type->reason != NULL || type->align_bytes == 0) {
    variable->reason = type == NULL || type->reason == NULL
                           ? "spirv: variable's type not understood"
                           : type->reason;
  } else {
    variable->size_bytes = type->size_bytes;
    variable->is_block = type->is_block;
  }
  variable->next = module->first_variable;
  module->first_variable = id;
}

static bool is_counted(uint32_t storage_class) {
  return storage_class == SpvStorageClassWorkgroup || storage_class == SpvStorageClassPushConstant;
}

void vkm_spirv_variable(struct vkm_spirv_module *module,
                        const struct vkm_spirv_instruction *instruction) {
  if (is_counted(vkm_spirv_word(module, instruction->at + 3))) {
    uint32_t pointer_type = vkm_spirv_word(module, instruction->at + 1);
    const struct vkm_spirv_id *pointer = vkm_spirv_find(module, pointer_type);
    bool known = pointer != NULL && pointer->opcode == SpvOpTypePointer;
    add_variable(module, instruction, known ? pointer->type : 0);
  }
}

void vkm_spirv_untyped_variable(struct vkm_spirv_module *module,
                                const struct vkm_spirv_instruction *instruction) {
  if (is_counted(vkm_spirv_word(module, instruction->at + 3))) {
    bool has_type = instruction->word_count > 4;
    add_variable(module, instruction, has_type ? vkm_spirv_word(module, instruction->at + 4) : 0);
  }
}

void vkm_spirv_function(struct vkm_spirv_module *module,
                        const struct vkm_spirv_instruction *instruction) {
  (void)vkm_spirv_define(module, instruction, vkm_spirv_word(module, instruction->at + 2));
}

/* Which words of an instruction can be the id of a variable or of a called function. */
struct operand_rule {
  uint16_t first_opcode, last_opcode;
  uint16_t begin, end; /* words; end 0 = none, LAST = to the end of the instruction */
};
enum { LAST = 0xFFFF };

/* What mixes ids with literal numbers, which would pass for ids; of every other instruction all
 * words count. */
static const struct operand_rule OPERAND_RULES[] = {
    {SpvOpLine, SpvOpLine, 0, 0},
    {SpvOpExtInst, SpvOpExtInst, 5, LAST},
    {SpvOpFunction, SpvOpFunction, 0, 0},
    {SpvOpVariable, SpvOpVariable, 4, LAST},
    {SpvOpLoad, SpvOpLoad, 3, 4},
    {SpvOpStore, SpvOpCopyMemory, 1, 3},
    {SpvOpCopyMemorySized, SpvOpCopyMemorySized, 1, 4},
    {SpvOpArrayLength, SpvOpArrayLength, 3, 4},
    {SpvOpVectorShuffle, SpvOpVectorShuffle, 3, 5},
    {SpvOpCompositeExtract, SpvOpCompositeExtract, 3, 4},
    {SpvOpCompositeInsert, SpvOpCompositeInsert, 3, 5},
    {SpvOpImageSampleImplicitLod, SpvOpImageWrite, 0, 0},
    {SpvOpLoopMerge, SpvOpSelectionMerge, 0, 0},
    {SpvOpBranchConditional, SpvOpSwitch, 1, 2},
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseRead, 0, 0},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap, 0, 0},
    {SpvOpUntypedArrayLengthKHR, SpvOpUntypedArrayLengthKHR, 3, 5},
    {SpvOpSDot, SpvOpSUDotAccSat, 0, 0},
    {SpvOpCooperativeMatrixLoadKHR, SpvOpCooperativeMatrixLoadKHR, 3, 4},
    {SpvOpCooperativeMatrixStoreKHR, SpvOpCooperativeMatrixStoreKHR, 1, 2},
    {SpvOpCooperativeMatrixMulAddKHR, SpvOpCooperativeMatrixMulAddKHR, 0, 0},
    {SpvOpCooperativeMatrixLoadNV, SpvOpCooperativeMatrixLoadNV, 3, 4},
    {SpvOpCooperativeMatrixStoreNV, SpvOpCooperativeMatrixStoreNV, 1, 2},
    {SpvOpCooperativeMatrixLoadTensorNV, SpvOpCooperativeMatrixLoadTensorNV, 3, 4},
    {SpvOpCooperativeMatrixStoreTensorNV, SpvOpCooperativeMatrixStoreTensorNV, 1, 2},
    {SpvOpRawAccessChainNV, SpvOpRawAccessChainNV, 3, 4},
};

static void operand_words(const struct vkm_spirv_instruction *instruction, uint32_t *begin,
                          uint32_t *end) {
  *begin = 1;
  *end = instruction->word_count;
  for (size_t i = 0; i < sizeof OPERAND_RULES / sizeof OPERAND_RULES[0]; i++) {
    const struct operand_rule *rule = &OPERAND_RULES[i];
    if (instruction->opcode >= rule->first_opcode && instruction->opcode <= rule->last_opcode) {
      *begin = rule->begin;
      *end = rule->end < *end ? rule->end : *end;
      return;
    }
  }
}

/* Marks what one function uses; functions seen for the first time go to the list `first_function`.
 */
static void mark_function(struct vkm_spirv_module *module, uint32_t at, uint32_t *first_function) {
  struct vkm_spirv_instruction here = {at, 0, 0};
  at += vkm_spirv_word(module, at) >> 16;
  for (; vkm_spirv_instruction_at(module, at, &here); at += here.word_count) {
    uint32_t begin = 0;
    uint32_t end = 0;
    if (here.opcode == SpvOpFunctionEnd || here.opcode == SpvOpFunction) {
      return;
    }
    operand_words(&here, &begin, &end);
    for (uint32_t i = begin; i < end; i++) {
      uint32_t id = vkm_spirv_word(module, at + i);
      struct vkm_spirv_id *found = vkm_spirv_find(module, id);
      if (found == NULL || found->used) {
        continue;
      }
      found->used = true;
      if (found->opcode == SpvOpFunction) {
        found->next = *first_function;
        *first_function = id;
      }
    }
  }
}

static void mark_call_tree(struct vkm_spirv_module *module) {
  uint32_t first_function = 0;
  struct vkm_spirv_id *entry = vkm_spirv_find(module, module->entry_function);
  if (entry == NULL || entry->opcode != SpvOpFunction) {
    module->malformed = "spirv: the entry point's function is missing";
    return;
  }
  entry->used = true;
  mark_function(module, entry->at, &first_function);
  while (first_function != 0) {
    const struct vkm_spirv_id *function = vkm_spirv_find(module, first_function);
    first_function = function->next;
    mark_function(module, function->at, &first_function);
  }
}

void vkm_spirv_mark_used(struct vkm_spirv_module *module) {
  /* From 1.4 on an entry point lists every variable that it uses. */
  if (module->version >= VERSION_1_4) {
    for (uint32_t at = module->interface_at; at < module->interface_end; at++) {
      struct vkm_spirv_id *found = vkm_spirv_find(module, vkm_spirv_word(module, at));
      if (found != NULL) {
        found->used = true;
      }
    }
  } else {
    mark_call_tree(module);
  }
}
