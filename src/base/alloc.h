/* Memory for layer/ and src/: malloc with a switch that makes the Nth allocation fail, for tests.
 */
#ifndef VKM_BASE_ALLOC_H
#define VKM_BASE_ALLOC_H

#include <stddef.h>

/* Each returns NULL when memory is short, never exits. Any thread. `vkm_free` takes NULL. */
void *vkm_alloc(size_t size_bytes) __attribute__((warn_unused_result, malloc));
void *vkm_calloc(size_t count, size_t size_bytes) __attribute__((warn_unused_result, malloc));
void *vkm_realloc(void *memory, size_t size_bytes) __attribute__((warn_unused_result));
char *vkm_strdup(const char *text) __attribute__((warn_unused_result, malloc));
void vkm_free(void *memory);

/* Tests only: the `nth` allocation from now on (1 = the next) and all later ones up to `count`
 * fail; nth 0 switches it off. */
void vkm_alloc_fail(unsigned long nth, unsigned long count);

/* Tests and benchmarks: allocations asked for since the process started. */
unsigned long vkm_alloc_count(void);

#endif
