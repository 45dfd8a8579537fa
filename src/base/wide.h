/* An unsigned number of 128 bits; the compiler's own type is missing on 32-bit targets. */
#ifndef VKM_BASE_WIDE_H
#define VKM_BASE_WIDE_H

#include <stdint.h>

struct vkm_wide {
  uint64_t high, low;
};

/* a * b, without loss. */
static inline struct vkm_wide vkm_wide_product(uint64_t a, uint64_t b) {
  uint64_t a_low = a & UINT32_MAX;
  uint64_t a_high = a >> 32;
  uint64_t b_low = b & UINT32_MAX;
  uint64_t b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t carry = a_low * b_high + (middle & UINT32_MAX);
  return (struct vkm_wide){a_high * b_high + (middle >> 32) + (carry >> 32),
                           (carry << 32) | (low & UINT32_MAX)};
}

#endif
