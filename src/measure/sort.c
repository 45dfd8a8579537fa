/* In: numbers. Out: the same in order. Next room: profile. */
#include "measure/sort.h"

#include <string.h>

/* Below this many, clearing the counters of a radix pass costs more than comparing. */
enum { FEW = 48, DIGITS = 256, DIGIT_BITS = 8, KEY_BITS = 64 };

static void sort_few(struct vkm_keyed *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    struct vkm_keyed item = items[i];
    size_t place = i;
    while (place > 0 && items[place - 1].key > item.key) {
      items[place] = items[place - 1];
      place--;
    }
    items[place] = item;
  }
}

static void sort_by_digit(const struct vkm_keyed *from, struct vkm_keyed *to, size_t count,
                          int shift) {
  size_t places[DIGITS] = {0};
  for (size_t i = 0; i < count; i++) {
    places[(from[i].key >> shift) % DIGITS]++;
  }
  size_t place = 0;
  for (int digit = 0; digit < DIGITS; digit++) {
    size_t here = places[digit];
    places[digit] = place;
    place += here;
  }
  for (size_t i = 0; i < count; i++) {
    to[places[(from[i].key >> shift) % DIGITS]++] = from[i];
  }
}

void vkm_sort_keyed(struct vkm_keyed *items, struct vkm_keyed *scratch, size_t count) {
  if (count < FEW) {
    sort_few(items, count);
    return;
  }
  uint64_t used_bits = 0;
  for (size_t i = 0; i < count; i++) {
    used_bits |= items[i].key;
  }
  struct vkm_keyed *from = items;
  struct vkm_keyed *to = scratch;
  for (int shift = 0; shift < KEY_BITS && used_bits >> shift != 0; shift += DIGIT_BITS) {
    sort_by_digit(from, to, count, shift);
    struct vkm_keyed *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) {
    memcpy(items, from, count * sizeof *items);
  }
}
