// Sides of a comparison made in memory: each run is a profile document that the reader reads.
#pragma once

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "model/comparison.h"
#include "model/noise.h"
#include "model/side.h"
}

struct Kernel {
  std::string name; // "" for a pipeline without; "!..." is the module's
  std::string code; // "" for a command without a pipeline
  std::vector<int64_t> samples;
  std::vector<uint32_t> groups = {64, 1, 1}; // empty: not known
  int first_use = -1;
  int device = 0;
  std::string kind = "dispatch";
  std::map<std::string, double> statistics = {};
  std::string phase = "unlabelled";
};
using Kernels = std::vector<Kernel>;

inline std::string Replaced(std::string text, const std::string &from, const std::string &to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Side {
public:
  // Changes the text of documents that are added from now on.
  std::function<std::string(std::string)> edit = [](std::string text) { return text; };

  Side() {
    label_ = "side";
    side_.label = label_.data();
  }
  Side(const Side &) = delete;
  Side &operator=(const Side &) = delete;
  ~Side() {
    for (struct vkm_read_profile &profile : profiles_) {
      vkm_profile_read_finish(&profile);
    }
  }

  // Of one run when `run` is given and was given before.
  Side &Add(const Kernels &kernels, const std::string &run = "") {
    std::string id = run.empty() ? "run-" + std::to_string(profiles_.size()) : run;
    std::string text = edit(Document(kernels, id));
    struct vkm_read_profile profile = {};
    struct vkm_read_error error = {};
    EXPECT_EQ(vkm_profile_read_bytes(text.data(), text.size(), &profile, &error), VKM_OK)
        << error.cause;
    profiles_.push_back(profile);
    size_t first = ids_.count(id) != 0 ? ids_[id] : profiles_.size() - 1;
    side_.run_count += ids_.count(id) == 0;
    ids_.emplace(id, first);
    runs_.push_back(first);
    return *this;
  }

  struct vkm_side *get() {
    side_.profiles = profiles_.data();
    side_.profile_count = profiles_.size();
    side_.runs = runs_.data();
    return &side_;
  }

private:
  static std::string Numbers(const std::vector<int64_t> &values) {
    std::string text;
    for (int64_t value : values) {
      text += (text.empty() ? "" : ",") + std::to_string(value);
    }
    return "[" + text + "]";
  }

  static std::string Quoted(const std::string &text) {
    return text.empty() ? "null" : "\"" + text + "\"";
  }

  static std::string Hash(const std::string &code) {
    uint64_t hash = 14695981039346656037U; // FNV-1a: the same for all widths of machines
    for (unsigned char byte : code) {
      hash = (hash ^ byte) * 1099511628211U;
    }
    char text[40];
    std::snprintf(text, sizeof text, "%032" PRIx64, hash);
    return std::string(text).substr(16) + std::string(text).substr(0, 16);
  }

  static std::string KernelText(const Kernel &kernel, const std::string &pipeline) {
    std::ostringstream out;
    size_t count = kernel.samples.size();
    int64_t sum = std::accumulate(kernel.samples.begin(), kernel.samples.end(), int64_t{0});
    std::vector<int64_t> groups(kernel.groups.begin(), kernel.groups.end());
    out << R"({"pipeline":)" << pipeline << R"(,"device":)" << kernel.device << R"(,"kind":")"
        << kernel.kind << R"(","groups":)" << (groups.empty() ? "null" : Numbers(groups))
        << R"(,"phase":")" << kernel.phase << R"(","family":"unclassified","executions":)" << count
        << R"(,"measured":)" << count << R"(,"control":0,"untimed":{},"missed":{},"rejected":{},)"
        << R"("duration":)";
    if (count > 0) {
      out << R"({"sum":)" << sum << R"(,"min":0,"max":0,"median":0,"mad":0})";
    } else {
      out << "null";
    }
    out << R"(,"samples":)" << Numbers(kernel.samples) << R"(,"samples_seen":)" << count
        << R"(,"samples_kept":)" << count << R"(,"first_use":)"
        << (kernel.first_use < 0 ? "null" : std::to_string(kernel.first_use)) << "}";
    return out.str();
  }

  static std::string PipelineText(const Kernel &kernel, const std::string &id) {
    bool module = kernel.name.substr(0, 1) == "!";
    std::string text = R"({"id":)" + id + R"(,"device":)" + std::to_string(kernel.device) +
                       R"(,"identity":{"hash":")" + Hash(kernel.code) + R"("},"name":)" +
                       Quoted(module ? "" : kernel.name) + R"(,"module_name":)" +
                       Quoted(module ? kernel.name.substr(1) : "") + R"(,"entry_point":"main")";
    if (!kernel.statistics.empty()) {
      std::ostringstream out;
      out << R"(,"executables":[{"name":"compute","subgroup_size":32,"statistics":[)";
      std::string separator;
      for (const auto &[name, value] : kernel.statistics) {
        out << separator << R"({"name":")" << name << R"(","format":"float64","value":)" << value
            << "}";
        separator = ",";
      }
      text += out.str() + "]}]";
    }
    return text + "}";
  }

  // A profile in which nothing was executed.
  static const std::string &Idle() {
    static const std::string text = [] {
      std::ifstream file(VKM_TEST_DATA "/profiles/tool_idle.json");
      return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    }();
    return text;
  }

  static std::string Document(const Kernels &kernels, const std::string &id) {
    std::string text = Idle();
    std::string pipelines;
    std::string rows;
    for (size_t i = 0; i < kernels.size(); i++) {
      std::string pipeline = "\"p" + std::to_string(i) + "\"";
      rows +=
          (i == 0 ? "" : ",") + KernelText(kernels[i], kernels[i].code.empty() ? "null" : pipeline);
      if (!kernels[i].code.empty()) {
        pipelines += (pipelines.empty() ? "" : ",") + PipelineText(kernels[i], pipeline);
      }
    }
    text = Replaced(text, R"("run-7")", "\"" + id + "\"");
    text = Replaced(text, R"("pipelines": [])", R"("pipelines": [)" + pipelines + "]");
    return Replaced(text, R"("kernels": [])", R"("kernels": [)" + rows + "]");
  }

  std::string label_;
  struct vkm_side side_ = {};
  std::vector<struct vkm_read_profile> profiles_;
  std::vector<size_t> runs_;
  std::map<std::string, size_t> ids_;
};

class Comparison {
public:
  static struct vkm_compare_settings Defaults() {
    struct vkm_compare_settings settings = {};
    settings.threshold = 0.02;
    settings.floor_ns = -1;
    settings.confidence = 0.95;
    settings.warmup = 1;
    return settings;
  }
  Comparison(Side &base, Side &fresh, struct vkm_compare_settings settings = Defaults()) {
    EXPECT_TRUE(vkm_comparison_build(&it, base.get(), fresh.get(), &settings));
  }
  ~Comparison() {
    vkm_comparison_finish(&it);
  }
  Comparison(const Comparison &) = delete;
  Comparison &operator=(const Comparison &) = delete;

  const struct vkm_panel &Panel(size_t index = 0) const {
    static const struct vkm_panel none = {};
    EXPECT_LT(index, it.panel_count);
    return index < it.panel_count ? it.panels[index] : none;
  }
  // The row of that name; it has to be there.
  const struct vkm_compared_row &Row(const std::string &name) const {
    static const struct vkm_compared_row none = {};
    for (size_t i = 0; i < it.panel_count; i++) {
      for (size_t j = 0; j < it.panels[i].row_count; j++) {
        if (it.panels[i].rows[j].name == name) {
          return it.panels[i].rows[j];
        }
      }
    }
    ADD_FAILURE() << "no row " << name;
    return none;
  }
  // "VERDICT reason" of the row of that name.
  std::string Said(const std::string &name) const {
    const struct vkm_compared_row &row = Row(name);
    return std::string(vkm_verdict_name(row.verdict)) + " " + (row.reason ? row.reason : "");
  }
  // Names in order, one a line, each with its verdict.
  std::string Names() const {
    std::string text;
    for (size_t i = 0; i < it.panel_count; i++) {
      for (size_t j = 0; j < it.panels[i].row_count; j++) {
        const struct vkm_compared_row &row = it.panels[i].rows[j];
        text += (text.empty() ? "" : "\n") + std::string(row.name) + " " +
                vkm_verdict_name(row.verdict);
      }
    }
    return text;
  }

  struct vkm_comparison it = {};
};
