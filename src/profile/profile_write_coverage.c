/* In: outcomes and our own costs, of all devices. Out: the sections coverage and overhead. */
#include <stdio.h>
#include <string.h>

#include "profile/profile_write_sections.h"

static void write_reasons(struct vkm_json *json, const char *key, const uint64_t *counts, int count,
                          const char *const *names) {
  vkm_json_open(json, key, '{');
  for (int i = 0; i < count; i++) {
    if (counts[i] > 0) {
      vkm_json_u64(json, names[i], counts[i]);
    }
  }
  vkm_json_close(json, '}');
}

void vkm_write_outcomes(struct vkm_json *json, const char *sum_key,
                        const struct vkm_outcomes *outcomes) {
  vkm_json_u64(json, sum_key, vkm_outcomes_executed(outcomes));
  vkm_json_u64(json, "measured", outcomes->measured);
  vkm_json_u64(json, "control", outcomes->control);
  write_reasons(json, "untimed", outcomes->untimed, VKM_UNTIMED_COUNT, vkm_untimed_names);
  write_reasons(json, "missed", outcomes->missed, VKM_MISSED_COUNT, vkm_missed_names);
  write_reasons(json, "rejected", outcomes->rejected, VKM_REJECTED_COUNT, vkm_rejected_names);
}

static void write_not_intercepted(struct vkm_json *json, const struct vkm_profile *profile) {
  if (profile->not_intercepted == NULL) {
    vkm_json_null(json, "not_intercepted", "not tracked by this version");
    return;
  }
  vkm_json_open(json, "not_intercepted", '{');
  for (size_t i = 0; i < profile->not_intercepted_count; i++) {
    if (profile->not_intercepted[i].name != NULL) {
      vkm_json_u64(json, profile->not_intercepted[i].name, profile->not_intercepted[i].count);
    }
  }
  vkm_json_close(json, '}');
}

/* One member of coverage: all kinds that count in it, over all devices. */
struct member {
  uint64_t recorded;
  struct vkm_outcomes all, overflow;
};

static bool counts_in(uint32_t kind, const char *name) {
  return strcmp(vkm_kind_coverage[kind], name) == 0;
}

static struct member sum_member(const struct vkm_profile *profile, const char *name) {
  struct member member = {0};
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_profile_device *device = &profile->devices[i];
    for (uint32_t kind = 0; kind < VKM_KIND_COUNT; kind++) {
      if (counts_in(kind, name)) {
        member.recorded += device->recorded[kind];
        vkm_outcomes_add(&member.overflow, &device->overflow[kind]);
      }
    }
    for (size_t row = 0; row < device->row_count; row++) {
      if (counts_in(device->rows[row]->key.kind, name)) {
        vkm_outcomes_add(&member.all, &device->rows[row]->outcomes);
      }
    }
  }
  vkm_outcomes_add(&member.all, &member.overflow);
  return member;
}

static void write_member(struct vkm_json *json, const char *name, const struct member *member) {
  vkm_json_open(json, name, '{');
  vkm_json_u64(json, "recorded", member->recorded);
  vkm_write_outcomes(json, "executed", &member->all);
  vkm_json_close(json, '}');
}

static void write_beyond(struct vkm_json *json, const char *name, const struct member *member) {
  char beyond[64];
  (void)snprintf(beyond, sizeof beyond, "%s_beyond_row_cap", name);
  vkm_json_open(json, beyond, '{');
  vkm_write_outcomes(json, "executed", &member->overflow);
  vkm_json_close(json, '}');
}

/* Dispatches always; other kinds where any was recorded or executed, and what of them found no row
 * where there is any. */
void vkm_write_coverage(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile *profile = document->profile;
  struct member dispatch = sum_member(profile, vkm_kind_coverage[VKM_KIND_DISPATCH]);
  vkm_json_open(json, "coverage", '{');
  write_member(json, vkm_kind_coverage[VKM_KIND_DISPATCH], &dispatch);
  for (uint32_t kind = VKM_KIND_DISPATCH_INDIRECT + 1; kind < VKM_KIND_COUNT; kind++) {
    struct member member = sum_member(profile, vkm_kind_coverage[kind]);
    if (member.recorded > 0 || vkm_outcomes_executed(&member.all) > 0) {
      write_member(json, vkm_kind_coverage[kind], &member);
    }
    if (vkm_outcomes_executed(&member.overflow) > 0) {
      write_beyond(json, vkm_kind_coverage[kind], &member);
    }
  }
  write_beyond(json, vkm_kind_coverage[VKM_KIND_DISPATCH], &dispatch);
  write_not_intercepted(json, profile);
  vkm_json_close(json, '}');
}

struct costs {
  uint64_t stamps_written, marks_recorded;
  uint64_t record_samples, record_ns;
  uint64_t submits, submit_ns, collects, collect_ns;
  uint64_t peak_bytes, queries_in_use, queries_peak;
};

static struct costs sum_costs(const struct vkm_profile *profile) {
  struct costs costs = {0};
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_profile_device *device = &profile->devices[i];
    costs.stamps_written += device->stamps_written;
    costs.marks_recorded += device->marks_recorded;
    costs.record_samples += device->record_sample_count;
    costs.record_ns += device->record_sample_ns;
    costs.submits += device->submits;
    costs.submit_ns += device->submit_ns;
    costs.collects += device->collects;
    costs.collect_ns += device->collect_ns;
    costs.peak_bytes += device->peak_bytes;
    costs.queries_in_use += device->queries_in_use;
    costs.queries_peak += device->queries_peak;
  }
  return costs;
}

enum vkm_status vkm_write_overhead(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  struct costs costs = sum_costs(document->profile);
  vkm_json_open(json, "overhead", '{');
  vkm_json_u64(json, "stamps_written", costs.stamps_written);
  vkm_json_u64(json, "marks_recorded", costs.marks_recorded);
  vkm_json_u64(json, "record_sample_count", costs.record_samples);
  if (costs.record_samples == 0) {
    vkm_json_null(json, "record_ns_per_mark", "not sampled");
  } else {
    vkm_json_double(json, "record_ns_per_mark",
                    (double)costs.record_ns / (double)costs.record_samples, "");
  }
  vkm_json_u64(json, "submits", costs.submits);
  vkm_json_u64(json, "submit_ns", costs.submit_ns);
  vkm_json_u64(json, "collects", costs.collects);
  vkm_json_u64(json, "collect_ns", costs.collect_ns);
  vkm_json_u64(json, "peak_bytes", costs.peak_bytes);
  vkm_json_u64(json, "queries_in_use", costs.queries_in_use);
  vkm_json_u64(json, "queries_peak", costs.queries_peak);
  enum vkm_status status = vkm_write_instrumentation(document);
  vkm_json_close(json, '}');
  return status;
}
