/* Ends the program when something does not work: a figure from a broken run must not be seen. Any
 * thread. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vulkan_core.h>

static inline void bench_require(bool condition, const char *what) {
  if (!condition) {
    (void)fprintf(stderr, "failed: %s\n", what);
    exit(EXIT_FAILURE);
  }
}

static inline void bench_check(VkResult result, const char *what) {
  bench_require(result == VK_SUCCESS, what);
}

#endif
