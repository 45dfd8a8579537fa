/* In: amounts. Out: their shares of the whole. Next room: profile. */
#include "measure/share.h"

#include <stdlib.h>

#include "base/alloc.h"

struct part {
  uint64_t remainder;
  size_t index;
};

uint64_t vkm_add_capped(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t vkm_multiply_capped(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int compare(const void *left, const void *right) {
  const struct part *a = left;
  const struct part *b = right;
  if (a->remainder != b->remainder) {
    return a->remainder > b->remainder ? -1 : 1;
  }
  return a->index < b->index ? -1 : a->index > b->index;
}

/* How many bits all values lose so that their sum times VKM_SHARE_WHOLE has a place in 64 bits. */
static unsigned shift_of(const uint64_t *values, size_t count) {
  unsigned shift = 0;
  for (;; shift++) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
      sum = vkm_add_capped(sum, values[i] >> shift);
    }
    if (vkm_multiply_capped(sum, VKM_SHARE_WHOLE) != UINT64_MAX) {
      return shift;
    }
  }
}

enum vkm_status vkm_shares(const uint64_t *values, size_t count, uint32_t *shares) {
  unsigned shift = shift_of(values, count);
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values[i] >> shift;
    shares[i] = 0;
  }
  if (sum == 0) {
    return VKM_OK;
  }
  struct part *parts = vkm_calloc(count, sizeof *parts);
  if (parts == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  uint32_t given = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t scaled = (values[i] >> shift) * VKM_SHARE_WHOLE;
    shares[i] = (uint32_t)(scaled / sum);
    parts[i] = (struct part){scaled % sum, i};
    given += shares[i];
  }
  qsort(parts, count, sizeof *parts, compare);
  for (size_t i = 0; given < VKM_SHARE_WHOLE; i++, given++) {
    shares[parts[i].index]++;
  }
  vkm_free(parts);
  return VKM_OK;
}
