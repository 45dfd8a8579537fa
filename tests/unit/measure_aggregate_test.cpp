// Kernel rows: found again by key, capped, and whole at every failing allocation.
#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "base/alloc.h"
#include "measure/aggregate.h"
}

namespace {

struct Aggregate : vkm_aggregate {
  Aggregate(size_t row_cap, size_t sample_cap) {
    vkm_aggregate_init(this, row_cap, sample_cap);
  }
  ~Aggregate() {
    vkm_aggregate_finish(this);
  }
  Aggregate(const Aggregate &) = delete;
  Aggregate &operator=(const Aggregate &) = delete;
};

struct vkm_kernel_key Key(uint32_t pipeline, uint32_t groups_x) {
  struct vkm_kernel_key key;
  std::memset(&key, 0, sizeof key);
  key.pipeline = pipeline;
  key.groups[0] = groups_x;
  key.groups[1] = key.groups[2] = 1;
  return key;
}

TEST(MeasureAggregate, FindsARowAgain) {
  Aggregate aggregate(100, 10);
  struct vkm_kernel_key key = Key(1, 64);
  struct vkm_kernel_row *row = vkm_aggregate_row(&aggregate, &key);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(std::memcmp(&row->key, &key, sizeof key), 0);
  EXPECT_EQ(row->first_use_ordinal, -1);
  EXPECT_EQ(vkm_aggregate_row(&aggregate, &key), row);
  EXPECT_EQ(aggregate.row_count, 1U);
}

TEST(MeasureAggregate, EveryPartOfTheKeyTellsRowsApart) {
  Aggregate aggregate(100, 10);
  struct vkm_kernel_key key = Key(1, 64);
  ASSERT_NE(vkm_aggregate_row(&aggregate, &key), nullptr);
  for (uint32_t *part : {&key.pipeline, &key.phase, &key.kind, &key.groups[0], &key.groups[1],
                         &key.groups[2], &key.base[0], &key.base[1], &key.base[2]}) {
    (*part)++;
    size_t before = aggregate.row_count;
    ASSERT_NE(vkm_aggregate_row(&aggregate, &key), nullptr);
    EXPECT_EQ(aggregate.row_count, before + 1);
  }
}

TEST(MeasureAggregate, RowsStayInOrderAndInPlace) {
  Aggregate aggregate(10000, 10);
  std::vector<struct vkm_kernel_row *> rows;
  for (uint32_t i = 0; i < 5000; i++) {
    struct vkm_kernel_key key = Key(i % 7, i);
    rows.push_back(vkm_aggregate_row(&aggregate, &key));
    ASSERT_NE(rows.back(), nullptr);
  }
  ASSERT_EQ(aggregate.row_count, 5000U);
  for (uint32_t i = 0; i < 5000; i++) {
    struct vkm_kernel_key key = Key(i % 7, i);
    EXPECT_EQ(aggregate.rows[i], rows[i]);
    EXPECT_EQ(vkm_aggregate_row(&aggregate, &key), rows[i]);
  }
}

TEST(MeasureAggregate, D41_BeyondTheCapThereIsNoRow) {
  Aggregate aggregate(2, 10);
  struct vkm_kernel_key keys[] = {Key(1, 1), Key(2, 1), Key(3, 1)};
  EXPECT_NE(vkm_aggregate_row(&aggregate, &keys[0]), nullptr);
  EXPECT_NE(vkm_aggregate_row(&aggregate, &keys[1]), nullptr);
  EXPECT_EQ(vkm_aggregate_row(&aggregate, &keys[2]), nullptr);
  EXPECT_NE(vkm_aggregate_row(&aggregate, &keys[0]), nullptr); // the known ones still are
  EXPECT_EQ(aggregate.row_count, 2U);
}

TEST(MeasureAggregate, AMeasuredExecutionReachesAllFigures) {
  Aggregate aggregate(10, 10);
  aggregate.sample_times = true;
  struct vkm_kernel_key key = Key(1, 1);
  struct vkm_kernel_row *row = vkm_aggregate_row(&aggregate, &key);
  ASSERT_NE(row, nullptr);
  vkm_kernel_row_measured(row, 500, VKM_NO_GAP, 1000, false, false);
  vkm_kernel_row_measured(row, 300, 20, 1600, true, true);
  vkm_kernel_row_measured(row, 400, 0, 2000, true, false); // a first use comes once
  EXPECT_EQ(row->outcomes.measured, 3U);
  EXPECT_EQ(row->durations.seen, 3U);
  EXPECT_EQ(row->durations.sum_ns, 1200);
  EXPECT_EQ(row->durations.begins[1], 1600);
  EXPECT_EQ(row->gaps.seen, 2U);
  EXPECT_EQ(row->gaps.sum_ns, 20);
  EXPECT_EQ(row->overlap_possible, 1U);
  EXPECT_EQ(row->first_use_ordinal, 1);
  EXPECT_EQ(vkm_outcomes_executed(&row->outcomes), 3U);
}

TEST(MeasureAggregate, EachFailingAllocationCostsARowAtMost) {
  for (unsigned long nth = 1; nth < 200; nth++) {
    Aggregate aggregate(1000, 4);
    std::vector<bool> found;
    vkm_alloc_fail(nth, 1);
    for (uint32_t i = 0; i < 400; i++) { // enough for the index and the list to grow
      struct vkm_kernel_key key = Key(i, 1);
      struct vkm_kernel_row *row = vkm_aggregate_row(&aggregate, &key);
      found.push_back(row != nullptr);
      if (row != nullptr && i % 16 == 0) {
        vkm_kernel_row_measured(row, i, 1, 0, false, false);
      }
    }
    vkm_alloc_fail(0, 0);
    size_t rows = 0;
    for (uint32_t i = 0; i < 400; i++) {
      rows += found[i] ? 1 : 0;
    }
    EXPECT_EQ(aggregate.row_count, rows) << nth;
    EXPECT_GE(rows, 399U) << nth;
    for (uint32_t i = 0; i < 400; i++) { // memory is back: all are found, each once
      struct vkm_kernel_key key = Key(i, 1);
      ASSERT_NE(vkm_aggregate_row(&aggregate, &key), nullptr) << nth;
    }
    EXPECT_EQ(aggregate.row_count, 400U) << nth;
  }
}

TEST(MeasureAggregate, WithoutAnyMemoryThereIsNoRow) {
  Aggregate aggregate(1000, 4);
  struct vkm_kernel_key key = Key(1, 1);
  vkm_alloc_fail(1, 1000);
  for (int i = 0; i < 10; i++) {
    EXPECT_EQ(vkm_aggregate_row(&aggregate, &key), nullptr);
  }
  vkm_alloc_fail(0, 0);
  EXPECT_NE(vkm_aggregate_row(&aggregate, &key), nullptr);
}

TEST(MeasureAggregate, KindsHaveTheNamesOfTheProfile) {
  EXPECT_STREQ(vkm_kind_names[VKM_KIND_DISPATCH], "dispatch");
  EXPECT_STREQ(vkm_kind_names[VKM_KIND_DISPATCH_BASE], "dispatch_base");
  EXPECT_STREQ(vkm_kind_names[VKM_KIND_DISPATCH_INDIRECT], "dispatch_indirect");
}

TEST(MeasureAggregate, GeometriesBeyondTheCapOfAPipelineAreGathered) {
  struct vkm_aggregate aggregate;
  vkm_aggregate_init(&aggregate, 100000, 4);
  uint32_t rows = 0;
  uint32_t rows_of_other = 0;
  struct vkm_kernel_key key;
  std::memset(&key, 0, sizeof key);
  for (uint32_t x = 1; x <= 1000; x++) {
    key.groups[0] = x;
    struct vkm_kernel_row *row = vkm_aggregate_row_of(&aggregate, &key, &rows);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->key.gathered, x > VKM_GEOMETRY_CAP ? 1U : 0U) << x;
    vkm_kernel_row_measured(row, x, VKM_NO_GAP, INT64_MIN, false, false);
  }
  EXPECT_EQ(aggregate.row_count, static_cast<size_t>(VKM_GEOMETRY_CAP) + 1);
  EXPECT_EQ(rows, static_cast<uint32_t>(VKM_GEOMETRY_CAP));
  EXPECT_EQ(aggregate.rows[VKM_GEOMETRY_CAP]->outcomes.measured, 1000U - VKM_GEOMETRY_CAP);
  EXPECT_EQ(aggregate.rows[VKM_GEOMETRY_CAP]->index, static_cast<uint32_t>(VKM_GEOMETRY_CAP));
  key.groups[0] = 7; // one that has its row keeps it
  EXPECT_EQ(vkm_aggregate_row_of(&aggregate, &key, &rows)->outcomes.measured, 1U);
  key.groups[0] = 5000; // another phase is gathered apart
  key.phase = 3;
  EXPECT_EQ(vkm_aggregate_row_of(&aggregate, &key, &rows)->outcomes.measured, 0U);
  key.pipeline = 1;
  EXPECT_EQ(vkm_aggregate_row_of(&aggregate, &key, &rows_of_other)->key.gathered, 0U);
  for (uint32_t pipeline = 2; aggregate.row_count < VKM_GEOMETRY_MANY_ROWS; pipeline++) {
    key.pipeline = pipeline;
    ASSERT_NE(vkm_aggregate_row(&aggregate, &key), nullptr);
  }
  uint32_t rows_of_late = 0; // from here on a pipeline has few
  for (uint32_t x = 1; x <= 20; x++) {
    key.pipeline = 1000000;
    key.groups[0] = x;
    EXPECT_EQ(vkm_aggregate_row_of(&aggregate, &key, &rows_of_late)->key.gathered,
              x > VKM_GEOMETRY_LATE_CAP ? 1U : 0U);
  }
  vkm_aggregate_finish(&aggregate);
}

// What was counted in `overflow` for lack of memory is taken back from there.
TEST(MeasureAggregate, SealedItMakesNoRow) {
  struct vkm_aggregate aggregate;
  vkm_aggregate_init(&aggregate, 10, 4);
  struct vkm_kernel_key key;
  std::memset(&key, 0, sizeof key);
  struct vkm_kernel_row *known = vkm_aggregate_row(&aggregate, &key);
  aggregate.sealed = true;
  EXPECT_EQ(vkm_aggregate_row(&aggregate, &key), known);
  uint32_t rows = 0;
  key.groups[0] = 1;
  EXPECT_EQ(vkm_aggregate_row(&aggregate, &key), nullptr);
  EXPECT_EQ(vkm_aggregate_row_of(&aggregate, &key, &rows), nullptr);
  EXPECT_EQ(aggregate.row_count, 1U);
  vkm_aggregate_finish(&aggregate);
}

} // namespace
