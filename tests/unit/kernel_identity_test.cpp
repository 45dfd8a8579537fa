/* In: hashes, entry points, specializations. Out: verdicts on src/kernel/identity. */
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernel_module.h"

extern "C" {
#include "kernel/identity.h"
}

namespace {

using namespace kernel_module;

std::string text(vkm_hash hash) {
  char buffer[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(hash, buffer);
  return buffer;
}

/* Digests of xxHash's own command, xxhsum -H2. */
TEST(Identity, HashIsXxh3Of128Bits) {
  EXPECT_EQ(text(vkm_hash_bytes("", 0)), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(text(vkm_hash_bytes("abc", 3)), "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(text({0x0123456789ABCDEF, 0xFEDCBA9876543210}), "0123456789abcdeffedcba9876543210");
}

std::string identity_of(const Words &words, const Specialization *given, const char *entry = "main",
                        uint32_t subgroup = 0) {
  vkm_spirv_kernel kernel = describe(words, entry, given);
  vkm_hash spirv = vkm_hash_bytes(words.data(), words.size() * 4);
  return text(vkm_identity(spirv, entry, &kernel, subgroup, VKM_PIPELINE_COMPUTE));
}

TEST(Identity, G4_TellsApartWhatDiffers) {
  Words words = load("specialized.vulkan1.0");
  Specialization one;
  one.set<uint32_t>(2, 8);
  Specialization two;
  two.set<uint32_t>(2, 9);
  Specialization other_id;
  other_id.set<uint32_t>(4, 8);
  std::set<std::string> seen = {
      identity_of(words, nullptr),
      identity_of(words, &one),
      identity_of(words, &two),
      identity_of(words, &other_id),
      identity_of(words, nullptr, "main", 32),
      identity_of(words, nullptr, "nowhere"),
      identity_of(load("specialized.vulkan1.3"), nullptr),
  };
  EXPECT_EQ(seen.size(), 7u);
}

TEST(Identity, G4_IgnoresWhatDoesNotMatter) {
  Words words = load("specialized.vulkan1.0");
  Specialization one;
  one.set<uint32_t>(2, 8).set<uint32_t>(4, 2);
  Specialization shuffled;
  shuffled.set<uint32_t>(99, 1).set<uint32_t>(4, 2).set<uint64_t>(98, 5).set<uint32_t>(2, 8);
  EXPECT_EQ(identity_of(words, &one), identity_of(words, &shuffled));
  Specialization unused;
  unused.set<uint32_t>(99, 1);
  EXPECT_EQ(identity_of(words, &unused), identity_of(words, nullptr));
}

TEST(Identity, G4_SpecializationHash) {
  Words words = load("specialized.vulkan1.0");
  Specialization given;
  vkm_spirv_kernel none = describe(words, "main", &given);
  EXPECT_EQ(text(vkm_specialization_hash(&none)), std::string(32, '0'));
  given.set<uint32_t>(2, 8);
  vkm_spirv_kernel one = describe(words, "main", &given);
  EXPECT_NE(text(vkm_specialization_hash(&one)), std::string(32, '0'));
  vkm_spirv_kernel unknown = describe({}, "main", &given);
  EXPECT_EQ(text(vkm_specialization_hash(&unknown)), std::string(32, '0'));
  vkm_spirv_kernel dropped = one;
  dropped.values_dropped = 1;
  dropped.values_dropped_hash = 5;
  EXPECT_NE(text(vkm_specialization_hash(&one)), text(vkm_specialization_hash(&dropped)));
}

} // namespace
