/* In: the section breakdown and the memory of devices as JSON. Out: plain figures that agree with
 * each other. Next room: the tool's model. */
#include "measure/moves.h"
#include "profile/profile_read_sections.h"

/* A count that may be unknown. False: null. */
static bool known_u64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      uint64_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, VKM_VALUE_NULLABLE);
  vkm_value_u64(parse, object, name, VKM_VALUE_NULLABLE, out);
  return at.item != NULL;
}

_Static_assert((int)VKM_READ_MOVES == (int)VKM_DIRECTION_COUNT, "a place for each direction");

/* ---- memory ---- */

static void read_heap(struct vkm_parse *parse, const struct vkm_value *at,
                      struct vkm_read_heap *heap) {
  vkm_value_u64(parse, at, "size_bytes", VKM_VALUE_NEEDED, &heap->size_bytes);
  vkm_value_bool(parse, at, "device_local", VKM_VALUE_NEEDED, &heap->device_local);
  heap->known = known_u64(parse, at, "allocated_bytes", &heap->allocated_bytes);
  vkm_value_u64(parse, at, "peak_bytes", VKM_VALUE_NULLABLE, &heap->peak_bytes);
  heap->has_budget = known_u64(parse, at, "budget_bytes", &heap->budget_bytes);
  vkm_value_u64(parse, at, "usage_peak_bytes", VKM_VALUE_OPTIONAL, &heap->usage_peak_bytes);
  if (!parse->failed && heap->peak_bytes < heap->allocated_bytes) {
    vkm_value_fail(parse, at, "peak_bytes is less than allocated_bytes");
  }
}

void vkm_read_memory(struct vkm_parse *parse, const struct vkm_value *device,
                     struct vkm_read_memory *out) {
  struct vkm_value memory =
      vkm_value_member(parse, device, "memory", cJSON_Object, VKM_VALUE_NEEDED);
  struct vkm_value list = vkm_value_member(parse, &memory, "heaps", cJSON_Array, VKM_VALUE_NEEDED);
  vkm_value_u64(parse, &memory, "allocations_peak", VKM_VALUE_NULLABLE, &out->allocations_peak);
  vkm_value_u64(parse, &memory, "allocations_total", VKM_VALUE_NULLABLE, &out->allocations_total);
  vkm_value_u64(parse, &memory, "mapped_peak_bytes", VKM_VALUE_NULLABLE, &out->mapped_peak_bytes);
  vkm_value_u64(parse, &memory, "persistent_mapped_bytes", VKM_VALUE_NULLABLE,
                &out->persistent_mapped_bytes);
  out->heaps = vkm_value_array(parse, (size_t)cJSON_GetArraySize(list.item), sizeof *out->heaps);
  if (out->heaps == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, out->heap_count, cJSON_Object);
    read_heap(parse, &at, &out->heaps[out->heap_count++]);
  }
}

/* ---- breakdown ---- */

/* A time that may be unknown: INT64_MIN then. */
static void read_time(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      int64_t *out) {
  *out = INT64_MIN;
  vkm_value_time(parse, object, name, VKM_VALUE_NULLABLE, out);
}

static void read_transfer(struct vkm_parse *parse, const struct vkm_value *breakdown,
                          struct vkm_read_breakdown *out) {
  struct vkm_value transfer =
      vkm_value_member(parse, breakdown, "transfer", cJSON_Object, VKM_VALUE_NEEDED);
  for (int i = 0; i < VKM_DIRECTION_COUNT; i++) {
    struct vkm_read_move *move = &out->moves[i];
    struct vkm_value at =
        vkm_value_member(parse, &transfer, vkm_direction_names[i], cJSON_Object, VKM_VALUE_NEEDED);
    move->direction = vkm_direction_names[i];
    vkm_value_u64(parse, &at, "executions", VKM_VALUE_NEEDED, &move->executions);
    vkm_value_u64(parse, &at, "measured", VKM_VALUE_OPTIONAL, &move->measured);
    vkm_value_u64(parse, &at, "bytes_unknown", VKM_VALUE_NEEDED, &move->bytes_unknown);
    move->has_bytes = known_u64(parse, &at, "bytes", &move->bytes);
    read_time(parse, &at, "duration_ns", &move->duration_ns);
    if (!parse->failed && move->bytes_unknown > move->executions) {
      vkm_value_fail(parse, &at, "bytes_unknown exceeds executions");
    }
  }
}

/* The calls of each kind, and the time in which there was any. */
static void read_hosts(struct vkm_parse *parse, const struct vkm_value *breakdown,
                       struct vkm_read_breakdown *out) {
  static const char *const names[VKM_READ_HOSTS] = {
      "build", "create", "map", "unmap", "flush", "invalidate", "image_copy", "submit", "wait"};
  struct vkm_value host =
      vkm_value_member(parse, breakdown, "host", cJSON_Object, VKM_VALUE_OPTIONAL);
  out->host_any_ns = INT64_MIN;
  for (int i = 0; i < VKM_READ_HOSTS; i++) {
    out->hosts[i].name = names[i];
    struct vkm_value at = {0};
    if (host.item != NULL) {
      at = vkm_value_member(parse, &host, names[i], cJSON_Object, VKM_VALUE_OPTIONAL);
    }
    if (at.item != NULL) {
      vkm_value_u64(parse, &at, "calls", VKM_VALUE_NEEDED, &out->hosts[i].calls);
      vkm_value_time(parse, &at, "ns", VKM_VALUE_NEEDED, &out->hosts[i].ns);
    }
  }
  if (host.item != NULL) {
    vkm_value_time(parse, &host, "any_ns", VKM_VALUE_OPTIONAL, &out->host_any_ns);
  }
}

static void read_first_use(struct vkm_parse *parse, const struct vkm_value *breakdown,
                           struct vkm_read_breakdown *out) {
  out->cold_ns = out->warm_ns = INT64_MIN;
  struct vkm_value first =
      vkm_value_member(parse, breakdown, "first_use", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (first.item != NULL) {
    vkm_value_time(parse, &first, "cold_ns", VKM_VALUE_OPTIONAL, &out->cold_ns);
    vkm_value_time(parse, &first, "warm_ns", VKM_VALUE_OPTIONAL, &out->warm_ns);
  }
}

static void add_known(int64_t *to, int64_t value) {
  if (value != INT64_MIN && (__builtin_add_overflow(*to, value, to))) {
    *to = INT64_MAX;
  }
}

static void read_device_time(struct vkm_parse *parse, const struct vkm_value *at,
                             struct vkm_read_profile *profile) {
  int64_t busy_ns;
  int64_t run_ns;
  int64_t transfer_ns;
  int64_t unsplit_ns;
  int64_t overlap_ns;
  (void)vkm_read_index(parse, at, "device", profile->device_count);
  read_time(parse, at, "busy_ns", &busy_ns);
  read_time(parse, at, "run_ns", &run_ns);
  read_time(parse, at, "transfer_ns", &transfer_ns);
  read_time(parse, at, "unsplit_ns", &unsplit_ns);
  read_time(parse, at, "overlap_ns", &overlap_ns);
  bool known = busy_ns != INT64_MIN && run_ns != INT64_MIN && transfer_ns != INT64_MIN &&
               unsplit_ns != INT64_MIN && overlap_ns != INT64_MIN;
  if (!parse->failed && known && run_ns + transfer_ns + unsplit_ns - overlap_ns != busy_ns) {
    vkm_value_fail(parse, at, "busy_ns is not run_ns + transfer_ns + unsplit_ns - overlap_ns");
  }
  add_known(&profile->breakdown.overlap_ns, overlap_ns);
  add_known(&profile->breakdown.unsplit_ns, unsplit_ns);
}

static void read_device_times(struct vkm_parse *parse, const struct vkm_value *breakdown,
                              struct vkm_read_profile *profile) {
  struct vkm_value list =
      vkm_value_member(parse, breakdown, "devices", cJSON_Array, VKM_VALUE_NEEDED);
  size_t index = 0;
  for (const cJSON *item = list.item ? list.item->child : NULL; item != NULL && !parse->failed;
       item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, index++, cJSON_Object);
    read_device_time(parse, &at, profile);
  }
}

void vkm_read_breakdown(struct vkm_parse *parse, const struct vkm_value *root,
                        struct vkm_read_profile *profile) {
  struct vkm_read_breakdown *out = &profile->breakdown;
  struct vkm_value breakdown =
      vkm_value_member(parse, root, "breakdown", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_time(parse, &breakdown, "wall_ns", VKM_VALUE_NEEDED, &out->wall_ns);
  vkm_value_time(parse, &breakdown, "build_ns", VKM_VALUE_NEEDED, &out->build_ns);
  vkm_value_time(parse, &breakdown, "submit_ns", VKM_VALUE_NEEDED, &out->submit_ns);
  vkm_value_time(parse, &breakdown, "wait_ns", VKM_VALUE_NEEDED, &out->wait_ns);
  read_time(parse, &breakdown, "run_ns", &out->run_ns);
  read_time(parse, &breakdown, "transfer_ns", &out->transfer_ns);
  read_time(parse, &breakdown, "gpu_idle_ns", &out->gpu_idle_ns);
  read_time(parse, &breakdown, "unaccounted_ns", &out->unaccounted_ns);
  read_transfer(parse, &breakdown, out);
  read_time(parse, &breakdown, "executing_ns", &out->executing_ns);
  read_time(parse, &breakdown, "build_while_executing_ns", &out->build_while_executing_ns);
  read_hosts(parse, &breakdown, out);
  read_first_use(parse, &breakdown, out);
  read_device_times(parse, &breakdown, profile);
  struct vkm_value hitches =
      vkm_value_member(parse, &breakdown, "hitches", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_u64(parse, &hitches, "count", VKM_VALUE_NEEDED, &out->hitch_count);
  vkm_value_time(parse, &hitches, "ns", VKM_VALUE_NEEDED, &out->hitch_ns);
  out->has_resident =
      known_u64(parse, &breakdown, "resident_peak_bytes", &out->resident_peak_bytes);
  if (!parse->failed && (out->build_ns > out->wall_ns || out->wait_ns > out->wall_ns ||
                         out->submit_ns > out->wall_ns)) {
    vkm_value_fail(parse, &breakdown, "a part of the host's time exceeds wall_ns");
  }
}
