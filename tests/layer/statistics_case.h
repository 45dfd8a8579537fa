// Compute pipelines whose create-infos lie in memory that cannot be written, and what the driver
// received of them.
//
// In: create-infos. Out: attempts at the driver, the pipeline's members in the profile. Next room:
// statistics_*_test.cpp.
#ifndef STATISTICS_CASE_H
#define STATISTICS_CASE_H

#include <deque>
#include <fstream>
#include <sstream>

#include "loader_create.h"

inline const VkPipelineCreateFlags2 kStatistics = VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR;
inline const VkPipelineCreateFlags2 kRepresentations =
    VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
inline const auto kUnknownStructure = static_cast<VkStructureType>(1000999000);

class StatisticsTest : public LayerTest {
protected:
  // A create-info of a pipeline with that entry point; the module lives until the end.
  VkComputePipelineCreateInfo Info(const std::string &entry, VkPipelineCreateFlags flags = 0,
                                   const void *chain = nullptr) {
    entries_.push_back(entry);
    std::vector<uint32_t> words = ComputeModule(entry);
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = words.size() * 4;
    code.pCode = words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateShaderModule(gpu.device, &code, nullptr, &module), VK_SUCCESS);
    modules_.push_back(module);
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, chain, flags};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = entries_.back().c_str();
    info.layout = gpu.Layout();
    return info;
  }

  // One call; nothing that was put into `memory` may be written from here on.
  VkResult Create(const std::vector<VkComputePipelineCreateInfo> &infos) {
    const VkComputePipelineCreateInfo *first = nullptr;
    for (const auto &info : infos) {
      auto *kept = memory.Put(info);
      first = first != nullptr ? first : kept;
    }
    given = first;
    made.assign(infos.size(), VK_NULL_HANDLE);
    memory.Freeze();
    VkResult result = gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE,
                                                    static_cast<uint32_t>(infos.size()), first,
                                                    nullptr, made.data());
    for (VkPipeline pipeline : made) {
      gpu.Own(pipeline);
    }
    return result;
  }

  // Releases the modules, too.
  Profile End() {
    for (VkShaderModule module : modules_) {
      gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
    }
    modules_.clear();
    return Finish();
  }

  std::string Document() const {
    std::ifstream file(profile_path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  static Names Enabled(const Profile &profile) {
    Names out;
    const cJSON *list = profile.At("devices.0.enabled_by_vkmeter");
    for (const cJSON *at = list != nullptr ? list->child : nullptr; at != nullptr; at = at->next) {
      out.emplace_back(at->valuestring);
    }
    return out;
  }

  static bool Chained(const struct fake_creation *creation, VkStructureType type) {
    for (uint32_t i = 0; i < creation->chain_count; i++) {
      if (creation->chain[i] == type) {
        return true;
      }
    }
    return false;
  }

  Frozen memory;
  const VkComputePipelineCreateInfo *given = nullptr; // of the last Create
  std::vector<VkPipeline> made;

private:
  std::deque<std::string> entries_;
  std::vector<VkShaderModule> modules_;
};

inline bool Null(const Profile &profile, const std::string &path) {
  return cJSON_IsNull(profile.At(path)) != 0;
}

#endif
