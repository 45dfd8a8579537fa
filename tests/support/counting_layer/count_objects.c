/* In: the program's object calls and recorded commands. Out: what a command buffer executes when it
 * is submitted. Next: the hooks count it into the catalogue. */
#include "count_objects.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "count_state.h"

/* uthash's macros look freed or unset to the analyzer, which does not follow their lists.
 * NOLINTBEGIN(clang-analyzer-unix.Malloc,clang-analyzer-core.UndefinedBinaryOperatorResult) */

/* Compared as bytes. Handles of any width fit into 64 bits. */
struct object_key {
  const void *owner;
  uint64_t handle;
};

struct module {
  struct object_key key;
  struct vkmtest_code code;
  UT_hash_handle hh;
};

struct pipeline {
  struct object_key key;
  struct vkmtest_kernel *kernel;
  UT_hash_handle hh;
};

struct recording {
  VkCommandBuffer buffer;
  const void *owner;
  uint64_t pool;
  struct vkmtest_kernel *bound;
  struct vkmtest_row **rows; /* in recorded order, repeated as often as recorded */
  size_t row_count, row_room;
  uint64_t stamps, stamps_at_top;
  UT_hash_handle hh;
};

static struct module *modules;
static struct pipeline *pipelines;
static struct recording *recordings;

static struct object_key key_of(const void *owner, uint64_t handle) {
  struct object_key key;
  memset(&key, 0, sizeof key);
  key.owner = owner;
  key.handle = handle;
  return key;
}

static struct module *module_find(const void *owner, VkShaderModule handle) {
  struct object_key key = key_of(owner, (uint64_t)handle);
  struct module *module = NULL;
  HASH_FIND(hh, modules, &key, sizeof key, module);
  return module;
}

void vkmtest_module_add(const void *owner, VkShaderModule handle, const struct vkmtest_code *code) {
  struct module *module = module_find(owner, handle);
  if (module == NULL) {
    module = calloc(1, sizeof *module);
    if (module == NULL) {
      return;
    }
    module->key = key_of(owner, (uint64_t)handle);
    HASH_ADD(hh, modules, key, sizeof module->key, module);
  }
  module->code = *code;
}

static void module_drop(struct module *module) {
  HASH_DEL(modules, module);
  free(module);
}

void vkmtest_module_remove(const void *owner, VkShaderModule handle) {
  struct module *module = module_find(owner, handle);
  if (module != NULL) {
    module_drop(module);
  }
}

struct vkmtest_code vkmtest_module_code(const void *owner, VkShaderModule handle) {
  const struct module *module = module_find(owner, handle);
  return module != NULL ? module->code : (struct vkmtest_code){0};
}

static struct pipeline *pipeline_find(const void *owner, VkPipeline handle) {
  struct object_key key = key_of(owner, (uint64_t)handle);
  struct pipeline *pipeline = NULL;
  HASH_FIND(hh, pipelines, &key, sizeof key, pipeline);
  return pipeline;
}

void vkmtest_pipeline_add(const void *owner, VkPipeline handle, struct vkmtest_kernel *kernel) {
  struct pipeline *pipeline = pipeline_find(owner, handle);
  if (pipeline == NULL) {
    pipeline = calloc(1, sizeof *pipeline);
    if (pipeline == NULL) {
      return;
    }
    pipeline->key = key_of(owner, (uint64_t)handle);
    HASH_ADD(hh, pipelines, key, sizeof pipeline->key, pipeline);
  }
  pipeline->kernel = kernel;
}

static void pipeline_drop(struct pipeline *pipeline) {
  HASH_DEL(pipelines, pipeline);
  free(pipeline);
}

void vkmtest_pipeline_remove(const void *owner, VkPipeline handle) {
  struct pipeline *pipeline = pipeline_find(owner, handle);
  if (pipeline != NULL) {
    pipeline_drop(pipeline);
  }
}

struct vkmtest_kernel *vkmtest_pipeline_kernel(const void *owner, VkPipeline handle) {
  const struct pipeline *pipeline = pipeline_find(owner, handle);
  return pipeline != NULL ? pipeline->kernel : NULL;
}

static struct recording *recording_find(VkCommandBuffer buffer) {
  struct recording *recording = NULL;
  HASH_FIND_PTR(recordings, &buffer, recording);
  return recording;
}

static void recording_drop(struct recording *recording) {
  HASH_DEL(recordings, recording);
  free(recording->rows);
  free(recording);
}

void vkmtest_recording_add(const void *owner, VkCommandPool pool, VkCommandBuffer buffer) {
  vkmtest_recording_remove(buffer);
  struct recording *recording = calloc(1, sizeof *recording);
  if (recording != NULL) {
    recording->buffer = buffer;
    recording->owner = owner;
    recording->pool = (uint64_t)pool;
    HASH_ADD_PTR(recordings, buffer, recording);
  }
}

void vkmtest_recording_remove(VkCommandBuffer buffer) {
  struct recording *recording = recording_find(buffer);
  if (recording != NULL) {
    recording_drop(recording);
  }
}

static void recording_empty(struct recording *recording) {
  recording->row_count = 0;
  recording->stamps = 0;
  recording->stamps_at_top = 0;
  recording->bound = NULL;
}

void vkmtest_recording_clear(VkCommandBuffer buffer) {
  struct recording *recording = recording_find(buffer);
  if (recording != NULL) {
    recording_empty(recording);
  }
}

void vkmtest_recording_bind(VkCommandBuffer buffer, struct vkmtest_kernel *kernel) {
  struct recording *recording = recording_find(buffer);
  if (recording != NULL) {
    recording->bound = kernel;
  }
}

static bool rows_reserve(struct recording *recording, size_t more) {
  size_t needed = recording->row_count + more;
  if (needed <= recording->row_room) {
    return true;
  }
  size_t room = recording->row_room * 2 > needed ? recording->row_room * 2 : needed + 16;
  struct vkmtest_row **grown = realloc(recording->rows, room * sizeof(struct vkmtest_row *));
  if (grown == NULL) {
    return false;
  }
  recording->rows = grown;
  recording->row_room = room;
  return true;
}

void vkmtest_recording_dispatch(VkCommandBuffer buffer, enum vkmtest_kind kind,
                                const uint32_t groups[3], const uint32_t base[3]) {
  struct recording *recording = recording_find(buffer);
  if (recording == NULL) {
    return;
  }
  struct vkmtest_kernel *kernel =
      recording->bound != NULL ? recording->bound : vkmtest_kernel_unknown();
  struct vkmtest_row *row = vkmtest_row_intern(kernel, kind, groups, base);
  if (row != NULL && rows_reserve(recording, 1)) {
    recording->rows[recording->row_count++] = row;
    vkmtest_row_recorded(row);
  }
}

void vkmtest_recording_stamp(VkCommandBuffer buffer, bool at_top) {
  struct recording *recording = recording_find(buffer);
  if (recording != NULL) {
    recording->stamps++;
    recording->stamps_at_top += at_top;
  }
}

void vkmtest_recording_execute(VkCommandBuffer primary, VkCommandBuffer secondary) {
  struct recording *to = recording_find(primary);
  const struct recording *from = recording_find(secondary);
  if (to != NULL && from != NULL) {
    to->stamps += from->stamps;
    to->stamps_at_top += from->stamps_at_top;
  }
  if (to != NULL && from != NULL && from->row_count > 0 && rows_reserve(to, from->row_count)) {
    memcpy(to->rows + to->row_count, from->rows, from->row_count * sizeof(struct vkmtest_row *));
    to->row_count += from->row_count;
  }
}

uint64_t vkmtest_recording_count(VkCommandBuffer buffer, int64_t delta) {
  const struct recording *recording = recording_find(buffer);
  if (recording == NULL) {
    return 0;
  }
  for (size_t i = 0; i < recording->row_count; i++) {
    vkmtest_row_executed(recording->rows[i], delta);
  }
  struct vkmtest_totals *totals = vkmtest_totals();
  totals->executions += (uint64_t)((int64_t)recording->row_count * delta);
  totals->stamps += (uint64_t)((int64_t)recording->stamps * delta);
  totals->stamps_at_top += (uint64_t)((int64_t)recording->stamps_at_top * delta);
  return recording->row_count;
}

void vkmtest_pool_clear(const void *owner, VkCommandPool pool) {
  for (struct recording *at = recordings; at != NULL; at = at->hh.next) {
    if (at->owner == owner && at->pool == (uint64_t)pool) {
      recording_empty(at);
    }
  }
}

void vkmtest_pool_remove(const void *owner, VkCommandPool pool) {
  struct recording *at = NULL;
  struct recording *next = NULL;
  HASH_ITER(hh, recordings, at, next) {
    if (at->owner == owner && at->pool == (uint64_t)pool) {
      recording_drop(at);
    }
  }
}

void vkmtest_owner_remove(const void *owner) {
  struct module *module = NULL;
  struct module *next_module = NULL;
  HASH_ITER(hh, modules, module, next_module) {
    if (module->key.owner == owner) {
      module_drop(module);
    }
  }
  struct pipeline *pipeline = NULL;
  struct pipeline *next_pipeline = NULL;
  HASH_ITER(hh, pipelines, pipeline, next_pipeline) {
    if (pipeline->key.owner == owner) {
      pipeline_drop(pipeline);
    }
  }
  struct recording *recording = NULL;
  struct recording *next_recording = NULL;
  HASH_ITER(hh, recordings, recording, next_recording) {
    if (recording->owner == owner) {
      recording_drop(recording);
    }
  }
}
/* NOLINTEND(clang-analyzer-unix.Malloc,clang-analyzer-core.UndefinedBinaryOperatorResult) */
