/* In: rows of commands that move bytes. Out: sums by direction. Next room: profile. */
#include "measure/moves.h"

const char *const vkm_direction_names[VKM_DIRECTION_COUNT] = {"unknown", "h2d", "d2h",
                                                              "d2d",     "h2h", "fill"};

void vkm_moves_add(struct vkm_move_sum sums[VKM_DIRECTION_COUNT],
                   const struct vkm_kernel_row *row) {
  const struct vkm_kernel_key *key = &row->key;
  if (!vkm_kind_moves(key->kind) || key->groups[VKM_MOVE_DIRECTION] >= VKM_DIRECTION_COUNT) {
    return;
  }
  struct vkm_move_sum *sum = &sums[key->groups[VKM_MOVE_DIRECTION]];
  uint64_t executions = vkm_outcomes_executed(&row->outcomes);
  sum->executions += executions;
  sum->measured += row->outcomes.measured;
  sum->bytes += row->bytes;
  sum->bytes_unknown += key->groups[VKM_MOVE_KNOWN] ? 0 : executions;
  sum->shared_bytes += key->groups[VKM_MOVE_SHARED] ? row->bytes : 0;
  sum->duration_ns += row->durations.sum_ns;
}
