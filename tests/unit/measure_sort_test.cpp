// Sorting, against the standard library's.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "measure/sort.h"
}

namespace {

TEST(MeasureSort, IsAStableSort) {
  uint64_t random = 3;
  for (size_t count : {0, 1, 2, 47, 48, 49, 1000}) {
    for (int bits : {0, 1, 7, 8, 9, 16, 33, 64}) {
      std::vector<struct vkm_keyed> items(count);
      for (size_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        items[i] = {bits == 0 ? 0 : random >> (64 - bits), i};
      }
      std::vector<struct vkm_keyed> expected = items;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto &a, const auto &b) { return a.key < b.key; });
      std::vector<struct vkm_keyed> scratch(count);
      vkm_sort_keyed(items.data(), scratch.data(), count);
      for (size_t i = 0; i < count; i++) {
        ASSERT_EQ(items[i].key, expected[i].key) << count << " of " << bits << " bits";
        ASSERT_EQ(items[i].index, expected[i].index) << count << " of " << bits << " bits";
      }
    }
  }
}

} // namespace
