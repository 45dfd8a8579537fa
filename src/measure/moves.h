/* Commands that move bytes: copies, fills, updates, blits, clears, resolves. Where from, where to
 * and how much is known when they are recorded. In a row's key of such a command `groups` holds
 * what tells the rows apart, see below; `base` is 0. */
#ifndef VKM_MEASURE_MOVES_H
#define VKM_MEASURE_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/aggregate.h"

/* From the memory of one end to that of the other: the device's own (device-local) or the host's.
 */
enum vkm_direction {
  VKM_DIRECTION_UNKNOWN = 0, /* an end is sparse, bound to nothing that was seen, or an address */
  VKM_DIRECTION_H2D,
  VKM_DIRECTION_D2H,
  VKM_DIRECTION_D2D,
  VKM_DIRECTION_H2H,
  VKM_DIRECTION_FILL, /* nothing is read */
  VKM_DIRECTION_COUNT
};
/* Names as in the profile. */
extern const char *const vkm_direction_names[VKM_DIRECTION_COUNT];

/* Indices into groups of a key. */
enum vkm_move_part {
  VKM_MOVE_DIRECTION = 0,
  VKM_MOVE_KNOWN = 1,  /* 1: the bytes of each execution are known */
  VKM_MOVE_SHARED = 2, /* 1: an end lies in memory that is device-local and host-visible at once */
};

static inline bool vkm_kind_moves(uint32_t kind) {
  return kind >= VKM_KIND_COPY && kind <= VKM_KIND_RESOLVE;
}

/* What all rows of one direction did. */
struct vkm_move_sum {
  uint64_t executions, measured;
  uint64_t bytes;         /* of those executions whose bytes are known */
  uint64_t bytes_unknown; /* executions whose bytes are not */
  uint64_t shared_bytes;  /* of bytes: an end in memory that is both */
  int64_t duration_ns;    /* of the measured ones, summed */
};
/* Adds what the row did, if it moves bytes, to the sum of its direction. */
void vkm_moves_add(struct vkm_move_sum sums[VKM_DIRECTION_COUNT], const struct vkm_kernel_row *row);

#endif
