// The bytes of buffers: what copies, fills and updates really do.
//
// In: executed commands. Out: changed memory.
#include "internal.h"

#include <string.h>

uint8_t *fake_bytes(uint64_t id, uint64_t offset, uint64_t size) {
  const struct fake_buffer *buffer = (const struct fake_buffer *)(uintptr_t)id;
  if (buffer->memory == NULL) {
    fake_violate("a command uses a buffer without memory");
    return NULL;
  }
  if (offset > buffer->size || size > buffer->size - offset) {
    fake_violate("a command reaches past the end of a buffer");
    return NULL;
  }
  return buffer->memory->bytes + buffer->offset + offset;
}

uint64_t fake_transfer_bytes(const struct fake_command *command) {
  return command->size;
}

static void move_copy(const struct fake_command *command) {
  const VkBufferCopy *regions = command->data;
  for (uint32_t i = 0; i < command->count; i++) {
    const uint8_t *from = fake_bytes(command->object, regions[i].srcOffset, regions[i].size);
    uint8_t *to = fake_bytes(command->object2, regions[i].dstOffset, regions[i].size);
    if (from != NULL && to != NULL) {
      memmove(to, from, regions[i].size);
    }
  }
}

static void move_fill(const struct fake_command *command) {
  uint8_t *to = fake_bytes(command->object2, command->offset2, command->size);
  for (uint64_t i = 0; to != NULL && i + 4 <= command->size; i += 4) {
    memcpy(to + i, &command->flags, 4);
  }
}

void fake_transfer_move(const struct fake_command *command) {
  if (command->kind == KIND_COPY) {
    move_copy(command);
  } else if (command->kind == KIND_FILL) {
    move_fill(command);
  } else if (command->kind == KIND_UPDATE) {
    uint8_t *to = fake_bytes(command->object2, command->offset2, command->size);
    if (to != NULL) {
      memcpy(to, command->data, command->size);
    }
  }
}
