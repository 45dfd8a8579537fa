/* Where the time went. In: the breakdowns of all profiles. Out: their sums, as rows. Next: report.
 * What one process does not know is not known of the sum. */
#include <string.h>

#include "count.h"
#include "model/details_build.h"

/* Whole times of a profile that are rows of their own. */
static const struct part {
  const char *id, *name;
  size_t offset;
  bool inside;
} DEVICE_PARTS[] = {
    {"run", "devices: dispatches and draws", offsetof(struct vkm_read_breakdown, run_ns), false},
    {"transfer", "devices: moving bytes", offsetof(struct vkm_read_breakdown, transfer_ns), false},
};
static const struct part IDLE = {"gpu_idle", "devices: idle in between",
                                 offsetof(struct vkm_read_breakdown, gpu_idle_ns), false};
static const struct part OVERLAPPED = {
    "build_while_executing", "while devices were executing",
    offsetof(struct vkm_read_breakdown, build_while_executing_ns), true};
static const struct part UNACCOUNTED = {"unaccounted", "neither: the program itself",
                                        offsetof(struct vkm_read_breakdown, unaccounted_ns), false};

static const struct {
  const char *id, *name;
} DIRECTIONS[] = {
    {"h2d", "host to device"}, {"d2h", "device to host"}, {"d2d", "device to device"},
    {"h2h", "host to host"},   {"fill", "filled"},        {"unknown", "unknown direction"},
};
static const struct {
  const char *id, *name;
} HOSTS[] = {
    {"build", "host: building pipelines"},
    {"submit", "host: submitting"},
    {"wait", "host: waiting"},
    {"create", "host: opening devices"},
    {"map", "host: mapping memory"},
    {"unmap", "host: unmapping memory"},
    {"flush", "host: flushing memory"},
    {"invalidate", "host: invalidating memory"},
    {"image_copy", "host: copying images"},
};

static struct vkm_breakdown_row *append(struct vkm_breakdown *breakdown, const char *id,
                                        const char *name, bool inside) {
  struct vkm_breakdown_row *row = &breakdown->rows[breakdown->row_count++];
  *row = (struct vkm_breakdown_row){.id = id, .name = name, .inside = inside, .known = true};
  return row;
}

static void add_time(struct vkm_breakdown_row *row, int64_t ns) {
  if (ns == INT64_MIN) {
    row->known = false;
  } else {
    vkm_add_ns(&row->ns, ns);
  }
}

static void append_part(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs,
                        const struct part *part) {
  struct vkm_breakdown_row *row = append(breakdown, part->id, part->name, part->inside);
  for (size_t i = 0; i < inputs->count; i++) {
    int64_t ns = 0;
    memcpy(&ns, (const char *)&inputs->profiles[i].breakdown + part->offset, sizeof ns);
    add_time(row, ns);
  }
}

/* A direction in which nothing was moved is no row. */
static void append_move(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs,
                        size_t index) {
  struct vkm_breakdown_row *row =
      append(breakdown, DIRECTIONS[index].id, DIRECTIONS[index].name, true);
  row->has_count = row->has_bytes = true;
  for (size_t i = 0; i < inputs->count; i++) {
    for (size_t j = 0; j < VKM_READ_MOVES; j++) {
      const struct vkm_read_move *move = &inputs->profiles[i].breakdown.moves[j];
      if (strcmp(move->direction, row->id) == 0) {
        row->count += move->executions;
        row->bytes += move->bytes;
        row->has_bytes = row->has_bytes && move->has_bytes && move->bytes_unknown == 0;
        add_time(row, move->duration_ns);
      }
    }
  }
  breakdown->row_count -= row->count == 0;
}

/* Calls that were never made are no row, but those that every program makes. */
static void append_host(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs,
                        size_t index) {
  struct vkm_breakdown_row *row = append(breakdown, HOSTS[index].id, HOSTS[index].name, false);
  row->has_count = true;
  for (size_t i = 0; i < inputs->count; i++) {
    for (size_t j = 0; j < VKM_READ_HOSTS; j++) {
      const struct vkm_read_host *host = &inputs->profiles[i].breakdown.hosts[j];
      if (strcmp(host->name, row->id) == 0) {
        row->count += host->calls;
        add_time(row, host->ns);
      }
    }
  }
  if (index == 0 && row->count > 0) {
    append_part(breakdown, inputs, &OVERLAPPED);
  }
  breakdown->row_count -= row->count == 0;
}

static void sum_up(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs) {
  breakdown->process_count = inputs->count;
  for (size_t i = 0; i < inputs->count; i++) {
    const struct vkm_read_breakdown *one = &inputs->profiles[i].breakdown;
    vkm_add_ns(&breakdown->wall_ns, one->wall_ns);
    vkm_add_ns(&breakdown->overlap_ns, one->overlap_ns);
    vkm_add_ns(&breakdown->unsplit_ns, one->unsplit_ns);
    vkm_add_ns(&breakdown->hitch_ns, one->hitch_ns);
    breakdown->hitch_count += one->hitch_count;
    breakdown->has_resident = breakdown->has_resident || one->has_resident;
    if (one->has_resident && one->resident_peak_bytes > breakdown->resident_peak_bytes) {
      breakdown->resident_peak_bytes = one->resident_peak_bytes;
    }
  }
}

void vkm_breakdown_build(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs) {
  sum_up(breakdown, inputs);
  append_part(breakdown, inputs, &DEVICE_PARTS[0]);
  append_part(breakdown, inputs, &DEVICE_PARTS[1]);
  for (size_t i = 0; i < VKM_COUNT(DIRECTIONS); i++) {
    append_move(breakdown, inputs, i);
  }
  append_part(breakdown, inputs, &IDLE);
  for (size_t i = 0; i < VKM_COUNT(HOSTS); i++) {
    append_host(breakdown, inputs, i);
  }
  append_part(breakdown, inputs, &UNACCOUNTED);
  for (size_t i = 0; i < breakdown->row_count; i++) {
    struct vkm_breakdown_row *row = &breakdown->rows[i];
    row->has_share = row->known && breakdown->wall_ns > 0;
    row->share = row->has_share ? vkm_share_of(row->ns, breakdown->wall_ns) : 0;
  }
}
