// Samples: all up to the cap, then a fair reservoir that is the same in every run.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "base/alloc.h"
#include "measure/samples.h"
}

namespace {

struct Samples : vkm_samples {
  explicit Samples(size_t cap) {
    vkm_samples_init(this, cap);
  }
  ~Samples() {
    vkm_samples_finish(this);
  }
  Samples(const Samples &) = delete;
  Samples &operator=(const Samples &) = delete;
  std::vector<uint64_t> Ordinals() const {
    std::vector<uint64_t> ordinals;
    for (size_t i = 0; i < kept_count; i++) {
      ordinals.push_back(kept[i].ordinal);
    }
    std::sort(ordinals.begin(), ordinals.end());
    return ordinals;
  }
};

TEST(MeasureSamples, KeepsAllUpToTheCapInOrder) {
  Samples samples(100);
  samples.keeps_begins = true;
  for (int64_t i = 0; i < 100; i++) {
    vkm_samples_add(&samples, 1000 - i, 5 * i);
  }
  ASSERT_EQ(samples.kept_count, 100U);
  EXPECT_EQ(samples.seen, 100U);
  for (int64_t i = 0; i < 100; i++) {
    EXPECT_EQ(samples.kept[i].value_ns, 1000 - i);
    EXPECT_EQ(samples.begins[i], 5 * i);
    EXPECT_EQ(samples.kept[i].ordinal, static_cast<uint64_t>(i));
  }
  EXPECT_EQ(samples.min_ns, 901);
  EXPECT_EQ(samples.max_ns, 1000);
  EXPECT_EQ(samples.sum_ns, 100 * 1000 - 99 * 100 / 2);
}

TEST(MeasureSamples, D41_CountsAllBeyondTheCap) {
  Samples samples(10);
  for (int64_t i = 0; i < 1000; i++) {
    vkm_samples_add(&samples, i, INT64_MIN);
  }
  EXPECT_EQ(samples.kept_count, 10U);
  EXPECT_EQ(samples.seen, 1000U);
  EXPECT_EQ(samples.lost, 0U);
  EXPECT_EQ(samples.min_ns, 0);
  EXPECT_EQ(samples.max_ns, 999);
  EXPECT_EQ(samples.sum_ns, 999 * 1000 / 2);
  std::vector<uint64_t> ordinals = samples.Ordinals();
  EXPECT_EQ(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  for (size_t i = 0; i < samples.kept_count; i++) { // value and ordinal stay together
    EXPECT_EQ(static_cast<uint64_t>(samples.kept[i].value_ns), samples.kept[i].ordinal);
  }
}

TEST(MeasureSamples, TheChoiceIsTheSameEveryTime) {
  Samples one(10);
  Samples two(10);
  for (int64_t i = 0; i < 1000; i++) {
    vkm_samples_add(&one, i, 0);
    vkm_samples_add(&two, i, 0);
  }
  EXPECT_EQ(one.Ordinals(), two.Ordinals());
}

TEST(MeasureSamples, TheChoiceIsFair) {
  // 64 of 64,000: each tenth of the stream should be in it about equally. One long reservoir with a
  // large cap, so that chance is small: 6,400 kept, 640 expected a tenth, sd about 24.
  Samples samples(6400);
  for (int64_t i = 0; i < 64000; i++) {
    vkm_samples_add(&samples, i, 0);
  }
  int tenths[10] = {};
  for (uint64_t ordinal : samples.Ordinals()) {
    tenths[ordinal / 6400]++;
  }
  for (int count : tenths) {
    EXPECT_NEAR(count, 640, 5 * 24);
  }
}

// A thousand times the cap, where most are passed over unseen. Of 100 streams together: 100 kept of
// each, 1,000 expected a tenth, sd 30. As many of the last tenth as of the first; each slot
// changes.
TEST(MeasureSamples, TheChoiceIsFairAlsoOfVeryMany) {
  int tenths[10] = {};
  for (uint64_t stream = 0; stream < 100; stream++) {
    Samples samples(100);
    samples.random += stream;
    for (int64_t i = 0; i < 100000; i++) {
      vkm_samples_add(&samples, i, 0);
    }
    ASSERT_EQ(samples.kept_count, 100U);
    for (uint64_t ordinal : samples.Ordinals()) {
      tenths[ordinal / 10000]++;
    }
  }
  for (int count : tenths) {
    EXPECT_NEAR(count, 1000, 4 * 30);
  }
}

// How long the only kept one of n stays chosen is known: with the chance of m / n from m on.
TEST(MeasureSamples, OneOfManyIsAnyOfThem) {
  int late = 0;
  constexpr int kStreams = 4000;
  for (uint64_t stream = 0; stream < kStreams; stream++) {
    Samples samples(1);
    samples.random += stream * 7;
    for (int64_t i = 0; i < 1000; i++) {
      vkm_samples_add(&samples, i, 0);
    }
    late += samples.kept[0].ordinal >= 500 ? 1 : 0;
  }
  EXPECT_NEAR(late, kStreams / 2.0, 4 * 32); // sd 31.6
}

TEST(MeasureSamples, NegativeValuesAndSaturation) {
  Samples samples(4);
  vkm_samples_add(&samples, -5, 0);
  EXPECT_EQ(samples.min_ns, -5);
  EXPECT_EQ(samples.max_ns, -5);
  vkm_samples_add(&samples, INT64_MAX, 0);
  vkm_samples_add(&samples, INT64_MAX, 0);
  EXPECT_EQ(samples.sum_ns, INT64_MAX);
  vkm_samples_add(&samples, INT64_MIN, 0);
  vkm_samples_add(&samples, INT64_MIN, 0);
  EXPECT_EQ(samples.sum_ns, INT64_MIN);
}

TEST(MeasureSamples, ACapOfNothingKeepsNothing) {
  Samples samples(0);
  vkm_samples_add(&samples, 3, 0);
  EXPECT_EQ(samples.kept_count, 0U);
  EXPECT_EQ(samples.seen, 1U);
  EXPECT_EQ(samples.sum_ns, 3);
}

TEST(MeasureSamples, BeginsStayWithTheirSamplesAndAreKeptOnlyWhereAsked) {
  Samples timed(16);
  timed.keeps_begins = true;
  Samples plain(16);
  for (int64_t i = 0; i < 1000; i++) {
    vkm_samples_add(&timed, i, 7 * i);
    vkm_samples_add(&plain, i, 7 * i);
  }
  for (size_t i = 0; i < 16; i++) {
    EXPECT_EQ(timed.begins[i], 7 * timed.kept[i].value_ns);
    EXPECT_EQ(plain.kept[i].ordinal, timed.kept[i].ordinal);
  }
  EXPECT_EQ(plain.begins, nullptr);
  struct vkm_samples copy = {};
  ASSERT_TRUE(vkm_samples_copy(&copy, &timed));
  EXPECT_NE(copy.begins, timed.begins);
  for (size_t i = 0; i < 16; i++) {
    EXPECT_EQ(copy.begins[i], 7 * copy.kept[i].value_ns);
  }
  vkm_samples_finish(&copy);
}

TEST(MeasureSamples, WithoutMemoryForBeginsNoSampleIsHalfKept) {
  Samples samples(100);
  samples.keeps_begins = true;
  vkm_alloc_fail(2, 1); // the values find memory, their begins do not
  vkm_samples_add(&samples, 7, 70);
  vkm_alloc_fail(0, 0);
  EXPECT_EQ(samples.kept_count, 0U);
  EXPECT_EQ(samples.lost, 1U);
  vkm_samples_add(&samples, 9, 90);
  ASSERT_EQ(samples.kept_count, 1U);
  EXPECT_EQ(samples.begins[0], 90);
  struct vkm_samples copy = {};
  vkm_alloc_fail(2, 1);
  EXPECT_FALSE(vkm_samples_copy(&copy, &samples));
  vkm_alloc_fail(0, 0);
  EXPECT_EQ(copy.kept_count, 0U);
  vkm_samples_finish(&copy);
}

TEST(MeasureSamples, WithoutMemoryAtFirstTheFiguresStayExact) {
  Samples samples(100);
  vkm_alloc_fail(1, 1);
  vkm_samples_add(&samples, 7, 0);
  vkm_alloc_fail(0, 0);
  EXPECT_EQ(samples.kept_count, 0U);
  EXPECT_EQ(samples.lost, 1U);
  vkm_samples_add(&samples, 9, 0); // memory is back
  ASSERT_EQ(samples.kept_count, 1U);
  EXPECT_EQ(samples.kept[0].ordinal, 1U);
  EXPECT_EQ(samples.seen, 2U);
  EXPECT_EQ(samples.sum_ns, 16);
  EXPECT_EQ(samples.min_ns, 7);
}

TEST(MeasureSamples, WithoutMemoryLaterTheReservoirStaysSmallAndFair) {
  Samples samples(100000);
  int64_t added = 0;
  while (samples.kept_count < 64) {
    vkm_samples_add(&samples, added++, 0);
  }
  vkm_alloc_fail(1, 1000);
  for (; added < 6400; added++) {
    vkm_samples_add(&samples, added, 0);
  }
  vkm_alloc_fail(0, 0);
  EXPECT_EQ(samples.kept_count, samples.cap);
  EXPECT_EQ(samples.lost, 1U);
  EXPECT_EQ(samples.seen, 6400U);
  EXPECT_EQ(samples.sum_ns, 6399 * 6400 / 2);
  std::vector<uint64_t> ordinals = samples.Ordinals();
  EXPECT_GT(ordinals[ordinals.size() / 2], 1600U); // not just the first ones
}

} // namespace
