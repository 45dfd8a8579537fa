/* In: every pair of 8-bit operands, and edges of 64 bits. Out: verdicts on
 * src/kernel/spirv_evaluate, by comparison with the compiler's own arithmetic. */
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "kernel_module.h"

extern "C" {
#include "kernel/spirv_module.h"
}

namespace {

using Value = std::optional<uint8_t>;

struct Operation {
  uint32_t opcode;
  std::function<Value(uint8_t, uint8_t)> expected;
};

int8_t s(uint8_t value) {
  return static_cast<int8_t>(value);
}

Value divided(uint8_t a, uint8_t b, const std::function<int(int, int)> &divide) {
  if (b == 0 || (s(a) == -128 && s(b) == -1)) {
    return std::nullopt;
  }
  return static_cast<uint8_t>(divide(s(a), s(b)));
}

/* Modulo with the sign of the divisor. */
int floor_mod(int a, int b) {
  int remainder = a % b;
  return remainder == 0 || (remainder < 0) == (b < 0) ? remainder : remainder + b;
}

const Operation OPERATIONS[] = {
    {SpvOpIAdd, [](uint8_t a, uint8_t b) -> Value { return a + b; }},
    {SpvOpISub, [](uint8_t a, uint8_t b) -> Value { return a - b; }},
    {SpvOpIMul, [](uint8_t a, uint8_t b) -> Value { return a * b; }},
    {SpvOpUDiv, [](uint8_t a, uint8_t b) -> Value { return b == 0 ? Value() : Value(a / b); }},
    {SpvOpUMod, [](uint8_t a, uint8_t b) -> Value { return b == 0 ? Value() : Value(a % b); }},
    {SpvOpSDiv, [](uint8_t a, uint8_t b) { return divided(a, b, std::divides<int>()); }},
    {SpvOpSRem, [](uint8_t a, uint8_t b) { return divided(a, b, std::modulus<int>()); }},
    {SpvOpSMod, [](uint8_t a, uint8_t b) { return divided(a, b, floor_mod); }},
    {SpvOpShiftLeftLogical,
     [](uint8_t a, uint8_t b) -> Value { return b > 7 ? Value() : Value(a << b); }},
    {SpvOpShiftRightLogical,
     [](uint8_t a, uint8_t b) -> Value { return b > 7 ? Value() : Value(a >> b); }},
    {SpvOpShiftRightArithmetic,
     [](uint8_t a, uint8_t b) -> Value { return b > 7 ? Value() : Value(s(a) >> b); }},
    {SpvOpSGreaterThan, [](uint8_t a, uint8_t b) -> Value { return s(a) > s(b); }},
    {SpvOpSGreaterThanEqual, [](uint8_t a, uint8_t b) -> Value { return s(a) >= s(b); }},
    {SpvOpSLessThan, [](uint8_t a, uint8_t b) -> Value { return s(a) < s(b); }},
    {SpvOpSLessThanEqual, [](uint8_t a, uint8_t b) -> Value { return s(a) <= s(b); }},
    {SpvOpUGreaterThan, [](uint8_t a, uint8_t b) -> Value { return a > b; }},
    {SpvOpUGreaterThanEqual, [](uint8_t a, uint8_t b) -> Value { return a >= b; }},
    {SpvOpULessThan, [](uint8_t a, uint8_t b) -> Value { return a < b; }},
    {SpvOpULessThanEqual, [](uint8_t a, uint8_t b) -> Value { return a <= b; }},
    {SpvOpIEqual, [](uint8_t a, uint8_t b) -> Value { return a == b; }},
    {SpvOpINotEqual, [](uint8_t a, uint8_t b) -> Value { return a != b; }},
    {SpvOpBitwiseAnd, [](uint8_t a, uint8_t b) -> Value { return a & b; }},
    {SpvOpBitwiseOr, [](uint8_t a, uint8_t b) -> Value { return a | b; }},
    {SpvOpBitwiseXor, [](uint8_t a, uint8_t b) -> Value { return a ^ b; }},
    {SpvOpFAdd, [](uint8_t, uint8_t) { return Value(); }},
};

TEST(Evaluate, EightBitsLikeTheCompiler) {
  for (const Operation &operation : OPERATIONS) {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        const uint64_t operands[3] = {static_cast<uint64_t>(a), static_cast<uint64_t>(b), 0};
        uint64_t result = 0;
        bool known = vkm_spirv_evaluate(operation.opcode, operands, 2, 8, 8, &result);
        Value expected = operation.expected(static_cast<uint8_t>(a), static_cast<uint8_t>(b));
        ASSERT_EQ(known, expected.has_value()) << operation.opcode << ": " << a << ", " << b;
        if (known) {
          ASSERT_EQ(result, expected.value_or(0)) << operation.opcode << ": " << a << ", " << b;
        }
      }
    }
  }
}

uint64_t evaluate(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width) {
  const uint64_t operands[3] = {a, b, 0};
  uint64_t result = 0;
  EXPECT_TRUE(vkm_spirv_evaluate(opcode, operands, 2, width, width, &result));
  return result;
}

TEST(Evaluate, SixtyFourBits) {
  const uint64_t minus_7 = static_cast<uint64_t>(-7);
  EXPECT_EQ(evaluate(SpvOpSDiv, minus_7, 2, 64), static_cast<uint64_t>(-3));
  EXPECT_EQ(evaluate(SpvOpSMod, minus_7, 2, 64), 1u);
  EXPECT_EQ(evaluate(SpvOpSRem, minus_7, 2, 64), static_cast<uint64_t>(-1));
  EXPECT_EQ(evaluate(SpvOpShiftRightArithmetic, minus_7, 63, 64), UINT64_MAX);
  EXPECT_EQ(evaluate(SpvOpShiftLeftLogical, 1, 63, 64), UINT64_C(1) << 63);
  EXPECT_EQ(evaluate(SpvOpSDiv, UINT64_C(1) << 63, 1, 64), UINT64_C(1) << 63);
  const uint64_t lowest[3] = {UINT64_C(1) << 63, UINT64_MAX, 0};
  uint64_t result = 0;
  for (uint32_t opcode : {SpvOpSDiv, SpvOpSRem, SpvOpSMod}) {
    EXPECT_FALSE(vkm_spirv_evaluate(opcode, lowest, 2, 64, 64, &result));
  }
}

TEST(Evaluate, OperandCountsMustFit) {
  const uint64_t operands[3] = {1, 2, 3};
  uint64_t result = 0;
  EXPECT_FALSE(vkm_spirv_evaluate(SpvOpIAdd, operands, 1, 32, 32, &result));
  EXPECT_FALSE(vkm_spirv_evaluate(SpvOpNot, operands, 2, 32, 32, &result));
  EXPECT_FALSE(vkm_spirv_evaluate(SpvOpIAdd, operands, 3, 32, 32, &result));
  EXPECT_TRUE(vkm_spirv_evaluate(SpvOpSelect, operands, 3, 32, 32, &result));
  EXPECT_EQ(result, 2u);
}

} // namespace
