// Copies, fills and updates: from where to where, how many bytes, how long.
//
// In: buffers and images in each kind of memory. Out: rows with direction and bytes, and their sums
// in breakdown.transfer, exact.
#include "layer_test_case.h"

namespace {

enum Type : uint32_t { kDevice = 0, kHost = 1, kBar = 3 };

class Moves : public LayerTest {
protected:
  void TearDown() override {
    Destroy();
    LayerTest::TearDown();
  }

  void Destroy() {
    for (VkBuffer buffer : buffers_) {
      gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
    }
    for (VkImage image : images_) {
      gpu.vk.DestroyImage(gpu.device, image, nullptr);
    }
    for (VkDeviceMemory memory : memories_) {
      gpu.vk.FreeMemory(gpu.device, memory, nullptr);
    }
    buffers_.clear();
    images_.clear();
    memories_.clear();
  }

  Profile Finish() {
    Destroy();
    return LayerTest::Finish();
  }

  VkDeviceMemory Memory(uint32_t type, VkDeviceSize size) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, size, type};
    VkDeviceMemory out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.AllocateMemory(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    memories_.push_back(out);
    return out;
  }

  VkBuffer Buffer(uint32_t type, VkDeviceSize size, bool second = false,
                  VkBufferCreateFlags flags = 0) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.flags = flags;
    info.size = size;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateBuffer(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    buffers_.push_back(out);
    VkBindBufferMemoryInfo bind{VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, out,
                                Memory(type, size), 0};
    if (second) {
      EXPECT_EQ(gpu.vk.BindBufferMemory2(gpu.device, 1, &bind), VK_SUCCESS);
    } else {
      EXPECT_EQ(gpu.vk.BindBufferMemory(gpu.device, out, bind.memory, 0), VK_SUCCESS);
    }
    return out;
  }

  VkImage Image(uint32_t type, VkFormat format, uint32_t layers = 1, bool bound = true,
                VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {64, 64, 1};
    info.mipLevels = 1;
    info.arrayLayers = layers;
    info.samples = samples;
    VkImage out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateImage(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    images_.push_back(out);
    if (bound) {
      EXPECT_EQ(gpu.vk.BindImageMemory(gpu.device, out, Memory(type, 1 << 16), 0), VK_SUCCESS);
    }
    return out;
  }

  void Copy(VkCommandBuffer buffer, VkBuffer from, VkBuffer to,
            const std::vector<VkDeviceSize> &sizes) {
    std::vector<VkBufferCopy> regions;
    for (VkDeviceSize size : sizes) {
      regions.push_back({0, 0, size});
    }
    gpu.vk.CmdCopyBuffer(buffer, from, to, static_cast<uint32_t>(regions.size()), regions.data());
  }

  // Bytes that a copy to that image is said to move; -1: null.
  int64_t BytesToImage(VkImage image, VkImageAspectFlags aspect, VkExtent3D extent,
                       uint32_t layers = 1) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    VkBufferImageCopy region{0, 0, 0, {aspect, 0, 0, layers}, {0, 0, 0}, extent};
    gpu.vk.CmdCopyBufferToImage(buffer, Buffer(kHost, 1 << 16), image, VK_IMAGE_LAYOUT_GENERAL, 1,
                                &region);
    gpu.Run(buffer);
    const int64_t before = seen_;
    Profile profile = Latest();
    int64_t bytes = profile.Number("breakdown.transfer.h2d.bytes");
    int64_t unknown = profile.Number("breakdown.transfer.h2d.bytes_unknown");
    if (unknown > unknown_) {
      unknown_ = unknown;
      return -1;
    }
    seen_ = bytes;
    return bytes - before;
  }

  // A profile that has everything so far: that of a device's end in a child's place would be late.
  Profile Latest() {
    copies_++;
    EXPECT_TRUE(Eventually([&] {
      return Read().Exists() && Read().Number("breakdown.transfer.h2d.executions") >= copies_;
    }));
    return Read();
  }

  static int64_t Of(const Profile &profile, const std::string &direction, const char *name) {
    return profile.Number("breakdown.transfer." + direction + "." + name);
  }

private:
  std::vector<VkBuffer> buffers_;
  std::vector<VkImage> images_;
  std::vector<VkDeviceMemory> memories_;
  int64_t seen_ = 0, unknown_ = 0, copies_ = 0;
};

TEST_F(Moves, DirectionsByTheMemoryOfBothEnds) {
  Open("transfer_ns=500;byte_ns=1");
  VkBuffer device = Buffer(kDevice, 4096);
  VkBuffer host = Buffer(kHost, 4096, true);
  VkBuffer bar = Buffer(kBar, 4096);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  auto barrier = [&] {
    gpu.Barrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  };
  Copy(buffer, host, device, {100, 28}); // 628 ns
  barrier();
  Copy(buffer, device, host, {1000});
  barrier();
  Copy(buffer, device, bar, {7, 9}); // device to device, one end shared
  barrier();
  Copy(buffer, host, host, {64});
  barrier();
  Copy(buffer, host, bar, {40});
  barrier();
  gpu.vk.CmdFillBuffer(buffer, device, 20, VK_WHOLE_SIZE, 7);
  barrier();
  const uint32_t words[4] = {};
  gpu.vk.CmdUpdateBuffer(buffer, device, 0, sizeof words, words);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(Of(profile, "h2d", "bytes"), 128 + 40 + 16);
  EXPECT_EQ(Of(profile, "h2d", "executions"), 3);
  EXPECT_EQ(Of(profile, "h2d", "shared_memory_bytes"), 40);
  EXPECT_EQ(Of(profile, "h2d", "duration_ns"), 638 + 540 + 516); // the first is issued at 10
  EXPECT_EQ(Of(profile, "d2h", "bytes"), 1000);
  EXPECT_EQ(Of(profile, "d2h", "duration_ns"), 1500);
  EXPECT_EQ(Of(profile, "d2d", "bytes"), 16);
  EXPECT_EQ(Of(profile, "d2d", "shared_memory_bytes"), 16);
  EXPECT_EQ(Of(profile, "h2h", "bytes"), 64);
  EXPECT_EQ(Of(profile, "fill", "bytes"), 4096 - 20);
  EXPECT_EQ(Of(profile, "unknown", "executions"), 0);
  EXPECT_EQ(Of(profile, "unknown", "bytes"), 0); // none were executed: zero, not unknown
  EXPECT_EQ(profile.Number("breakdown.transfer_ns"),
            638 + 1500 + 516 + 564 + 540 + 500 + 4076 + 516);
  EXPECT_EQ(profile.Number("breakdown.run_ns"), 0);
  EXPECT_EQ(profile.Text("kernels.0.direction"), "h2d");
  EXPECT_EQ(profile.Number("kernels.0.bytes.in"), 128);
  EXPECT_EQ(profile.Text("kernels.0.source"), "exact");
}

// A row is not made anew by how much is moved: its bytes are the sum.
TEST_F(Moves, D41_BytesMakeNoRows) {
  Open();
  VkBuffer from = Buffer(kHost, 4096);
  VkBuffer to = Buffer(kDevice, 4096);
  int64_t sum = 0;
  VkCommandBuffer buffer = gpu.Begin();
  for (int64_t i = 1; i <= 200; i++) {
    Copy(buffer, from, to, {static_cast<VkDeviceSize>(4 * i)});
    sum += 4 * i;
  }
  gpu.Run(buffer);
  for (int i = 0; i < 2; i++) {
    ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    gpu.Wait();
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Kind("copy").outcomes.executed, 600);
  EXPECT_EQ(profile.Number("kernels.0.bytes.out"), 3 * sum);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("kernels")), 1);
}

// Bytes are those of what was executed, measured or not.
TEST_F(Moves, BytesOfWhatIsMissedCountToo) {
  Open("completion=manual");
  VkBuffer from = Buffer(kHost, 64);
  VkBuffer to = Buffer(kDevice, 64);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Copy(buffer, from, to, {64});
  gpu.End(buffer);
  ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS); // pending twice
  fake_complete_all();
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Kind("copy").outcomes.missed, (Counts{{"pending_twice", 2}}));
  EXPECT_EQ(Of(profile, "h2d", "bytes"), 128);
  EXPECT_TRUE(cJSON_IsNull(profile.At("breakdown.transfer.h2d.duration_ns")));
}

TEST_F(Moves, NewerCommandsAreTheSame) {
  Open();
  VkBuffer from = Buffer(kHost, 64);
  VkBuffer to = Buffer(kDevice, 64);
  VkImage image = Image(kDevice, VK_FORMAT_R8G8B8A8_UNORM);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkBufferCopy2 copy{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 0, 0, 64};
  VkCopyBufferInfo2 info{VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, nullptr, from, to, 1, &copy};
  gpu.vk.CmdCopyBuffer2(buffer, &info);
  VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkBufferImageCopy2 region{
      VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2, nullptr, 0, 0, 0, layer, {0, 0, 0}, {4, 4, 1}};
  VkCopyBufferToImageInfo2 in{VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                              nullptr,
                              from,
                              image,
                              VK_IMAGE_LAYOUT_GENERAL,
                              1,
                              &region};
  gpu.vk.CmdCopyBufferToImage2(buffer, &in);
  VkCopyImageToBufferInfo2 out{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                               nullptr,
                               image,
                               VK_IMAGE_LAYOUT_GENERAL,
                               from,
                               1,
                               &region};
  gpu.vk.CmdCopyImageToBuffer2(buffer, &out);
  VkImageCopy2 between{
      VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layer, {0, 0, 0}, layer, {0, 0, 0}, {2, 2, 1}};
  VkCopyImageInfo2 images{VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                          nullptr,
                          image,
                          VK_IMAGE_LAYOUT_GENERAL,
                          image,
                          VK_IMAGE_LAYOUT_GENERAL,
                          1,
                          &between};
  gpu.vk.CmdCopyImage2(buffer, &images);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(Of(profile, "h2d", "bytes"), 64 + 64);
  EXPECT_EQ(Of(profile, "d2h", "bytes"), 64);
  EXPECT_EQ(Of(profile, "d2d", "bytes"), 16);
}

TEST_F(Moves, TexelsOfEveryKind) {
  Open();
  const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT;
  const VkImageAspectFlags stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_R8G8B8A8_UNORM), color, {7, 3, 1}), 84);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_R32G32B32_SFLOAT), color, {2, 1, 1}), 24);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_R8_UNORM), color, {4, 4, 4}), 64);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_R8_UNORM, 6), color, {4, 4, 1}, 6), 96);
  // Whole blocks, also at an edge that is none.
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_BC1_RGB_UNORM_BLOCK), color, {6, 5, 1}), 32);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_ASTC_10x6_UNORM_BLOCK), color, {20, 6, 1}), 32);
  // As depth lies in a buffer.
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_D24_UNORM_S8_UINT), depth, {3, 1, 1}), 12);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_D24_UNORM_S8_UINT), stencil, {3, 1, 1}), 3);
  EXPECT_EQ(BytesToImage(Image(kDevice, VK_FORMAT_D16_UNORM), depth, {3, 1, 1}), 6);
  // Planes by their own format; all planes at once are no texel.
  const VkFormat planes = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  EXPECT_EQ(BytesToImage(Image(kDevice, planes), VK_IMAGE_ASPECT_PLANE_1_BIT, {4, 4, 1}), 32);
  EXPECT_EQ(BytesToImage(Image(kDevice, planes), color, {4, 4, 1}), -1);
}

// Layers of one image are slices of another, and not taken twice.
TEST_F(Moves, ImagesToImages) {
  Open();
  VkImage from = Image(kDevice, VK_FORMAT_R8G8_UNORM, 8);
  VkImage to = Image(kHost, VK_FORMAT_R8G8_UNORM, 8);
  VkImage samples = Image(kDevice, VK_FORMAT_R8G8_UNORM, 1, true, VK_SAMPLE_COUNT_4_BIT);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  auto copy = [&](VkImage source, uint32_t layers, uint32_t depth) {
    VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers};
    VkImageCopy region{layer, {0, 0, 0}, layer, {0, 0, 0}, {4, 1, depth}};
    gpu.vk.CmdCopyImage(buffer, source, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1,
                        &region);
  };
  copy(from, 3, 1);                         // 24
  copy(from, 5, 5);                         // 40
  copy(from, 1, 2);                         // 16
  copy(samples, 1, 1);                      // 32
  copy(from, VK_REMAINING_ARRAY_LAYERS, 1); // 64
  gpu.Run(buffer);
  EXPECT_EQ(Of(Finish(), "d2h", "bytes"), 24 + 40 + 16 + 32 + 64);
}

TEST_F(Moves, WhatIsNotKnownIsNull) {
  Open();
  VkBuffer host = Buffer(kHost, 4096);
  VkBuffer sparse = Buffer(kDevice, 4096, false, VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
  VkImage image = Image(kDevice, VK_FORMAT_R8_UNORM);
  VkImage unbound = Image(kDevice, VK_FORMAT_R8_UNORM, 1, false);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  Copy(buffer, host, sparse, {64}); // bytes are known, the place is not
  VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkImageBlit blit{layer, {{0, 0, 0}, {4, 4, 1}}, layer, {{0, 0, 0}, {8, 8, 1}}};
  gpu.vk.CmdBlitImage(buffer, image, VK_IMAGE_LAYOUT_GENERAL, image, VK_IMAGE_LAYOUT_GENERAL, 1,
                      &blit, VK_FILTER_NEAREST);
  VkImageResolve resolve{layer, {0, 0, 0}, layer, {0, 0, 0}, {4, 4, 1}};
  gpu.vk.CmdResolveImage(buffer, image, VK_IMAGE_LAYOUT_GENERAL, unbound, VK_IMAGE_LAYOUT_GENERAL,
                         1, &resolve);
  VkClearColorValue color{};
  VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  gpu.vk.CmdClearColorImage(buffer, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
  VkQueryPool pool = gpu.Queries(VK_QUERY_TYPE_TIMESTAMP, 1);
  gpu.vk.CmdResetQueryPool(buffer, pool, 0, 1);
  gpu.vk.CmdCopyQueryPoolResults(buffer, pool, 0, 1, host, 0, 8, 0);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(Of(profile, "unknown", "executions"), 2);
  EXPECT_EQ(Of(profile, "unknown", "bytes"), 64);
  EXPECT_EQ(Of(profile, "unknown", "bytes_unknown"), 1);
  EXPECT_EQ(Of(profile, "d2d", "executions"), 1);
  EXPECT_TRUE(cJSON_IsNull(profile.At("breakdown.transfer.d2d.bytes")));
  EXPECT_EQ(Of(profile, "fill", "bytes_unknown"), 1);
  EXPECT_EQ(Of(profile, "d2h", "bytes_unknown"), 1);
  EXPECT_EQ(Of(profile, "h2d", "bytes"), 0);
}

// The place of a buffer goes with it: a handle that comes back is another buffer.
TEST_F(Moves, DestroyedBuffersAreForgotten) {
  Open();
  VkBuffer host = Buffer(kHost, 64);
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 64;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkDeviceMemory memory[2] = {Memory(kDevice, 64), Memory(kHost, 64)};
  for (int i = 0; i < 2; i++) { // the driver hands the same address out again
    VkBuffer to = VK_NULL_HANDLE;
    ASSERT_EQ(gpu.vk.CreateBuffer(gpu.device, &info, nullptr, &to), VK_SUCCESS);
    ASSERT_EQ(gpu.vk.BindBufferMemory(gpu.device, to, memory[i], 0), VK_SUCCESS);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    Copy(buffer, host, to, {64});
    gpu.Run(buffer);
    gpu.vk.DestroyBuffer(gpu.device, to, nullptr);
  }
  Profile profile = Finish();
  EXPECT_EQ(Of(profile, "h2d", "bytes"), 64);
  EXPECT_EQ(Of(profile, "h2h", "bytes"), 64);
}

TEST_F(Moves, SecondariesMoveWithTheirPrimaries) {
  Open();
  VkBuffer from = Buffer(kHost, 64);
  VkBuffer to = Buffer(kDevice, 64);
  VkCommandBuffer secondary = gpu.BeginSecondary();
  Copy(secondary, from, to, {48});
  gpu.End(secondary);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.Run(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(Of(Finish(), "h2d", "bytes"), 96);
}

} // namespace
