// The map from handles to what the layer knows: exact beside writers, and for a long time.
//
// In: handles that stay and handles that come and go. Out: the value of each, or nothing.
#include <atomic>
#include <thread>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "handles_world.h"

namespace {

class Handles : public ::testing::Test {
protected:
  ~Handles() override {
    handles_delete(map);
  }

  static void *ValueOf(uint64_t handle) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(handle + 1));
  }

  void *map = handles_new();
};

TEST_F(Handles, UnknownIsNothing) {
  EXPECT_EQ(handles_get(map, 7), nullptr);
  EXPECT_EQ(handles_take(map, 7), nullptr);
  EXPECT_EQ(handles_get(map, 0), nullptr);
}

TEST_F(Handles, ASecondValueReplacesTheFirst) {
  ASSERT_TRUE(handles_put(map, 7, ValueOf(1)));
  ASSERT_TRUE(handles_put(map, 7, ValueOf(2)));
  EXPECT_EQ(handles_get(map, 7), ValueOf(2));
  EXPECT_EQ(handles_take(map, 7), ValueOf(2));
  EXPECT_EQ(handles_get(map, 7), nullptr);
}

// A handle has 64 bits where pointers have 32, too.
TEST_F(Handles, F13_HandlesThatDifferInTheirUpperHalfAreTwo) {
  constexpr uint64_t kCount = 1000;
  for (uint64_t i = 0; i < kCount; i++) {
    ASSERT_TRUE(handles_put(map, (i << 32) | 0x10, ValueOf(i)));
  }
  for (uint64_t i = 0; i < kCount; i++) {
    EXPECT_EQ(handles_get(map, (i << 32) | 0x10), ValueOf(i));
  }
  EXPECT_EQ(handles_take(map, (UINT64_C(7) << 32) | 0x10), ValueOf(7));
  EXPECT_EQ(handles_get(map, (UINT64_C(7) << 32) | 0x10), nullptr);
  EXPECT_EQ(handles_get(map, 0x10), ValueOf(0));
}

// Against a map that everybody trusts, with handles like a driver's: aligned, and used again.
TEST_F(Handles, AgreesWithAnotherMap) {
  std::unordered_map<uint64_t, void *> expected;
  uint32_t state = 1;
  for (int i = 0; i < 200000; i++) {
    state = state * 1664525 + 1013904223;
    uint64_t handle = 0x7f0000000000 + uint64_t{state >> 20} * 64;
    if ((state >> 12) % 3 == 0) {
      void *taken = handles_take(map, handle);
      ASSERT_EQ(taken, expected.count(handle) != 0 ? expected[handle] : nullptr);
      expected.erase(handle);
    } else {
      void *value = ValueOf(static_cast<uint64_t>(i));
      ASSERT_TRUE(handles_put(map, handle, value));
      expected[handle] = value;
    }
  }
  for (uint64_t i = 0; i < 4096; i++) {
    uint64_t handle = 0x7f0000000000 + i * 64;
    ASSERT_EQ(handles_get(map, handle), expected.count(handle) != 0 ? expected[handle] : nullptr);
  }
}

// Readers take no lock. What is in the map is found at each moment while others move slots: handles
// that came after those that go are moved into the holes.
TEST_F(Handles, H1_H2_WhatStaysIsFoundBesideWriters) {
  constexpr uint64_t kStaying = 256;
  constexpr uint64_t kPassing = 512;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr uint64_t kRounds = 200;
#else
  constexpr uint64_t kRounds = 8000; // a reader meets a move once in thousands
#endif
  std::atomic<uint64_t> staying{0}; // round in which all of them are in the map; 0: not now
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> wrong{0};
  std::atomic<uint64_t> checked{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; reader++) {
    readers.emplace_back([&] {
      while (!stop) {
        for (uint64_t i = 0; i < kStaying; i++) {
          uint64_t before = staying;
          bool differs = handles_get(map, i * 16) != ValueOf(i);
          if (before != 0 && before == staying) {
            wrong += differs;
            checked++;
          }
        }
      }
    });
  }
  for (uint64_t round = 1; round <= kRounds; round++) {
    for (uint64_t i = 0; i < kPassing; i++) {
      ASSERT_TRUE(handles_put(map, 1 + i * 8, ValueOf(i)));
    }
    for (uint64_t i = 0; i < kStaying; i++) {
      ASSERT_TRUE(handles_put(map, i * 16, ValueOf(i)));
    }
    staying = round;
    for (uint64_t i = 0; i < kPassing; i++) {
      ASSERT_EQ(handles_take(map, 1 + i * 8), ValueOf(i));
    }
    staying = 0;
    for (uint64_t i = 0; i < kStaying; i++) {
      ASSERT_EQ(handles_take(map, i * 16), ValueOf(i));
    }
  }
  stop = true;
  for (auto &thread : readers) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0U) << "of " << checked;
}

} // namespace
