/* Counts allocations. The program that is linked with bench_alloc.c answers malloc, calloc,
 * realloc, the aligned kinds and free for every library in the process, and hands them on to the C
 * library.
 */
#ifndef BENCH_ALLOC_H
#define BENCH_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on only those are counted that the library with this address in it asks for. Before any
 * other thread allocates. */
void bench_alloc_watch(const void *address);
/* Whether that address lies in the watched library; in any, where none is watched. */
bool bench_alloc_is_watched(const void *address);
/* Of the calling thread since it began; of all libraries where none is watched. */
uint64_t bench_alloc_count(void);
/* Bytes that the watched library holds, of all threads: what it took less what it gave back, in the
 * sizes that the C library makes of them; and the most that it held. Any thread. */
int64_t bench_alloc_held(void);
int64_t bench_alloc_most(void);

#ifdef __cplusplus
}
#endif

#endif
