/* In: kernels of one run. Out: sums and samples. Next: row, comparison_rows. */
#include "model/run_time.h"

static void take_kernel(struct vkm_run_time *out, const struct vkm_read_kernel *kernel,
                        unsigned warmup, int64_t *samples) {
  out->executions += kernel->outcomes.executed;
  out->measured += kernel->outcomes.measured;
  out->calls += kernel->outcomes.measured;
  vkm_add_ns(&out->total_ns, kernel->duration.sum_ns);
  for (size_t i = 0; i < kernel->sample_count; i++) {
    if (warmup > 0 && i == kernel->first_use) {
      out->warmup_count++;
      out->calls -= out->calls > 0;
      vkm_add_ns(&out->total_ns, -kernel->samples_ns[i]);
      continue;
    }
    if (samples != NULL) {
      samples[out->sample_count] = kernel->samples_ns[i];
    }
    out->sample_count++;
  }
}

void vkm_run_time_take(struct vkm_run_time *out, const struct vkm_kernel_ref *refs, size_t count,
                       unsigned warmup, int64_t *samples) {
  *out = (struct vkm_run_time){0};
  for (size_t i = 0; i < count; i++) {
    take_kernel(out, refs[i].kernel, warmup, samples);
  }
}

size_t vkm_run_time_room(const struct vkm_kernel_ref *refs, size_t count) {
  size_t room = 0;
  for (size_t i = 0; i < count; i++) {
    room += refs[i].kernel->sample_count;
  }
  return room;
}
