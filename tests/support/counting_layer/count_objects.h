/* Handles to what they stand for: shader modules, compute pipelines, command buffers with what
 * their present recording will execute. An object belongs to an owner (the device's dispatch key),
 * because two devices may give out equal handles. Every function: caller holds the lock. */
#ifndef VKMTEST_COUNT_OBJECTS_H
#define VKMTEST_COUNT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count_catalogue.h"

/* Forget before the call down that destroys, learn after the call down that creates: a handle may
 * be reused by another thread the moment it is free. */
void vkmtest_module_add(const void *owner, VkShaderModule module, const struct vkmtest_code *code);
void vkmtest_module_remove(const void *owner, VkShaderModule module);
/* The module's content; a code of size 0 when it is not known. */
struct vkmtest_code vkmtest_module_code(const void *owner, VkShaderModule module);

void vkmtest_pipeline_add(const void *owner, VkPipeline pipeline, struct vkmtest_kernel *kernel);
void vkmtest_pipeline_remove(const void *owner, VkPipeline pipeline);
/* NULL when it is not known. */
struct vkmtest_kernel *vkmtest_pipeline_kernel(const void *owner, VkPipeline pipeline);

void vkmtest_recording_add(const void *owner, VkCommandPool pool, VkCommandBuffer buffer);
void vkmtest_recording_remove(VkCommandBuffer buffer);
/* Begin and reset alike: what was recorded is gone. */
void vkmtest_recording_clear(VkCommandBuffer buffer);
void vkmtest_recording_bind(VkCommandBuffer buffer, struct vkmtest_kernel *kernel);
void vkmtest_recording_dispatch(VkCommandBuffer buffer, enum vkmtest_kind kind,
                                const uint32_t groups[3], const uint32_t base[3]);
/* A timestamp, at TOP_OF_PIPE or not. */
void vkmtest_recording_stamp(VkCommandBuffer buffer, bool at_top);
/* Takes over what the secondary's present recording executes, its own secondaries included. */
void vkmtest_recording_execute(VkCommandBuffer primary, VkCommandBuffer secondary);

/* Counts every dispatch and timestamp of the buffer `delta` times; returns how many dispatches it
 * holds. */
uint64_t vkmtest_recording_count(VkCommandBuffer buffer, int64_t delta);

void vkmtest_pool_clear(const void *owner, VkCommandPool pool);
void vkmtest_pool_remove(const void *owner, VkCommandPool pool);

/* Forgets everything of a device. */
void vkmtest_owner_remove(const void *owner);

#endif
