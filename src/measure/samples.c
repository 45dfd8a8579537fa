/* In: one value at a time. Out: exact count, sum and extremes, and a fair choice of the values when
 * there are more than the cap: algorithm R of Vitter at first; later, when hardly any is chosen,
 * how many are passed over is drawn, and those cost nothing. Next room: aggregate. */
#include "measure/samples.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/wide.h"

enum { FIRST_CAPACITY = 8, MANY = 16 /* times what is kept */ };
#define SEED UINT64_C(0x766b6d6574657221)

void vkm_samples_init(struct vkm_samples *samples, size_t cap) {
  *samples = (struct vkm_samples){.cap = cap, .random = SEED};
}

void vkm_samples_finish(struct vkm_samples *samples) {
  vkm_free(samples->kept);
  vkm_free(samples->begins);
  *samples = (struct vkm_samples){0};
}

/* splitmix64: any state is good, and each row may start from the same one. */
static uint64_t next_random(uint64_t *state) {
  uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

/* A number below `count`, by the high half of a product instead of a division. Its bias is below
 * 1e-9 for 16 Gi samples. */
static uint64_t random_below(uint64_t *state, uint64_t count) {
  return vkm_wide_product(next_random(state), count).high;
}

/* How many are passed over until the next is chosen, after `seen`. At least s with the probability
 * of the product over the kept ones, i = 0 .. kept - 1, of (seen - i) / (seen + s - i): here the
 * power of the middle factor, which for MANY differs by less than a thousandth. */
static uint64_t pass_over(struct vkm_samples *samples, uint64_t seen) {
  double chance = ((double)(next_random(&samples->random) >> 11) + 0.5) * 0x1p-53;
  double kept = (double)samples->kept_count;
  double passed = ((double)seen - (kept - 1) / 2) * expm1(-log(chance) / kept);
  return passed < 0x1p62 ? (uint64_t)passed : UINT64_C(1) << 62;
}

/* The place of one more among the kept ones; kept_count or more: not chosen. */
static uint64_t choose(struct vkm_samples *samples, uint64_t ordinal) {
  if (samples->kept_count == 0 || ordinal < samples->kept_count * MANY) {
    return random_below(&samples->random, ordinal + 1);
  }
  if (samples->next == 0) {
    samples->next = ordinal + pass_over(samples, ordinal);
  }
  if (samples->next > ordinal) {
    return UINT64_MAX;
  }
  samples->next = ordinal + 1 + pass_over(samples, ordinal + 1);
  return random_below(&samples->random, samples->kept_count);
}

static bool grow(struct vkm_samples *samples) {
  size_t capacity = samples->capacity == 0 ? FIRST_CAPACITY : samples->capacity * 2;
  if (capacity > samples->cap) {
    capacity = samples->cap;
  }
  struct vkm_sample *kept = vkm_realloc(samples->kept, capacity * sizeof *kept);
  if (kept == NULL) {
    return false;
  }
  samples->kept = kept;
  if (samples->keeps_begins) {
    int64_t *begins = vkm_realloc(samples->begins, capacity * sizeof *begins);
    if (begins == NULL) {
      return false;
    }
    samples->begins = begins;
  }
  samples->capacity = capacity;
  return true;
}

static void put(struct vkm_samples *samples, uint64_t place, int64_t value_ns, uint64_t ordinal,
                int64_t begin_ns) {
  samples->kept[place].value_ns = value_ns;
  samples->kept[place].ordinal = ordinal;
  if (samples->keeps_begins) {
    samples->begins[place] = begin_ns;
  }
}

/* Where there is no room. */
static __attribute__((noinline)) void keep(struct vkm_samples *samples, int64_t value_ns,
                                           uint64_t ordinal, int64_t begin_ns) {
  if (samples->kept_count < samples->cap) {
    if (grow(samples)) {
      put(samples, samples->kept_count++, value_ns, ordinal, begin_ns);
      return;
    }
    samples->lost++;
    /* From here on a smaller reservoir: what is kept stays a fair choice of what was seen. */
    if (samples->kept_count > 0) {
      samples->cap = samples->kept_count;
    }
    return;
  }
  uint64_t place = choose(samples, ordinal);
  if (place < samples->kept_count) {
    put(samples, place, value_ns, ordinal, begin_ns);
  }
}

static int64_t add_saturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return b > 0 ? INT64_MAX : INT64_MIN;
  }
  return sum;
}

void vkm_samples_add(struct vkm_samples *samples, int64_t value_ns, int64_t begin_ns) {
  uint64_t ordinal = samples->seen++;
  if (ordinal == 0 || value_ns < samples->min_ns) {
    samples->min_ns = value_ns;
  }
  if (ordinal == 0 || value_ns > samples->max_ns) {
    samples->max_ns = value_ns;
  }
  samples->sum_ns = add_saturated(samples->sum_ns, value_ns);
  if (samples->kept_count < samples->capacity) {
    put(samples, samples->kept_count++, value_ns, ordinal, begin_ns);
  } else if (ordinal >= samples->next) {
    keep(samples, value_ns, ordinal, begin_ns);
  }
}

bool vkm_samples_copy(struct vkm_samples *to, const struct vkm_samples *from) {
  size_t count = from->kept_count;
  *to = *from;
  bool begins = count > 0 && from->keeps_begins;
  to->kept = count > 0 ? vkm_alloc(count * sizeof *to->kept) : NULL;
  to->begins = begins ? vkm_alloc(count * sizeof *to->begins) : NULL;
  bool copied = (count == 0 || to->kept != NULL) && (!begins || to->begins != NULL);
  to->kept_count = to->capacity = copied ? count : 0;
  if (copied && count > 0) {
    memcpy(to->kept, from->kept, count * sizeof *to->kept);
  }
  if (copied && begins) {
    memcpy(to->begins, from->begins, count * sizeof *to->begins);
  }
  return copied;
}
