/* What the files of the SPIR-V reader share; private to src/kernel. A module is read in three
 * walks: measure (framing, how much memory), declarations (entry point, modes, decorations),
 * definitions (types, constants, variables, functions). SPIR-V defines before it uses, so sizes and
 * values are computed in module order, without recursion: what is not defined yet is unknown. */
#ifndef VKM_KERNEL_SPIRV_MODULE_H
#define VKM_KERNEL_SPIRV_MODULE_H

#include <spirv/unified1/spirv.h>

#include "kernel/spirv.h"

enum { VKM_SPIRV_COMPONENTS = 4, VKM_SPIRV_HEADER_WORDS = 5 };

/* One id that is decorated or defined by an instruction that matters here. */
struct vkm_spirv_id {
  uint32_t at;         /* first word of the defining instruction; 0 = not defined so far */
  uint16_t opcode;     /* of the defining instruction */
  uint16_t word_count; /* of the defining instruction */
  const char *reason;  /* why size or value is unknown; NULL = known */

  /* Types: the element (vector, matrix, array) or the pointee. Constants and variables: their type.
   */
  uint32_t type;
  uint32_t count; /* int, float: bits; vector: components; matrix: columns */
  bool is_signed;
  uint32_t align_bytes;
  uint64_t size_bytes; /* types and variables */

  uint64_t component[VKM_SPIRV_COMPONENTS]; /* constants: zero-extended; bool 0 or 1 */
  uint32_t component_count;                 /* 0 = neither scalar nor vector */

  /* Decorations. */
  bool has_spec_id, is_block, is_workgroup_size;
  uint32_t spec_id;
  uint32_t array_stride; /* 0 = none */

  /* Variables and functions. */
  uint32_t storage_class;
  bool used;     /* by the entry point */
  uint32_t next; /* id of the next one in its list; 0 = last */
};

/* OpMemberDecorate; sorted by (structure, member, decoration) before the walk over definitions. */
struct vkm_spirv_member {
  uint32_t structure, member, decoration, value;
};

struct vkm_spirv_instruction {
  uint32_t at; /* first word */
  uint32_t word_count;
  uint32_t opcode;
};

struct vkm_spirv_module {
  const uint32_t *words; /* borrowed, as everything the caller gave */
  uint32_t word_count;
  bool swapped;
  uint32_t version; /* 0x00MMmm00 */
  uint32_t bound;
  const char *entry;
  const struct vkm_specialization *specialization; /* NULL = none */
  struct vkm_spirv_kernel *out;
  const char *malformed; /* first fault found; ends every walk */

  uint32_t *slots; /* id -> index in ids + 1; 0 = nothing known of it */
  uint32_t slot_count;
  struct vkm_spirv_id *ids;
  uint32_t id_count, id_capacity;
  struct vkm_spirv_member *members;
  uint32_t member_count, member_capacity;
  struct vkm_specialization_value *values;
  uint32_t value_count, value_capacity;

  uint32_t entry_function; /* id; 0 = entry point not found */
  uint32_t interface_at, interface_end;
  uint32_t local_size[3]; /* of the execution mode: literals, or ids when has_local_size_id */
  bool has_local_size, has_local_size_id;
  uint32_t workgroup_size_id; /* the constant decorated BuiltIn WorkgroupSize; 0 = none */
  uint32_t source_file_id;
  uint32_t function_name_at, function_name_end; /* words of its OpName's literal; 0 = none */
  uint32_t first_variable;                      /* list of Workgroup and PushConstant variables */
};

/* The walks. `malformed` is set where the module is; VKM_OUT_OF_MEMORY is the only failure. The
 * caller calls finish either way. */
VKM_MUST_CHECK enum vkm_status vkm_spirv_module_read(struct vkm_spirv_module *module);
void vkm_spirv_module_finish(struct vkm_spirv_module *module);

/* The instruction at `at`, or false at the end of the module or when it is malformed (then that is
 * set). */
bool vkm_spirv_instruction_at(struct vkm_spirv_module *module, uint32_t at,
                              struct vkm_spirv_instruction *instruction);

/* Word `at` in host order; `at` is within the module. */
uint32_t vkm_spirv_word(const struct vkm_spirv_module *module, uint32_t at);

/* The id if it was defined so far, else NULL. */
struct vkm_spirv_id *vkm_spirv_find(const struct vkm_spirv_module *module, uint32_t id);

/* Makes `id` the result of the instruction. NULL: malformed is set. */
struct vkm_spirv_id *vkm_spirv_define(struct vkm_spirv_module *module,
                                      const struct vkm_spirv_instruction *instruction, uint32_t id);

/* The value of a member decoration. */
bool vkm_spirv_member_value(const struct vkm_spirv_module *module, uint32_t structure,
                            uint32_t member, uint32_t decoration, uint32_t *value);

/* Handlers of the walk over definitions; the instruction has the words that its rule asks for. */
typedef void vkm_spirv_handler(struct vkm_spirv_module *module,
                               const struct vkm_spirv_instruction *instruction);
vkm_spirv_handler vkm_spirv_type_scalar, vkm_spirv_type_vector, vkm_spirv_type_matrix,
    vkm_spirv_type_array, vkm_spirv_type_struct, vkm_spirv_type_pointer,
    vkm_spirv_type_forward_pointer;
vkm_spirv_handler vkm_spirv_constant_literal, vkm_spirv_constant_null, vkm_spirv_constant_composite,
    vkm_spirv_constant_op;
vkm_spirv_handler vkm_spirv_variable, vkm_spirv_untyped_variable, vkm_spirv_function;

/* One OpSpecConstantOp that works component by component. `width` is that of the first operand,
 * `result_width` that of the result, in bits (bool: 1). False: not understood, or undefined for
 * these operands. */
bool vkm_spirv_evaluate(uint32_t opcode, const uint64_t operands[3], uint32_t operand_count,
                        uint32_t width, uint32_t result_width, uint64_t *result);

/* `value` cut to `width` bits (1 to 64), and read as a signed number of that width. */
uint64_t vkm_spirv_cut(uint64_t value, uint32_t width);
int64_t vkm_spirv_signed(uint64_t value, uint32_t width);

/* Fills counts of `out`. The entry point's function is there. VKM_OUT_OF_MEMORY is the only
 * failure.
 */
VKM_MUST_CHECK enum vkm_status vkm_spirv_count(struct vkm_spirv_module *module);

/* Sets `used` of the variables that the entry point reaches. */
void vkm_spirv_mark_used(struct vkm_spirv_module *module);

#endif
