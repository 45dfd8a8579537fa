// Sums of what moves bytes, by direction.
#include <gtest/gtest.h>

extern "C" {
#include "measure/moves.h"
}

namespace {

struct vkm_kernel_row Row(enum vkm_kind kind, uint32_t direction, uint32_t known, uint32_t shared,
                          uint64_t bytes) {
  struct vkm_kernel_row row = {};
  row.key.kind = kind;
  row.key.groups[VKM_MOVE_DIRECTION] = direction;
  row.key.groups[VKM_MOVE_KNOWN] = known;
  row.key.groups[VKM_MOVE_SHARED] = shared;
  row.bytes = bytes;
  row.outcomes.measured = 3;
  row.outcomes.missed[VKM_MISSED_not_finished] = 1;
  row.durations.sum_ns = 50;
  return row;
}

TEST(MeasureMoves, SumsByDirection) {
  struct vkm_move_sum sums[VKM_DIRECTION_COUNT] = {};
  const struct vkm_kernel_row rows[] = {
      Row(VKM_KIND_COPY, VKM_DIRECTION_H2D, 1, 0, 100),
      Row(VKM_KIND_UPDATE, VKM_DIRECTION_H2D, 1, 1, 7),
      Row(VKM_KIND_BLIT, VKM_DIRECTION_H2D, 0, 0, 0),
      Row(VKM_KIND_DISPATCH, VKM_DIRECTION_H2D, 1, 1, 1), // its groups are groups
      Row(VKM_KIND_RENDER_PASS, VKM_DIRECTION_H2D, 1, 1, 1),
      Row(VKM_KIND_FILL, 77, 1, 0, 5), // no direction that is known here
  };
  for (const struct vkm_kernel_row &row : rows) {
    vkm_moves_add(sums, &row);
  }
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].executions, 12U);
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].measured, 9U);
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].bytes, 107U);
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].bytes_unknown, 4U);
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].shared_bytes, 7U);
  EXPECT_EQ(sums[VKM_DIRECTION_H2D].duration_ns, 150);
  EXPECT_EQ(sums[VKM_DIRECTION_FILL].executions, 0U);
}

} // namespace
