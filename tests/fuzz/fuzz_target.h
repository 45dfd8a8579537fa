/* What every fuzz target offers: to libFuzzer, or to a driver of our own. One thread. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Aborts when something is not as it has to be; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Inputs that the code took and did not refuse, counted by targets that can tell. */
extern size_t fuzz_accepted;

#endif
