/* Answers for the C library, see bench_still.h. In: pthread_create of every library in the process.
 * Next room: the C library. */
#include <dlfcn.h>
#include <errno.h>

#include "bench_check.h"
#include "bench_still.h"

typedef int (*create_function)(pthread_t *thread, const pthread_attr_t *attributes,
                               void *(*routine)(void *), void *argument);

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*routine)(void *),
                                                          void *argument) {
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
