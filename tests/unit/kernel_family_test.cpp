/* In: names as people give them; counts of the kernels of real programs, labelled by hand before;
 * the sample's own shaders, compiled here. Out: verdicts on src/kernel/family and on what
 * src/kernel/spirv counts. */
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "kernel_module.h"

extern "C" {
#include "base/alloc.h"
#include "kernel/family.h"
}

namespace {

using namespace kernel_module;

std::string ByName(const std::string &name) {
  return vkm_family_names[vkm_family_of_text(name.c_str())];
}

std::string ByCode(const vkm_spirv_counts &counts) {
  return vkm_family_names[vkm_family_of_counts(&counts)];
}

struct Named {
  const char *name, *family;
};

TEST(KernelFamily, WordsOfNames) {
  const Named cases[] = {
      {"mul_mat_vec_q4_0_f32_f32", "matrix"},
      {"mul_f32", "pointwise"},
      {"soft_max_f32", "normalization_reduction"},
      {"softmaxRows", "normalization_reduction"},
      {"flash_attn_f32_f16", "attention"},
      {"get_rows_q4_0", "data_movement"},
      {"cpy_f32_f16", "data_movement"},
      {"concat_i32", "data_movement"},
      {"rope_neox_f32", "pointwise"},
      {"SGEMM_64x64", "matrix"},
      {"MatMulKernel", "matrix"},
      {"GEMMKernel", "matrix"},
      {"matMul2", "matrix"},
      {"layernorm2d", "normalization_reduction"},
      {"conv2dTransposed", "convolution_spatial"},
      {"conv_transpose_1d", "convolution_spatial"},
      {"fft1024", "transform"},
      {"opt_step_adamw", "optimizer"},
      {"radix_sort_scatter", "sort_scan"},
      {"prefix sum", "sort_scan"},
      {"copy.comp", "data_movement"},
      // What is fused into something larger is part of it.
      {"gemm_transpose_bias_relu", "matrix"},
      {"add_rms_f32", "normalization_reduction"},
      {"attention_softmax", "attention"},
      // Words that follow each other say more than one of them.
      {"repeat_back", "normalization_reduction"},
      {"diag_mask_inf", "pointwise"},
  };
  for (const Named &each : cases) {
    EXPECT_EQ(ByName(each.name), each.family) << each.name;
  }
}

TEST(KernelFamily, WordsInsideOtherWordsSayNothing) {
  for (const char *name :
       {"", "main", "dawn_entry_point", "address", "summary", "normal", "example", "matrix",
        "formula", "padding_free", "mulling", "Kernel_7", "cs", "2", "____", "\xff\xfe"}) {
    EXPECT_EQ(ByName(name), "unclassified") << name;
  }
  EXPECT_EQ(ByName(std::string(100000, 'a') + "_gemm"), "unclassified"); // cut, not read beyond
}

TEST(KernelFamily, TokensAreSortedAndOfFamilies) {
  const std::vector<std::string> tokens = {
#define VKM_TOKEN(words, family) words,
#include "kernel/tokens.def"
#undef VKM_TOKEN
  };
  EXPECT_TRUE(std::is_sorted(tokens.begin(), tokens.end()));
  EXPECT_EQ(std::set<std::string>(tokens.begin(), tokens.end()).size(), tokens.size());
  for (const std::string &token : tokens) {
    EXPECT_NE(ByName(token), "unclassified") << token;
  }
}

TEST(KernelFamily, TheFirstNameThatSaysSomethingCounts) {
  vkm_spirv_counts moves = {};
  moves.known = true;
  moves.values[VKM_COUNT_moved_stores] = 1;
  vkm_kernel_names names = {nullptr, "", "main", "mainImage", "softmax.comp"};
  vkm_family_answer answer = vkm_family_of_kernel(&names, &moves);
  EXPECT_EQ(answer.family, VKM_FAMILY_normalization_reduction);
  EXPECT_EQ(answer.source, VKM_FAMILY_BY_NAME);
  names.module = "gemm";
  EXPECT_EQ(vkm_family_of_kernel(&names, &moves).family, VKM_FAMILY_matrix);
  names.pipeline = "fft";
  EXPECT_EQ(vkm_family_of_kernel(&names, &moves).family, VKM_FAMILY_transform);
  names = {"pipeline 3", nullptr, "main", "", ""};
  answer = vkm_family_of_kernel(&names, &moves);
  EXPECT_EQ(answer.family, VKM_FAMILY_data_movement);
  EXPECT_EQ(answer.source, VKM_FAMILY_BY_SPIRV);
  moves.known = false;
  answer = vkm_family_of_kernel(&names, &moves);
  EXPECT_EQ(answer.family, VKM_FAMILY_unclassified);
  EXPECT_EQ(answer.source, VKM_FAMILY_BY_NONE);
}

TEST(KernelFamily, KindsThatRunNoPipeline) {
  EXPECT_EQ(vkm_family_of_kind(VKM_KIND_COPY), VKM_FAMILY_data_movement);
  EXPECT_EQ(vkm_family_of_kind(VKM_KIND_RENDER_PASS), VKM_FAMILY_graphics);
  EXPECT_EQ(vkm_family_of_kind(VKM_KIND_TRACE_RAYS), VKM_FAMILY_ray_tracing);
  EXPECT_EQ(vkm_family_of_kind(VKM_KIND_DISPATCH), VKM_FAMILY_unclassified);
}

// ---- kernels of real programs ----

struct Labelled {
  std::string hash, entry, client, family, word;
};

std::vector<Labelled> Labels() {
  std::ifstream file(VKM_TEST_DATA "/families.txt");
  std::vector<Labelled> labels;
  for (std::string line; std::getline(file, line);) {
    Labelled label;
    std::istringstream words(line);
    if (line[0] != '#' &&
        words >> label.hash >> label.entry >> label.client >> label.family >> label.word) {
      labels.push_back(label);
    }
  }
  return labels;
}

std::map<std::string, vkm_spirv_counts> Counts() {
  std::map<std::string, uint32_t> numbers;
  for (uint32_t i = 0; i < VKM_COUNT_COUNT; i++) {
    numbers[vkm_count_names[i]] = i;
  }
  std::ifstream file(VKM_TEST_DATA "/family_counts.txt");
  std::map<std::string, vkm_spirv_counts> found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string hash, word;
    if (line[0] == '#' || !(words >> hash)) {
      continue;
    }
    vkm_spirv_counts counts = {};
    counts.known = true;
    while (words >> word) {
      std::string name = word.substr(0, word.find('='));
      EXPECT_EQ(numbers.count(name), 1u) << name;
      counts.values[numbers[name]] =
          static_cast<uint32_t>(std::stoul(word.substr(name.size() + 1)));
    }
    found[hash] = counts;
  }
  return found;
}

// By their code alone: none of these programs names its kernels.
TEST(KernelFamily, CodeOfProgramsThatWereRun) {
  std::map<std::string, vkm_spirv_counts> counts = Counts();
  std::map<std::string, int> seen, right;
  for (const Labelled &label : Labels()) {
    if (label.client != "ggml") {
      bool same = ByCode(counts.at(label.hash)) == label.family;
      seen[label.client]++;
      right[label.client] += same;
      seen["all"]++;
      right["all"] += same;
      EXPECT_TRUE(same) << label.client << " " << label.word << ": "
                        << ByCode(counts.at(label.hash));
    }
  }
  EXPECT_GE(seen["all"], 30);
  for (const auto &[client, number] : seen) {
    EXPECT_GE(right[client] * 10, number * 9) << client;
  }
}

// The same library's kernels at large: by their names nearly all, by their code most.
TEST(KernelFamily, KernelsOfALibrary) {
  std::map<std::string, vkm_spirv_counts> counts = Counts();
  int seen = 0, by_name = 0, by_code = 0;
  for (const Labelled &label : Labels()) {
    if (label.client == "ggml") {
      seen++;
      by_name += ByName(label.word) == label.family;
      by_code += ByCode(counts.at(label.hash)) == label.family;
    }
  }
  EXPECT_EQ(seen, 82);
  EXPECT_GE(by_name * 100, seen * 90) << by_name;
  EXPECT_GE(by_code * 100, seen * 75) << by_code;
}

// ---- our own shaders, compiled for this test ----

vkm_spirv_counts CountsOf(const std::string &name, const char *entry = "main") {
  vkm_spirv_kernel kernel = describe(load(name), entry);
  EXPECT_TRUE(kernel.known) << kernel.reason;
  EXPECT_TRUE(kernel.counts.known) << kernel.counts.reason;
  return kernel.counts;
}

TEST(KernelFamily, CodeOfOurOwnShaders) {
  const Named cases[] = {{"matmul", "matrix"},
                         {"reduce", "normalization_reduction"},
                         {"scan", "sort_scan"},
                         {"scan_add", "pointwise"},
                         {"affine", "pointwise"},
                         {"scale", "pointwise"},
                         {"family_attention", "attention"},
                         {"family_blur", "convolution_spatial"},
                         {"family_resample", "convolution_spatial"},
                         {"family_flip", "data_movement"},
                         {"family_hadamard", "transform"},
                         {"family_gather", "data_movement"},
                         {"family_bitonic", "sort_scan"},
                         {"family_adam", "optimizer"},
                         {"family_steps", "matrix"},
                         {"family_histogram", "unclassified"}};
  for (const Named &each : cases) {
    for (const char *target : {"vulkan1.0", "vulkan1.3"}) {
      EXPECT_EQ(ByCode(CountsOf(std::string(each.name) + "." + target)), each.family)
          << each.name << " " << target;
    }
  }
}

TEST(KernelFamily, CountsOfOneShader) {
  vkm_spirv_counts counts = CountsOf("matmul.vulkan1.3");
  EXPECT_EQ(counts.values[VKM_COUNT_buffer_loads], 2u);
  EXPECT_EQ(counts.values[VKM_COUNT_buffer_stores], 1u);
  EXPECT_EQ(counts.values[VKM_COUNT_shared_loads], 2u);
  EXPECT_EQ(counts.values[VKM_COUNT_shared_stores], 2u);
  EXPECT_EQ(counts.values[VKM_COUNT_float_arithmetic], 2u); // one product, one sum
  EXPECT_EQ(counts.values[VKM_COUNT_barriers], 2u);
  EXPECT_EQ(counts.values[VKM_COUNT_loops], 2u);
  EXPECT_EQ(counts.values[VKM_COUNT_accumulated_products], 1u);
  EXPECT_EQ(counts.values[VKM_COUNT_accumulated_values], 0u);
  EXPECT_EQ(counts.values[VKM_COUNT_computed_stores], 1u);
  EXPECT_EQ(counts.values[VKM_COUNT_atomics], 0u);
  counts = CountsOf("family_histogram.vulkan1.3");
  EXPECT_EQ(counts.values[VKM_COUNT_atomics], 1u);
}

// Of functions that the entry point does not reach nothing is counted.
TEST(KernelFamily, OnlyWhatIsReachedIsCounted) {
  EXPECT_EQ(CountsOf("entry_points", "main").values[VKM_COUNT_shared_stores], 2u); // one called
  EXPECT_EQ(CountsOf("entry_points", "other").values[VKM_COUNT_shared_stores], 1u);
}

TEST(KernelFamily, NameOfTheFunction) {
  EXPECT_STREQ(describe(load("matmul.vulkan1.3")).function_name, "main");
}

TEST(KernelFamily, MemoryThatIsShortIsSaid) {
  Words words = load("matmul.vulkan1.3");
  for (unsigned long nth = 1; nth <= 20; nth++) {
    vkm_spirv_kernel kernel;
    vkm_alloc_fail(nth, 1);
    vkm_status status = vkm_spirv_describe(words.data(), words.size(), "main", nullptr, &kernel);
    vkm_alloc_fail(0, 0);
    if (status == VKM_OK) {
      EXPECT_GT(nth, 4u);
      EXPECT_TRUE(kernel.counts.known);
      return;
    }
    EXPECT_EQ(status, VKM_OUT_OF_MEMORY);
    EXPECT_FALSE(kernel.known);
    EXPECT_FALSE(kernel.counts.known);
  }
  FAIL() << "it never succeeds";
}

} // namespace
