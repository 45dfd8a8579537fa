// Strings that outlive the document they came from.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "profile/keep.h"
}

TEST(ProfileKeep, TextsStay) {
  struct vkm_keep *keep = vkm_keep_new();
  ASSERT_NE(keep, nullptr);
  std::vector<const char *> kept;
  for (int i = 0; i < 20000; i++) {
    kept.push_back(vkm_keep_text(keep, ("text " + std::to_string(i)).c_str()));
  }
  for (int i = 0; i < 20000; i++) {
    ASSERT_EQ(kept[i], "text " + std::to_string(i));
  }
  const char *last = vkm_keep_text(keep, "again");
  EXPECT_EQ(vkm_keep_text(keep, "again"), last);
  const std::string huge(100000, 'x');
  EXPECT_EQ(vkm_keep_text(keep, huge.c_str()), huge);
  EXPECT_STREQ(vkm_keep_text(keep, ""), "");
  vkm_keep_finish(keep);
  vkm_keep_finish(nullptr);
}
