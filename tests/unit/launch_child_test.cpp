// What is seen of a program from outside.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>

extern "C" {
#include "launch/child.h"
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VKM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VKM_SANITIZED 1
#endif
#endif

namespace {

class LaunchChild : public testing::Test {
protected:
  void SetUp() override {
#ifdef VKM_SANITIZED
    GTEST_SKIP() << "sanitizers take memory of their own, and keep what is freed";
#endif
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, &mask_);
    vkm_signals_take(&signals_);
  }
  void TearDown() override {
    if (IsSkipped()) {
      return;
    }
    sigaction(SIGCHLD, &signals_.child_action, nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  vkm_child Run(const char *script) {
    const char *words[] = {"sh", "-c", script, nullptr};
    vkm_order order{};
    order.argv = const_cast<char *const *>(words);
    order.output = "/dev/null";
    order.errors = "/dev/null";
    vkm_child child{};
    EXPECT_TRUE(vkm_child_run(&signals_, &order, &child));
    return child;
  }
  vkm_signals signals_{};
  sigset_t mask_{};
};

constexpr size_t MIB = size_t{1} << 20;

// Before exec a process has what it was forked from, and the kernel counts that, too.
TEST_F(LaunchChild, OurMemoryIsNotTheProgrammes) {
  const char *large = "dd if=/dev/zero of=/dev/null bs=256M count=1";
  void *ours = mmap(nullptr, 128 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(ours, MAP_FAILED);
  std::memset(ours, 1, 128 * MIB);
  EXPECT_EQ(Run("true").resident_peak_bytes, 0);
  auto with = static_cast<double>(Run(large).resident_peak_bytes);
  munmap(ours, 128 * MIB);
  EXPECT_GE(with, 256.0 * MIB);
  EXPECT_LT(with, 340.0 * MIB);
}

TEST_F(LaunchChild, WhatIsFreeIsGivenBackBefore) {
  std::vector<void *> blocks;
  for (int i = 0; i < 2048; i++) { // too small for pages of their own
    blocks.push_back(std::memset(std::malloc(64 << 10), 1, 64 << 10));
  }
  void *last = std::malloc(100 << 10); // keeps the heap from shrinking by itself
  for (void *block : blocks) {
    std::free(block);
  }
  double peak =
      static_cast<double>(Run("dd if=/dev/zero of=/dev/null bs=64M count=1").resident_peak_bytes);
  std::free(last);
  EXPECT_GE(peak, 64.0 * MIB);
  EXPECT_LT(peak, 110.0 * MIB);
}

} // namespace
