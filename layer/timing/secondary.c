/* Secondaries: the primary's recording refers to theirs, see record.h. */
#include "base/alloc.h"
#include "device.h"
#include "intercept/commands.h"
#include "timing/record.h"

static bool add_child(struct vkm_recording *recording, struct vkm_recording *child) {
  if (recording->child_count == recording->child_capacity) {
    uint32_t capacity = recording->child_capacity ? recording->child_capacity * 2 : 8;
    void *children = vkm_realloc(recording->children, capacity * sizeof *recording->children);
    if (!children) {
      return false;
    }
    recording->children = children;
    recording->child_capacity = capacity;
  }
  vkm_recording_retain(child);
  recording->children[recording->child_count++] = child;
  return true;
}

/* No memory to remember that this secondary runs here: its queries are reset right before it, each
 * time, and never read again. */
static void reset_here(struct vkm_cmdbuf *cmdbuf, struct vkm_recording *child) {
  for (const struct vkm_block *block = child->blocks; block; block = block->next) {
    cmdbuf->device->table.CmdResetQueryPool(cmdbuf->handle, block->slab->pool, block->first,
                                            block->count);
  }
  for (uint32_t i = 0; i < child->child_count; i++) {
    reset_here(cmdbuf, child->children[i]); /* depth: nesting of command buffers */
  }
}

void vkm_record_execute(struct vkm_cmdbuf *cmdbuf, uint32_t count, const VkCommandBuffer *handles) {
  vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
  cmdbuf->pipeline = NULL; /* state is undefined after vkCmdExecuteCommands */
  for (uint32_t i = 0; cmdbuf->recording && i < count; i++) {
    const struct vkm_cmdbuf *child = vkm_cmdbuf_of(handles[i]);
    if (child && child->recording && !add_child(cmdbuf->recording, child->recording)) {
      vkm_device_disable(cmdbuf->device, "out_of_memory");
      reset_here(cmdbuf, child->recording);
      vkm_submit_forsake(cmdbuf->device, child->recording);
    }
  }
}
