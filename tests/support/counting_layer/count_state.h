/* The one lock of the counting layer and its plain totals. Process-wide; nothing is ever freed, so
 * that late callers (other threads while the process exits) always find valid memory. */
#ifndef VKMTEST_COUNT_STATE_H
#define VKMTEST_COUNT_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct vkmtest_totals {
  uint64_t instances, devices;               /* created with success */
  uint64_t instances_gone, devices_gone;     /* destroyed */
  uint64_t submit_calls, submit_failures;    /* vkQueueSubmit, 2 and 2KHR */
  uint64_t batches, command_buffers;         /* of the calls that succeeded */
  uint64_t executions;                       /* dispatches executed, sum of all rows */
  uint64_t stamps_recorded;                  /* vkCmdWriteTimestamp and its successors */
  uint64_t stamps, stamps_at_top;            /* executed, of those at TOP_OF_PIPE */
  uint64_t query_reads, queries_read;        /* vkGetQueryPoolResults, and what it asked for */
  uint64_t instance_lookups, device_lookups; /* proc-address questions */
};

/* Any thread; never held across a call down the chain. */
void vkmtest_lock(void);
void vkmtest_unlock(void);

/* Borrowed for ever; read and write it under the lock. */
struct vkmtest_totals *vkmtest_totals(void);

/* Called once before anything else; makes a forked child start from nothing. Any thread. */
void vkmtest_state_init(void);

#endif
