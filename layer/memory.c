/* Figures of a device's memory, see memory.h. */
#include "memory.h"

#include "base/alloc.h"
#include "chain.h"
#include "device.h"
#include "session.h"
#include "trace.h"

#define ASK_AGAIN_NS INT64_C(100000000)

void vkm_memory_init(struct vkm_memory *memory) {
  pthread_mutex_init(&memory->lock, NULL);
  for (int i = 0; i < VKM_HEAP_CAP; i++) {
    memory->figures.heaps[i].peak_at_ns = INT64_MIN;
  }
}

static void lift(uint64_t *peak, uint64_t value) {
  *peak = value > *peak ? value : *peak;
}

/* ---- budget ---- */

static void note_budget(struct vkm_memory *memory,
                        const VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget) {
  struct vkm_profile_memory *figures = &memory->figures;
  for (uint32_t i = 0; i < memory->heap_count; i++) {
    struct vkm_profile_heap_use *heap = &figures->heaps[i];
    heap->budget_bytes = budget->heapBudget[i];
    heap->usage_bytes = budget->heapUsage[i];
    lift(&heap->usage_peak_bytes, heap->usage_bytes);
    if (figures->budget_asked == 0 || heap->budget_bytes < heap->budget_lowest_bytes) {
      heap->budget_lowest_bytes = heap->budget_bytes;
    }
  }
  figures->budget_asked++;
}

void vkm_memory_ask_budget(struct vkm_device *device) {
  struct vkm_memory *memory = &device->record->memory;
  if (memory->figures.no_budget_reason) {
    return;
  }
  int64_t now_ns = vkm_now_ns();
  pthread_mutex_lock(&memory->lock);
  bool due = memory->asked_ns == 0 || now_ns - memory->asked_ns >= ASK_AGAIN_NS;
  memory->asked_ns = due ? now_ns : memory->asked_ns;
  pthread_mutex_unlock(&memory->lock);
  if (!due) {
    return;
  }
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 properties = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
  const struct vkm_instance *instance = device->instance;
  PFN_vkGetPhysicalDeviceMemoryProperties2 get =
      instance->api_version >= VK_API_VERSION_1_1
          ? instance->table.GetPhysicalDeviceMemoryProperties2
          : instance->table.GetPhysicalDeviceMemoryProperties2KHR;
  get(device->physical, &properties);
  pthread_mutex_lock(&memory->lock);
  note_budget(memory, &budget);
  pthread_mutex_unlock(&memory->lock);
}

/* ---- allocations ---- */

/* Memory that is there already, made by somebody else. */
static bool is_import(const VkMemoryAllocateInfo *info) {
  static const VkStructureType imports[] = {
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_NV,
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_KHR,
      VK_STRUCTURE_TYPE_IMPORT_ANDROID_HARDWARE_BUFFER_INFO_ANDROID,
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_ZIRCON_HANDLE_INFO_FUCHSIA,
      VK_STRUCTURE_TYPE_IMPORT_SCREEN_BUFFER_INFO_QNX,
      VK_STRUCTURE_TYPE_IMPORT_MEMORY_METAL_HANDLE_INFO_EXT};
  for (size_t i = 0; i < sizeof imports / sizeof imports[0]; i++) {
    if (vkm_chain_find(info->pNext, imports[i])) {
      return true;
    }
  }
  /* A handle type of 0 means that nothing is imported. */
  const VkBaseInStructure *fd =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
  const VkBaseInStructure *pointer =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  return (fd && ((const VkImportMemoryFdInfoKHR *)fd)->handleType) ||
         (pointer && ((const VkImportMemoryHostPointerInfoEXT *)pointer)->handleType);
}

static bool is_dedicated(const VkMemoryAllocateInfo *info) {
  const VkMemoryDedicatedAllocateInfo *dedicated =
      (const VkMemoryDedicatedAllocateInfo *)vkm_chain_find(
          info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
  return dedicated && (dedicated->buffer || dedicated->image);
}

static VkMemoryPropertyFlags flags_of(const struct vkm_memory *memory, uint32_t type) {
  return memory->types[type].propertyFlags;
}

/* The timeline's counter of an allocation's heap. Lock held. */
static void trace_heap(const struct vkm_device_record *record, uint32_t type) {
  const struct vkm_memory *memory = &record->memory;
  uint32_t heap = memory->types[type].heapIndex;
  int64_t now_ns = vkm_now_ns();
  struct vkm_event event = {.type = VKM_EVENT_MEMORY,
                            .what = (uint8_t)heap,
                            .device = (uint16_t)record->number,
                            .begin_ns = now_ns,
                            .end_ns = now_ns,
                            .queue = VKM_EVENT_NONE,
                            .counter = {memory->figures.heaps[heap].allocated_bytes}};
  vkm_trace_push(&event, 1);
}

/* Lock held. */
static void count_in(struct vkm_memory *memory, const struct vkm_allocation *allocation) {
  struct vkm_profile_memory *figures = &memory->figures;
  figures->allocations_total++;
  lift(&figures->allocations_peak, ++figures->allocations);
  if (allocation->imported) {
    figures->imported++;
    figures->imported_total++;
    figures->imported_bytes += allocation->size_bytes;
    lift(&figures->imported_peak_bytes, figures->imported_bytes);
    return;
  }
  struct vkm_profile_heap_use *heap = &figures->heaps[memory->types[allocation->type].heapIndex];
  heap->allocated_bytes += allocation->size_bytes;
  if (heap->allocated_bytes > heap->peak_bytes) {
    heap->peak_bytes = heap->allocated_bytes;
    heap->peak_at_ns = vkm_now_ns();
  }
  if (flags_of(memory, allocation->type) & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) {
    figures->lazy_bytes += allocation->size_bytes;
  }
}

/* Lock held. */
static void unmap(struct vkm_memory *memory, struct vkm_allocation *allocation) {
  struct vkm_profile_memory *figures = &memory->figures;
  figures->mapped_bytes -= allocation->mapped_bytes;
  if (flags_of(memory, allocation->type) & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) {
    figures->mapped_device_local_bytes -= allocation->mapped_bytes;
  }
  allocation->mapped_bytes = 0;
}

/* Lock held. */
static void count_out(struct vkm_memory *memory, struct vkm_allocation *allocation) {
  struct vkm_profile_memory *figures = &memory->figures;
  unmap(memory, allocation); /* freeing unmaps */
  figures->allocations--;
  if (allocation->imported) {
    figures->imported--;
    figures->imported_bytes -= allocation->size_bytes;
    return;
  }
  figures->heaps[memory->types[allocation->type].heapIndex].allocated_bytes -=
      allocation->size_bytes;
  if (flags_of(memory, allocation->type) & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) {
    figures->lazy_bytes -= allocation->size_bytes;
  }
}

static struct vkm_allocation *remember(struct vkm_device *device, const VkMemoryAllocateInfo *info,
                                       VkDeviceMemory handle) {
  struct vkm_allocation *allocation = NULL;
  if (info->memoryTypeIndex < device->record->memory.type_count) {
    allocation = vkm_calloc(1, sizeof *allocation);
  }
  if (allocation) {
    allocation->size_bytes = info->allocationSize;
    allocation->type = info->memoryTypeIndex;
    allocation->imported = is_import(info);
    if (!vkm_handles_put(&device->objects.memories, VKM_HANDLE(handle), allocation)) {
      vkm_free(allocation);
      return NULL;
    }
  }
  return allocation;
}

void vkm_memory_allocated(struct vkm_device *device, const VkMemoryAllocateInfo *info,
                          VkResult result, VkDeviceMemory handle) {
  struct vkm_memory *memory = &device->record->memory;
  struct vkm_allocation *allocation = result == VK_SUCCESS ? remember(device, info, handle) : NULL;
  pthread_mutex_lock(&memory->lock);
  if (allocation) {
    count_in(memory, allocation);
    memory->figures.dedicated_total += is_dedicated(info) ? 1 : 0;
    if (vkm_trace_on() && !allocation->imported) {
      trace_heap(device->record, allocation->type);
    }
  } else if (result == VK_SUCCESS) {
    memory->figures.allocations_untracked++;
  } else {
    memory->figures.allocations_failed++;
  }
  pthread_mutex_unlock(&memory->lock);
  if (result == VK_SUCCESS) {
    vkm_memory_ask_budget(device);
  }
}

void vkm_memory_freed(struct vkm_device *device, VkDeviceMemory handle) {
  struct vkm_memory *memory = &device->record->memory;
  struct vkm_allocation *allocation =
      handle ? vkm_handles_take(&device->objects.memories, VKM_HANDLE(handle)) : NULL;
  if (allocation) {
    pthread_mutex_lock(&memory->lock);
    count_out(memory, allocation);
    if (vkm_trace_on() && !allocation->imported) {
      trace_heap(device->record, allocation->type);
    }
    pthread_mutex_unlock(&memory->lock);
    vkm_free(allocation);
  }
}

/* ---- mappings ---- */

void vkm_memory_mapped(struct vkm_device *device, VkDeviceMemory handle, VkDeviceSize offset,
                       VkDeviceSize size) {
  struct vkm_memory *memory = &device->record->memory;
  struct vkm_profile_memory *figures = &memory->figures;
  struct vkm_allocation *allocation =
      vkm_handles_get(&device->objects.memories, VKM_HANDLE(handle));
  pthread_mutex_lock(&memory->lock);
  figures->maps_total++;
  if (allocation) {
    unmap(memory, allocation);
    VkDeviceSize rest = allocation->size_bytes > offset ? allocation->size_bytes - offset : 0;
    allocation->mapped_bytes = size == VK_WHOLE_SIZE ? rest : size;
    figures->mapped_bytes += allocation->mapped_bytes;
    lift(&figures->mapped_peak_bytes, figures->mapped_bytes);
    if (flags_of(memory, allocation->type) & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) {
      figures->mapped_device_local_bytes += allocation->mapped_bytes;
      lift(&figures->mapped_device_local_peak_bytes, figures->mapped_device_local_bytes);
      bool grows = figures->mapped_device_local_bytes > figures->persistent_mapped_bytes;
      atomic_store_explicit(&memory->persistent_grows, grows, memory_order_relaxed);
    }
  }
  pthread_mutex_unlock(&memory->lock);
}

void vkm_memory_unmapped(struct vkm_device *device, VkDeviceMemory handle) {
  struct vkm_memory *memory = &device->record->memory;
  struct vkm_allocation *allocation =
      vkm_handles_get(&device->objects.memories, VKM_HANDLE(handle));
  if (allocation) {
    pthread_mutex_lock(&memory->lock);
    unmap(memory, allocation);
    pthread_mutex_unlock(&memory->lock);
  }
}

void vkm_memory_submitted(struct vkm_memory *memory) {
  if (!atomic_load_explicit(&memory->persistent_grows, memory_order_relaxed)) {
    return;
  }
  pthread_mutex_lock(&memory->lock);
  atomic_store_explicit(&memory->persistent_grows, false, memory_order_relaxed);
  lift(&memory->figures.persistent_mapped_bytes, memory->figures.mapped_device_local_bytes);
  pthread_mutex_unlock(&memory->lock);
}

static void free_value(void *value, void *context) {
  (void)context;
  vkm_free(value);
}

void vkm_memory_finish(struct vkm_device *device) {
  vkm_handles_each(&device->objects.memories, free_value, NULL);
  vkm_handles_each(&device->objects.buffers, free_value, NULL);
  vkm_handles_each(&device->objects.images, free_value, NULL);
}
