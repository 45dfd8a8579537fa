/* Query slabs, see slots.h. */
#include "timing/slots.h"

#include "base/alloc.h"
#include "device.h"

void vkm_slots_init(struct vkm_slots *slots, uint32_t query_cap) {
  *slots = (struct vkm_slots){.slab_queries = VKM_SLAB_QUERIES, .query_cap = query_cap};
  pthread_mutex_init(&slots->lock, NULL);
}

void vkm_slots_finish(struct vkm_device *device) {
  struct vkm_slots *slots = &device->slots;
  struct vkm_slab *slab = slots->slabs;
  while (slab) {
    struct vkm_slab *next = slab->next;
    device->table.DestroyQueryPool(device->handle, slab->pool, NULL);
    vkm_free(slab);
    slab = next;
  }
  struct vkm_block *block = slots->spare;
  while (block) {
    struct vkm_block *next = block->next;
    vkm_free(block);
    block = next;
  }
  pthread_mutex_destroy(&slots->lock);
}

static bool is_used(const struct vkm_slab *slab, uint32_t granule) {
  return slab->used[granule / 64] >> (granule % 64) & 1;
}

static void mark(struct vkm_slab *slab, uint32_t first, uint32_t count, bool used) {
  for (uint32_t i = first; i < first + count; i++) {
    uint64_t bit = UINT64_C(1) << (i % 64);
    slab->used[i / 64] = used ? slab->used[i / 64] | bit : slab->used[i / 64] & ~bit;
  }
}

/* First run of `wanted` free granules; the slab's granule count when there is none. */
static uint32_t find_run(const struct vkm_slab *slab, uint32_t wanted) {
  uint32_t granules = slab->query_count / VKM_BLOCK_GRANULE;
  uint32_t run = 0;
  for (uint32_t i = 0; i < granules; i++) {
    if (i % 64 == 0 && run == 0 && slab->used[i / 64] == UINT64_MAX) {
      i += 63;
      continue;
    }
    run = is_used(slab, i) ? 0 : run + 1;
    if (run == wanted) {
      return i + 1 - wanted;
    }
  }
  return granules;
}

/* Lock held. False when no slab has room. */
static bool carve(struct vkm_slots *slots, uint32_t granules, struct vkm_block *block) {
  for (struct vkm_slab *slab = slots->slabs; slab; slab = slab->next) {
    if (slab->free_count < granules * VKM_BLOCK_GRANULE) {
      continue;
    }
    uint32_t first = find_run(slab, granules);
    if (first < slab->query_count / VKM_BLOCK_GRANULE) {
      mark(slab, first, granules, true);
      slab->free_count -= granules * VKM_BLOCK_GRANULE;
      slots->in_use += granules * VKM_BLOCK_GRANULE;
      *block = (struct vkm_block){
          .slab = slab, .first = first * VKM_BLOCK_GRANULE, .count = granules * VKM_BLOCK_GRANULE};
      return true;
    }
  }
  return false;
}

/* No lock held: the driver is called. */
static enum vkm_slots_result add_slab(struct vkm_device *device, uint32_t at_least) {
  struct vkm_slots *slots = &device->slots;
  struct vkm_slab *slab = vkm_calloc(1, sizeof *slab);
  if (!slab) {
    return VKM_SLOTS_MEMORY;
  }
  pthread_mutex_lock(&slots->lock);
  uint32_t size = slots->slab_queries;
  uint32_t left = slots->query_cap > slots->query_count ? slots->query_cap - slots->query_count : 0;
  pthread_mutex_unlock(&slots->lock);
  bool capped = left < at_least;
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  while (!capped && size > left) { /* the last slabs are smaller, so that the cap can be used up */
    size /= 2;
  }
  for (; !capped && size >= VKM_SLAB_QUERIES_MIN && size >= at_least; size /= 2) {
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = size};
    result = device->table.CreateQueryPool(device->handle, &info, NULL, &slab->pool);
    if (result == VK_SUCCESS) {
      break;
    }
  }
  if (result != VK_SUCCESS) {
    vkm_free(slab);
    return capped ? VKM_SLOTS_CAP : VKM_SLOTS_MEMORY;
  }
  slab->query_count = slab->free_count = size;
  pthread_mutex_lock(&slots->lock);
  slots->slab_queries = size;
  slots->query_count += size;
  slab->next = slots->slabs;
  slots->slabs = slab;
  pthread_mutex_unlock(&slots->lock);
  return VKM_SLOTS_OK;
}

static struct vkm_block *take_structure(struct vkm_slots *slots) {
  pthread_mutex_lock(&slots->lock);
  struct vkm_block *block = slots->spare;
  if (block) {
    slots->spare = block->next;
  }
  pthread_mutex_unlock(&slots->lock);
  return block ? block : vkm_alloc(sizeof *block);
}

enum vkm_slots_result vkm_slots_take(struct vkm_device *device, uint32_t wanted,
                                     struct vkm_block **block) {
  struct vkm_slots *slots = &device->slots;
  uint32_t queries = wanted < VKM_BLOCK_QUERIES_MAX ? wanted : VKM_BLOCK_QUERIES_MAX;
  uint32_t granules = (queries + VKM_BLOCK_GRANULE - 1) / VKM_BLOCK_GRANULE;
  struct vkm_block *taken = take_structure(slots);
  if (!taken) {
    return VKM_SLOTS_MEMORY;
  }
  enum vkm_slots_result result = VKM_SLOTS_OK;
  bool found = false;
  while (!found && result == VKM_SLOTS_OK) {
    pthread_mutex_lock(&slots->lock);
    if (granules * VKM_BLOCK_GRANULE > slots->slab_queries) {
      granules = slots->slab_queries / VKM_BLOCK_GRANULE;
    }
    found = carve(slots, granules, taken);
    slots->peak = slots->in_use > slots->peak ? slots->in_use : slots->peak;
    pthread_mutex_unlock(&slots->lock);
    if (!found) {
      result = add_slab(device, VKM_SLAB_QUERIES_MIN);
    }
  }
  if (!found) {
    pthread_mutex_lock(&slots->lock);
    taken->next = slots->spare;
    slots->spare = taken;
    pthread_mutex_unlock(&slots->lock);
    return result;
  }
  vkm_slots_reset(device, taken);
  *block = taken;
  return VKM_SLOTS_OK;
}

void vkm_slots_use(struct vkm_slots *slots, uint64_t *in_use, uint64_t *peak) {
  pthread_mutex_lock(&slots->lock);
  *in_use = slots->in_use;
  *peak = slots->peak;
  pthread_mutex_unlock(&slots->lock);
}

void vkm_slots_give(struct vkm_device *device, struct vkm_block *blocks) {
  struct vkm_slots *slots = &device->slots;
  pthread_mutex_lock(&slots->lock);
  while (blocks) {
    struct vkm_block *next = blocks->next;
    mark(blocks->slab, blocks->first / VKM_BLOCK_GRANULE, blocks->count / VKM_BLOCK_GRANULE, false);
    blocks->slab->free_count += blocks->count;
    slots->in_use -= blocks->count;
    blocks->next = slots->spare;
    slots->spare = blocks;
    blocks = next;
  }
  pthread_mutex_unlock(&slots->lock);
}

bool vkm_slots_reset(struct vkm_device *device, const struct vkm_block *blocks) {
  if (!device->reset_query_pool) {
    return false;
  }
  for (; blocks; blocks = blocks->next) {
    /* Beyond those that were written, all are still as the first reset left them. */
    uint32_t count = blocks->used ? blocks->used : blocks->count;
    device->reset_query_pool(device->handle, blocks->slab->pool, blocks->first, count);
  }
  return true;
}
