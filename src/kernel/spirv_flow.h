/* Where values of a module come from, followed through its functions without regard to order. In:
 * functions that an entry point reaches. Out: counts. Private to src/kernel.
 *
 * Every id has a set of facts that only grows: which buffers and images its value was made of, and
 * whether it is a product of two of them, carried around a loop, and so on. The functions are
 * walked until nothing grows any more, then once more to count. */
#ifndef VKM_KERNEL_SPIRV_FLOW_H
#define VKM_KERNEL_SPIRV_FLOW_H

#include "kernel/spirv_module.h"

/* What an instruction does with values. */
enum vkm_spirv_class {
  VKM_CLASS_OTHER = 0,
  VKM_CLASS_LOAD,
  VKM_CLASS_STORE,
  VKM_CLASS_CHAIN,   /* a pointer into what another points to */
  VKM_CLASS_ADDRESS, /* a pointer made of a number */
  VKM_CLASS_COPY,    /* the values of its operands, as they are or converted */
  VKM_CLASS_FLOAT,
  VKM_CLASS_FLOAT_ADD,
  VKM_CLASS_FLOAT_SUBTRACT,
  VKM_CLASS_EXTREME, /* minimum, maximum */
  VKM_CLASS_PRODUCT,
  VKM_CLASS_MULTIPLY_ADD, /* first two operands multiplied, the third, where there is one, added */
  VKM_CLASS_MATRIX,       /* arithmetic on cooperative matrices: as above */
  VKM_CLASS_MATRIX_LOAD,
  VKM_CLASS_MATRIX_STORE,
  VKM_CLASS_EXPONENTIAL,
  VKM_CLASS_LOGARITHM,
  VKM_CLASS_ROOT,
  VKM_CLASS_TRIGONOMETRY,
  VKM_CLASS_INTEGER,
  VKM_CLASS_INTEGER_ADD,
  VKM_CLASS_INTEGER_PRODUCT,
  VKM_CLASS_SELECT,
  VKM_CLASS_PHI,
  VKM_CLASS_EXTENDED,
  VKM_CLASS_IMAGE_READ,
  VKM_CLASS_IMAGE_WRITE,
  VKM_CLASS_GROUP_REDUCE,
  VKM_CLASS_GROUP,
  VKM_CLASS_BARRIER,
  VKM_CLASS_ATOMIC,
  VKM_CLASS_CALL,
  VKM_CLASS_RETURN,
  VKM_CLASS_LABEL,
  VKM_CLASS_LOOP,
  VKM_CLASS_BRANCH,
};
enum vkm_spirv_class vkm_spirv_class(uint32_t opcode);
/* Of an instruction of GLSL.std.450. */
enum vkm_spirv_class vkm_spirv_extended_class(uint32_t number);

/* Facts about a value. The lower bits are sources: buffers and images that hold data. */
#define VKM_FLOW_SOURCES ((UINT64_C(1) << 56) - 1)
#define VKM_FLOW_COMPUTED (UINT64_C(1) << 56) /* arithmetic was done on data */
#define VKM_FLOW_SHARED (UINT64_C(1) << 57)   /* loaded from workgroup memory */
#define VKM_FLOW_EXPONENTIAL (UINT64_C(1) << 58)
#define VKM_FLOW_PRODUCT (UINT64_C(1) << 59)  /* of two different sources */
#define VKM_FLOW_WEIGHTED (UINT64_C(1) << 60) /* a product with an exponential */
#define VKM_FLOW_CARRIED (UINT64_C(1) << 61)  /* from one round of a loop to the next */
#define VKM_FLOW_COMBINED                                                                          \
  (UINT64_C(1) << 62) /* computed from what came out of workgroup memory                           \
                       */
#define VKM_FLOW_SPREAD                                                                            \
  (UINT64_C(1) << 63) /* from workgroup memory, each invocation its own place */

/* What a pointer points into. */
enum vkm_spirv_memory_kind {
  VKM_MEMORY_NONE = 0, /* parameters, inputs: nothing is followed through it */
  VKM_MEMORY_BUFFER,
  VKM_MEMORY_IMAGE,
  VKM_MEMORY_SHARED,
  VKM_MEMORY_LOCAL,
};
struct vkm_spirv_memory {
  uint8_t kind;
  bool accumulates; /* stored in a loop what was made of itself */
  bool loaded, stored;
  uint32_t origin; /* local: the one that its value was copied from; 0 = none */
  uint64_t facts;  /* buffers, images: its source; else of all that was stored */
  uint64_t place;  /* buffers, images: descriptor set and binding, 0 unknown */
};

/* One id. */
struct vkm_spirv_value {
  uint64_t facts;
  uint32_t place;     /* the same for equal values, as far as can be told */
  uint32_t memory;    /* pointers: index; 0 = none */
  uint32_t origin[2]; /* local memory that it was loaded from and at most added to; 0 = none */
  uint8_t mark;       /* enum vkm_spirv_mark */
  bool varying;       /* pointers: at least one index is no constant */
};
enum vkm_spirv_mark {
  VKM_MARK_NONE = 0,
  VKM_MARK_CONSTANT,
  VKM_MARK_ADDRESS_TYPE, /* a pointer type of physical storage buffers */
  VKM_MARK_GLSL,         /* the import of GLSL.std.450 */
  VKM_MARK_LOOP_HEADER,
  VKM_MARK_FUNCTION,        /* not reached so far */
  VKM_MARK_FUNCTION_QUEUED, /* reached, its own calls not looked at */
  VKM_MARK_FUNCTION_REACHED,
};

enum { VKM_FLOW_LOOPS = 32 };
struct vkm_spirv_flow {
  struct vkm_spirv_module *module;
  struct vkm_spirv_value *values; /* by id; 0 stands for all that is out of bounds */
  uint32_t bound;
  struct vkm_spirv_memory *memories;
  uint32_t memory_count, memory_capacity;
  uint32_t source_count;
  bool grown, counting;
  uint32_t label, function;
  uint32_t loop_merges[VKM_FLOW_LOOPS];
  uint32_t depth;
  uint32_t *counts;
  uint64_t *sums, *differences; /* the two places of each, for butterflies */
  uint32_t sum_count, difference_count, pair_capacity;
};

/* The value of an operand; the one of id 0 where there is none. */
struct vkm_spirv_value *vkm_flow_operand(struct vkm_spirv_flow *flow,
                                         const struct vkm_spirv_instruction *instruction,
                                         uint32_t word);
/* A memory object; 0 when there is no room for one more. */
uint32_t vkm_flow_add_memory(struct vkm_spirv_flow *flow, enum vkm_spirv_memory_kind kind,
                             uint64_t place);
/* Instructions that load, store and make pointers. */
void vkm_flow_load(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                   struct vkm_spirv_value *result);
void vkm_flow_store(struct vkm_spirv_flow *flow, const struct vkm_spirv_value *pointer,
                    const struct vkm_spirv_value *value);
/* Counts a store of a value of these facts to a buffer or image. */
void vkm_flow_count_store(struct vkm_spirv_flow *flow, uint64_t facts);
void vkm_flow_chain(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                    struct vkm_spirv_value *result);
void vkm_flow_address(struct vkm_spirv_flow *flow, const struct vkm_spirv_instruction *instruction,
                      struct vkm_spirv_value *result);

/* One instruction of a function that is reached. */
void vkm_flow_instruction(struct vkm_spirv_flow *flow,
                          const struct vkm_spirv_instruction *instruction);

static inline uint32_t vkm_flow_mix(uint32_t place, uint32_t with) {
  return (place ^ (with + 0x9E3779B9u + (place << 6) + (place >> 2))) * 0x85EBCA6Bu;
}

static inline void vkm_flow_count(struct vkm_spirv_flow *flow, enum vkm_count which) {
  if (flow->counting) {
    flow->counts[which]++;
  }
}

static inline void vkm_flow_learn(struct vkm_spirv_flow *flow, uint64_t *facts, uint64_t more) {
  flow->grown = flow->grown || (more & ~*facts) != 0;
  *facts |= more;
}

static inline bool vkm_flow_is_data(uint64_t facts) {
  return (facts & (VKM_FLOW_SOURCES | VKM_FLOW_SHARED)) != 0;
}

#endif
