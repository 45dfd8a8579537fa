// What may be compared with what, and what is said where it may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "comparison_sides.hpp"

using testing::HasSubstr;
using testing::Not;

namespace {

std::function<std::string(std::string)> Edit(const std::string &from, const std::string &to) {
  return [from, to](std::string text) { return Replaced(std::move(text), from, to); };
}

const std::string kTag = R"("workload_tag": null)";
const Kernels kOne = {{"k", "a", {1000}}};

// Why one run is not comparable with another that `from` -> `to` changes; "" when it is.
std::string Because(const std::string &from, const std::string &to, unsigned allowed = 0,
                    std::string *passed = nullptr) {
  Side base;
  Side fresh;
  fresh.edit = Edit(from, to);
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.allow_different = allowed;
  Comparison comparison(base.Add(kOne), fresh.Add(kOne), settings);
  const struct vkm_panel &panel = comparison.Panel();
  EXPECT_EQ(comparison.it.panel_count, 1U);
  EXPECT_EQ(panel.comparable, panel.incomparable_because == nullptr);
  EXPECT_EQ(comparison.Said("k"),
            panel.comparable ? "unclear single-run" : "incomparable segment-differs");
  EXPECT_EQ(comparison.Row("k").has_change, panel.comparable);
  EXPECT_EQ(comparison.Row("k").sides[VKM_NEW].center_ns, 1000);
  if (passed != nullptr) {
    *passed = panel.allowed != nullptr ? panel.allowed : "";
  }
  return panel.incomparable_because != nullptr ? panel.incomparable_because : "";
}

} // namespace

TEST(ComparisonSegments, WhatDiffersIsNamedWithWhatAllowsIt) {
  EXPECT_EQ(Because("Example GPU 9000", "Other GPU"),
            "base was measured on Example GPU 9000, new on Other GPU; --allow-different=device "
            "compares them all the same");
  EXPECT_EQ(Because("575.57\"", "580.01\""),
            "base was measured with driver NVIDIA 575.57, new NVIDIA 580.01; "
            "--allow-different=driver compares them all the same");
  EXPECT_THAT(Because("575.57.0.0", "575.57.1.0"),
              HasSubstr("driver version 575.57.0.0, new version 575.57.1.0"));
  EXPECT_EQ(Because(R"("vkmeter_version": "0.0.9")", R"("vkmeter_version": "0.1.0")"),
            "base was measured by vkmeter 0.0.9, new 0.1.0; --allow-different=layer compares them "
            "all the same");
  EXPECT_EQ(Because("6.1.0-18-amd64", "6.1.0-20-amd64"),
            "base ran on kernel 6.1.0-18-amd64, new 6.1.0-20-amd64; --allow-different=environment "
            "compares them all the same");
  EXPECT_THAT(Because("Example CPU", "Other CPU"), HasSubstr("base ran on Example CPU, new Other"));
}

TEST(ComparisonSegments, ModesPartsAndWorkloadsAreNeverMixed) {
  const unsigned all =
      VKM_ALLOW_DEVICE | VKM_ALLOW_DRIVER | VKM_ALLOW_LAYER | VKM_ALLOW_ENVIRONMENT;
  EXPECT_EQ(Because(R"("mode": "inline")", R"("mode": "isolated")", all),
            "base was measured in mode inline, new isolated; such times are never compared: "
            "measure both sides alike");
  EXPECT_EQ(Because(R"("chosen": null)", R"("chosen": {"kernels": "k*"})", all),
            "base timed all of the run, new timed kernels=k*; such times are never compared: "
            "measure both sides alike");
  EXPECT_THAT(Because(kTag, R"("workload_tag": "train")", all),
              HasSubstr("base ran workload unknown, new train"));
}

TEST(ComparisonSegments, WhatIsAllowedIsComparedAndSaid) {
  std::string passed;
  EXPECT_EQ(Because("Example GPU 9000", "Other GPU", VKM_ALLOW_DEVICE, &passed), "");
  EXPECT_EQ(passed, "base was measured on Example GPU 9000, new on Other GPU");
  EXPECT_EQ(Because("575.57\"", "580.01\"", VKM_ALLOW_DRIVER, &passed), "");
  EXPECT_EQ(passed, "base was measured with driver NVIDIA 575.57, new NVIDIA 580.01");
  EXPECT_THAT(Because("575.57\"", "580.01\"", VKM_ALLOW_DEVICE, &passed), Not(""));
  EXPECT_EQ(passed, "");
}

TEST(ComparisonSegments, TheCodeThatIsComparedIsNoPartOfIt) {
  EXPECT_EQ(Because("\"plan_fingerprint\": \"", "\"plan_fingerprint\": \"0"), "");
  EXPECT_EQ(Because("\"segment_key\": \"", "\"segment_key\": \"0"), "");
}

TEST(ComparisonSegments, EqualOnesComeTogetherInOrderOfFirstSight) {
  Side base;
  Side fresh;
  base.edit = Edit(kTag, R"("workload_tag": "b")");
  base.Add({{"kb", "a", {1000}}});
  base.edit = Edit(kTag, R"("workload_tag": "a")");
  base.Add({{"ka", "a", {1000}}}).Add({{"ka", "a", {1000}}});
  fresh.edit = Edit(kTag, R"("workload_tag": "a")");
  fresh.Add({{"ka", "a", {1000}}});
  fresh.edit = Edit(kTag, R"("workload_tag": "b")");
  fresh.Add({{"kb", "a", {1000}}});
  fresh.edit = Edit(kTag, R"("workload_tag": "c")");
  fresh.Add({{"kc", "a", {1000}}});
  Comparison comparison(base, fresh);
  ASSERT_EQ(comparison.it.panel_count, 3U);
  EXPECT_STREQ(comparison.Panel(0).first[VKM_BASE]->workload_tag, "b");
  EXPECT_STREQ(comparison.Panel(1).first[VKM_BASE]->workload_tag, "a");
  EXPECT_EQ(comparison.Panel(1).run_count[VKM_BASE], 2U);
  EXPECT_EQ(comparison.Panel(1).run_count[VKM_NEW], 1U);
  // A segment that only one side has is new, not incomparable.
  EXPECT_EQ(comparison.Panel(2).first[VKM_BASE], nullptr);
  EXPECT_TRUE(comparison.Panel(2).comparable);
  EXPECT_EQ(comparison.Said("kc"), "new only-in-new");
  EXPECT_EQ(comparison.Panel(2).new_ns, 1000);
}

TEST(ComparisonSegments, WhatIsLeftOverMeetsWhatDiffersLeast) {
  Side base;
  Side fresh;
  base.Add(kOne);
  fresh.edit = [](std::string text) {
    text = Replaced(std::move(text), kTag, R"("workload_tag": "other")");
    return Replaced(std::move(text), "Example GPU 9000", "Far GPU");
  };
  fresh.Add(kOne);
  fresh.edit = Edit("Example GPU 9000", "Near GPU");
  fresh.Add(kOne);
  Comparison comparison(base, fresh);
  ASSERT_EQ(comparison.it.panel_count, 2U);
  EXPECT_THAT(comparison.Panel(0).incomparable_because, HasSubstr("new on Near GPU"));
  EXPECT_EQ(comparison.Panel(1).rows[0].verdict, VKM_VERDICT_NEW);
  EXPECT_EQ(comparison.it.verdict_counts[VKM_VERDICT_INCOMPARABLE], 1U);
}

TEST(ComparisonSegments, ASideWithNothingAtAll) {
  Side base;
  Side fresh;
  fresh.Add(kOne);
  base.get()->never_promoted = true;
  base.get()->baseline = true;
  Comparison never(base, fresh);
  EXPECT_EQ(never.Said("k"), "incomparable nothing-to-compare-with");
  EXPECT_STREQ(never.Panel().incomparable_because,
               "base side was never promoted; vkmeter baseline update does");
  base.get()->never_promoted = false;
  EXPECT_EQ(Comparison(base, fresh).Said("k"), "new only-in-new"); // a segment that it lacks
  base.get()->baseline = false;
  struct vkm_run_error error = {};
  base.get()->errors = &error;
  base.get()->error_count = 1;
  Comparison failed(base, fresh);
  EXPECT_EQ(failed.Said("k"), "incomparable nothing-to-compare-with");
  EXPECT_THAT(failed.Panel().incomparable_because, HasSubstr("failed"));
  EXPECT_EQ(failed.Panel().error_count[VKM_BASE], 1U);
  EXPECT_EQ(failed.Panel().error_count[VKM_NEW], 0U);
  Side nothing;
  Side neither;
  EXPECT_EQ(Comparison(nothing, neither).it.panel_count, 0U);
}
