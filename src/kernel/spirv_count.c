/* In: a module that was read. Out: what the functions that its entry point reaches do, in numbers.
 * Next room: family. */
#include <stdlib.h>

#include "base/alloc.h"
#include "kernel/spirv_flow.h"

enum {
  BOUND_CAP = 1 << 18, /* ids; a value of 40 bytes each while a kernel is described */
  MEMORY_CAP = 4096,
  CALLS_MAX = 64, /* functions called within each other */
  WALKS_MAX = 8,  /* facts travel a long way in one walk, against its direction one step */
};

static void mark(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                 uint32_t word, enum vkm_spirv_mark mark) {
  struct vkm_spirv_value *value = vkm_flow_operand(flow, instruction, word);
  if (value != &flow->values[0]) {
    value->mark = (uint8_t)mark;
  }
}

/* "GLSL.std.450" in words. */
static bool imports_glsl(const struct vkm_spirv_module *module,
                         const struct vkm_spirv_instruction *instruction) {
  static const uint32_t name[] = {0x4C534C47, 0x6474732E, 0x3035342E, 0};
  bool same = instruction->word_count == 6;
  for (uint32_t i = 0; same && i < 4; i++) {
    same = vkm_spirv_word(module, instruction->at + 2 + i) == name[i];
  }
  return same;
}

static enum vkm_spirv_memory_kind kind_of(uint32_t storage_class) {
  switch (storage_class) {
  case SpvStorageClassStorageBuffer:
  case SpvStorageClassUniform:
  case SpvStorageClassPhysicalStorageBuffer:
    return VKM_MEMORY_BUFFER;
  case SpvStorageClassUniformConstant:
    return VKM_MEMORY_IMAGE;
  case SpvStorageClassWorkgroup:
    return VKM_MEMORY_SHARED;
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
    return VKM_MEMORY_LOCAL;
  default:
    return VKM_MEMORY_NONE;
  }
}

static void variable(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_value *value = vkm_flow_operand(flow, instruction, 2);
  if (value == &flow->values[0] || instruction->word_count < 4) {
    return;
  }
  enum vkm_spirv_memory_kind kind = kind_of(vkm_spirv_word(flow->module, instruction->at + 3));
  if (kind != VKM_MEMORY_NONE) {
    /* Decorations come first: `facts` holds set and binding until here. */
    value->memory = vkm_flow_add_memory(flow, kind, value->facts);
  }
  value->facts = 0;
}

/* Set and binding of a variable, each plus one, in one number. */
static void decorate(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction) {
  struct vkm_spirv_value *value = vkm_flow_operand(flow, instruction, 1);
  if (value == &flow->values[0] || instruction->word_count < 4) {
    return;
  }
  uint32_t decoration = vkm_spirv_word(flow->module, instruction->at + 2);
  uint64_t number = (uint64_t)vkm_spirv_word(flow->module, instruction->at + 3) + 1;
  if (decoration == SpvDecorationBinding) {
    value->facts |= number;
  } else if (decoration == SpvDecorationDescriptorSet) {
    value->facts |= number << 32;
  }
}

/* Everything outside functions. */
static void declare(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction) {
  uint32_t opcode = instruction->opcode;
  if (opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantOp) {
    mark(flow, instruction, 2, VKM_MARK_CONSTANT);
  } else if (opcode == SpvOpDecorate) {
    decorate(flow, instruction);
  } else if (opcode == SpvOpVariable || opcode == SpvOpUntypedVariableKHR) {
    variable(flow, instruction);
  } else if (opcode == SpvOpExtInstImport && imports_glsl(flow->module, instruction)) {
    mark(flow, instruction, 1, VKM_MARK_GLSL);
  } else if (opcode == SpvOpTypePointer && instruction->word_count > 2 &&
             vkm_spirv_word(flow->module, instruction->at + 2) ==
                 SpvStorageClassPhysicalStorageBuffer) {
    mark(flow, instruction, 1, VKM_MARK_ADDRESS_TYPE);
  } else if (opcode == SpvOpFunction) {
    mark(flow, instruction, 2, VKM_MARK_FUNCTION);
  }
}

static void declare_all(struct vkm_spirv_flow *flow) {
  struct vkm_spirv_instruction here;
  for (uint32_t id = 0; id < flow->bound; id++) {
    flow->values[id].place = id;
  }
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  for (; vkm_spirv_instruction_at(flow->module, at, &here); at += here.word_count) {
    declare(flow, &here);
  }
  for (uint32_t id = 0; id < flow->bound; id++) {
    if (flow->values[id].memory == 0) {
      flow->values[id].facts = 0; /* decorated, but no variable */
    }
  }
}

/* Walks the functions that are reached. False: no further ones were found meanwhile. */
static bool reach(struct vkm_spirv_flow *flow) {
  struct vkm_spirv_instruction here;
  bool found = false, inside = false;
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  for (; vkm_spirv_instruction_at(flow->module, at, &here); at += here.word_count) {
    if (here.opcode == SpvOpFunction) {
      struct vkm_spirv_value *function = vkm_flow_operand(flow, &here, 2);
      inside = function->mark == VKM_MARK_FUNCTION_QUEUED;
      function->mark = inside ? VKM_MARK_FUNCTION_REACHED : function->mark;
    } else if (inside && here.opcode == SpvOpFunctionCall) {
      struct vkm_spirv_value *called = vkm_flow_operand(flow, &here, 3);
      if (called->mark == VKM_MARK_FUNCTION) {
        called->mark = VKM_MARK_FUNCTION_QUEUED;
        found = true;
      }
    }
  }
  return found;
}

static void walk(struct vkm_spirv_flow *flow) {
  struct vkm_spirv_instruction here;
  bool inside = false;
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  flow->grown = false;
  for (; vkm_spirv_instruction_at(flow->module, at, &here); at += here.word_count) {
    if (here.opcode == SpvOpFunction) {
      inside = vkm_flow_operand(flow, &here, 2)->mark == VKM_MARK_FUNCTION_REACHED;
      uint32_t id = here.word_count > 2 ? vkm_spirv_word(flow->module, at + 2) : 0;
      flow->function = id < flow->bound ? id : 0;
      flow->depth = flow->values[flow->function].varying; /* called in a loop */
      flow->loop_merges[0] = 0;
      flow->label = 0;
    } else if (here.opcode == SpvOpFunctionEnd) {
      inside = false;
    } else if (inside) {
      vkm_flow_instruction(flow, &here);
    }
  }
}

static int compare(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left;
  uint64_t b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static uint32_t butterflies(struct vkm_spirv_flow *flow) {
  uint32_t found = 0, i = 0, j = 0;
  qsort(flow->sums, flow->sum_count, sizeof flow->sums[0], compare);
  qsort(flow->differences, flow->difference_count, sizeof flow->differences[0], compare);
  while (i < flow->sum_count && j < flow->difference_count) {
    uint64_t sum = flow->sums[i], difference = flow->differences[j];
    found += sum == difference && (i == 0 || flow->sums[i - 1] != sum);
    i += sum <= difference;
    j += difference <= sum;
  }
  return found;
}

static void finish_counts(struct vkm_spirv_flow *flow, struct vkm_spirv_kernel *out) {
  uint32_t *counts = out->counts.values;
  counts[VKM_COUNT_butterflies] = butterflies(flow);
  for (uint32_t i = 1; i < flow->memory_count; i++) {
    const struct vkm_spirv_memory *memory = &flow->memories[i];
    counts[VKM_COUNT_updated_buffers] +=
        memory->kind == VKM_MEMORY_BUFFER && memory->loaded && memory->stored;
  }
  out->counts.known = true;
}

/* How much room is needed: memory objects and pairs of operands. */
static void measure(struct vkm_spirv_flow *flow) {
  struct vkm_spirv_instruction here;
  uint32_t at = VKM_SPIRV_HEADER_WORDS;
  flow->memory_capacity = flow->memory_count = 1; /* 0: none */
  for (; vkm_spirv_instruction_at(flow->module, at, &here); at += here.word_count) {
    enum vkm_spirv_class class = vkm_spirv_class(here.opcode);
    flow->memory_capacity += here.opcode == SpvOpVariable || class == VKM_CLASS_ADDRESS ||
                             here.opcode == SpvOpUntypedVariableKHR || class == VKM_CLASS_LOAD;
    flow->memory_capacity = flow->memory_capacity < MEMORY_CAP ? flow->memory_capacity : MEMORY_CAP;
    flow->pair_capacity += class == VKM_CLASS_FLOAT_ADD || class == VKM_CLASS_FLOAT_SUBTRACT;
  }
}

static void follow(struct vkm_spirv_flow *flow, struct vkm_spirv_kernel *out) {
  declare_all(flow);
  flow->values[flow->module->entry_function].mark = VKM_MARK_FUNCTION_QUEUED;
  for (int i = 0; i < CALLS_MAX && reach(flow); i++) {
  }
  for (int i = 0; i < WALKS_MAX; i++) {
    walk(flow);
    if (!flow->grown) {
      break;
    }
  }
  flow->counting = true;
  walk(flow);
  finish_counts(flow, out);
}

enum vkm_status vkm_spirv_count(struct vkm_spirv_module *module) {
  struct vkm_spirv_kernel *out = module->out;
  if (module->bound > BOUND_CAP || module->entry_function >= module->bound) {
    out->counts.reason = "spirv: too many ids to follow its values";
    return VKM_OK;
  }
  struct vkm_spirv_flow flow = {
      .module = module, .bound = module->bound, .counts = out->counts.values};
  measure(&flow);
  flow.values = vkm_calloc(flow.bound, sizeof flow.values[0]);
  flow.memories = vkm_calloc(flow.memory_capacity, sizeof flow.memories[0]);
  flow.sums = vkm_calloc((size_t)2 * flow.pair_capacity + 1, sizeof flow.sums[0]);
  bool room = flow.values != NULL && flow.memories != NULL && flow.sums != NULL;
  if (room) {
    flow.differences = flow.sums + flow.pair_capacity;
    follow(&flow, out);
  }
  vkm_free(flow.values);
  vkm_free(flow.memories);
  vkm_free(flow.sums);
  return room ? VKM_OK : VKM_OUT_OF_MEMORY;
}

const char *const vkm_count_names[VKM_COUNT_COUNT] = {
#define VKM_SPIRV_COUNT(name, meaning) #name,
#include "kernel/counts.def"
#undef VKM_SPIRV_COUNT
};
