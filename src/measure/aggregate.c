/* In: one execution of one command at a time. Out: kernel rows in order of first sight. Next room:
 * profile. */
#include "measure/aggregate.h"

#include <string.h>

#include "base/alloc.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) vkm_alloc(size)
#define uthash_free(memory, size) vkm_free(memory)
#include <uthash.h>

enum { FIRST_ROWS = 32 };

const char *const vkm_kind_names[VKM_KIND_COUNT] = {
#define VKM_KIND(name, text, coverage, timed) #text,
#include "measure/kinds.def"
#undef VKM_KIND
};
const char *const vkm_kind_coverage[VKM_KIND_COUNT] = {
#define VKM_KIND(name, text, coverage, timed) #coverage,
#include "measure/kinds.def"
#undef VKM_KIND
};
const bool vkm_kind_timed[VKM_KIND_COUNT] = {
#define VKM_KIND(name, text, coverage, timed) timed,
#include "measure/kinds.def"
#undef VKM_KIND
};

/* The row comes first: a row's address is its entry's. */
struct entry {
  struct vkm_kernel_row row;
  UT_hash_handle hh;
};

void vkm_aggregate_init(struct vkm_aggregate *aggregate, size_t row_cap, size_t sample_cap) {
  *aggregate = (struct vkm_aggregate){.row_cap = row_cap, .sample_cap = sample_cap};
}

void vkm_aggregate_finish(struct vkm_aggregate *aggregate) {
  struct entry *index = aggregate->index;
  HASH_CLEAR(hh, index);
  for (size_t i = 0; i < aggregate->row_count; i++) {
    vkm_samples_finish(&aggregate->rows[i]->durations);
    vkm_samples_finish(&aggregate->rows[i]->gaps);
    vkm_free(aggregate->rows[i]);
  }
  vkm_free(aggregate->rows);
  *aggregate = (struct vkm_aggregate){0};
}

static bool grow(struct vkm_aggregate *aggregate) {
  if (aggregate->row_count < aggregate->row_capacity) {
    return true;
  }
  size_t capacity = aggregate->row_capacity == 0 ? FIRST_ROWS : aggregate->row_capacity * 2;
  struct vkm_kernel_row **rows =
      (struct vkm_kernel_row **)vkm_realloc((void *)aggregate->rows, capacity * sizeof *rows);
  if (rows == NULL) {
    return false;
  }
  aggregate->rows = rows;
  aggregate->row_capacity = capacity;
  return true;
}

static struct vkm_kernel_row *add_row(struct vkm_aggregate *aggregate,
                                      const struct vkm_kernel_key *key) {
  struct entry *index = aggregate->index;
  if (aggregate->sealed || aggregate->row_count >= aggregate->row_cap || !grow(aggregate)) {
    return NULL;
  }
  struct entry *entry = vkm_calloc(1, sizeof *entry);
  if (entry == NULL) {
    return NULL;
  }
  entry->row.key = *key;
  entry->row.first_use_ordinal = -1;
  vkm_samples_init(&entry->row.durations, aggregate->sample_cap);
  entry->row.durations.keeps_begins = aggregate->sample_times;
  bool few = aggregate->sample_cap < VKM_GAP_SAMPLE_CAP; /* of gaps only median and sum are told */
  vkm_samples_init(&entry->row.gaps, few ? aggregate->sample_cap : VKM_GAP_SAMPLE_CAP);
  HASH_ADD(hh, index, row.key, sizeof *key, entry);
  aggregate->index = index;
  if (entry->hh.tbl == NULL) { /* uthash had no memory and took it out again */
    vkm_free(entry);
    return NULL;
  }
  entry->row.index = (uint32_t)aggregate->row_count;
  aggregate->rows[aggregate->row_count++] = &entry->row;
  return &entry->row;
}

static struct vkm_kernel_row *find(const struct vkm_aggregate *aggregate,
                                   const struct vkm_kernel_key *key) {
  struct entry *index = aggregate->index;
  struct entry *entry = NULL;
  HASH_FIND(hh, index, key, sizeof *key, entry);
  return entry != NULL ? &entry->row : NULL;
}

struct vkm_kernel_row *vkm_aggregate_row(struct vkm_aggregate *aggregate,
                                         const struct vkm_kernel_key *key) {
  struct vkm_kernel_row *row = find(aggregate, key);
  return row != NULL ? row : add_row(aggregate, key);
}

struct vkm_kernel_row *vkm_aggregate_row_of(struct vkm_aggregate *aggregate,
                                            const struct vkm_kernel_key *key,
                                            uint32_t *rows_of_pipeline) {
  struct vkm_kernel_row *row = find(aggregate, key);
  if (row != NULL) {
    return row;
  }
  uint32_t cap =
      aggregate->row_count < VKM_GEOMETRY_MANY_ROWS ? VKM_GEOMETRY_CAP : VKM_GEOMETRY_LATE_CAP;
  if (*rows_of_pipeline < cap) {
    row = add_row(aggregate, key);
    *rows_of_pipeline += row != NULL ? 1 : 0;
    return row;
  }
  struct vkm_kernel_key gathering = *key;
  gathering.gathered = 1;
  memset(gathering.groups, 0, sizeof gathering.groups);
  memset(gathering.base, 0, sizeof gathering.base);
  return vkm_aggregate_row(aggregate, &gathering);
}

void vkm_kernel_row_measured(struct vkm_kernel_row *row, int64_t duration_ns, int64_t gap_ns,
                             int64_t begin_ns, bool first_use, bool overlap_possible) {
  if (first_use && row->first_use_ordinal < 0) {
    row->first_use_ordinal = (int64_t)row->durations.seen;
  }
  row->outcomes.measured++;
  row->overlap_possible += overlap_possible ? 1 : 0;
  vkm_samples_add(&row->durations, duration_ns, begin_ns);
  if (gap_ns != VKM_NO_GAP) {
    vkm_samples_add(&row->gaps, gap_ns, INT64_MIN);
  }
}
