// Noise files: what was written is read back, to the last digit.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

extern "C" {
#define new new_ // a member's name
#include "model/noise_file.h"
#undef new
}

namespace {

class ModelNoiseFile : public testing::Test {
protected:
  void SetUp() override {
    int file = mkstemp(path_);
    ASSERT_GE(file, 0);
    close(file);
  }
  void TearDown() override {
    unlink(path_);
  }

  void add(const char *device, const char *identity, const char *name, bool has_groups,
           double deviation, double center_ns) {
    vkm_noise_row row{};
    row.key = {"0123", device, identity, name, has_groups, {1, 2, 4294967295U}};
    row.deviation = deviation;
    row.center_ns = center_ns;
    row.run_count = 7;
    ASSERT_TRUE(vkm_noise_add(&noise_, &row));
  }

  std::string print(const vkm_noise &noise) {
    vkm_text text;
    vkm_text_init(&text, SIZE_MAX);
    vkm_noise_write(&noise, &text);
    std::string printed(text.data, text.length_bytes);
    vkm_text_finish(&text);
    return printed;
  }

  vkm_noise noise_{};
  char path_[64] = "/tmp/vkmeter-noise-XXXXXX";
};

TEST_F(ModelNoiseFile, WhatWasWrittenIsReadBack) {
  add("GPU \"9\"", "aa", "größe\n", true, 0.1 + 0.2, 1234.5);
  add(nullptr, "bb", "", false, 0, 1e12);
  noise_.stat = VKM_STAT_P99;
  noise_.too_few_count = 3;
  ASSERT_TRUE(vkm_noise_sort(&noise_));
  std::ofstream(path_) << print(noise_);
  vkm_noise again{};
  ASSERT_TRUE(vkm_noise_read(&again, path_));
  EXPECT_EQ(print(again), print(noise_));
  EXPECT_EQ(again.stat, VKM_STAT_P99);
  EXPECT_EQ(again.too_few_count, 3U);
  ASSERT_EQ(again.row_count, 2U);
  const vkm_noise_key key{"0123", "GPU \"9\"", "aa", "", true, {1, 2, 4294967295U}};
  const vkm_noise_row *found = vkm_noise_find(&again, &key);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->deviation, 0.1 + 0.2);
  EXPECT_EQ(found->run_count, 7U);
  vkm_noise_finish(&again);
  vkm_noise_finish(&noise_);
}

TEST_F(ModelNoiseFile, NothingIsHeldOfADamagedFile) {
  std::ofstream(path_) << R"({"schema":"vkmeter.noise/1","stat":"median","rows":[]})";
  vkm_noise noise{};
  EXPECT_FALSE(vkm_noise_read(&noise, path_));
  EXPECT_EQ(noise.row_count, 0U);
}

} // namespace
