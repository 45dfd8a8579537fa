// Memory of a device: heaps, peaks, mappings, the driver's budget.
//
// In: allocations and mappings of known sizes. Out: the figures of devices[].memory, exact.
// The scripted driver has the types 0 (device-local), 1 and 2 (host), 3 (device-local and
// host-visible) and 4 (lazily allocated); 0, 3 and 4 are of heap 0.
#include <chrono>
#include <thread>

#include "layer_test_case.h"

namespace {

class MemoryUse : public LayerTest {
protected:
  VkDeviceMemory Allocate(uint32_t type, VkDeviceSize size, const void *chain = nullptr) {
    VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, chain, size, type};
    VkDeviceMemory out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.AllocateMemory(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    return out;
  }
  void Free(VkDeviceMemory memory) {
    gpu.vk.FreeMemory(gpu.device, memory, nullptr);
  }
  void Map(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    void *bytes = nullptr;
    EXPECT_EQ(gpu.vk.MapMemory(gpu.device, memory, offset, size, 0, &bytes), VK_SUCCESS);
  }
  static int64_t Heap(const Profile &profile, int heap, const std::string &name) {
    return profile.Number("devices.0.memory.heaps." + std::to_string(heap) + "." + name);
  }
  static int64_t Figure(const Profile &profile, const std::string &name) {
    return profile.Number("devices.0.memory." + name);
  }
};

TEST_F(MemoryUse, HeapsAndTheirPeaks) {
  Open();
  VkDeviceMemory first = Allocate(0, 1000);
  VkDeviceMemory second = Allocate(3, 300);
  VkDeviceMemory host = Allocate(1, 77);
  Free(first); // heap 0 was at 1300
  VkDeviceMemory third = Allocate(0, 500);
  Free(VK_NULL_HANDLE);
  Free(second);
  Free(host);
  fake_fail("vkAllocateMemory", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 9000, 0};
  VkDeviceMemory none = VK_NULL_HANDLE;
  EXPECT_EQ(gpu.vk.AllocateMemory(gpu.device, &info, nullptr, &none),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  gpu.RunOne(gpu.Pipeline("a", 100));
  ASSERT_TRUE(Eventually([&] { return Read().Exists(); })); // the checkpoint, with memory in use
  Profile while_alive = Read();
  EXPECT_EQ(Heap(while_alive, 0, "allocated_bytes"), 500);
  EXPECT_EQ(Figure(while_alive, "allocations"), 1);
  Free(third);
  Profile profile = Finish();
  EXPECT_EQ(Heap(profile, 0, "allocated_bytes"), 0);
  EXPECT_EQ(Heap(profile, 0, "peak_bytes"), 1300);
  EXPECT_EQ(Heap(profile, 1, "peak_bytes"), 77);
  EXPECT_GT(Heap(profile, 0, "peak_at_ns"), 0);
  EXPECT_LT(Heap(profile, 0, "peak_at_ns"), profile.Number("run.duration_ns"));
  EXPECT_EQ(Figure(profile, "allocations"), 0);
  EXPECT_EQ(Figure(profile, "allocations_peak"), 3);
  EXPECT_EQ(Figure(profile, "allocations_total"), 4);
  EXPECT_EQ(Figure(profile, "allocations_failed"), 1);
  EXPECT_EQ(Figure(profile, "allocations_untracked"), 0);
  EXPECT_GT(profile.Number("breakdown.resident_peak_bytes"), 1 << 20);
}

TEST_F(MemoryUse, NothingAllocatedIsZeroNotNull) {
  Open();
  Profile profile = Finish();
  EXPECT_EQ(Heap(profile, 0, "allocated_bytes"), 0);
  EXPECT_EQ(Heap(profile, 0, "peak_bytes"), 0);
  EXPECT_TRUE(cJSON_IsNull(profile.At("devices.0.memory.heaps.0.peak_at_ns")));
  EXPECT_EQ(Figure(profile, "mapped_peak_bytes"), 0);
}

TEST_F(MemoryUse, MappingsOfParts) {
  GpuOptions options;
  options.extensions = {"VK_KHR_map_memory2"};
  Open("", options);
  VkDeviceMemory host = Allocate(1, 4096);
  VkDeviceMemory bar = Allocate(3, 1000);
  Map(host, 96, VK_WHOLE_SIZE); // 4000
  Map(bar, 100, 200);
  gpu.RunOne(gpu.Pipeline("a", 100)); // 200 device-local bytes stay mapped
  gpu.vk.UnmapMemory(gpu.device, host);
  VkMemoryMapInfoKHR map{VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, nullptr, 0, host, 0, 10};
  void *bytes = nullptr;
  EXPECT_EQ(gpu.vk.MapMemory2KHR(gpu.device, &map, &bytes), VK_SUCCESS);
  gpu.vk.UnmapMemory(gpu.device, bar);
  Map(bar, 0, VK_WHOLE_SIZE); // not mapped at any submission
  VkMemoryUnmapInfoKHR unmap{VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, nullptr, 0, host};
  EXPECT_EQ(gpu.vk.UnmapMemory2KHR(gpu.device, &unmap), VK_SUCCESS);
  VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, bar, 0, VK_WHOLE_SIZE};
  EXPECT_EQ(gpu.vk.FlushMappedMemoryRanges(gpu.device, 1, &range), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.FlushMappedMemoryRanges(gpu.device, 1, &range), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.InvalidateMappedMemoryRanges(gpu.device, 1, &range), VK_SUCCESS);
  Free(bar); // unmaps it
  Free(host);
  Profile profile = Finish();
  EXPECT_EQ(Figure(profile, "maps_total"), 4);
  EXPECT_EQ(Figure(profile, "mapped_bytes"), 0);
  EXPECT_EQ(Figure(profile, "mapped_peak_bytes"), 4200);
  EXPECT_EQ(Figure(profile, "mapped_device_local_bytes"), 0);
  EXPECT_EQ(Figure(profile, "mapped_device_local_peak_bytes"), 1000);
  EXPECT_EQ(Figure(profile, "persistent_mapped_bytes"), 200);
  EXPECT_EQ(profile.Number("breakdown.host.map.calls"), 4);
  EXPECT_EQ(profile.Number("breakdown.host.unmap.calls"), 3);
  EXPECT_EQ(profile.Number("breakdown.host.flush.calls"), 2);
  EXPECT_EQ(profile.Number("breakdown.host.invalidate.calls"), 1);
}

TEST_F(MemoryUse, ImportedDedicatedAndLazyAreToldApart) {
  Open();
  VkBuffer buffer = VK_NULL_HANDLE;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 64;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  ASSERT_EQ(gpu.vk.CreateBuffer(gpu.device, &info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryDedicatedAllocateInfo dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, nullptr,
                                          VK_NULL_HANDLE, buffer};
  VkMemoryDedicatedAllocateInfo nobody{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  VkImportMemoryFdInfoKHR import{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, nullptr,
                                 VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
  VkImportMemoryFdInfoKHR nothing{VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, nullptr,
                                  static_cast<VkExternalMemoryHandleTypeFlagBits>(0), -1};
  VkDeviceMemory all[] = {Allocate(0, 64, &dedicated), Allocate(0, 100, &nobody),
                          Allocate(0, 5000, &import), Allocate(0, 30, &nothing), Allocate(4, 700)};
  Free(all[2]);
  Free(Allocate(1, 40, &import));
  gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
  gpu.RunOne(gpu.Pipeline("a", 100));
  ASSERT_TRUE(Eventually([&] { return Read().Exists(); }));
  Profile profile = Read();
  EXPECT_EQ(Heap(profile, 0, "allocated_bytes"), 64 + 100 + 30 + 700);
  EXPECT_EQ(Heap(profile, 1, "peak_bytes"), 0);
  EXPECT_EQ(Figure(profile, "dedicated_total"), 1);
  EXPECT_EQ(Figure(profile, "imported"), 0);
  EXPECT_EQ(Figure(profile, "imported_total"), 2);
  EXPECT_EQ(Figure(profile, "imported_bytes"), 0);
  EXPECT_EQ(Figure(profile, "imported_peak_bytes"), 5000);
  EXPECT_EQ(Figure(profile, "lazy_bytes"), 700);
  EXPECT_EQ(Figure(profile, "allocations_total"), 6);
  for (VkDeviceMemory memory : all) {
    if (memory != all[2]) {
      Free(memory);
    }
  }
}

// What the program leaves behind stays in the figures, and in none of our maps.
TEST_F(MemoryUse, NotFreedIsSaid) {
  Open();
  void *bytes;
  gpu.Buffer(256, &bytes);
  VkDeviceMemory left = Allocate(0, 64);
  gpu.RunOne(gpu.Pipeline("a", 100));
  ASSERT_TRUE(Eventually([&] { return Read().Exists(); }));
  EXPECT_EQ(Heap(Read(), 1, "allocated_bytes"), 256);
  EXPECT_EQ(Figure(Read(), "mapped_bytes"), 256);
  Free(left);
}

// ---- budget ----

TEST_F(MemoryUse, BudgetIsAskedAtCreationAndBehindAllocations) {
  Open("budget=1000;usage=300");
  fake_config()->budget = 800;
  fake_config()->usage = 900;
  Free(Allocate(0, 64)); // too soon
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  Free(Allocate(0, 64));
  fake_config()->budget = 1200;
  fake_config()->usage = 100;
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  Free(Allocate(0, 64));
  Profile profile = Finish();
  EXPECT_EQ(Heap(profile, 0, "budget_bytes"), 1200);
  EXPECT_EQ(Heap(profile, 0, "budget_lowest_bytes"), 800);
  EXPECT_EQ(Heap(profile, 0, "usage_bytes"), 100);
  EXPECT_EQ(Heap(profile, 0, "usage_peak_bytes"), 900);
  EXPECT_EQ(Heap(profile, 1, "budget_lowest_bytes"), 801);
  EXPECT_EQ(Heap(profile, 0, "peak_bytes"), 64); // the program's own count, whatever the driver's
}

TEST_F(MemoryUse, BudgetThatIsNotOfferedHasAReason) {
  Open("missing=VK_EXT_memory_budget");
  Free(Allocate(0, 64));
  Profile profile = Finish();
  EXPECT_TRUE(cJSON_IsNull(profile.At("devices.0.memory.heaps.0.budget_bytes")));
  EXPECT_EQ(profile.Text("devices.0.memory.heaps.0.budget_bytes_reason"),
            "the driver does not offer VK_EXT_memory_budget");
}

TEST_F(MemoryUse, BudgetOfAnOldInstanceHasAReason) {
  OpenInstance(VK_API_VERSION_1_0);
  GpuOptions options;
  VkPhysicalDeviceHostQueryResetFeatures none{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
  options.chain = &none;
  Open("", options);
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("devices.0.memory.heaps.1.usage_bytes_reason"),
            "the application's instance is 1.0 without VK_KHR_get_physical_device_properties2");
}

// ---- copies by the host ----

TEST_F(MemoryUse, CopiesByTheHostAreTimed) {
  GpuOptions options;
  options.extensions = {"VK_EXT_host_image_copy"};
  Open("rare_extensions=1", options);
  VkCopyMemoryToImageInfoEXT to{VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT};
  VkCopyImageToMemoryInfoEXT from{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT};
  VkCopyImageToImageInfoEXT between{VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO_EXT};
  EXPECT_EQ(gpu.vk.CopyMemoryToImageEXT(gpu.device, &to), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.CopyImageToMemoryEXT(gpu.device, &from), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.CopyImageToImageEXT(gpu.device, &between), VK_SUCCESS);
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("breakdown.host.image_copy.calls"), 3);
  EXPECT_GT(profile.Number("breakdown.host.image_copy.ns"), 0);
}

// ---- threads ----

TEST_F(MemoryUse, E11_ThreadsAllocateAndMapSideBySide) {
  Open();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; j++) {
        VkDeviceMemory memory = Allocate(1, 100);
        Map(memory, 0, VK_WHOLE_SIZE);
        gpu.vk.UnmapMemory(gpu.device, memory);
        Free(memory);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  Profile profile = Finish();
  EXPECT_EQ(Heap(profile, 1, "allocated_bytes"), 0);
  EXPECT_GE(Heap(profile, 1, "peak_bytes"), 100);
  EXPECT_LE(Heap(profile, 1, "peak_bytes"), 400);
  EXPECT_EQ(Figure(profile, "allocations_total"), 800);
  EXPECT_EQ(Figure(profile, "maps_total"), 800);
  EXPECT_EQ(profile.Number("breakdown.host.map.calls"), 800);
  EXPECT_LE(profile.Number("breakdown.host.map.ns"),
            profile.Number("breakdown.host.map.thread_ns"));
}

} // namespace
