/* In: modules that are wrong, huge or cyclic, placed so that one word too far faults. Out: verdicts
 * on the defences of src/kernel/spirv. */
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <initializer_list>
#include <string>

#include "kernel_module.h"

namespace {

using namespace kernel_module;

/* Memory whose end is followed by a page that nobody may touch. */
struct Fence {
  size_t bytes;
  unsigned char *base;
  explicit Fence(size_t size_bytes) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes = (size_bytes + page - 1) / page * page + page;
    void *mapped =
        mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(mapped, MAP_FAILED);
    base = static_cast<unsigned char *>(mapped);
    EXPECT_EQ(mprotect(base + bytes, page, PROT_NONE), 0);
    fence_page = page;
  }
  ~Fence() {
    munmap(base, bytes + fence_page);
  }
  Fence(const Fence &) = delete;
  Fence &operator=(const Fence &) = delete;
  const uint32_t *at_end(const uint32_t *words, size_t count) {
    unsigned char *place = base + bytes - count * 4;
    if (count > 0) {
      std::memcpy(place, words, count * 4);
    }
    return reinterpret_cast<const uint32_t *>(place);
  }

private:
  size_t fence_page = 0;
};

TEST(HostileSpirv, E5_EveryTruncationStaysInside) {
  for (const char *name : {"layout.vulkan1.0", "specialized.vulkan1.3", "wide", "entry_points",
                           "groups", "explicit_shared.vulkan1.3"}) {
    Words words = load(name);
    ASSERT_GT(words.size(), 20u);
    Fence fence(words.size() * 4);
    for (size_t count = 0; count <= words.size(); count++) {
      vkm_spirv_kernel kernel;
      const uint32_t *place = fence.at_end(words.data(), count);
      ASSERT_EQ(vkm_spirv_describe(place, count, "main", nullptr, &kernel), VKM_OK);
      if (count < 10) {
        ASSERT_FALSE(kernel.known);
      }
      ASSERT_EQ(kernel.known, kernel.reason == nullptr);
    }
  }
}

/* Each word in turn replaced by what hurts most. */
TEST(HostileSpirv, E5_EveryWordReplaced) {
  for (const char *name : {"layout.vulkan1.0", "specialized.vulkan1.3", "wide", "groups"}) {
    Words words = load(name);
    Fence fence(words.size() * 4);
    for (size_t i = 0; i < words.size(); i++) {
      for (uint32_t value : {0u, 1u, 0xFFFFFFFFu, 0x80000000u, 0xFFFF0000u | (words[i] & 0xFFFF),
                             words[i] ^ 0x10000u, words[i] + 1, words[i] ^ 1u}) {
        Words changed = words;
        changed[i] = value;
        vkm_spirv_kernel kernel;
        const uint32_t *place = fence.at_end(changed.data(), changed.size());
        ASSERT_EQ(vkm_spirv_describe(place, changed.size(), "main", nullptr, &kernel), VKM_OK);
      }
    }
  }
}

void expect_malformed(const Words &words, const char *reason) {
  Fence fence(words.size() * 4);
  vkm_spirv_kernel kernel;
  const uint32_t *place = fence.at_end(words.data(), words.size());
  ASSERT_EQ(vkm_spirv_describe(place, words.size(), "main", nullptr, &kernel), VKM_OK);
  EXPECT_FALSE(kernel.known);
  EXPECT_STREQ(kernel.reason, reason);
  EXPECT_EQ(kernel.capability_count, 0u);
}

TEST(HostileSpirv, E5_EachFaultHasItsReason) {
  expect_malformed({}, "spirv: shorter than its header");
  expect_malformed({1, 0x00010000, 0, 1, 0}, "spirv: wrong magic number");
  expect_malformed({SpvMagicNumber, 0x00020000, 0, 1, 0}, "spirv: unknown version");
  expect_malformed(Builder(0xFFFFFFFF).start().words, "spirv: id bound over 4194304");
  expect_malformed(Builder(9).words, "spirv: no compute entry point of this name");
  Builder zero(9);
  zero.start().words.push_back(0);
  expect_malformed(zero.words, "spirv: instruction of 0 words");
  Builder truncated(9);
  truncated.start().words.push_back(7 << 16 | SpvOpNop);
  expect_malformed(truncated.words, "spirv: truncated instruction");
  expect_malformed(Builder(9).start().op(SpvOpTypeInt, {2, 32}).words,
                   "spirv: instruction too short");
  expect_malformed(Builder(9).start().op(SpvOpExecutionMode, {1, 17, 1}).words,
                   "spirv: instruction too short");
  expect_malformed(Builder(9).start().op(SpvOpExecutionMode, {1, 17, 1, 1}).words,
                   "spirv: instruction too short");
  expect_malformed(Builder(9).start().op(SpvOpTypeBool, {9}).words, "spirv: id out of bounds");
  expect_malformed(Builder(9).start().op(SpvOpTypeBool, {0}).words, "spirv: id out of bounds");
  expect_malformed(Builder(9).start().op(SpvOpTypeBool, {5}).op(SpvOpTypeBool, {5}).words,
                   "spirv: id defined twice");
  expect_malformed(Builder(9).op(SpvOpEntryPoint, {5, 1, 0x6E69616D}).words,
                   "spirv: unterminated string");
  expect_malformed(Builder(9).start().words, "spirv: the entry point's function is missing");
  expect_malformed(Builder(9).start().op(SpvOpGroupMemberDecorate, {5}).words,
                   "spirv: member decoration groups are not understood");
  expect_malformed(
      Builder(9).start().op(SpvOpTypeInt, {5, 64, 0}).op(SpvOpConstant, {5, 6, 1}).words,
      "spirv: instruction too short");
}

/* A shared variable of type `type` (id 20): 21 its pointer, 22 the variable. */
vkm_spirv_kernel shared_of(Builder &module) {
  module.op(SpvOpTypePointer, {21, SpvStorageClassWorkgroup, 20});
  module.op(SpvOpVariable, {21, 22, SpvStorageClassWorkgroup});
  return describe(module.finish(22, 20).words);
}

TEST(HostileSpirv, TypesWithoutASize) {
  Builder cyclic(50);
  cyclic.start().op(SpvOpTypeStruct, {20, 20});
  EXPECT_NE(shared_of(cyclic).shared_memory_reason, nullptr);
  Builder mutual(50);
  mutual.start().op(SpvOpTypeStruct, {19, 20}).op(SpvOpTypeStruct, {20, 19});
  EXPECT_NE(shared_of(mutual).shared_memory_reason, nullptr);
  Builder runtime(50);
  runtime.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpTypeRuntimeArray, {20, 10});
  EXPECT_NE(shared_of(runtime).shared_memory_reason, nullptr);
  Builder constant(50);
  constant.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpConstant, {10, 20, 4});
  EXPECT_NE(shared_of(constant).shared_memory_reason, nullptr);
  Builder itself(50);
  itself.start().op(SpvOpTypePointer, {20, SpvStorageClassWorkgroup, 20});
  EXPECT_NE(shared_of(itself).shared_memory_reason, nullptr);
  Builder odd(50);
  odd.start().op(SpvOpTypeInt, {20, 24, 0});
  EXPECT_NE(shared_of(odd).shared_memory_reason, nullptr);
  Builder vector(50);
  vector.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpTypeVector, {20, 10, 0x40000000});
  vkm_spirv_kernel kernel = shared_of(vector);
  EXPECT_TRUE(kernel.known);
  EXPECT_NE(kernel.shared_memory_reason, nullptr);
  EXPECT_EQ(kernel.shared_memory_bytes, 0u);
}

TEST(HostileSpirv, E5_LengthsThatAreNone) {
  for (uint32_t length : {0u, 0x80000000u, 0xFFFFFFFFu}) {
    Builder module(50);
    module.start().op(SpvOpTypeInt, {10, 32, 1}).op(SpvOpConstant, {10, 11, length});
    module.op(SpvOpTypeArray, {20, 10, 11});
    EXPECT_STREQ(shared_of(module).shared_memory_reason, "spirv: array length is not positive");
  }
}

TEST(HostileSpirv, SizesThatOverflow) {
  /* Arrays of arrays: 4 * 0xFFFFFFFF^n bytes. */
  Builder module(50);
  module.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpConstant, {10, 11, 0xFFFFFFFF});
  module.op(SpvOpTypeArray, {12, 10, 11}).op(SpvOpTypeArray, {20, 12, 11});
  EXPECT_STREQ(shared_of(module).shared_memory_reason, "spirv: type too large");
  Builder large(50);
  large.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpConstant, {10, 11, 0xFFFFFFFF});
  large.op(SpvOpTypeArray, {20, 10, 11});
  EXPECT_EQ(shared_of(large).shared_memory_bytes, 4u * 0xFFFFFFFFull);
}

/* Constants 12 = 1, 13 = 2, vector 14 of both; the expression defines 20, and the local size is
 * (20, 1, 1). */
vkm_spirv_kernel size_by(std::initializer_list<uint32_t> expression) {
  Builder module(1 << 20, 0x00010600);
  module.op(SpvOpEntryPoint, {SpvExecutionModelGLCompute, 1, 0x6E69616D, 0});
  module.op(SpvOpExecutionModeId, {1, SpvExecutionModeLocalSizeId, 20, 12, 12});
  module.op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpTypeVector, {11, 10, 2});
  module.op(SpvOpConstant, {10, 12, 1}).op(SpvOpConstant, {10, 13, 2});
  /* Its id is the word behind the vector: one constituent too far finds it. */
  module.op(SpvOpConstant, {10, 6 << 16 | SpvOpSpecConstantOp, 7});
  module.op(SpvOpConstantComposite, {11, 14, 12, 13});
  module.op(SpvOpSpecConstantOp, expression);
  return describe(module.finish().words);
}

TEST(HostileSpirv, ExpressionsOfWrongShape) {
  const uint32_t extract = SpvOpCompositeExtract;
  const uint32_t shuffle = SpvOpVectorShuffle;
  EXPECT_EQ(size_by({10, 20, extract, 14, 1}).local_size[0], 2u);
  EXPECT_EQ(size_by({10, 20, SpvOpIAdd, 13, 13}).local_size[0], 4u);
  const std::initializer_list<uint32_t> wrong[] = {
      {10, 20, SpvOpIAdd},
      {10, 20, SpvOpIAdd, 13},
      {10, 20, SpvOpIAdd, 13, 14},
      {10, 20, SpvOpIAdd, 13, 20},
      {10, 20, SpvOpIAdd, 13, 49},
      {10, 20, SpvOpIAdd, 13, 10},
      {10, 20, SpvOpSelect, 12, 13, 12, 13},
      {10, 20, SpvOpSelect, 12, 13, 12, 13, 12, 13, 12},
      {11, 20, SpvOpIAdd, 12, 13},
      {9, 20, SpvOpIAdd, 12, 13},
      {10, 20, SpvOpFAdd, 12, 13},
      {10, 20, extract, 14, 2},
      {10, 20, extract, 14, 0xFFFFFFFF},
      {10, 20, extract, 14, 0, 0, 0},
      {10, 20, extract, 20, 0},
      {10, 20, extract, 49, 0},
      {10, 20, SpvOpCompositeInsert, 12, 14},
      {10, 20, SpvOpCompositeInsert, 12, 14, 2},
      {10, 20, shuffle, 14, 14},
      {10, 20, shuffle, 14, 14, 4},
      {10, 20, shuffle, 14, 14, 0xFFFFFFFF},
      {10, 20, shuffle, 14, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
  };
  for (const auto &expression : wrong) {
    vkm_spirv_kernel kernel = size_by(expression);
    ASSERT_TRUE(kernel.known) << kernel.reason;
    EXPECT_NE(kernel.local_size_reason, nullptr) << testing::PrintToString(expression);
  }
}

TEST(HostileSpirv, E5_NoLocalSizeOfZero) {
  for (int zero = 0; zero < 3; zero++) {
    Builder module(50);
    module.op(SpvOpEntryPoint, {SpvExecutionModelGLCompute, 1, 0x6E69616D, 0});
    module.op(SpvOpExecutionMode, {1, SpvExecutionModeLocalSize, zero == 0 ? 0u : 4u,
                                   zero == 1 ? 0u : 4u, zero == 2 ? 0u : 4u});
    vkm_spirv_kernel kernel = describe(module.finish().words);
    ASSERT_TRUE(kernel.known);
    EXPECT_STREQ(kernel.local_size_reason, "spirv: local size of 0");
    EXPECT_EQ(kernel.local_size[0] + kernel.local_size[1] + kernel.local_size[2], 0u);
  }
}

TEST(HostileSpirv, CallsInCircles) {
  Builder module(50);
  module.start().op(SpvOpTypeVoid, {2}).op(SpvOpTypeFunction, {3, 2});
  module.op(SpvOpFunction, {2, 1, 0, 3}).op(SpvOpLabel, {4});
  module.op(SpvOpFunctionCall, {2, 30, 31}).op(SpvOpFunctionCall, {2, 32, 1});
  module.op(SpvOpReturn, {}).op(SpvOpFunctionEnd, {});
  module.op(SpvOpFunction, {2, 31, 0, 3}).op(SpvOpLabel, {33});
  module.op(SpvOpFunctionCall, {2, 34, 31}).op(SpvOpFunctionCall, {2, 35, 1});
  EXPECT_TRUE(describe(module.words).known);
}

/* Literals that look like the id of a variable do not use it. */
TEST(HostileSpirv, LiteralsAreNotUses) {
  Builder module(50);
  module.start().op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpTypePointer, {21, 4, 10});
  module.op(SpvOpVariable, {21, 22, SpvStorageClassWorkgroup});
  module.op(SpvOpTypeVoid, {2}).op(SpvOpTypeFunction, {3, 2}).op(SpvOpFunction, {2, 1, 0, 3});
  module.op(SpvOpLabel, {4}).op(SpvOpLine, {40, 22, 22}).op(SpvOpSelectionMerge, {41, 22});
  module.op(SpvOpCompositeExtract, {10, 42, 43, 22}).op(SpvOpSwitch, {42, 41, 22, 41});
  module.op(SpvOpGroupNonUniformIAdd, {10, 44, 45, 22, 46});
  module.op(SpvOpExtInst, {10, 47, 48, 22, 46}).op(SpvOpStore, {49, 46, 2, 22});
  module.op(SpvOpReturn, {}).op(SpvOpFunctionEnd, {});
  EXPECT_EQ(describe(module.words).shared_memory_bytes, 0u);
  Builder used(50);
  used.words = module.words;
  used.words.resize(used.words.size() - 2);
  used.op(SpvOpStore, {22, 46, 2, 4}).op(SpvOpReturn, {}).op(SpvOpFunctionEnd, {});
  EXPECT_EQ(describe(used.words).shared_memory_bytes, 4u);
}

/* Doubling expressions and large tables finish at once: the work is linear in the words. */
TEST(HostileSpirv, NoWorkBeyondTheWords) {
  auto start = std::chrono::steady_clock::now();
  const uint32_t count = 100000;
  Builder module(4 * 1024 * 1024);
  module.start();
  for (uint32_t i = 0; i < count; i++) {
    module.op(SpvOpMemberDecorate, {20 + i, i, SpvDecorationOffset, i * 4});
  }
  module.op(SpvOpTypeInt, {10, 32, 0}).op(SpvOpConstant, {10, 1000, 1});
  for (uint32_t i = 1; i < count; i++) {
    module.op(SpvOpSpecConstantOp, {10, 1000 + i, SpvOpIAdd, 999 + i, 999 + i});
  }
  for (uint32_t i = 0; i < count; i++) {
    module.op(SpvOpTypeStruct, {200000 + i, 10, 10, 10});
  }
  for (uint32_t i = 0; i < count; i++) {
    module.op(SpvOpFunction, {2, 400000 + i, 0, 3}).op(SpvOpFunctionCall, {2, 5, 400001 + i});
  }
  module.finish();
  EXPECT_TRUE(describe(module.words).known);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 5.0);
}

} // namespace
