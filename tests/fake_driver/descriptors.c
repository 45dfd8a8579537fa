// Descriptor pools and sets, private data: accepted, counted, contents not kept.
//
// In: calls. Out: handles.
#include "internal.h"

#include <stdlib.h>

struct fake_set {
  struct fake_set *next;
};

struct fake_descriptor_pool {
  struct fake_object object;
  uint32_t max_sets, set_count;
  struct fake_set *sets;
};

VkResult fake_vkCreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *info,
                                     const VkAllocationCallbacks *allocator,
                                     VkDescriptorPool *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_descriptor_pool *pool =
      fake_object_new((struct fake_device *)device, "VkDescriptorPool", sizeof *pool);
  if (pool == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  pool->max_sets = info->maxSets;
  *out = FAKE_HANDLE(VkDescriptorPool, pool);
  return VK_SUCCESS;
}

VkResult fake_vkResetDescriptorPool(VkDevice device, VkDescriptorPool handle,
                                    VkDescriptorPoolResetFlags flags) {
  (void)device;
  (void)flags;
  struct fake_descriptor_pool *pool = FAKE_OBJECT(fake_descriptor_pool, handle);
  while (pool->sets != NULL) {
    struct fake_set *set = pool->sets;
    pool->sets = set->next;
    free(set);
  }
  pool->set_count = 0;
  return VK_SUCCESS;
}

void fake_vkDestroyDescriptorPool(VkDevice device, VkDescriptorPool handle,
                                  const VkAllocationCallbacks *allocator) {
  (void)allocator;
  if (FAKE_ID(handle) != 0) {
    fake_vkResetDescriptorPool(device, handle, 0);
    fake_object_delete(FAKE_OBJECT(fake_descriptor_pool, handle));
  }
}

VkResult fake_vkAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *info,
                                       VkDescriptorSet *out) {
  (void)device;
  FAKE_ENTER();
  struct fake_descriptor_pool *pool = FAKE_OBJECT(fake_descriptor_pool, info->descriptorPool);
  if (pool->set_count + info->descriptorSetCount > pool->max_sets) {
    return VK_ERROR_OUT_OF_POOL_MEMORY;
  }
  for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
    struct fake_set *set = calloc(1, sizeof *set);
    if (set == NULL) {
      abort();
    }
    set->next = pool->sets;
    pool->sets = set;
    pool->set_count++;
    out[i] = FAKE_HANDLE(VkDescriptorSet, set);
  }
  return VK_SUCCESS;
}

VkResult fake_vkFreeDescriptorSets(VkDevice device, VkDescriptorPool handle, uint32_t count,
                                   const VkDescriptorSet *sets) {
  (void)device;
  struct fake_descriptor_pool *pool = FAKE_OBJECT(fake_descriptor_pool, handle);
  for (uint32_t i = 0; i < count; i++) {
    struct fake_set *set = FAKE_OBJECT(fake_set, sets[i]);
    struct fake_set **link = &pool->sets;
    while (*link != NULL && *link != set) {
      link = &(*link)->next;
    }
    if (set != NULL && *link == set) {
      *link = set->next;
      pool->set_count--;
      free(set);
    }
  }
  return VK_SUCCESS;
}

void fake_vkUpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                 const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                 const VkCopyDescriptorSet *copies) {
  (void)device;
  (void)write_count;
  (void)writes;
  (void)copy_count;
  (void)copies;
}

void fake_vkUpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet set,
                                            VkDescriptorUpdateTemplate template_,
                                            const void *data) {
  (void)device;
  (void)set;
  (void)template_;
  (void)data;
}

void fake_vkGetDescriptorSetLayoutSupport(VkDevice device,
                                          const VkDescriptorSetLayoutCreateInfo *info,
                                          VkDescriptorSetLayoutSupport *out) {
  (void)device;
  (void)info;
  out->supported = VK_TRUE;
}

enum { PRIVATE_ROWS = 1024 };

struct fake_slot {
  struct fake_object object;
  uint64_t keys[PRIVATE_ROWS], values[PRIVATE_ROWS];
};

VkResult fake_vkCreatePrivateDataSlot(VkDevice device, const VkPrivateDataSlotCreateInfo *info,
                                      const VkAllocationCallbacks *allocator,
                                      VkPrivateDataSlot *out) {
  (void)info;
  (void)allocator;
  FAKE_ENTER();
  struct fake_slot *slot =
      fake_object_new((struct fake_device *)device, "VkPrivateDataSlot", sizeof *slot);
  *out = FAKE_HANDLE(VkPrivateDataSlot, slot);
  return slot != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void fake_vkDestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot slot,
                                   const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_slot, slot));
}

static uint64_t *private_row(struct fake_slot *slot, uint64_t key, bool make) {
  for (uint32_t i = 0; i < PRIVATE_ROWS; i++) {
    if (slot->keys[i] == 0 && make) {
      slot->keys[i] = key;
    }
    if (slot->keys[i] == key) {
      return &slot->values[i];
    }
  }
  return NULL;
}

VkResult fake_vkSetPrivateData(VkDevice device, VkObjectType type, uint64_t handle,
                               VkPrivateDataSlot slot, uint64_t data) {
  (void)device;
  (void)type;
  pthread_mutex_lock(&fake_mutex);
  uint64_t *row = private_row(FAKE_OBJECT(fake_slot, slot), handle, true);
  if (row != NULL) {
    *row = data;
  }
  pthread_mutex_unlock(&fake_mutex);
  return row != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void fake_vkGetPrivateData(VkDevice device, VkObjectType type, uint64_t handle,
                           VkPrivateDataSlot slot, uint64_t *data) {
  (void)device;
  (void)type;
  pthread_mutex_lock(&fake_mutex);
  const uint64_t *row = private_row(FAKE_OBJECT(fake_slot, slot), handle, false);
  *data = row != NULL ? *row : 0;
  pthread_mutex_unlock(&fake_mutex);
}
