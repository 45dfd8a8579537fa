/* With VKMTEST_CLOCK=1: CLOCK_MONOTONIC before each submission and after each wait that returned
 * success, so that a test can bound the stamps of a profile. At most 1 Mi events are kept, the rest
 * is counted. */
#ifndef VKMTEST_COUNT_CLOCK_H
#define VKMTEST_COUNT_CLOCK_H

#include <stdint.h>
#include <stdio.h>

/* CLOCK_MONOTONIC in ns, or 0 when no clock was asked for. Any thread, no lock. */
int64_t vkmtest_clock_now(void);

/* Notes one submission that succeeded: when its call began and how many dispatches it executes.
 * Caller holds the lock. Nothing happens when now_ns is 0. */
void vkmtest_clock_submit(int64_t now_ns, uint64_t dispatches);

/* Notes a wait that returned success just now. Takes the lock itself. `call` is static text. */
void vkmtest_clock_wait(const char *call);

/* The events as JSON array elements. Caller holds the lock. */
void vkmtest_clock_print(FILE *out);
uint64_t vkmtest_clock_dropped(void);
void vkmtest_clock_forget(void);

#endif
