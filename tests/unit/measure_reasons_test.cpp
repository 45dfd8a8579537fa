// Outcomes add up, and every reason has a name and a text.
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "measure/reasons.h"
}

namespace {

TEST(MeasureReasons, G5_ExecutedIsTheSumOfAllOutcomes) {
  struct vkm_outcomes outcomes = {};
  uint64_t expected = outcomes.measured = 1;
  expected += outcomes.control = 2;
  uint64_t next = 4;
  for (uint64_t &count : outcomes.untimed) {
    expected += count = next++;
  }
  for (uint64_t &count : outcomes.missed) {
    expected += count = next++;
  }
  for (uint64_t &count : outcomes.rejected) {
    expected += count = next++;
  }
  EXPECT_EQ(vkm_outcomes_executed(&outcomes), expected);
  struct vkm_outcomes sum = outcomes;
  vkm_outcomes_add(&sum, &outcomes);
  EXPECT_EQ(vkm_outcomes_executed(&sum), 2 * expected);
  EXPECT_EQ(sum.missed[VKM_MISSED_device_lost], 2 * outcomes.missed[VKM_MISSED_device_lost]);
}

TEST(MeasureReasons, NamesAndTextsAreThereAndDiffer) {
  std::set<std::string> names;
  std::set<std::string> texts;
  for (int i = 0; i < VKM_UNTIMED_COUNT; i++) {
    names.insert(std::string("untimed ") + vkm_untimed_names[i]);
    texts.insert(vkm_untimed_texts[i]);
  }
  for (int i = 0; i < VKM_MISSED_COUNT; i++) {
    names.insert(std::string("missed ") + vkm_missed_names[i]);
    texts.insert(vkm_missed_texts[i]);
  }
  for (int i = 0; i < VKM_REJECTED_COUNT; i++) {
    names.insert(std::string("rejected ") + vkm_rejected_names[i]);
    texts.insert(vkm_rejected_texts[i]);
  }
  EXPECT_EQ(names.size(),
            static_cast<size_t>(VKM_UNTIMED_COUNT + VKM_MISSED_COUNT + VKM_REJECTED_COUNT));
  EXPECT_EQ(texts.size(), names.size());
  EXPECT_STREQ(vkm_untimed_names[VKM_UNTIMED_out_of_memory], "out_of_memory");
  EXPECT_STREQ(vkm_rejected_names[VKM_REJECTED_zero_stamp], "zero_stamp");
}

} // namespace
