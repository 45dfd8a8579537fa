/* In: allocations with and without a planted failure. Out: verdicts on src/base/alloc. */
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

extern "C" {
#include "base/alloc.h"
}

namespace {

struct AllocTest : testing::Test {
  ~AllocTest() override {
    vkm_alloc_fail(0, 0);
  }
  static bool works() {
    void *memory = vkm_alloc(16);
    bool got = memory != nullptr;
    vkm_free(memory);
    return got;
  }
};

TEST_F(AllocTest, SizeZeroIsNotAFailure) {
  void *allocated = vkm_alloc(0);
  void *cleared = vkm_calloc(0, 8);
  void *no_size = vkm_calloc(8, 0);
  ASSERT_NE(allocated, nullptr);
  allocated = vkm_realloc(allocated, 0);
  EXPECT_NE(allocated, nullptr);
  EXPECT_NE(cleared, nullptr);
  EXPECT_NE(no_size, nullptr);
  vkm_free(allocated);
  vkm_free(cleared);
  vkm_free(no_size);
  vkm_free(nullptr);
}

TEST_F(AllocTest, CallocClearsAndRefusesOverflow) {
  auto *bytes = static_cast<unsigned char *>(vkm_calloc(100, 3));
  ASSERT_NE(bytes, nullptr);
  for (int i = 0; i < 300; i++) {
    ASSERT_EQ(bytes[i], 0);
  }
  vkm_free(bytes);
  volatile size_t huge = SIZE_MAX / 2 + 1;
  EXPECT_EQ(vkm_calloc(huge, 2), nullptr);
}

TEST_F(AllocTest, ReallocKeepsContent) {
  char *text = vkm_strdup("kernel");
  ASSERT_NE(text, nullptr);
  text = static_cast<char *>(vkm_realloc(text, 100000));
  ASSERT_NE(text, nullptr);
  EXPECT_STREQ(text, "kernel");
  vkm_free(text);
}

TEST_F(AllocTest, FailsExactlyTheAskedOnes) {
  vkm_alloc_fail(2, 2);
  EXPECT_TRUE(works());
  EXPECT_FALSE(works());
  EXPECT_FALSE(works());
  EXPECT_TRUE(works());
  vkm_alloc_fail(1, ULONG_MAX);
  EXPECT_EQ(vkm_alloc(1), nullptr);
  EXPECT_EQ(vkm_calloc(1, 1), nullptr);
  EXPECT_EQ(vkm_realloc(nullptr, 1), nullptr);
  EXPECT_EQ(vkm_strdup("x"), nullptr);
  vkm_alloc_fail(0, 0);
  EXPECT_TRUE(works());
}

TEST_F(AllocTest, FailedReallocLeavesTheMemory) {
  char *text = vkm_strdup("kept");
  ASSERT_NE(text, nullptr);
  vkm_alloc_fail(1, 1);
  EXPECT_EQ(vkm_realloc(text, 1000), nullptr);
  EXPECT_STREQ(text, "kept");
  vkm_free(text);
}

TEST_F(AllocTest, CountsFromManyThreads) {
  unsigned long before = vkm_alloc_count();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([] {
      for (int j = 0; j < 1000; j++) {
        works();
      }
    });
  }
  for (auto &thread : threads) {
    thread.join();
  }
  EXPECT_EQ(vkm_alloc_count() - before, 4000u);
}

} // namespace
