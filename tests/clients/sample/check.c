/* In: the inputs and what the device made of them. Out: whether the processor comes to the same.
 * Nothing comes after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

/* Small whole numbers, so that sums of products are exact in float in any order. */
static float a_at(uint32_t i) {
  return (float)(i * 7 % 11) - 5.0F;
}

static float b_at(uint32_t i) {
  return (float)(i * 5 % 13) - 6.0F;
}

static uint32_t number_at(uint32_t i) {
  return i * 2654435761U >> 16;
}

void work_fill(struct work *work) {
  float *matrices = work->buffers[WORK_UPLOAD].mapped;
  const uint32_t cells = WORK_SIDE * WORK_SIDE;
  for (uint32_t i = 0; i < cells; i++) {
    matrices[i] = a_at(i);
    matrices[cells + i] = b_at(i);
  }
  uint32_t *numbers = (uint32_t *)(matrices + (size_t)2 * cells);
  for (uint32_t i = 0; i < WORK_NUMBERS; i++) {
    numbers[i] = number_at(i);
  }
}

void work_spoil(struct work *work) {
  memset(work->buffers[WORK_DOWNLOAD].mapped, 0xA5, sizeof(struct work_results));
}

static void expect(struct work_results *results) {
  memset(results, 0, sizeof *results);
  for (uint32_t row = 0; row < WORK_SIDE; row++) {
    for (uint32_t column = 0; column < WORK_SIDE; column++) {
      for (uint32_t k = 0; k < WORK_SIDE; k++) {
        results->product[row * WORK_SIDE + column] +=
            a_at(row * WORK_SIDE + k) * b_at(k * WORK_SIDE + column);
      }
    }
  }
  for (uint32_t i = 0; i < WORK_NUMBERS; i++) {
    uint32_t number = number_at(i);
    results->sum += number;
    results->running[i] = results->sum;
    results->affine[i] = i < WORK_NUMBERS / 2 ? number * 3 + 7 : number * 5 + 1;
  }
  for (uint32_t i = 0; i < WORK_SCALE_LANES; i++) {
    results->scaled[i] = i + WORK_SCALES;
    for (uint32_t step = 0; step < WORK_SCALE_STEPS; step++) {
      results->scaled[i] = results->scaled[i] * 1664525U + 1013904223U;
    }
  }
}

static uint32_t checksum(const void *words, size_t size_bytes) {
  const unsigned char *at = words;
  uint32_t sum = 2166136261U;
  for (size_t i = 0; i < size_bytes; i++) {
    sum = (sum ^ at[i]) * 16777619U;
  }
  return sum;
}

static bool compare(const char *stage, const void *got, const void *wanted, size_t size_bytes,
                    bool print) {
  bool equal = memcmp(got, wanted, size_bytes) == 0;
  if (!equal) {
    size_t at = 0;
    while (((const unsigned char *)got)[at] == ((const unsigned char *)wanted)[at]) {
      at++;
    }
    (void)fprintf(stderr, "%s: wrong from byte %zu of %zu on\n", stage, at, size_bytes);
  }
  if (print) {
    (void)printf("%-12s%s %08x\n", stage, equal ? "OK" : "WRONG", checksum(got, size_bytes));
  }
  return equal;
}

bool work_check(const struct work *work, bool print) {
  static struct work_results expected;
  static bool known;
  if (!known) {
    expect(&expected);
    known = true;
  }
  const struct work_results *got = work->buffers[WORK_DOWNLOAD].mapped;
  bool good = compare("matmul", got->product, expected.product, sizeof got->product, print);
  good = compare("reduction", &got->sum, &expected.sum, sizeof got->sum, print) && good;
  good = compare("prefix-sum", got->running, expected.running, sizeof got->running, print) && good;
  good = compare("affine", got->affine, expected.affine, sizeof got->affine, print) && good;
  if (work->scale_groups > 0) {
    good = compare("scale", got->scaled, expected.scaled, sizeof got->scaled, print) && good;
  }
  return good;
}
