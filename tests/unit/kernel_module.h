/* Modules for the tests of src/kernel: read from files, or put together word by word. */
#ifndef VKM_TESTS_KERNEL_MODULE_H
#define VKM_TESTS_KERNEL_MODULE_H

#include <spirv/unified1/spirv.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
#include "kernel/spirv.h"
}

namespace kernel_module {

using Words = std::vector<uint32_t>;

inline Words load_path(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Words words(bytes.size() / 4);
  if (!words.empty()) {
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
  }
  return words;
}

inline Words load(const std::string &name) {
  return load_path(std::string(VKM_TEST_SHADERS) + "/" + name + ".spv");
}

/* One instruction after the other, right or wrong. */
struct Builder {
  Words words;
  explicit Builder(uint32_t bound, uint32_t version = 0x00010000)
      : words{SpvMagicNumber, version, 0, bound, 0} {}
  Builder &op(uint32_t opcode, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words.insert(words.end(), operands);
    return *this;
  }
  /* Capability, entry point `main` = id 1, local size 1 1 1. */
  Builder &start() {
    op(SpvOpCapability, {SpvCapabilityShader});
    op(SpvOpEntryPoint, {SpvExecutionModelGLCompute, 1, 0x6E69616D, 0});
    return op(SpvOpExecutionMode, {1, SpvExecutionModeLocalSize, 1, 1, 1});
  }
  /* void 2, its function type 3, and the function `main` that loads `variable` (0 = nothing). */
  Builder &finish(uint32_t variable = 0, uint32_t type = 0) {
    op(SpvOpTypeVoid, {2}).op(SpvOpTypeFunction, {3, 2}).op(SpvOpFunction, {2, 1, 0, 3});
    op(SpvOpLabel, {4});
    if (variable != 0) {
      op(SpvOpLoad, {type, 5, variable});
    }
    return op(SpvOpReturn, {}).op(SpvOpFunctionEnd, {});
  }
};

/* What a program gives to vkCreateComputePipelines. */
struct Specialization {
  std::vector<vkm_specialization_entry> entries;
  std::vector<unsigned char> data;
  template <typename T> Specialization &set(uint32_t id, T value) {
    entries.push_back({id, static_cast<uint32_t>(data.size()), sizeof value});
    const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
    data.insert(data.end(), bytes, bytes + sizeof value);
    return *this;
  }
  vkm_specialization get() const {
    return {entries.data(), entries.size(), data.data(), data.size()};
  }
};

inline vkm_spirv_kernel describe(const Words &words, const char *entry = "main",
                                 const Specialization *specialization = nullptr) {
  vkm_spirv_kernel kernel;
  std::memset(&kernel, 0xA5, sizeof kernel);
  vkm_specialization given = {};
  if (specialization != nullptr) {
    given = specialization->get();
  }
  vkm_status status = vkm_spirv_describe(words.data(), words.size(), entry,
                                         specialization == nullptr ? nullptr : &given, &kernel);
  if (status != VKM_OK) {
    kernel.known = false;
    kernel.reason = "out of memory";
  }
  return kernel;
}

} // namespace kernel_module

#endif
