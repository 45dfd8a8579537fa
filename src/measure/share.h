/* Shares of a whole that add up. */
#ifndef VKM_MEASURE_SHARE_H
#define VKM_MEASURE_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { VKM_SHARE_WHOLE = 10000 };

/* Hundredths of a percent of the sum of `values`: each rounded down, then those with the largest
 * remainders up (of equal ones the earlier), so that all together are VKM_SHARE_WHOLE; all 0 when
 * the sum is. Where their sum is too
 * large to calculate with, the lowest bits of all values are left out.
 * VKM_OUT_OF_MEMORY: `shares` has no meaning. */
VKM_MUST_CHECK enum vkm_status vkm_shares(const uint64_t *values, size_t count, uint32_t *shares);

/* a + b and a * b, UINT64_MAX where that is too large. */
uint64_t vkm_add_capped(uint64_t a, uint64_t b);
uint64_t vkm_multiply_capped(uint64_t a, uint64_t b);

#endif
