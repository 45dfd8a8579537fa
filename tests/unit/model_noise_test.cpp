// Noise of rows: learnt from runs of one build, used where there is one run a side.
#include <gtest/gtest.h>

#include <cmath>

#include "comparison_sides.hpp"

namespace {

class Noise {
public:
  explicit Noise(Side &side, enum vkm_stat stat = VKM_STAT_MEDIAN) {
    EXPECT_TRUE(vkm_noise_build(&it, side.get(), stat, 1));
  }
  ~Noise() {
    vkm_noise_finish(&it);
  }
  Noise(const Noise &) = delete;
  Noise &operator=(const Noise &) = delete;
  struct vkm_noise it = {};
};

// Runs of 1 %, and of 10 % where `wild`: logs -2, -1, 0, 1, 2 have a standard deviation of 1.5811.
void AddRuns(Side &side, int runs = 5) {
  for (int i = 0; i < runs; i++) {
    double step = (i - 2) / std::sqrt(2.5);
    side.Add({{"calm", "c", {std::llround(1e9 * std::exp(0.01 * step))}},
              {"wild", "w", {std::llround(1e9 * std::exp(0.10 * step))}},
              {"calm", "c", {i < 4 ? 1000000000 : 0}, {1, 1, 1}}});
  }
}

} // namespace

TEST(Noise, IsTheDeviationOfTheLogs) {
  Side side;
  AddRuns(side);
  Noise noise(side);
  ASSERT_EQ(noise.it.row_count, 2U);
  EXPECT_EQ(noise.it.too_few_count, 1U); // a run's figure is 0
  double sum = 0;
  for (size_t i = 0; i < 2; i++) {
    const struct vkm_noise_row &row = noise.it.rows[i];
    bool calm = std::string(row.key.name) == "calm";
    EXPECT_NEAR(row.deviation, calm ? 0.01 : 0.1, 1e-8);
    EXPECT_EQ(row.run_count, 5U);
    EXPECT_EQ(row.center_ns, 1e9);
    EXPECT_STREQ(row.key.device, "Example GPU 9000");
    EXPECT_TRUE(row.key.has_groups);
    EXPECT_EQ(row.key.groups[0], 64U);
    sum += row.deviation;
  }
  EXPECT_NEAR(sum, 0.11, 1e-8);
}

TEST(Noise, FewerThanFiveRunsHaveNone) {
  Side side;
  AddRuns(side, 4);
  Noise noise(side);
  EXPECT_EQ(noise.it.row_count, 0U);
  EXPECT_EQ(noise.it.too_few_count, 3U);
  struct vkm_noise_key key = {};
  EXPECT_EQ(vkm_noise_find(&noise.it, &key), nullptr);
}

TEST(Noise, IsFoundByCodeElseByAnUnambiguousName) {
  struct vkm_noise noise = {};
  struct vkm_noise_row row = {};
  row.key = {"segment", "device", "code 1", "k", true, {1, 1, 1}};
  row.deviation = 1;
  ASSERT_TRUE(vkm_noise_add(&noise, &row));
  row.key.identity = "code 2";
  row.key.name = "twice";
  row.deviation = 2;
  ASSERT_TRUE(vkm_noise_add(&noise, &row));
  row.key.identity = "code 3";
  ASSERT_TRUE(vkm_noise_add(&noise, &row));
  row.key.identity = "code 1";
  row.key.device = nullptr;
  row.key.has_groups = false;
  row.deviation = 4;
  ASSERT_TRUE(vkm_noise_add(&noise, &row));
  ASSERT_TRUE(vkm_noise_sort(&noise));
  auto found = [&](struct vkm_noise_key key) {
    const struct vkm_noise_row *at = vkm_noise_find(&noise, &key);
    return at == nullptr ? 0 : at->deviation;
  };
  EXPECT_EQ(found({"segment", "device", "code 1", "renamed", true, {1, 1, 1}}), 1);
  EXPECT_EQ(found({"segment", "device", "changed", "k", true, {1, 1, 1}}), 1);
  EXPECT_EQ(found({"segment", "device", "changed", "twice", true, {1, 1, 1}}), 0);
  EXPECT_EQ(found({"segment", "device", "code 3", "twice", true, {1, 1, 1}}), 2);
  EXPECT_EQ(found({"segment", "device", "code 1", "k", true, {2, 1, 1}}), 0);
  EXPECT_EQ(found({"segment", nullptr, "code 1", "k", false, {9, 9, 9}}), 4);
  EXPECT_EQ(found({"other", "device", "code 1", "k", true, {1, 1, 1}}), 0);
  EXPECT_EQ(found({"segment", "other", "code 1", "k", true, {1, 1, 1}}), 0);
  vkm_noise_finish(&noise);
}

TEST(Noise, ReplacesTheGuessOfOneRun) {
  Side learnt;
  AddRuns(learnt);
  Noise noise(learnt);
  Side base;
  Side fresh;
  base.Add({{"calm", "c", {1000000}}, {"wild", "w", {1000000}}, {"other", "o", {1000000}}});
  fresh.Add({{"calm", "d", {1100000}}, {"wild", "w", {1100000}}, {"other", "o", {1100000}}});
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.noise = &noise.it;
  Comparison comparison(base, fresh, settings);
  const struct vkm_compared_row &row = comparison.Row("calm");
  EXPECT_EQ(comparison.Said("calm"), "likely-slower interval-above-threshold");
  EXPECT_EQ(row.evidence, VKM_EVIDENCE_NOISE);
  // t of 4 degrees at 97.5 % is 2.776 (a table of Student's t).
  double half = 2.776445105 * 0.01 * std::sqrt(2);
  EXPECT_NEAR(std::log1p(row.low), std::log(1.1) - half, 1e-7);
  EXPECT_NEAR(std::log1p(row.high), std::log(1.1) + half, 1e-7);
  EXPECT_TRUE(row.has_noise);
  EXPECT_FALSE(row.beyond_gating);
  EXPECT_EQ(comparison.Said("wild"), "unclear interval-straddles-threshold");
  EXPECT_TRUE(comparison.Row("wild").beyond_gating);
  EXPECT_GT(comparison.Row("wild").runs_needed, 10U);
  EXPECT_EQ(comparison.Said("other"), "unclear single-run");
  EXPECT_EQ(comparison.Panel().noise_count, 2U);
  settings.stat = VKM_STAT_MIN; // noise of another figure says nothing of this one
  EXPECT_EQ(Comparison(base, fresh, settings).Said("calm"), "unclear single-run");
}

TEST(Noise, OverRunsOnlyFlagsWhatCannotBeGated) {
  Side learnt;
  AddRuns(learnt);
  Noise noise(learnt);
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    base.Add({{"wild", "w", {1000000 + i}}});
    fresh.Add({{"wild", "w", {1100000 + i}}});
  }
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.noise = &noise.it;
  Comparison comparison(base, fresh, settings);
  EXPECT_EQ(comparison.Said("wild"), "slower interval-above-threshold");
  EXPECT_EQ(comparison.Row("wild").evidence, VKM_EVIDENCE_RUNS);
  EXPECT_TRUE(comparison.Row("wild").beyond_gating);
  EXPECT_NEAR(comparison.Row("wild").noise, 0.1, 1e-8);
}

TEST(Noise, OfAnotherSegmentIsNotUsed) {
  Side learnt;
  learnt.edit = [](std::string text) { return Replaced(std::move(text), "Example CPU", "Other"); };
  AddRuns(learnt);
  Noise noise(learnt);
  EXPECT_EQ(noise.it.row_count, 2U);
  Side base;
  Side fresh;
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.noise = &noise.it;
  Comparison comparison(base.Add({{"calm", "c", {1000000}}}), fresh.Add({{"calm", "c", {2000000}}}),
                        settings);
  EXPECT_EQ(comparison.Said("calm"), "unclear single-run");
}
