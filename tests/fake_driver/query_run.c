// Queries on the device side: what executed commands write, reset and copy.
//
// In: commands from timeline.c with their times. Out: effects of the batch, and bytes in buffers.
// Next room: queries.c publishes the effects when the batch completes.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static struct fake_query_pool *pool_of(const struct fake_command *command) {
  struct fake_query_pool *pool = (struct fake_query_pool *)(uintptr_t)command->object;
  if (pool->destroyed) {
    fake_violate("%s executed with a destroyed query pool", command->name);
    return NULL;
  }
  bool inside = command->first < pool->count && command->count <= pool->count - command->first;
  return inside ? pool : NULL;
}

void fake_count_uses_locked(struct fake_cb *cb, int change) {
  for (uint32_t i = 0; i < cb->count; i++) {
    const struct fake_command *command = &cb->commands[i];
    if (command->kind == KIND_EXECUTE) {
      const VkCommandBuffer *secondaries = command->data;
      for (uint32_t j = 0; j < command->count; j++) {
        fake_count_uses_locked((struct fake_cb *)secondaries[j], change);
      }
      continue;
    }
    if (command->kind != KIND_STAMP && command->kind != KIND_RESET_QUERIES &&
        command->kind != KIND_COPY_QUERIES && command->kind != KIND_BEGIN_QUERY) {
      continue;
    }
    struct fake_query_pool *pool = (struct fake_query_pool *)(uintptr_t)command->object;
    for (uint32_t j = 0; j < command->count && command->first + j < pool->count; j++) {
      struct fake_query *query = &pool->queries[command->first + j];
      query->pending += change > 0 || query->pending > 0 ? (uint32_t)change : 0;
    }
  }
}

void fake_effect_add(struct fake_node *node, struct fake_query *query, bool write, uint64_t value) {
  if (node->effect_count == node->effect_capacity) {
    node->effect_capacity = node->effect_capacity == 0 ? 64 : node->effect_capacity * 2;
    struct fake_effect *effects = realloc(node->effects, node->effect_capacity * sizeof *effects);
    if (effects == NULL) {
      abort();
    }
    node->effects = effects;
  }
  node->effects[node->effect_count++] =
      (struct fake_effect){.query = query, .value = value, .write = write};
}

static void write_query(struct fake_node *node, const struct fake_command *command, uint64_t value,
                        uint64_t time_ns) {
  struct fake_query_pool *pool = pool_of(command);
  if (pool == NULL) {
    return;
  }
  struct fake_query *query = &pool->queries[command->first];
  if (!query->initialized) {
    fake_violate("%s: query %u was never reset", command->name, command->first);
  } else if (query->device_available) {
    fake_violate("%s: query %u is written twice without a reset", command->name, command->first);
  }
  query->initialized = true;
  query->device_available = true;
  query->device_value = value;
  query->device_time_ns = time_ns;
  fake_effect_add(node, query, true, value);
}

void fake_query_stamp_locked(struct fake_node *node, const struct fake_command *command,
                             uint64_t time_ns) {
  write_query(node, command, fake_ticks(time_ns, fake_valid_bits(node->queue->family)), time_ns);
}

void fake_query_reset_locked(struct fake_node *node, const struct fake_command *command) {
  struct fake_query_pool *pool = pool_of(command);
  for (uint32_t i = 0; pool != NULL && i < command->count; i++) {
    struct fake_query *query = &pool->queries[command->first + i];
    query->device_available = false;
    query->initialized = true;
    fake_effect_add(node, query, false, 0);
  }
}

void fake_query_begin_locked(struct fake_node *node, const struct fake_command *command) {
  struct fake_query_pool *pool = pool_of(command);
  if (pool != NULL) {
    pool->queries[command->first].begin_count = node->queue->work_count;
  }
}

void fake_query_end_locked(struct fake_node *node, const struct fake_command *command) {
  struct fake_query_pool *pool = pool_of(command);
  if (pool != NULL) {
    uint64_t work = node->queue->work_count - pool->queries[command->first].begin_count;
    write_query(node, command, work, fake_all_done(node->queue));
  }
}

// With WAIT the copy starts no earlier than the last stamp that it copies.
uint64_t fake_query_copy_time_locked(const struct fake_command *command, uint64_t start_ns) {
  const struct fake_query_pool *pool = pool_of(command);
  bool wait = (command->flags & VK_QUERY_RESULT_WAIT_BIT) != 0;
  for (uint32_t i = 0; pool != NULL && wait && i < command->count; i++) {
    const struct fake_query *query = &pool->queries[command->first + i];
    if (query->device_available && query->device_time_ns > start_ns) {
      start_ns = query->device_time_ns;
    }
  }
  return start_ns;
}

void fake_query_copy_locked(const struct fake_command *command, uint64_t start_ns) {
  const struct fake_query_pool *pool = pool_of(command);
  bool wide = (command->flags & VK_QUERY_RESULT_64_BIT) != 0;
  bool with = (command->flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0;
  size_t width = wide ? 8 : 4;
  for (uint32_t i = 0; pool != NULL && i < command->count; i++) {
    const struct fake_query *query = &pool->queries[command->first + i];
    uint8_t *to = fake_bytes(command->object2, command->offset2 + i * command->stride,
                             width * (with ? 2 : 1));
    bool available = query->device_available && query->device_time_ns <= start_ns;
    uint64_t flag = available ? fake_settings()->availability : 0;
    if (to != NULL && available) {
      memcpy(to, &query->device_value, width); // little-endian: the low half comes first
    }
    if (to != NULL && with) {
      memcpy(to + width, &flag, width);
    }
  }
}
