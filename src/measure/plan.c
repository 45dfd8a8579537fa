/* In: one execution of one recording at a time. Out: plans in order of first sight. Next room:
 * profile. */
#include "measure/plan.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) vkm_alloc(size)
#define uthash_free(memory, size) vkm_free(memory)
#include <uthash.h>

enum { FIRST_PLANS = 16, SIGNED_BYTES = 20 };

/* The plan comes first: a plan's address is its entry's. */
struct entry {
  struct vkm_plan plan;
  UT_hash_handle hh;
};

/* ---- signatures ---- */

static void put(struct vkm_plan_signer *signer, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) { /* in one order whatever the machine's */
    signer->bytes[signer->used++] = (unsigned char)(value >> (8 * i));
  }
}

/* A chain of hashes: each takes in the one before. */
static void fold(struct vkm_plan_signer *signer) {
  struct vkm_hash hash = vkm_hash_bytes(signer->bytes, signer->used);
  signer->used = 0;
  signer->hash = hash;
  put(signer, hash.high, 8);
  put(signer, hash.low, 8);
}

void vkm_plan_sign(struct vkm_plan_signer *signer, struct vkm_hash identity, uint32_t kind) {
  if (signer->used + SIGNED_BYTES > sizeof signer->bytes) {
    fold(signer);
  }
  put(signer, identity.high, 8);
  put(signer, identity.low, 8);
  put(signer, kind, 4);
}

struct vkm_hash vkm_plan_signature(struct vkm_plan_signer *signer, uint32_t child_count,
                                   bool secondary) {
  if (signer->used + SIGNED_BYTES > sizeof signer->bytes) {
    fold(signer);
  }
  put(signer, child_count, 4);
  put(signer, secondary, 1);
  fold(signer);
  return signer->hash;
}

/* ---- the set ---- */

void vkm_plans_init(struct vkm_plans *plans) {
  *plans = (struct vkm_plans){
      .plan_cap = VKM_PLAN_CAP, .mark_cap = VKM_PLAN_MARK_CAP, .sample_cap = VKM_PLAN_SAMPLE_CAP};
}

void vkm_plan_finish(struct vkm_plan *plan) {
  for (uint32_t i = 0; plan->marks != NULL && i < plan->mark_count; i++) {
    vkm_samples_finish(&plan->marks[i].durations);
  }
  vkm_free(plan->marks);
  plan->marks = NULL;
  vkm_samples_finish(&plan->spans);
  vkm_samples_finish(&plan->control_spans);
  vkm_samples_finish(&plan->ratios);
}

void vkm_plans_finish(struct vkm_plans *plans) {
  struct entry *index = plans->index;
  HASH_CLEAR(hh, index);
  for (size_t i = 0; i < plans->count; i++) {
    vkm_plan_finish(plans->plans[i]);
    vkm_free(plans->plans[i]);
  }
  vkm_free((void *)plans->plans);
  *plans = (struct vkm_plans){0};
}

static bool grow(struct vkm_plans *plans) {
  if (plans->count < plans->capacity) {
    return true;
  }
  size_t capacity = plans->capacity == 0 ? FIRST_PLANS : plans->capacity * 2;
  struct vkm_plan **grown =
      (struct vkm_plan **)vkm_realloc((void *)plans->plans, capacity * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  plans->plans = grown;
  plans->capacity = capacity;
  return true;
}

/* Without room or memory for its commands a plan still has its spans. */
static void give_marks(struct vkm_plans *plans, struct vkm_plan *plan) {
  if (plan->mark_count == 0 || plan->mark_count > plans->mark_cap - plans->mark_count) {
    return;
  }
  plan->marks = vkm_calloc(plan->mark_count, sizeof *plan->marks);
  for (uint32_t i = 0; plan->marks != NULL && i < plan->mark_count; i++) {
    vkm_samples_init(&plan->marks[i].durations, plans->sample_cap);
  }
  plans->mark_count += plan->marks != NULL ? plan->mark_count : 0;
}

static struct vkm_plan *add(struct vkm_plans *plans, const struct vkm_plan_shape *shape) {
  struct entry *index = plans->index;
  if (plans->count >= plans->plan_cap || !grow(plans)) {
    return NULL;
  }
  struct entry *entry = vkm_calloc(1, sizeof *entry);
  if (entry == NULL) {
    return NULL;
  }
  struct vkm_plan *plan = &entry->plan;
  plan->signature = shape->signature;
  plan->mark_count = shape->mark_count;
  plan->child_count = shape->child_count;
  plan->secondary = shape->secondary;
  plan->last_span_ns = plan->open_control_ns = plan->open_before_ns = INT64_MIN;
  vkm_samples_init(&plan->spans, VKM_PLAN_SPAN_CAP);
  vkm_samples_init(&plan->control_spans, VKM_PLAN_SPAN_CAP);
  vkm_samples_init(&plan->ratios, VKM_PLAN_SPAN_CAP);
  HASH_ADD(hh, index, plan.signature, sizeof plan->signature, entry);
  plans->index = index;
  if (entry->hh.tbl == NULL) { /* uthash had no memory and took it out again */
    vkm_free(entry);
    return NULL;
  }
  give_marks(plans, plan);
  plans->plans[plans->count++] = plan;
  return plan;
}

struct vkm_plan *vkm_plans_find(struct vkm_plans *plans, const struct vkm_plan_shape *shape) {
  struct entry *index = plans->index;
  struct entry *entry = NULL;
  HASH_FIND(hh, index, &shape->signature, sizeof shape->signature, entry);
  return entry != NULL ? &entry->plan : add(plans, shape);
}

/* ---- one execution ---- */

void vkm_plan_measured(struct vkm_plan *plan, uint32_t at, int64_t duration_ns, uint32_t row) {
  if (plan->marks == NULL || at >= plan->mark_count) {
    return;
  }
  struct vkm_plan_mark *mark = &plan->marks[at];
  vkm_samples_add(&mark->durations, duration_ns, INT64_MIN);
  for (uint32_t i = 0; i < mark->row_count; i++) {
    if (mark->rows[i] == row) {
      return;
    }
  }
  if (mark->row_count < VKM_PLAN_ROW_CAP) {
    mark->rows[mark->row_count++] = row;
  } else {
    mark->rows_beyond++;
  }
}

/* `after_ns` INT64_MIN: the control span has no later neighbour. */
static void close_pair(struct vkm_plan *plan, int64_t after_ns) {
  int64_t before_ns = plan->open_before_ns;
  double neighbours = (double)(after_ns == INT64_MIN ? before_ns : after_ns);
  if (before_ns != INT64_MIN && after_ns != INT64_MIN) {
    neighbours = ((double)before_ns + (double)after_ns) / 2;
  }
  bool paired = before_ns != INT64_MIN || after_ns != INT64_MIN;
  if (paired && plan->open_control_ns > 0 && neighbours >= 0) {
    double ratio = neighbours / (double)plan->open_control_ns * VKM_PLAN_RATIO_UNIT;
    if (ratio < (double)INT64_MAX / 2) {
      vkm_samples_add(&plan->ratios, llround(ratio), INT64_MIN);
    }
  }
  plan->open_control_ns = INT64_MIN;
}

void vkm_plan_span(struct vkm_plan *plan, bool control, int64_t span_ns) {
  if (control) {
    if (plan->open_control_ns != INT64_MIN) {
      close_pair(plan, INT64_MIN);
    }
    vkm_samples_add(&plan->control_spans, span_ns, INT64_MIN);
    plan->open_control_ns = span_ns;
    plan->open_before_ns = plan->last_span_ns;
    return;
  }
  vkm_samples_add(&plan->spans, span_ns, INT64_MIN);
  if (plan->spans.seen <= VKM_PLAN_SETTLE_EXECUTIONS) {
    return;
  }
  if (plan->open_control_ns != INT64_MIN) {
    close_pair(plan, span_ns);
  }
  plan->last_span_ns = span_ns;
}

/* ---- windows ---- */

void vkm_plan_windowed(struct vkm_plan *plan, uint32_t first, uint32_t count, uint32_t needed) {
  plan->windows_needed = needed > 0 ? needed : plan->windows_needed;
  for (uint32_t i = 0; i < plan->window_count; i++) {
    if (plan->windows[i].first == first && plan->windows[i].count == count) {
      plan->windows[i].executions++;
      return;
    }
  }
  if (plan->window_count < VKM_PLAN_WINDOW_CAP) {
    plan->windows[plan->window_count++] = (struct vkm_plan_window){first, count, 1};
  } else {
    plan->window_beyond++;
  }
}

uint32_t vkm_plan_windows(uint32_t marks, uint32_t limit, double stamps_per_mark) {
  enum { SPAN_STAMPS = 2, BEGIN_STAMPS = 1 }; /* of the span; of the window's first command */
  double room = (double)limit - SPAN_STAMPS - BEGIN_STAMPS;
  uint32_t each = room > stamps_per_mark ? (uint32_t)(room / stamps_per_mark) : 1;
  return marks == 0 ? 1 : (marks - 1) / each + 1;
}

/* ---- copies ---- */

bool vkm_plan_copy(struct vkm_plan *to, const struct vkm_plan *from) {
  *to = *from;
  bool copied = vkm_samples_copy(&to->spans, &from->spans);
  copied = vkm_samples_copy(&to->control_spans, &from->control_spans) && copied;
  copied = vkm_samples_copy(&to->ratios, &from->ratios) && copied;
  if (from->marks != NULL) {
    to->marks = copied ? vkm_calloc(from->mark_count, sizeof *to->marks) : NULL;
    copied = to->marks != NULL;
    for (uint32_t i = 0; copied && i < from->mark_count; i++) {
      to->marks[i] = from->marks[i];
      copied = vkm_samples_copy(&to->marks[i].durations,
                                &from->marks[i].durations); /* the rest is zeros: nothing to free */
    }
  }
  if (!copied) {
    vkm_plan_finish(to);
  }
  return copied;
}
