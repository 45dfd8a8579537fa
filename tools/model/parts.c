/* Kernels by what they have in common. In: what each kernel adds. Out: families, phases, shaders.
 * Next: report. */
#include <stdlib.h>
#include <string.h>

#include "model/details_build.h"

int vkm_by_total(int64_t left, int64_t right) {
  return (left < right) - (left > right);
}

double vkm_share_of(int64_t part, int64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

struct vkm_contribution vkm_contribution_of(const struct vkm_kernel_ref *ref, size_t row,
                                            unsigned warmup, bool only_first_use) {
  const struct vkm_read_kernel *kernel = ref->kernel;
  struct vkm_contribution made = {.ref = ref,
                                  .row = row,
                                  .calls = kernel->outcomes.measured,
                                  .total_ns = kernel->duration.sum_ns};
  if (warmup > 0 && !only_first_use && kernel->first_use != VKM_READ_NONE) {
    made.warmup_count = 1;
    made.calls -= made.calls > 0;
    vkm_add_ns(&made.total_ns, -kernel->samples_ns[kernel->first_use]);
  }
  made.has_time = made.calls > 0;
  return made;
}

static int compare_sizes(size_t left, size_t right) {
  return (left > right) - (left < right);
}

static int by_key(const void *a, const void *b) {
  const struct vkm_contribution *left = a;
  const struct vkm_contribution *right = b;
  int order = strcmp(left->key, right->key);
  return order != 0 ? order : compare_sizes(left->row, right->row);
}

static int by_run(const void *a, const void *b) {
  return compare_sizes(((const struct vkm_contribution *)a)->ref->run,
                       ((const struct vkm_contribution *)b)->ref->run);
}

static int by_time(const void *a, const void *b) {
  const struct vkm_part *left = a;
  const struct vkm_part *right = b;
  int order = vkm_by_total(left->total_ns, right->total_ns);
  return order != 0 ? order : strcmp(left->name, right->name);
}

/* `from` are of one key, ascending by row. */
static void fold(struct vkm_part *part, struct vkm_contribution *from, size_t count) {
  *part = (struct vkm_part){.name = from[0].key};
  for (size_t i = 0; i < count; i++) {
    const struct vkm_read_outcomes *outcomes = &from[i].ref->kernel->outcomes;
    part->kernels += i == 0 || from[i].row != from[i - 1].row;
    part->executions += outcomes->executed;
    part->measured += outcomes->measured;
    part->calls += from[i].calls;
    part->warmup_count += from[i].warmup_count;
    vkm_add_ns(&part->total_ns, from[i].total_ns);
    part->has_time = part->has_time || from[i].has_time;
  }
  qsort(from, count, sizeof *from, by_run);
  for (size_t i = 0; i < count; i++) {
    part->run_count += i == 0 || from[i].ref->run != from[i - 1].ref->run;
  }
}

static bool build(struct vkm_parts *parts, struct vkm_contribution *from, size_t count) {
  parts->items = calloc(count ? count : 1, sizeof *parts->items);
  if (parts->items == NULL) {
    return false;
  }
  if (count > 1) {
    qsort(from, count, sizeof *from, by_key);
  }
  int64_t total_ns = 0;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && strcmp(from[begin].key, from[end].key) == 0) {
      end++;
    }
    fold(&parts->items[parts->count], from + begin, end - begin);
    vkm_add_ns(&total_ns, parts->items[parts->count++].total_ns);
    begin = end;
  }
  for (size_t i = 0; i < parts->count; i++) {
    struct vkm_part *part = &parts->items[i];
    part->has_share = part->has_time && total_ns > 0;
    part->share = part->has_share ? vkm_share_of(part->total_ns, total_ns) : 0;
  }
  return true;
}

static void sort_by_time(struct vkm_parts *parts) {
  if (parts->count > 1) {
    qsort(parts->items, parts->count, sizeof *parts->items, by_time);
  }
}

bool vkm_details_parts(struct vkm_details *details, struct vkm_contribution *contributions,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *family = contributions[i].ref->kernel->family;
    contributions[i].key = family != NULL ? family : "unknown";
  }
  if (!build(&details->families, contributions, count)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    contributions[i].key = contributions[i].ref->kernel->phase;
  }
  if (!build(&details->phases, contributions, count)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    contributions[i].key = vkm_shader_key(contributions[i].ref);
  }
  sort_by_time(&details->families);
  sort_by_time(&details->phases);
  return build(&details->shaders, contributions, count);
}
