/* Answers for the C library, see bench_still.h. In: clock_gettime and pthread_create of every
 * library in the process. Next room: the C library. */
#include "bench_still.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#include "bench_check.h"

#define BENCH_EXPORTED __attribute__((visibility("default")))
#define STEP_NS 100 /* between two looks at the clock, of whatever thread */
#define START_S 1000000000
#define NS_PER_S 1000000000

typedef int (*create_function)(pthread_t *thread, const pthread_attr_t *attributes,
                               void *(*routine)(void *), void *argument);

BENCH_EXPORTED int clock_gettime(clockid_t clock, struct timespec *now) {
  static atomic_llong elapsed_ns;
  (void)clock;
  long long at_ns = atomic_fetch_add_explicit(&elapsed_ns, STEP_NS, memory_order_relaxed);
  *now = (struct timespec){.tv_sec = START_S + at_ns / NS_PER_S, .tv_nsec = at_ns % NS_PER_S};
  return 0;
}

BENCH_EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                  void *(*routine)(void *), void *argument) {
  (void)thread;
  (void)attributes;
  (void)routine;
  (void)argument;
  return EAGAIN;
}

pthread_t bench_still_thread(void *(*routine)(void *), void *argument) {
  pthread_t thread;
  create_function create;
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  bench_require(create && create(&thread, NULL, routine, argument) == 0, "pthread_create");
  return thread;
}
