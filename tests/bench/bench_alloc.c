/* The counter, see bench_alloc.h. In: everybody's allocations. Next room: glibc, by the names under
 * which it offers them to programs that bring their own. */
#include "bench_alloc.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

#define BENCH_EXPORTED __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size);
void free(void *memory);

struct range {
  uintptr_t low, high;
};

static struct range watched = {0, UINTPTR_MAX};
static _Thread_local uint64_t allocations;
static atomic_llong held_bytes, most_bytes;

bool bench_alloc_is_watched(const void *address) {
  uintptr_t at = (uintptr_t)address;
  return at >= watched.low && at < watched.high;
}

/* The caller is where the allocation returns to; a wrapper of the library's own may have been
 * jumped through, but its caller is the same library. */
#define BENCH_CALLER __builtin_return_address(0)

static void note_bytes(const void *memory, int sign) {
  long long bytes = sign * (long long)malloc_usable_size((void *)(uintptr_t)memory);
  long long held = atomic_fetch_add_explicit(&held_bytes, bytes, memory_order_relaxed) + bytes;
  if (held > atomic_load_explicit(&most_bytes, memory_order_relaxed)) {
    atomic_store_explicit(&most_bytes, held, memory_order_relaxed);
  }
}

static void *note_taken(void *memory, const void *caller) {
  if (bench_alloc_is_watched(caller)) {
    allocations++;
    note_bytes(memory, 1);
  }
  return memory;
}

/* Takes the range of the library if `wanted` points to an address in it. */
static int take_range(struct dl_phdr_info *info, size_t size, void *wanted) {
  uintptr_t address = *(const uintptr_t *)wanted;
  struct range found = {UINTPTR_MAX, 0};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD) {
      uintptr_t low = info->dlpi_addr + part->p_vaddr;
      found.low = low < found.low ? low : found.low;
      found.high = low + part->p_memsz > found.high ? low + part->p_memsz : found.high;
    }
  }
  bool is_in = address >= found.low && address < found.high;
  if (is_in) {
    watched = found;
  }
  return is_in;
}

void bench_alloc_watch(const void *address) {
  uintptr_t wanted = (uintptr_t)address;
  (void)dl_iterate_phdr(take_range, &wanted);
}

uint64_t bench_alloc_count(void) {
  return allocations;
}

int64_t bench_alloc_held(void) {
  return atomic_load(&held_bytes);
}

int64_t bench_alloc_most(void) {
  return atomic_load(&most_bytes);
}

BENCH_EXPORTED void *malloc(size_t size) {
  return note_taken(__libc_malloc(size), BENCH_CALLER);
}

BENCH_EXPORTED void *calloc(size_t count, size_t size) {
  return note_taken(__libc_calloc(count, size), BENCH_CALLER);
}

BENCH_EXPORTED void *realloc(void *memory, size_t size) {
  if (!bench_alloc_is_watched(BENCH_CALLER)) {
    return __libc_realloc(memory, size);
  }
  allocations++;
  note_bytes(memory, -1);
  void *moved = __libc_realloc(memory, size);
  note_bytes(moved ? moved : memory, 1);
  return moved;
}

BENCH_EXPORTED void *aligned_alloc(size_t alignment, size_t size) {
  return note_taken(__libc_memalign(alignment, size), BENCH_CALLER);
}

BENCH_EXPORTED int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = note_taken(__libc_memalign(alignment, size), BENCH_CALLER);
  return *memory ? 0 : ENOMEM;
}

BENCH_EXPORTED void free(void *memory) {
  if (bench_alloc_is_watched(BENCH_CALLER)) {
    note_bytes(memory, -1);
  }
  __libc_free(memory);
}
