/* In: numbers at every edge. Out: verdicts on src/base/digits, by the C++ library's digits. */
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

extern "C" {
#include "base/digits.h"
}

namespace {

// With a byte on each side that must stay.
template <typename Number> std::string Digits(char *(*write)(char *, Number), Number value) {
  char room[VKM_DIGITS_BYTES + 2];
  memset(room, '#', sizeof room);
  const char *end = write(room + 1, value);
  EXPECT_EQ(room[0], '#') << value;
  EXPECT_EQ(*end, '#') << value;
  return {static_cast<const char *>(room + 1), end};
}

void Check(uint64_t value) {
  const auto number = static_cast<int64_t>(value);
  ASSERT_EQ(Digits(vkm_digits_u64, value), std::to_string(value));
  ASSERT_EQ(Digits(vkm_digits_i64, number), std::to_string(number));
}

TEST(Digits, TheEdgesOfTheTypes) {
  for (const uint64_t value : {UINT64_C(0), UINT64_C(1), UINT64_MAX, UINT64_MAX - 1,
                               UINT64_C(1) << 63, UINT64_C(1) << 32}) {
    for (uint64_t away = 0; away < 300; away++) {
      Check(value + away);
      Check(value - away);
    }
  }
  EXPECT_EQ(Digits(vkm_digits_i64, INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(Digits(vkm_digits_u64, UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(Digits(vkm_digits_i64, INT64_C(-1)), "-1");
}

TEST(Digits, EveryLengthInEitherBase) {
  for (uint64_t power = 1; power <= UINT64_MAX / 10; power *= 10) {
    for (const uint64_t value : {power * 10, power * 10 - 1, power * 10 + 1, power * 5}) {
      Check(value);
      Check(0 - value);
    }
  }
  for (int bit = 0; bit < 64; bit++) {
    Check(UINT64_C(1) << bit);
    Check((UINT64_C(1) << bit) - 1);
  }
}

TEST(Digits, EveryPairAtEveryPlace) {
  for (uint64_t pair = 0; pair < 100; pair++) {
    for (uint64_t place = 1; place <= UINT64_C(100000000000000000); place *= 10) {
      Check(pair * place);
      Check(pair * place + UINT64_C(7000000000000000000));
    }
  }
}

} // namespace
