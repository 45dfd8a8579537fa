/* In: a number. Out: its digits. Next room: text. */
#include "base/digits.h"

#include <string.h>

static const char PAIRS[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

/* A number of so many bits has as many digits as 2 to that power, or one more: 1233/4096 is log 2.
 * The first entry is 0 so that 0 has a digit. */
static unsigned digit_count(uint64_t value) {
  static const uint64_t powers[] = {0,
                                    UINT64_C(10),
                                    UINT64_C(100),
                                    UINT64_C(1000),
                                    UINT64_C(10000),
                                    UINT64_C(100000),
                                    UINT64_C(1000000),
                                    UINT64_C(10000000),
                                    UINT64_C(100000000),
                                    UINT64_C(1000000000),
                                    UINT64_C(10000000000),
                                    UINT64_C(100000000000),
                                    UINT64_C(1000000000000),
                                    UINT64_C(10000000000000),
                                    UINT64_C(100000000000000),
                                    UINT64_C(1000000000000000),
                                    UINT64_C(10000000000000000),
                                    UINT64_C(100000000000000000),
                                    UINT64_C(1000000000000000000),
                                    UINT64_C(10000000000000000000)};
  unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
  unsigned digits = bits * 1233 >> 12;
  return digits + (value >= powers[digits]);
}

static void put_pair(char *to, size_t pair) {
  memcpy(to, PAIRS + 2 * pair, 2);
}

char *vkm_digits_u64(char *to, uint64_t value) {
  char *end = to + digit_count(value);
  char *at = end;
  while (value > UINT32_MAX) {
    at -= 2;
    put_pair(at, value % 100);
    value /= 100;
  }
  uint32_t rest = (uint32_t)value; /* dividing these takes half, and far less on 32 bits */
  while (rest >= 100) {
    at -= 2;
    put_pair(at, rest % 100);
    rest /= 100;
  }
  if (rest >= 10) {
    put_pair(at - 2, rest);
  } else {
    at[-1] = (char)('0' + rest);
  }
  return end;
}

char *vkm_digits_i64(char *to, int64_t value) {
  if (value >= 0) {
    return vkm_digits_u64(to, (uint64_t)value);
  }
  *to = '-';
  return vkm_digits_u64(to + 1, 0 - (uint64_t)value);
}
