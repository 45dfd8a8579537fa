/* Counts locks. The program that is linked with bench_locks.c and bench_alloc.c answers the mutex
 * and reader-writer locks for every library in the process, and hands them on. */
#ifndef BENCH_LOCKS_H
#define BENCH_LOCKS_H

#include <stdint.h>

/* Locks that the calling thread took for the library that bench_alloc_watch names. */
uint64_t bench_locks_count(void);

#endif
