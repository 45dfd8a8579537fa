/* In: instructions that load, store and make pointers. Out: what is known of memory and of what
 * comes out of it. Next room: spirv_flow.c. */
#include "kernel/spirv_flow.h"

uint32_t vkm_flow_add_memory(struct vkm_spirv_flow *flow, enum vkm_spirv_memory_kind kind,
                             uint64_t place) {
  uint64_t facts = 0;
  if (kind == VKM_MEMORY_BUFFER || kind == VKM_MEMORY_IMAGE) {
    for (uint32_t i = 1; place != 0 && i < flow->memory_count; i++) {
      if (flow->memories[i].place == place) { /* another view of the same buffer */
        return i;
      }
    }
    facts = UINT64_C(1) << flow->source_count;
    flow->source_count += flow->source_count < 55; /* the last bit stands for all others */
  }
  if (flow->memory_count == flow->memory_capacity) {
    return 0;
  }
  flow->memories[flow->memory_count] =
      (struct vkm_spirv_memory){.kind = (uint8_t)kind, .facts = facts, .place = place};
  return flow->memory_count++;
}

void vkm_flow_load(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                   struct vkm_spirv_value *result) {
  const struct vkm_spirv_value *pointer = vkm_flow_operand(flow, instruction, 3);
  struct vkm_spirv_memory *memory = &flow->memories[pointer->memory];
  uint64_t facts = 0;
  switch (memory->kind) {
  case VKM_MEMORY_BUFFER:
    facts = pointer->varying ? memory->facts : 0; /* what stands at a fixed place is a parameter */
    memory->loaded = memory->loaded || pointer->varying;
    vkm_flow_count(flow, VKM_COUNT_buffer_loads);
    break;
  case VKM_MEMORY_SHARED:
    facts = (memory->facts & ~(VKM_FLOW_COMBINED | VKM_FLOW_SPREAD)) | VKM_FLOW_SHARED;
    facts |= pointer->varying ? VKM_FLOW_SPREAD : 0;
    vkm_flow_count(flow, VKM_COUNT_shared_loads);
    if (!pointer->varying) {
      vkm_flow_count(flow, VKM_COUNT_shared_broadcasts);
    }
    break;
  case VKM_MEMORY_LOCAL:
    result->place = vkm_flow_mix(pointer->place, 1);
    result->origin[0] = pointer->memory;
    result->origin[1] = memory->origin;
    facts = memory->facts | (memory->accumulates ? VKM_FLOW_CARRIED : 0);
    break;
  default:
    facts = memory->facts;
    break;
  }
  vkm_flow_learn(flow, &result->facts, facts);
  const struct vkm_spirv_value *type = vkm_flow_operand(flow, instruction, 1);
  if (type->mark == VKM_MARK_ADDRESS_TYPE && result->memory == 0) {
    result->memory = vkm_flow_add_memory(flow, VKM_MEMORY_BUFFER, 0);
  }
}

void vkm_flow_count_store(struct vkm_spirv_flow *flow, uint64_t facts) {
  if (!vkm_flow_is_data(facts)) {
    vkm_flow_count(flow, VKM_COUNT_generated_stores);
  } else if (facts & VKM_FLOW_COMPUTED) {
    vkm_flow_count(flow, VKM_COUNT_computed_stores);
  } else {
    vkm_flow_count(flow, VKM_COUNT_moved_stores);
  }
}

void vkm_flow_store(struct vkm_spirv_flow *flow, const struct vkm_spirv_value *pointer,
                    const struct vkm_spirv_value *value) {
  struct vkm_spirv_memory *memory = &flow->memories[pointer->memory];
  bool from_itself = value->origin[0] == pointer->memory || value->origin[1] == pointer->memory;
  switch (memory->kind) {
  case VKM_MEMORY_BUFFER:
    memory->stored = true;
    vkm_flow_count(flow, VKM_COUNT_buffer_stores);
    if ((value->facts & VKM_FLOW_SPREAD) && !(value->facts & VKM_FLOW_COMBINED)) {
      vkm_flow_count(flow, VKM_COUNT_shared_results);
    }
    vkm_flow_count_store(flow, value->facts);
    break;
  case VKM_MEMORY_SHARED:
    vkm_flow_learn(flow, &memory->facts, value->facts);
    vkm_flow_count(flow, VKM_COUNT_shared_stores);
    if (value->facts & VKM_FLOW_COMBINED) {
      vkm_flow_count(flow, VKM_COUNT_shared_accumulations);
    } else if (value->facts & VKM_FLOW_SHARED) {
      vkm_flow_count(flow, VKM_COUNT_shared_exchanges);
    }
    break;
  case VKM_MEMORY_LOCAL:
    vkm_flow_learn(flow, &memory->facts, value->facts);
    if (value->origin[0] != 0 && !from_itself) {
      memory->origin = value->origin[0];
    }
    if (flow->depth > 0 && from_itself && !memory->accumulates) {
      memory->accumulates = true;
      flow->grown = true;
    }
    break;
  default:
    break;
  }
}

void vkm_flow_chain(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                    struct vkm_spirv_value *result) {
  bool untyped = instruction->opcode == SpvOpUntypedAccessChainKHR ||
                 instruction->opcode == SpvOpUntypedInBoundsAccessChainKHR;
  uint32_t word = untyped ? 4 : 3;
  const struct vkm_spirv_value *base = vkm_flow_operand(flow, instruction, word);
  result->memory = base->memory;
  result->varying = base->varying;
  result->place = base->place;
  while (++word < instruction->word_count) {
    const struct vkm_spirv_value *index = vkm_flow_operand(flow, instruction, word);
    result->varying = result->varying || index->mark != VKM_MARK_CONSTANT;
    result->place = vkm_flow_mix(result->place, index->place);
  }
}

/* A pointer made of a number; or a value whose bits are read as another type. */
void vkm_flow_address(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                      struct vkm_spirv_value *result) {
  const struct vkm_spirv_value *from = vkm_flow_operand(flow, instruction, 3);
  const struct vkm_spirv_value *type = vkm_flow_operand(flow, instruction, 1);
  if (type->mark == VKM_MARK_ADDRESS_TYPE && result->memory == 0) {
    result->memory =
        from->memory != 0 ? from->memory : vkm_flow_add_memory(flow, VKM_MEMORY_BUFFER, 0);
    result->varying = true;
    return;
  }
  vkm_flow_learn(flow, &result->facts, from->facts);
  result->place = from->place;
}
