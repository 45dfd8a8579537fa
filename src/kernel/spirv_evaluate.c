/* In: an operation of OpSpecConstantOp and the values of its operands. Out: its value, exactly as
 * wide as the module says; nothing where SPIR-V leaves the result undefined. Next room:
 * spirv_constant.c. */
#include "kernel/spirv_module.h"

enum answer { NOT_MINE, UNDEFINED, DONE };

uint64_t vkm_spirv_cut(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

int64_t vkm_spirv_signed(uint64_t value, uint32_t width) {
  uint64_t sign = UINT64_C(1) << (width >= 64 ? 63 : width - 1);
  return (int64_t)((vkm_spirv_cut(value, width) ^ sign) - sign);
}

static enum answer unary(uint32_t opcode, uint64_t a, uint32_t width, uint64_t *result) {
  switch (opcode) {
  case SpvOpSNegate:
    *result = 0 - a;
    return DONE;
  case SpvOpNot:
    *result = ~a;
    return DONE;
  case SpvOpLogicalNot:
    *result = a == 0;
    return DONE;
  case SpvOpUConvert:
    *result = a;
    return DONE;
  case SpvOpSConvert:
    *result = (uint64_t)vkm_spirv_signed(a, width);
    return DONE;
  default:
    return NOT_MINE;
  }
}

/* Signed division: quotient towards 0, remainder with the sign of the dividend, modulo with that of
 * the divisor. */
static enum answer divide_signed(uint32_t opcode, int64_t a, int64_t b, uint32_t width,
                                 uint64_t *result) {
  int64_t lowest = vkm_spirv_signed(UINT64_C(1) << (width - 1), width);
  if (b == 0 || (b == -1 && a == lowest)) {
    return UNDEFINED;
  }
  int64_t remainder = a % b;
  if (opcode == SpvOpSDiv) {
    *result = (uint64_t)(a / b);
  } else if (opcode == SpvOpSMod && remainder != 0 && (remainder < 0) != (b < 0)) {
    *result = (uint64_t)(remainder + b);
  } else {
    *result = (uint64_t)remainder;
  }
  return DONE;
}

static enum answer arithmetic(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width,
                              uint64_t *result) {
  switch (opcode) {
  case SpvOpIAdd:
    *result = a + b;
    return DONE;
  case SpvOpISub:
    *result = a - b;
    return DONE;
  case SpvOpIMul:
    *result = a * b;
    return DONE;
  case SpvOpUDiv:
  case SpvOpUMod:
    if (b == 0) {
      return UNDEFINED;
    }
    *result = opcode == SpvOpUDiv ? a / b : a % b;
    return DONE;
  case SpvOpSDiv:
  case SpvOpSRem:
  case SpvOpSMod:
    return divide_signed(opcode, vkm_spirv_signed(a, width), vkm_spirv_signed(b, width), width,
                         result);
  default:
    return NOT_MINE;
  }
}

static enum answer shift(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width,
                         uint64_t *result) {
  if (opcode != SpvOpShiftLeftLogical && opcode != SpvOpShiftRightLogical &&
      opcode != SpvOpShiftRightArithmetic) {
    return NOT_MINE;
  }
  if (b >= width) {
    return UNDEFINED;
  }
  if (opcode == SpvOpShiftLeftLogical) {
    *result = a << b;
  } else if (opcode == SpvOpShiftRightLogical || vkm_spirv_signed(a, width) >= 0) {
    *result = a >> b;
  } else {
    *result = ~(~(uint64_t)vkm_spirv_signed(a, width) >> b);
  }
  return DONE;
}

static enum answer bitwise(uint32_t opcode, uint64_t a, uint64_t b, uint64_t *result) {
  switch (opcode) {
  case SpvOpBitwiseOr:
  case SpvOpLogicalOr:
    *result = a | b;
    return DONE;
  case SpvOpBitwiseXor:
    *result = a ^ b;
    return DONE;
  case SpvOpBitwiseAnd:
  case SpvOpLogicalAnd:
    *result = a & b;
    return DONE;
  case SpvOpIEqual:
  case SpvOpLogicalEqual:
    *result = a == b;
    return DONE;
  case SpvOpINotEqual:
  case SpvOpLogicalNotEqual:
    *result = a != b;
    return DONE;
  default:
    return NOT_MINE;
  }
}

static enum answer order(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width,
                         uint64_t *result) {
  int64_t signed_a = vkm_spirv_signed(a, width);
  int64_t signed_b = vkm_spirv_signed(b, width);
  switch (opcode) {
  case SpvOpUGreaterThan:
    *result = a > b;
    return DONE;
  case SpvOpSGreaterThan:
    *result = signed_a > signed_b;
    return DONE;
  case SpvOpUGreaterThanEqual:
    *result = a >= b;
    return DONE;
  case SpvOpSGreaterThanEqual:
    *result = signed_a >= signed_b;
    return DONE;
  case SpvOpULessThan:
    *result = a < b;
    return DONE;
  case SpvOpSLessThan:
    *result = signed_a < signed_b;
    return DONE;
  case SpvOpULessThanEqual:
    *result = a <= b;
    return DONE;
  case SpvOpSLessThanEqual:
    *result = signed_a <= signed_b;
    return DONE;
  default:
    return NOT_MINE;
  }
}

static enum answer binary(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width,
                          uint64_t *result) {
  enum answer answer = arithmetic(opcode, a, b, width, result);
  if (answer == NOT_MINE) {
    answer = shift(opcode, a, b, width, result);
  }
  if (answer == NOT_MINE) {
    answer = bitwise(opcode, a, b, result);
  }
  if (answer == NOT_MINE) {
    answer = order(opcode, a, b, width, result);
  }
  return answer;
}

bool vkm_spirv_evaluate(uint32_t opcode, const uint64_t operands[3], uint32_t operand_count,
                        uint32_t width, uint32_t result_width, uint64_t *result) {
  enum answer answer = NOT_MINE;
  if (operand_count == 1) {
    answer = unary(opcode, operands[0], width, result);
  } else if (operand_count == 2) {
    answer = binary(opcode, operands[0], operands[1], width, result);
  } else if (opcode == SpvOpSelect) {
    *result = operands[0] != 0 ? operands[1] : operands[2];
    answer = DONE;
  }
  *result = vkm_spirv_cut(*result, result_width);
  return answer == DONE;
}
