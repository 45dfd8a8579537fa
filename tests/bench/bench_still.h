/* Still surroundings, so that what is counted depends on nothing but the code. The program that is
 * linked with them answers for every library in the process: bench_still.c the time, which goes on
 * by a step with each look at it, and bench_alone.c pthread_create, which refuses. The layer takes
 * that as on a machine without room for threads: what its threads would have read is read by the
 * waits of the program, which nobody overtakes. */
#ifndef BENCH_STILL_H
#define BENCH_STILL_H

#include <pthread.h>

/* bench_alone.c: a thread of the program's own; ends the program when there is none. To be joined.
 */
pthread_t bench_still_thread(void *(*routine)(void *), void *argument);

#endif
