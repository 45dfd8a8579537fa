/* In: one instruction after the other. Out: facts about values and, on the last walk, counts. Next
 * room: spirv_count.c. */
#include "kernel/spirv_flow.h"

struct vkm_spirv_value *vkm_flow_operand(struct vkm_spirv_flow *flow,
                                         const struct vkm_spirv_instruction *instruction,
                                         uint32_t word) {
  uint32_t id =
      word < instruction->word_count ? vkm_spirv_word(flow->module, instruction->at + word) : 0;
  return &flow->values[id < flow->bound ? id : 0];
}

/* What arithmetic makes of its operands' facts. */
static uint64_t computed(uint64_t facts) {
  facts |= vkm_flow_is_data(facts) ? VKM_FLOW_COMPUTED : 0;
  return facts | (facts & VKM_FLOW_SHARED ? VKM_FLOW_COMBINED : 0);
}

static uint64_t product(uint64_t left, uint64_t right) {
  uint64_t facts = computed(left | right);
  uint64_t a = left & VKM_FLOW_SOURCES, b = right & VKM_FLOW_SOURCES;
  if (a != 0 && b != 0 && a != b) {
    facts |= VKM_FLOW_PRODUCT;
  }
  bool weighs = (left & VKM_FLOW_EXPONENTIAL) != 0;
  if (weighs != ((right & VKM_FLOW_EXPONENTIAL) != 0) && vkm_flow_is_data(weighs ? right : left)) {
    facts |= VKM_FLOW_WEIGHTED;
  }
  return facts;
}

/* ---- values ---- */

/* Operands that are ids of values: the other words are literals. */
static uint32_t copied_operands(const struct vkm_spirv_instruction *instruction) {
  switch (instruction->opcode) {
  case SpvOpCompositeConstruct:
    return instruction->word_count;
  case SpvOpVectorInsertDynamic:
  case SpvOpVectorShuffle:
  case SpvOpCompositeInsert:
    return 5;
  default:
    return 4;
  }
}

static void copy(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                 struct vkm_spirv_value *result) {
  const struct vkm_spirv_value *first = vkm_flow_operand(flow, instruction, 3);
  uint32_t end = copied_operands(instruction);
  result->memory = first->memory;
  result->varying = first->varying;
  for (uint32_t i = 3; i < end && i < instruction->word_count; i++) {
    vkm_flow_learn(flow, &result->facts, vkm_flow_operand(flow, instruction, i)->facts);
  }
  if (end == 4) {
    result->place = first->place;
    result->origin[0] = first->origin[0];
    result->origin[1] = first->origin[1];
    for (uint32_t i = end; i < instruction->word_count; i++) {
      result->place =
          vkm_flow_mix(result->place, vkm_spirv_word(flow->module, instruction->at + i));
    }
  }
}

static void phi(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                struct vkm_spirv_value *result) {
  bool carried = flow->values[flow->label].mark == VKM_MARK_LOOP_HEADER;
  vkm_flow_learn(flow, &result->facts, carried ? VKM_FLOW_CARRIED : 0);
  for (uint32_t i = 3; i < instruction->word_count; i += 2) {
    const struct vkm_spirv_value *value = vkm_flow_operand(flow, instruction, i);
    vkm_flow_learn(flow, &result->facts, value->facts);
    result->memory = result->memory != 0 ? result->memory : value->memory;
    result->varying = result->varying || value->varying;
  }
}

/* Adds or takes the extreme of two values: where one comes around a loop, the other is accumulated.
 */
static void accumulate(struct vkm_spirv_flow *flow, bool integer, uint64_t carried,
                       uint64_t added) {
  if (flow->depth == 0 || !(carried & VKM_FLOW_CARRIED)) {
    return;
  }
  if (added & VKM_FLOW_WEIGHTED) {
    vkm_flow_count(flow, VKM_COUNT_accumulated_weights);
  } else if (added & VKM_FLOW_PRODUCT) {
    vkm_flow_count(flow, VKM_COUNT_accumulated_products);
  } else if (vkm_flow_is_data(added) && !integer) { /* integers are rather places than values */
    vkm_flow_count(flow, VKM_COUNT_accumulated_values);
  }
}

static void add(struct vkm_spirv_flow *flow, bool integer, struct vkm_spirv_value *result,
                const struct vkm_spirv_value *left, const struct vkm_spirv_value *right) {
  vkm_flow_learn(flow, &result->facts, computed(left->facts | right->facts));
  result->origin[0] = left->origin[0] != 0 ? left->origin[0] : left->origin[1];
  result->origin[1] = right->origin[0] != 0 ? right->origin[0] : right->origin[1];
  if (left->facts & VKM_FLOW_CARRIED) {
    accumulate(flow, integer, left->facts, right->facts);
  } else {
    accumulate(flow, integer, right->facts, left->facts);
  }
}

/* For butterflies: which two values were added or subtracted. */
static void pair(struct vkm_spirv_flow *flow, bool subtracts, uint32_t left, uint32_t right) {
  uint32_t *pairs = subtracts ? &flow->difference_count : &flow->sum_count;
  if (flow->counting && *pairs < flow->pair_capacity) {
    uint64_t key = left < right ? (uint64_t)left << 32 | right : (uint64_t)right << 32 | left;
    (subtracts ? flow->differences : flow->sums)[(*pairs)++] = key;
  }
}

/* The facts of all operands from word `begin` on. */
static uint64_t union_of(struct vkm_spirv_flow *flow,
                         const struct vkm_spirv_instruction *instruction, uint32_t begin) {
  uint64_t facts = 0;
  for (uint32_t i = begin; i < instruction->word_count; i++) {
    facts |= vkm_flow_operand(flow, instruction, i)->facts;
  }
  return facts;
}

static void multiply_add(struct vkm_spirv_flow *flow,
                         const struct vkm_spirv_instruction *instruction, uint32_t first,
                         struct vkm_spirv_value *result) {
  const struct vkm_spirv_value *left = vkm_flow_operand(flow, instruction, first);
  const struct vkm_spirv_value *right = vkm_flow_operand(flow, instruction, first + 1);
  struct vkm_spirv_value multiplied = {.facts = product(left->facts, right->facts)};
  vkm_flow_count(flow, VKM_COUNT_multiply_adds);
  /* The third of an integer dot product can be a literal, which is harmless: its id is small. */
  if (instruction->word_count > first + 2) {
    add(flow, false, result, vkm_flow_operand(flow, instruction, first + 2), &multiplied);
  } else {
    vkm_flow_learn(flow, &result->facts, multiplied.facts);
  }
}

/* Arithmetic whose operands begin at word `first`: plain instructions at 3, extended ones at 5. */
static void arithmetic(struct vkm_spirv_flow *flow, enum vkm_spirv_class class,
                       const struct vkm_spirv_instruction *instruction, uint32_t first,
                       struct vkm_spirv_value *result) {
  const struct vkm_spirv_value *left = vkm_flow_operand(flow, instruction, first);
  const struct vkm_spirv_value *right = vkm_flow_operand(flow, instruction, first + 1);
  uint64_t facts = computed(union_of(flow, instruction, first));
  switch (class) {
  case VKM_CLASS_FLOAT_ADD:
  case VKM_CLASS_INTEGER_ADD:
  case VKM_CLASS_EXTREME:
    add(flow, class == VKM_CLASS_INTEGER_ADD, result, left, right);
    break;
  case VKM_CLASS_PRODUCT:
  case VKM_CLASS_INTEGER_PRODUCT:
    facts = product(left->facts, right->facts);
    break;
  case VKM_CLASS_MULTIPLY_ADD:
  case VKM_CLASS_MATRIX:
    multiply_add(flow, instruction, first, result);
    return;
  case VKM_CLASS_EXPONENTIAL:
    facts |= vkm_flow_is_data(facts) ? VKM_FLOW_EXPONENTIAL : 0;
    break;
  case VKM_CLASS_LOGARITHM:
    facts &= ~VKM_FLOW_EXPONENTIAL;
    break;
  default:
    break;
  }
  if (class == VKM_CLASS_FLOAT_ADD || class == VKM_CLASS_FLOAT_SUBTRACT) {
    pair(flow, class == VKM_CLASS_FLOAT_SUBTRACT, left->place, right->place);
  }
  vkm_flow_learn(flow, &result->facts, facts);
}

static bool is_arithmetic(enum vkm_spirv_class class) {
  return class >= VKM_CLASS_FLOAT && class <= VKM_CLASS_INTEGER_PRODUCT &&
         class != VKM_CLASS_MATRIX_LOAD && class != VKM_CLASS_MATRIX_STORE;
}

static void count_arithmetic(struct vkm_spirv_flow *flow, enum vkm_spirv_class class) {
  bool integer = class >= VKM_CLASS_INTEGER;
  vkm_flow_count(flow, integer ? VKM_COUNT_integer_arithmetic : VKM_COUNT_float_arithmetic);
  if (class == VKM_CLASS_EXPONENTIAL || class == VKM_CLASS_LOGARITHM) {
    vkm_flow_count(flow, VKM_COUNT_exponentials);
  } else if (class == VKM_CLASS_ROOT) {
    vkm_flow_count(flow, VKM_COUNT_roots);
  } else if (class == VKM_CLASS_TRIGONOMETRY) {
    vkm_flow_count(flow, VKM_COUNT_trigonometry);
  } else if (class == VKM_CLASS_MATRIX) {
    vkm_flow_count(flow, VKM_COUNT_cooperative_matrix);
  }
}

/* ---- functions ---- */

static void call(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                 struct vkm_spirv_value *result) {
  uint32_t id = instruction->word_count > 3 ? vkm_spirv_word(flow->module, instruction->at + 3) : 0;
  const struct vkm_spirv_id *function = vkm_spirv_find(flow->module, id);
  if (function == NULL || function->opcode != SpvOpFunction || id >= flow->bound) {
    return;
  }
  if (flow->depth > 0 && !flow->values[id].varying) {
    flow->values[id].varying = true; /* what it does, it does in a loop */
    flow->grown = true;
  }
  struct vkm_spirv_instruction here = {0, 0, 0};
  uint32_t at = function->at + function->word_count;
  for (uint32_t i = 4; i < instruction->word_count; i++, at += here.word_count) {
    if (!vkm_spirv_instruction_at(flow->module, at, &here) ||
        here.opcode != SpvOpFunctionParameter) {
      break;
    }
    const struct vkm_spirv_value *argument = vkm_flow_operand(flow, instruction, i);
    struct vkm_spirv_value *parameter = vkm_flow_operand(flow, &here, 2);
    vkm_flow_learn(flow, &parameter->facts, argument->facts);
    parameter->memory = parameter->memory != 0 ? parameter->memory : argument->memory;
    parameter->varying = parameter->varying || argument->varying;
    uint32_t origin = flow->memories[argument->memory].origin;
    if (origin != 0) { /* what a function makes of a copy it may make of the original */
      result->origin[1] = result->origin[0];
      result->origin[0] = origin;
    }
  }
  vkm_flow_learn(flow, &result->facts, flow->values[id].facts);
}

static void group(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                  bool reduces, struct vkm_spirv_value *result) {
  bool scans =
      reduces && instruction->word_count > 4 &&
      vkm_spirv_word(flow->module, instruction->at + 4) != SpvGroupOperationReduce &&
      vkm_spirv_word(flow->module, instruction->at + 4) != SpvGroupOperationClusteredReduce;
  vkm_flow_count(flow, scans     ? VKM_COUNT_group_scans
                       : reduces ? VKM_COUNT_group_reductions
                                 : VKM_COUNT_group_operations);
  uint64_t facts = vkm_flow_operand(flow, instruction, reduces ? 5 : 4)->facts;
  vkm_flow_learn(flow, &result->facts, reduces ? computed(facts) : facts);
}

static void enter_block(struct vkm_spirv_flow *flow,
                        const struct vkm_spirv_instruction *instruction) {
  uint32_t id = instruction->word_count > 1 ? vkm_spirv_word(flow->module, instruction->at + 1) : 0;
  flow->label = id < flow->bound ? id : 0;
  while (flow->depth > 0 && flow->loop_merges[flow->depth - 1] == id) {
    flow->depth--;
  }
}

static void enter_loop(struct vkm_spirv_flow *flow,
                       const struct vkm_spirv_instruction *instruction) {
  vkm_flow_count(flow, VKM_COUNT_loops);
  if (flow->values[flow->label].mark == VKM_MARK_NONE && flow->label != 0) {
    flow->values[flow->label].mark = VKM_MARK_LOOP_HEADER;
    flow->grown = true;
  }
  if (flow->depth < VKM_FLOW_LOOPS && instruction->word_count > 1) {
    flow->loop_merges[flow->depth++] = vkm_spirv_word(flow->module, instruction->at + 1);
  }
}

/* What needs no result. False: the instruction has one. */
static bool without_result(struct vkm_spirv_flow *flow, enum vkm_spirv_class class,
                           const struct vkm_spirv_instruction *instruction) {
  switch (class) {
  case VKM_CLASS_STORE:
  case VKM_CLASS_MATRIX_STORE:
    vkm_flow_store(flow, vkm_flow_operand(flow, instruction, 1),
                   vkm_flow_operand(flow, instruction, 2));
    return true;
  case VKM_CLASS_IMAGE_WRITE:
    vkm_flow_count(flow, VKM_COUNT_image_writes);
    vkm_flow_count_store(flow, vkm_flow_operand(flow, instruction, 3)->facts);
    return true;
  case VKM_CLASS_BARRIER:
    vkm_flow_count(flow, VKM_COUNT_barriers);
    return true;
  case VKM_CLASS_RETURN:
    vkm_flow_learn(flow, &flow->values[flow->function].facts,
                   vkm_flow_operand(flow, instruction, 1)->facts);
    return true;
  case VKM_CLASS_LABEL:
    enter_block(flow, instruction);
    return true;
  case VKM_CLASS_LOOP:
    enter_loop(flow, instruction);
    return true;
  case VKM_CLASS_BRANCH:
    vkm_flow_count(flow, VKM_COUNT_branches);
    return true;
  default:
    return false;
  }
}

static void with_result(struct vkm_spirv_flow *flow, enum vkm_spirv_class class,
                        const struct vkm_spirv_instruction *instruction,
                        struct vkm_spirv_value *result) {
  switch (class) {
  case VKM_CLASS_LOAD:
  case VKM_CLASS_MATRIX_LOAD:
    vkm_flow_load(flow, instruction, result);
    break;
  case VKM_CLASS_CHAIN:
    vkm_flow_chain(flow, instruction, result);
    break;
  case VKM_CLASS_ADDRESS:
    vkm_flow_address(flow, instruction, result);
    break;
  case VKM_CLASS_COPY:
    copy(flow, instruction, result);
    break;
  case VKM_CLASS_SELECT:
    vkm_flow_learn(flow, &result->facts, union_of(flow, instruction, 4));
    break;
  case VKM_CLASS_PHI:
    phi(flow, instruction, result);
    break;
  case VKM_CLASS_IMAGE_READ:
    vkm_flow_count(flow, VKM_COUNT_image_reads);
    vkm_flow_learn(flow, &result->facts, vkm_flow_operand(flow, instruction, 3)->facts);
    break;
  case VKM_CLASS_GROUP_REDUCE:
  case VKM_CLASS_GROUP:
    group(flow, instruction, class == VKM_CLASS_GROUP_REDUCE, result);
    break;
  case VKM_CLASS_ATOMIC:
    vkm_flow_count(flow, VKM_COUNT_atomics);
    break;
  case VKM_CLASS_CALL:
    call(flow, instruction, result);
    break;
  default:
    break;
  }
}

void vkm_flow_instruction(struct vkm_spirv_flow *flow,
                          const struct vkm_spirv_instruction *instruction) {
  enum vkm_spirv_class class = vkm_spirv_class(instruction->opcode);
  uint32_t first = 3;
  vkm_flow_count(flow, VKM_COUNT_instructions);
  if (class == VKM_CLASS_EXTENDED) {
    bool known = vkm_flow_operand(flow, instruction, 3)->mark == VKM_MARK_GLSL;
    class = known && instruction->word_count > 5
                ? vkm_spirv_extended_class(vkm_spirv_word(flow->module, instruction->at + 4))
                : VKM_CLASS_OTHER;
    first = 5;
  }
  if (class == VKM_CLASS_OTHER || without_result(flow, class, instruction)) {
    return;
  }
  struct vkm_spirv_value *result = vkm_flow_operand(flow, instruction, 2);
  if (result == &flow->values[0]) {
    return; /* nothing may ever be known of what is out of bounds */
  }
  if (is_arithmetic(class)) {
    count_arithmetic(flow, class);
    arithmetic(flow, class, instruction, first, result);
  } else if (class == VKM_CLASS_COPY && first == 5) { /* packs and unpacks halves */
    vkm_flow_learn(flow, &result->facts, vkm_flow_operand(flow, instruction, first)->facts);
  } else {
    with_result(flow, class, instruction, result);
  }
}
