// A comparison made by hand: every verdict, names that mean something to every format, a failed
// run, two environments of which one cannot be compared.
#ifndef VKM_TESTS_UNIT_COMPARE_EXAMPLE_HPP
#define VKM_TESTS_UNIT_COMPARE_EXAMPLE_HPP

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

extern "C" {
#include "model/comparison.h"
#include "model/side.h"
}

struct CompareExample {
  vkm_comparison comparison{};
  vkm_side sides[VKM_SIDES]{};
  vkm_run_error error{};
  vkm_read_profile profiles[VKM_SIDES]{};
  vkm_read_device device{};
  std::vector<vkm_panel> panels;
  std::vector<std::vector<vkm_compared_row>> rows;
  std::deque<std::string> strings;
  std::deque<std::vector<double>> runs;
  vkm_statistic_change statistic{};

  char *keep(const std::string &text) {
    strings.push_back(text);
    return strings.back().data();
  }

  vkm_compared_side side(std::vector<double> run_ns) {
    vkm_compared_side made{};
    made.present = true;
    made.has_time = !run_ns.empty();
    made.identity = "0123456789abcdef0123456789abcdef";
    runs.push_back(run_ns);
    made.run_ns = runs.back().data();
    made.run_count = run_ns.size();
    made.calls = 100 * run_ns.size();
    made.sample_count = 100;
    std::sort(run_ns.begin(), run_ns.end());
    made.center_ns = made.has_time ? run_ns[run_ns.size() / 2] : 0;
    made.total_ns = 100 * made.center_ns;
    return made;
  }

  // Either side may be empty: the row is then gone or new.
  vkm_compared_row row(const std::string &name, vkm_verdict verdict, std::vector<double> base,
                       std::vector<double> fresh) {
    vkm_compared_row made{};
    made.name = keep(name);
    made.kind = "dispatch";
    made.family = "matrix";
    made.phase = "unlabelled";
    made.is_dispatch = true;
    made.has_groups = true;
    made.groups[0] = 64;
    made.groups[1] = 2;
    made.groups[2] = 1;
    made.code = VKM_CODE_CHANGED;
    made.verdict = verdict;
    if (!base.empty()) {
      made.sides[VKM_BASE] = side(base);
    }
    if (!fresh.empty()) {
      made.sides[VKM_NEW] = side(fresh);
    }
    made.has_change = !base.empty() && !fresh.empty();
    if (made.has_change) {
      const double from = made.sides[VKM_BASE].center_ns;
      made.matched_by = VKM_MATCHED_NAME;
      made.evidence = VKM_EVIDENCE_RUNS;
      made.change = made.sides[VKM_NEW].center_ns / from - 1;
      made.has_interval = true;
      made.low = made.change - 0.01;
      made.high = made.change + 0.01;
      made.reason = "interval-above-threshold";
    }
    made.has_impact = true;
    made.impact_ns = 100 * (made.sides[VKM_NEW].center_ns - made.sides[VKM_BASE].center_ns);
    return made;
  }

  explicit CompareExample(size_t same_rows = 2) {
    sides[VKM_BASE].label = keep("a1b2c3d");
    sides[VKM_NEW].label = keep("e4f5<a6b>|x");
    sides[VKM_BASE].run_count = 5;
    sides[VKM_NEW].run_count = 5;
    error.path = keep("new/run-3.json");
    error.run = keep("0f0f");
    error.cause = keep("killed by signal 11");
    error.command = keep("./app --bench");
    error.sequence = 3;
    sides[VKM_NEW].errors = &error;
    sides[VKM_NEW].error_count = 1;
    device.name = "Example GPU 9000 <&>";
    device.driver_name = "NVIDIA";
    device.driver_info = "575.57";
    device.driver_version = "575.57.0.0";
    device.profiled = true;
    for (auto &profile : profiles) {
      profile.devices = &device;
      profile.device_count = 1;
      profile.segment_key = "00aa";
      profile.mode = "inline";
      profile.run.vkmeter_version = "0.0.9";
    }
    comparison.settings = {};
    comparison.settings.threshold = 0.02;
    comparison.settings.floor_ns = -1;
    comparison.settings.confidence = 0.95;
    comparison.settings.warmup = 1;
    rows.resize(2);
    fill(rows[0], same_rows);
    rows[1].push_back(row("elsewhere", VKM_VERDICT_INCOMPARABLE, {100}, {}));
    rows[1][0].has_impact = false;
    panels.resize(2);
    for (size_t i = 0; i < panels.size(); i++) {
      finish(panels[i], rows[i]);
    }
    panels[1].comparable = false;
    panels[1].first[VKM_NEW] = nullptr;
    panels[1].incomparable_because =
        keep("base was measured on a, new on b: --allow-different=device compares them");
    total(panels[0]);
    comparison.panels = panels.data();
    comparison.panel_count = panels.size();
    comparison.sides[VKM_BASE] = &sides[VKM_BASE];
    comparison.sides[VKM_NEW] = &sides[VKM_NEW];
  }

  // In the order of a judged panel.
  void fill(std::vector<vkm_compared_row> &to, size_t same_rows) {
    to.push_back(row("softmax_rows", VKM_VERDICT_SLOWER, {181300, 183500, 182400, 181900, 183100},
                     {194900, 197200, 196100, 195300, 197000}));
    statistic.executable = "main";
    statistic.name = "VGPRs";
    statistic.base = 96;
    statistic.fresh = 128;
    to[0].statistics = &statistic;
    to[0].statistic_count = 1;
    to.push_back(row("</script><img src=x onerror=alert(1)>|a\x1b[31m\xff\"'&*_`",
                     VKM_VERDICT_LIKELY_SLOWER, {1000, 1001}, {1100, 1102}));
    to.push_back(
        row("rope_embed", VKM_VERDICT_UNCLEAR, {12800, 12700, 12900}, {13200, 12800, 13900}));
    to[2].reason = "runs-differ";
    to[2].runs_needed = 45;
    to[2].code = VKM_CODE_SAME;
    to.push_back(row("attn,fused: 100%", VKM_VERDICT_NEW, {}, {40300, 40400, 40200}));
    to.push_back(row("attn_qk", VKM_VERDICT_GONE, {24000, 24100, 23900}, {}));
    to.push_back(row("matmul_f16", VKM_VERDICT_FASTER, {1411900, 1412900, 1410900},
                     {1268000, 1267000, 1269000}));
    for (size_t i = 0; i < same_rows; i++) {
      to.push_back(row("layernorm_" + std::to_string(i), VKM_VERDICT_SAME, {61200, 61300, 61100},
                       {61300, 61300, 61200}));
      to.back().code = VKM_CODE_SAME;
    }
  }

  void finish(vkm_panel &panel, std::vector<vkm_compared_row> &of) {
    for (int side = 0; side < VKM_SIDES; side++) {
      panel.first[side] = &profiles[side];
      panel.run_count[side] = 5;
    }
    panel.comparable = true;
    panel.tick_ns = 1;
    panel.floor_ns = 2;
    panel.rows = of.data();
    panel.row_count = of.size();
    for (const auto &each : of) {
      panel.verdict_counts[each.verdict]++;
      comparison.verdict_counts[each.verdict]++;
    }
  }

  void total(vkm_panel &panel) {
    panel.control_count = 23;
    panel.has_drift = true;
    panel.drift = 0.001;
    panel.noise_floor = 0.004;
    panel.matched_count = 6;
    panel.has_total = panel.has_total_interval = panel.has_geomean = true;
    panel.matched_ns[VKM_BASE] = 2362.8e6;
    panel.matched_ns[VKM_NEW] = 2248.2e6;
    panel.total_change = -0.049;
    panel.total_low = -0.054;
    panel.total_high = -0.043;
    panel.geomean = 0.001;
    panel.total_verdict = VKM_VERDICT_FASTER;
    panel.gone_ns = 47.2e6;
    panel.new_ns = 40.3e6;
  }
};

#endif
