// See memory_faults.h. The real functions are the sanitizer's where there is one, else libc's.
#include "memory_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__interceptor_malloc(size_t size) __attribute__((weak));
extern void *__interceptor_calloc(size_t count, size_t size) __attribute__((weak));
extern void *__interceptor_realloc(void *memory, size_t size) __attribute__((weak));

typedef int (*thread_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int (*exit_function)(void (*)(void *), void *, void *);
typedef int (*quick_exit_function)(void (*)(void *), void *);
typedef int (*fork_function)(void (*)(void), void (*)(void), void (*)(void), void *);
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_at_quick_exit(void (*function)(void *), void *library);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *library);

static struct memory_faults *faults;
static uintptr_t first_byte, last_byte; // of the library; 0: not watched

struct memory_faults *memory_faults_share(void) {
  void *memory =
      mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  faults = memory == MAP_FAILED ? NULL : memory;
  return faults;
}

static int find(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  uintptr_t inside = *(const uintptr_t *)context;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && inside >= begin && inside < begin + part->p_memsz) {
      last_byte = begin + part->p_memsz - 1;
      first_byte = begin;
      return 1;
    }
  }
  return 0;
}

bool memory_faults_watch(const char *library) {
  void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  uintptr_t door = opened ? (uintptr_t)dlsym(opened, "vkNegotiateLoaderLayerInterfaceVersion") : 0;
  dl_iterate_phdr(find, &door); // the part that holds code
  return first_byte != 0;
}

static bool fails(const void *caller) {
  uintptr_t address = (uintptr_t)caller;
  if (address < first_byte || address > last_byte || first_byte == 0) {
    return false;
  }
  unsigned long number = __atomic_add_fetch(&faults->asked, 1, __ATOMIC_RELAXED);
  bool failing = faults->nth != 0 && (faults->all ? number >= faults->nth : number == faults->nth);
  if (failing) {
    __atomic_add_fetch(&faults->failed, 1, __ATOMIC_RELAXED);
  }
  return failing;
}

#pragma GCC visibility push(default)

void *malloc(size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __interceptor_calloc ? __interceptor_calloc(count, size) : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __interceptor_realloc ? __interceptor_realloc(memory, size) : __libc_realloc(memory, size);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
  thread_function next = (thread_function)dlsym(RTLD_NEXT, "pthread_create");
  bool failing = fails(__builtin_return_address(0));
  return failing ? EAGAIN : next(thread, attributes, start, argument);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  exit_function next = (exit_function)dlsym(RTLD_NEXT, "__cxa_atexit");
  bool failing = fails(__builtin_return_address(0));
  return failing ? -1 : next(function, argument, library);
}

int __cxa_at_quick_exit(void (*function)(void *), void *library) {
  quick_exit_function next = (quick_exit_function)dlsym(RTLD_NEXT, "__cxa_at_quick_exit");
  bool failing = fails(__builtin_return_address(0));
  return failing ? -1 : next(function, library);
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *library) {
  fork_function next = (fork_function)dlsym(RTLD_NEXT, "__register_atfork");
  bool failing = fails(__builtin_return_address(0));
  return failing ? ENOMEM : next(prepare, parent, child, library);
}

#pragma GCC visibility pop
