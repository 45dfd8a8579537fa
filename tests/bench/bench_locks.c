/* The counter, see bench_locks.h. In: everybody's locks. Next room: glibc, by the next symbol. */
#include "bench_locks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "bench_alloc.h"

#define BENCH_EXPORTED __attribute__((visibility("default")))

typedef int (*lock_function)(void *lock);

static _Thread_local uint64_t locks;

uint64_t bench_locks_count(void) {
  return locks;
}

static int pass_on(const char *name, void *lock, const void *caller) {
  lock_function next = (lock_function)dlsym(RTLD_NEXT, name);
  if (!next) {
    abort();
  }
  locks += bench_alloc_is_watched(caller);
  return next(lock);
}

BENCH_EXPORTED int pthread_mutex_lock(pthread_mutex_t *lock) {
  return pass_on("pthread_mutex_lock", lock, __builtin_return_address(0));
}

BENCH_EXPORTED int pthread_mutex_trylock(pthread_mutex_t *lock) {
  return pass_on("pthread_mutex_trylock", lock, __builtin_return_address(0));
}

BENCH_EXPORTED int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return pass_on("pthread_rwlock_rdlock", lock, __builtin_return_address(0));
}

BENCH_EXPORTED int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return pass_on("pthread_rwlock_wrlock", lock, __builtin_return_address(0));
}
