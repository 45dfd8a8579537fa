/* In: one value at a time. Out: exact count, sum and extremes, and a fair choice of the values when
 * there are more than the cap (algorithm R of Vitter). Next room: aggregate. */
#include "measure/samples.h"

#include <string.h>

#include "base/alloc.h"

enum { FIRST_CAPACITY = 8 };
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

static bool grow(struct vkm_samples *samples) {
  if (samples->kept_count < samples->capacity) {
    return true;
  }
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

static void put(struct vkm_samples *samples, uint64_t place, const struct vkm_sample *sample,
                int64_t begin_ns) {
  samples->kept[place] = *sample;
  if (samples->keeps_begins) {
    samples->begins[place] = begin_ns;
  }
}

static void keep(struct vkm_samples *samples, const struct vkm_sample *sample, int64_t begin_ns) {
  if (samples->kept_count < samples->cap) {
    if (grow(samples)) {
      put(samples, samples->kept_count++, sample, begin_ns);
      return;
    }
    samples->lost++;
    /* From here on a smaller reservoir: what is kept stays a fair choice of what was seen. */
    if (samples->kept_count > 0) {
      samples->cap = samples->kept_count;
    }
    return;
  }
  /* The remainder's bias is below 1e-9 for 16 Gi samples. */
  uint64_t place = next_random(&samples->random) % (sample->ordinal + 1);
  if (place < samples->kept_count) {
    put(samples, place, sample, begin_ns);
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
  struct vkm_sample sample = {value_ns, samples->seen};
  if (samples->seen == 0 || value_ns < samples->min_ns) {
    samples->min_ns = value_ns;
  }
  if (samples->seen == 0 || value_ns > samples->max_ns) {
    samples->max_ns = value_ns;
  }
  samples->seen++;
  samples->sum_ns = add_saturated(samples->sum_ns, value_ns);
  keep(samples, &sample, begin_ns);
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
