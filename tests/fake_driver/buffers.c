// Command pools and buffers: states, storage of what is recorded.
//
// In: allocation, begin, end, reset, free. Out: struct fake_cb. Next room: record.c fills them.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_chunk {
  struct fake_chunk *next;
  uint64_t bytes[];
};

// Gives a handle of a freed buffer out again at once, as drivers do.
static struct fake_cb *take_buffer(struct fake_device *device) {
  pthread_mutex_lock(&fake_mutex);
  struct fake_cb *cb = device->spare_buffers;
  if (cb != NULL) {
    device->spare_buffers = cb->next;
  }
  pthread_mutex_unlock(&fake_mutex);
  if (cb == NULL) {
    cb = malloc(sizeof *cb);
  }
  if (cb != NULL) {
    memset(cb, 0, sizeof *cb);
  }
  return cb;
}

static void clear(struct fake_cb *cb) {
  while (cb->chunks != NULL) {
    struct fake_chunk *chunk = cb->chunks;
    cb->chunks = chunk->next;
    free(chunk);
  }
  cb->count = 0;
  cb->compute = NULL;
  cb->in_pass = cb->suspends = cb->suspended = cb->conditional = cb->must_end_query = false;
  cb->active_queries = 0;
}

static void give_buffer(struct fake_cb *cb) {
  clear(cb);
  free(cb->commands);
  cb->commands = NULL;
  pthread_mutex_lock(&fake_mutex);
  cb->next = cb->device->spare_buffers;
  cb->device->spare_buffers = cb;
  pthread_mutex_unlock(&fake_mutex);
}

void fake_spare_buffers_free(struct fake_device *device) {
  while (device->spare_buffers != NULL) {
    struct fake_cb *cb = device->spare_buffers;
    device->spare_buffers = cb->next;
    free(cb);
  }
}

static void check_not_pending(const struct fake_cb *cb, const char *what) {
  pthread_mutex_lock(&fake_mutex);
  bool pending = cb->pending > 0;
  pthread_mutex_unlock(&fake_mutex);
  if (pending) {
    fake_violate("%s of a pending command buffer", what);
  }
}

VkResult fake_vkCreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, VkCommandPool *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_command_pool *pool =
      fake_object_new((struct fake_device *)device, "VkCommandPool", sizeof *pool);
  if (pool == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  pool->flags = info->flags;
  pool->family = info->queueFamilyIndex;
  *out = FAKE_HANDLE(VkCommandPool, pool);
  return VK_SUCCESS;
}

void fake_vkDestroyCommandPool(VkDevice device, VkCommandPool handle,
                               const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  struct fake_command_pool *pool = FAKE_OBJECT(fake_command_pool, handle);
  if (pool == NULL) {
    return;
  }
  while (pool->buffers != NULL) {
    struct fake_cb *cb = pool->buffers;
    pool->buffers = cb->next;
    check_not_pending(cb, "vkDestroyCommandPool");
    give_buffer(cb);
  }
  fake_object_delete(pool);
}

VkResult fake_vkResetCommandPool(VkDevice device, VkCommandPool handle,
                                 VkCommandPoolResetFlags flags) {
  (void)device;
  (void)flags;
  FAKE_ENTER();
  struct fake_command_pool *pool = FAKE_OBJECT(fake_command_pool, handle);
  for (struct fake_cb *cb = pool->buffers; cb != NULL; cb = cb->next) {
    check_not_pending(cb, "vkResetCommandPool");
    clear(cb);
    cb->state = CB_INITIAL;
  }
  return VK_SUCCESS;
}

void fake_vkTrimCommandPool(VkDevice device, VkCommandPool pool, VkCommandPoolTrimFlags flags) {
  (void)device;
  (void)pool;
  (void)flags;
}

VkResult fake_vkAllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *info,
                                       VkCommandBuffer *out) {
  FAKE_ENTER();
  struct fake_command_pool *pool = FAKE_OBJECT(fake_command_pool, info->commandPool);
  const struct fake_config *config = fake_settings();
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    struct fake_cb *cb = take_buffer((struct fake_device *)device);
    if (cb == NULL) {
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    cb->device = (struct fake_device *)device;
    cb->key = fake_key(cb->device);
    cb->pool = pool;
    cb->secondary = info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    cb->quiet = config->recording == 0;
    cb->next = pool->buffers;
    pool->buffers = cb;
    out[i] = (VkCommandBuffer)cb;
  }
  return VK_SUCCESS;
}

void fake_vkFreeCommandBuffers(VkDevice device, VkCommandPool handle, uint32_t count,
                               const VkCommandBuffer *buffers) {
  (void)device;
  struct fake_command_pool *pool = FAKE_OBJECT(fake_command_pool, handle);
  for (uint32_t i = 0; i < count; i++) {
    struct fake_cb *cb = (struct fake_cb *)buffers[i];
    struct fake_cb **link = &pool->buffers;
    while (*link != NULL && *link != cb) {
      link = &(*link)->next;
    }
    if (cb == NULL || *link == NULL) {
      continue;
    }
    check_not_pending(cb, "vkFreeCommandBuffers");
    *link = cb->next;
    give_buffer(cb);
  }
}

VkResult fake_vkBeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info) {
  FAKE_ENTER();
  struct fake_cb *cb = (struct fake_cb *)buffer;
  check_not_pending(cb, "vkBeginCommandBuffer");
  if (cb->state == CB_RECORDING) {
    fake_violate("vkBeginCommandBuffer of a command buffer that is recording");
  }
  if (cb->state != CB_INITIAL &&
      (cb->pool->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) == 0) {
    fake_violate("vkBeginCommandBuffer resets a buffer of a pool without RESET_COMMAND_BUFFER");
  }
  clear(cb);
  cb->state = CB_RECORDING;
  cb->usage = info->flags;
  cb->in_pass = cb->secondary && (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
  return VK_SUCCESS;
}

VkCommandBufferUsageFlags fake_begin_flags(VkCommandBuffer buffer) {
  return ((struct fake_cb *)buffer)->usage;
}

VkResult fake_vkEndCommandBuffer(VkCommandBuffer buffer) {
  struct fake_cb *cb = (struct fake_cb *)buffer;
  VkResult result = fake_enter("vkEndCommandBuffer");
  if (cb->state != CB_RECORDING) {
    fake_violate("vkEndCommandBuffer of a command buffer that is not recording");
  }
  if (cb->in_pass && !cb->secondary) {
    fake_violate("vkEndCommandBuffer inside a render pass");
  }
  if (cb->conditional) {
    fake_violate("vkEndCommandBuffer inside conditional rendering");
  }
  if (cb->active_queries != 0) {
    fake_violate("vkEndCommandBuffer while a query is active");
  }
  fake_performance_end(cb);
  cb->state = result == VK_SUCCESS ? CB_EXECUTABLE : CB_INVALID;
  return result;
}

VkResult fake_vkResetCommandBuffer(VkCommandBuffer buffer, VkCommandBufferResetFlags flags) {
  (void)flags;
  FAKE_ENTER();
  struct fake_cb *cb = (struct fake_cb *)buffer;
  check_not_pending(cb, "vkResetCommandBuffer");
  if ((cb->pool->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) == 0) {
    fake_violate("vkResetCommandBuffer of a pool without RESET_COMMAND_BUFFER");
  }
  clear(cb);
  cb->state = CB_INITIAL;
  return VK_SUCCESS;
}

struct fake_command *fake_push(struct fake_cb *cb, enum fake_kind kind, const char *name) {
  if (cb->state != CB_RECORDING) {
    fake_violate("%s in a command buffer that is not recording", name);
  }
  if (cb->suspended && kind != KIND_STATE) {
    fake_violate("%s between suspended and resumed rendering", name);
  }
  if (cb->count == cb->capacity || cb->commands == NULL) {
    uint32_t capacity = cb->commands == NULL ? 32 : cb->capacity * 2;
    struct fake_command *commands = realloc(cb->commands, capacity * sizeof *commands);
    if (commands == NULL) {
      abort();
    }
    cb->commands = commands;
    cb->capacity = capacity;
  }
  struct fake_command *command = &cb->commands[cb->count++];
  memset(command, 0, sizeof *command);
  command->name = name;
  command->kind = (int)kind;
  return command;
}

void fake_push_data(struct fake_cb *cb, struct fake_command *command, const void *data,
                    size_t size) {
  struct fake_chunk *chunk = malloc(sizeof *chunk + size);
  if (chunk == NULL) {
    abort();
  }
  chunk->next = cb->chunks;
  cb->chunks = chunk;
  if (size > 0) {
    memcpy(chunk->bytes, data, size);
  }
  command->data = chunk->bytes;
  command->data_size = (uint32_t)size;
}

const char *fake_push_text(struct fake_cb *cb, const char *text) {
  struct fake_command holder = {0};
  fake_push_data(cb, &holder, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
  return holder.data;
}

const struct fake_command *fake_recorded(VkCommandBuffer buffer, uint32_t *count) {
  const struct fake_cb *cb = (struct fake_cb *)buffer;
  *count = cb->count;
  return cb->commands;
}
