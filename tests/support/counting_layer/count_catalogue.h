/* What is counted: kernels (code, entry point, specialization as given) and rows (kernel, command
 * kind, geometry). Both are interned and live until the process ends. Every function: caller holds
 * the lock. */
#ifndef VKMTEST_COUNT_CATALOGUE_H
#define VKMTEST_COUNT_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* A shader module's content. xxh3 is what a profile calls `spirv`; fnv1a is our own second opinion.
 */
struct vkmtest_code {
  uint64_t xxh3_high, xxh3_low, fnv1a, size_bytes; /* size 0: no code was seen */
};

enum vkmtest_kind { VKMTEST_DISPATCH = 0, VKMTEST_DISPATCH_BASE, VKMTEST_DISPATCH_INDIRECT };

struct vkmtest_kernel;
struct vkmtest_row;

/* Plain copies for the report. */
struct vkmtest_row_view {
  const struct vkmtest_code *code;
  const char *entry;          /* raw bytes as the program gave them */
  const char *specialization; /* a JSON object, id to value bytes in hex */
  enum vkmtest_kind kind;
  uint32_t groups[3], base[3]; /* meaningless for indirect dispatches */
  uint64_t recorded, executed;
};

struct vkmtest_code vkmtest_code_of(const uint32_t *words, size_t size_bytes);

/* The kernel that the stage describes. `code` of size 0 stands for code that was not seen.
 * NULL when memory is out. */
struct vkmtest_kernel *vkmtest_kernel_intern(const struct vkmtest_code *code,
                                             const VkPipelineShaderStageCreateInfo *stage);
/* The kernel of a dispatch that has no pipeline we know. NULL when memory is out. */
struct vkmtest_kernel *vkmtest_kernel_unknown(void);

/* NULL when memory is out. `groups` and `base` are ignored for indirect dispatches. */
struct vkmtest_row *vkmtest_row_intern(struct vkmtest_kernel *kernel, enum vkmtest_kind kind,
                                       const uint32_t groups[3], const uint32_t base[3]);
void vkmtest_row_recorded(struct vkmtest_row *row);
/* Adds `delta` executions; a negative one withdraws them. */
void vkmtest_row_executed(struct vkmtest_row *row, int64_t delta);

/* Walks the rows in order of first sight: the one after `row`, the first for NULL; NULL at the end.
 */
const struct vkmtest_row *vkmtest_row_next(const struct vkmtest_row *row);
struct vkmtest_row_view vkmtest_row_look(const struct vkmtest_row *row);

/* Zeroes all counts, keeps kernels and rows. For a forked child. */
void vkmtest_catalogue_forget_counts(void);

#endif
