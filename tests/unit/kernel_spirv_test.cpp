/* In: modules compiled by glslang and spirv-as, with expectations worked out by hand. Out: verdicts
 * on src/kernel/spirv. */
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernel_module.h"

extern "C" {
#include "base/alloc.h"
}

namespace {

using namespace kernel_module;

std::vector<uint32_t> size_of(const vkm_spirv_kernel &kernel) {
  return {kernel.local_size[0], kernel.local_size[1], kernel.local_size[2]};
}
using Size = std::vector<uint32_t>;

struct SpirvOf : testing::TestWithParam<const char *> {
  Words load(const std::string &name) const {
    return kernel_module::load(name + "." + GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, SpirvOf, testing::Values("vulkan1.0", "vulkan1.3"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                           return name;
                         });

TEST_P(SpirvOf, E5_PlainKernel) {
  vkm_spirv_kernel kernel = describe(load("plain"));
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(size_of(kernel), (Size{8, 4, 2}));
  EXPECT_EQ(kernel.local_size_reason, nullptr);
  EXPECT_EQ(kernel.shared_memory_bytes, 0u);
  EXPECT_EQ(kernel.shared_memory_reason, nullptr);
  EXPECT_EQ(kernel.push_constant_bytes, 0u);
  EXPECT_EQ(kernel.push_constant_reason, nullptr);
  EXPECT_EQ(kernel.value_count, 0u);
  ASSERT_EQ(kernel.capability_count, 1u);
  EXPECT_EQ(kernel.capabilities[0], static_cast<uint32_t>(SpvCapabilityShader));
  EXPECT_STREQ(kernel.source_name, "");
}

TEST_P(SpirvOf, LayoutOfSharedAndPushConstants) {
  vkm_spirv_kernel kernel = describe(load("layout"));
  ASSERT_TRUE(kernel.known) << kernel.reason;
  /* items 4 * 32, lonely 4, triple 3 * 16, turn 3 * 16, flags 5 * 4, pair 8 */
  EXPECT_EQ(kernel.shared_memory_bytes, 128u + 4 + 48 + 48 + 20 + 8);
  EXPECT_EQ(kernel.push_constant_bytes, 120u);
}

TEST_P(SpirvOf, RowMajorMatrix) {
  /* Two rows of four columns: two strides of 16. */
  EXPECT_EQ(describe(load("row_major")).push_constant_bytes, 32u);
}

TEST_P(SpirvOf, E5_DefaultsOfSpecialization) {
  vkm_spirv_kernel kernel = describe(load("specialized"));
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(size_of(kernel), (Size{1, 1, 2}));
  EXPECT_EQ(kernel.shared_memory_bytes, 17u * 4 + 4 + 2 * 4);
  EXPECT_EQ(kernel.value_count, 0u);
}

TEST_P(SpirvOf, E5_GivenSpecialization) {
  Specialization given;
  given.set<uint32_t>(9, 0x3FC00000).set<uint32_t>(4, 3).set<uint32_t>(3, 1).set<uint32_t>(77, 5);
  given.set<uint32_t>(0, 32).set<uint32_t>(1, 4).set<uint32_t>(2, 10);
  vkm_spirv_kernel kernel = describe(load("specialized"), "main", &given);
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(size_of(kernel), (Size{32, 4, 2}));
  EXPECT_EQ(kernel.shared_memory_bytes, 40u * 4 + 128 * 4 + 8 * 4);
  /* 77 is not declared; 0 and 1 stand for two constants each in one of the targets. */
  ASSERT_EQ(kernel.value_count, 6u);
  const uint32_t ids[] = {0, 1, 2, 3, 4, 9};
  const uint64_t bits[] = {32, 4, 10, 1, 3, 0x3FC00000};
  for (int i = 0; i < 6; i++) {
    EXPECT_EQ(kernel.values[i].constant_id, ids[i]);
    EXPECT_EQ(kernel.values[i].bits, bits[i]);
    EXPECT_EQ(kernel.values[i].size_bytes, 4u);
  }
  EXPECT_EQ(kernel.values_dropped, 0u);
}

TEST_P(SpirvOf, NarrowBooleanIsTaken) {
  Specialization given;
  given.set<uint8_t>(3, 2);
  vkm_spirv_kernel kernel = describe(load("specialized"), "main", &given);
  EXPECT_EQ(kernel.shared_memory_bytes, 64u * 4 + 4 + 2 * 4);
  ASSERT_EQ(kernel.value_count, 1u);
  EXPECT_EQ(kernel.values[0].bits, 1u);
}

TEST_P(SpirvOf, ValueOutsideItsDataIsUnknown) {
  for (int fault = 0; fault < 4; fault++) {
    Specialization given;
    given.set<uint32_t>(0, 32);
    given.entries[0].offset_bytes = fault == 0 ? 1 : fault == 1 ? 0xFFFFFFFF : 0;
    given.entries[0].size_bytes = fault == 2 ? SIZE_MAX : fault == 3 ? 3 : 4;
    vkm_spirv_kernel kernel = describe(load("specialized"), "main", &given);
    ASSERT_TRUE(kernel.known);
    EXPECT_EQ(size_of(kernel), (Size{0, 0, 0}));
    EXPECT_NE(kernel.local_size_reason, nullptr);
    EXPECT_NE(kernel.shared_memory_reason, nullptr);
    EXPECT_EQ(kernel.shared_memory_bytes, 0u);
    EXPECT_EQ(kernel.value_count, 0u);
  }
}

TEST_P(SpirvOf, OtherByteOrder) {
  Words words = load("layout");
  for (uint32_t &word : words) {
    word = __builtin_bswap32(word);
  }
  vkm_spirv_kernel kernel = describe(words);
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(size_of(kernel), (Size{64, 1, 1}));
  EXPECT_EQ(kernel.shared_memory_bytes, 256u);
}

TEST_P(SpirvOf, EveryAllocationMayFail) {
  Words words = load("specialized");
  unsigned long nth = 0;
  vkm_status status = VKM_OUT_OF_MEMORY;
  while (status == VKM_OUT_OF_MEMORY) {
    vkm_spirv_kernel kernel;
    vkm_alloc_fail(++nth, 1);
    status = vkm_spirv_describe(words.data(), words.size(), "main", nullptr, &kernel);
    vkm_alloc_fail(0, 0);
    EXPECT_EQ(kernel.known, status == VKM_OK);
    EXPECT_EQ(kernel.reason == nullptr, kernel.known);
  }
  EXPECT_EQ(status, VKM_OK);
  EXPECT_GT(nth, 1u);
}

TEST(Spirv, ExplicitSharedBlocksAliasEachOther) {
  /* First 80 bytes, Second 64 + 16: both start at 0. */
  vkm_spirv_kernel kernel = describe(load("explicit_shared.vulkan1.3"));
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(kernel.shared_memory_bytes, 80u);
}

TEST(Spirv, E5_WorkgroupSizeWinsOverLocalSize) {
  EXPECT_EQ(size_of(describe(load("workgroup_size"))), (Size{7, 5, 2}));
  Specialization given;
  given.set<uint32_t>(7, 4);
  EXPECT_EQ(size_of(describe(load("workgroup_size"), "main", &given)), (Size{7, 4, 3}));
  Specialization zero;
  zero.set<uint32_t>(7, 0);
  vkm_spirv_kernel kernel = describe(load("workgroup_size"), "main", &zero);
  EXPECT_TRUE(kernel.known);
  EXPECT_EQ(size_of(kernel), (Size{0, 0, 0}));
  EXPECT_NE(kernel.local_size_reason, nullptr);
}

TEST(Spirv, E5_EachEntryPointHasItsOwnModesAndVariables) {
  Words words = load("entry_points");
  vkm_spirv_kernel main = describe(words, "main");
  vkm_spirv_kernel other = describe(words, "other");
  ASSERT_TRUE(main.known) << main.reason;
  ASSERT_TRUE(other.known) << other.reason;
  EXPECT_EQ(size_of(main), (Size{6, 2, 1}));
  EXPECT_EQ(size_of(other), (Size{3, 1, 1}));
  EXPECT_EQ(main.shared_memory_bytes, 40u + 4);
  EXPECT_EQ(other.shared_memory_bytes, 4u);
  EXPECT_EQ(main.push_constant_bytes, 0u);
  EXPECT_EQ(other.push_constant_bytes, 20u);
  EXPECT_STREQ(main.source_name, "folder/kernel.comp");
  for (const char *missing : {"", "mai", "main2", "nowhere", "shade"}) {
    vkm_spirv_kernel none = describe(words, missing);
    EXPECT_FALSE(none.known) << missing;
    EXPECT_STREQ(none.reason, "spirv: no compute entry point of this name");
  }
}

TEST(Spirv, ConstantsOfEveryWidth) {
  Words words = load("wide");
  EXPECT_EQ(size_of(describe(words, "convert")), (Size{3, 40000, 4}));
  EXPECT_EQ(size_of(describe(words, "shift")), (Size{2, 3, 4}));
  EXPECT_EQ(size_of(describe(words, "vector")), (Size{6, 4, 3}));
  vkm_spirv_kernel undefined = describe(words, "undefined");
  EXPECT_TRUE(undefined.known);
  EXPECT_EQ(size_of(undefined), (Size{0, 0, 0}));
  EXPECT_NE(undefined.local_size_reason, nullptr);
  Specialization given;
  given.set<int8_t>(1, -128).set<uint16_t>(2, 7).set<uint64_t>(3, 0x7FFFFFFF00000008);
  vkm_spirv_kernel kernel = describe(words, "convert", &given);
  EXPECT_EQ(size_of(kernel), (Size{128, 7, 9}));
  ASSERT_EQ(kernel.value_count, 3u);
  EXPECT_EQ(kernel.values[0].size_bytes, 1u);
  EXPECT_EQ(kernel.values[0].bits, 0x80u);
  EXPECT_EQ(kernel.values[1].size_bytes, 2u);
  EXPECT_EQ(kernel.values[2].size_bytes, 8u);
  EXPECT_EQ(kernel.values[2].bits, 0x7FFFFFFF00000008u);
  EXPECT_EQ(size_of(describe(words, "shift", &given)), (Size{64, 8, 0x7FFFFFFF}));
}

TEST(Spirv, GroupsOfDecorations) {
  vkm_spirv_kernel kernel = describe(load("groups"));
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(kernel.shared_memory_bytes, 48u);
}

TEST(Spirv, MoreValuesThanTheCapAreHashed) {
  const uint32_t count = VKM_SPIRV_SPECIALIZATION_CAP + 10;
  Builder module(count + 100);
  module.start();
  for (uint32_t i = 0; i < count; i++) {
    module.op(SpvOpDecorate, {50 + i, SpvDecorationSpecId, count - i});
  }
  module.op(SpvOpTypeInt, {10, 32, 0});
  for (uint32_t i = 0; i < count; i++) {
    module.op(SpvOpSpecConstant, {10, 50 + i, 1});
  }
  module.finish();
  Specialization given;
  for (uint32_t i = 1; i <= count; i++) {
    given.set<uint32_t>(i, i * 3);
  }
  vkm_spirv_kernel first = describe(module.words, "main", &given);
  ASSERT_TRUE(first.known) << first.reason;
  EXPECT_EQ(first.value_count, static_cast<uint32_t>(VKM_SPIRV_SPECIALIZATION_CAP));
  EXPECT_EQ(first.values_dropped, 10u);
  for (uint32_t i = 0; i < first.value_count; i++) {
    ASSERT_EQ(first.values[i].constant_id, i + 1);
    ASSERT_EQ(first.values[i].bits, (i + 1) * 3);
  }
  given.set<uint32_t>(0, 0);
  given.data[(size_t{count} - 1) * 4]++;
  vkm_spirv_kernel second = describe(module.words, "main", &given);
  EXPECT_NE(first.values_dropped_hash, 0u);
  EXPECT_NE(first.values_dropped_hash, second.values_dropped_hash);
}

TEST(Spirv, LongSourceNameIsCut) {
  Builder module(100);
  module.start();
  module.words.push_back((2 + 50) << 16 | SpvOpString);
  module.words.push_back(60);
  module.words.insert(module.words.end(), 49, 0x61616161);
  module.words.push_back(0);
  module.op(SpvOpSource, {SpvSourceLanguageGLSL, 450, 60}).finish();
  vkm_spirv_kernel kernel = describe(module.words);
  EXPECT_EQ(std::string(kernel.source_name), std::string(127, 'a'));
}

TEST(Spirv, PointersAndUntypedVariables) {
  /* A structure of a physical pointer to itself, announced before it is defined, and a word. */
  Builder module(100, 0x00010600);
  module.op(SpvOpEntryPoint, {SpvExecutionModelGLCompute, 1, 0x6E69616D, 0, 20, 21});
  module.op(SpvOpExecutionMode, {1, SpvExecutionModeLocalSize, 1, 1, 1});
  module.op(SpvOpTypeForwardPointer, {10, SpvStorageClassPhysicalStorageBuffer});
  module.op(SpvOpTypeInt, {11, 32, 0}).op(SpvOpTypeStruct, {12, 10, 11});
  module.op(SpvOpTypePointer, {10, SpvStorageClassPhysicalStorageBuffer, 12});
  module.op(SpvOpTypePointer, {13, SpvStorageClassWorkgroup, 12});
  module.op(SpvOpVariable, {13, 20, SpvStorageClassWorkgroup});
  module.op(SpvOpTypeUntypedPointerKHR, {14, SpvStorageClassWorkgroup});
  module.op(SpvOpUntypedVariableKHR, {14, 21, SpvStorageClassWorkgroup, 11});
  module.op(SpvOpUntypedVariableKHR, {14, 22, SpvStorageClassWorkgroup, 12});
  vkm_spirv_kernel kernel = describe(module.finish().words);
  ASSERT_TRUE(kernel.known) << kernel.reason;
  EXPECT_EQ(kernel.shared_memory_bytes, 16u + 4);
}

} // namespace
