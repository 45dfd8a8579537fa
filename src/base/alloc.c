/* In: a size. Out: memory, or NULL when it is short or a test asked for a failure. Next room: every
 * other. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_ulong asked_count;
/* The failing allocations are those numbered fail_first, fail_first + 1, ... (fail_count of them).
 */
static atomic_ulong fail_first;
static atomic_ulong fail_count;

static bool next_fails(void) {
  unsigned long number = atomic_fetch_add_explicit(&asked_count, 1, memory_order_relaxed) + 1;
  unsigned long count = atomic_load_explicit(&fail_count, memory_order_acquire);
  if (count == 0) {
    return false;
  }
  unsigned long first = atomic_load_explicit(&fail_first, memory_order_relaxed);
  return number >= first && number - first < count;
}

/* malloc(0) may answer NULL, which would look like a failure. */
static size_t at_least_one(size_t size_bytes) {
  return size_bytes == 0 ? 1 : size_bytes;
}

void *vkm_alloc(size_t size_bytes) {
  return next_fails() ? NULL : malloc(at_least_one(size_bytes));
}

void *vkm_calloc(size_t count, size_t size_bytes) {
  size_t total_bytes = 0;
  /* Checked here because sanitizers stop the process over what calloc only refuses. */
  if (next_fails() || __builtin_mul_overflow(count, size_bytes, &total_bytes)) {
    return NULL;
  }
  return calloc(1, at_least_one(total_bytes));
}

void *vkm_realloc(void *memory, size_t size_bytes) {
  return next_fails() ? NULL : realloc(memory, at_least_one(size_bytes));
}

char *vkm_strdup(const char *text) {
  size_t size_bytes = strlen(text) + 1;
  char *copy = vkm_alloc(size_bytes);
  if (copy != NULL) {
    memcpy(copy, text, size_bytes);
  }
  return copy;
}

void vkm_free(void *memory) {
  free(memory);
}

void vkm_alloc_fail(unsigned long nth, unsigned long count) {
  /* Off first, so that another thread never pairs the old range with the new count. */
  atomic_store_explicit(&fail_count, 0, memory_order_release);
  if (nth == 0) {
    return;
  }
  atomic_store_explicit(&fail_first, vkm_alloc_count() + nth, memory_order_relaxed);
  atomic_store_explicit(&fail_count, count, memory_order_release);
}

unsigned long vkm_alloc_count(void) {
  return atomic_load_explicit(&asked_count, memory_order_relaxed);
}
