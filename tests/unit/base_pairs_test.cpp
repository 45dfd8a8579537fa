// Settings files: every line that is no pair is passed over, and nothing outside the text is
// touched.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "base/pairs.h"
}

namespace {

std::vector<std::pair<std::string, std::string>> Read(std::string text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  vkm_pairs state = {};
  const char *key = nullptr;
  const char *value = nullptr;
  vkm_pairs_start(&state, text.data());
  while (vkm_pairs_next(&state, &key, &value)) {
    pairs.emplace_back(key, value);
  }
  return pairs;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(BasePairs, ReadsTrimmedPairsInOrder) {
  EXPECT_EQ(Read("a=1\n  b.c =  two words \r\nd=\n"),
            (Pairs{{"a", "1"}, {"b.c", "two words"}, {"d", ""}}));
}

TEST(BasePairs, PassesOverWhatIsNoPair) {
  EXPECT_EQ(Read("# comment = 1\n\nno equals\n = no key\n   #x=1\nlast=9"), (Pairs{{"last", "9"}}));
}

TEST(BasePairs, TakesQuotesOffAValue) {
  EXPECT_EQ(Read("a=\"x y\"\nb=\"\nc=\"\"\nd=a=b"),
            (Pairs{{"a", "x y"}, {"b", "\""}, {"c", ""}, {"d", "a=b"}}));
}

TEST(BasePairs, EmptyTextHasNone) {
  EXPECT_TRUE(Read("").empty());
}

} // namespace
