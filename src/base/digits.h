/* Decimal digits, two at a time: a profile is mostly numbers. */
#ifndef VKM_BASE_DIGITS_H
#define VKM_BASE_DIGITS_H

#include <stdint.h>

enum { VKM_DIGITS_BYTES = 20 }; /* most of a number, its sign included */

/* Writes the number in base 10, without a NUL, to where VKM_DIGITS_BYTES have room. One past its
 * last digit. Any thread, cannot fail. */
char *vkm_digits_u64(char *to, uint64_t value);
char *vkm_digits_i64(char *to, int64_t value);

#endif
