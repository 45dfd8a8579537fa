// The layer's tie between device ticks and the host's clock, for a test in C++, which cannot
// include calibrate.h.
//
// In: ticks and host times. Out: what timing/calibrate.c says. One queue of one device; one thread.
#ifndef CALIBRATE_WORLD_H
#define CALIBRATE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void calibrate_open(double period_ns, uint32_t valid_bits); // a new queue
// One execution: first and last ticks, submitted and seen at.
void calibrate_seen(uint64_t first, uint64_t last, int64_t submit_ns, int64_t seen_ns);
void calibrate_taken(uint64_t ticks, int64_t host_ns); // a calibration
int64_t calibrate_host_ns(uint64_t ticks); // where the ticks lie on the host's clock, INT64_MIN
bool calibrate_mismatch(void);

#ifdef __cplusplus
}
#endif

#endif
