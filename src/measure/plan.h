/* Plans: recordings that run the same sequence of pipelines are one plan (timing contract, section
 * 2). In: one execution of one recording at a time. Out: per command and per plan samples, control
 * pairs, windows. Not thread safe: the caller holds the device's lock. Everything is bounded; what
 * finds no place is counted in `other`. */
#ifndef VKM_MEASURE_PLAN_H
#define VKM_MEASURE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/identity.h"
#include "measure/samples.h"

enum {
  VKM_PLAN_CAP = 512,             /* plans a device */
  VKM_PLAN_MARK_CAP = 16384,      /* commands of all plans of a device that have samples */
  VKM_PLAN_SAMPLE_CAP = 32,       /* samples kept a command */
  VKM_PLAN_SPAN_CAP = 256,        /* spans, and control pairs, kept a plan */
  VKM_PLAN_ROW_CAP = 4,           /* kernel rows listed a command: its geometry changes */
  VKM_PLAN_WINDOW_CAP = 16,       /* windows listed a plan */
  VKM_PLAN_SETTLE_EXECUTIONS = 8, /* instrumented ones before the first control, never paired */
};
/* Ratios are kept as whole millionths. */
#define VKM_PLAN_RATIO_UNIT 1000000

/* Builds a signature, one command at a time. Starts as zeros. */
struct vkm_plan_signer {
  struct vkm_hash hash;
  unsigned used;
  unsigned char bytes[64 * 20];
};
/* `identity` of the pipeline (0,0: none), kind as enum vkm_kind. */
void vkm_plan_sign(struct vkm_plan_signer *signer, struct vkm_hash identity, uint32_t kind);
/* What else tells recordings apart: how many command buffers it executes, whether it is executed by
 * one. */
struct vkm_hash vkm_plan_signature(struct vkm_plan_signer *signer, uint32_t child_count,
                                   bool secondary);

/* One command of a plan. */
struct vkm_plan_mark {
  struct vkm_samples durations;
  uint32_t rows[VKM_PLAN_ROW_CAP]; /* indices of the kernel rows it was seen as */
  uint32_t row_count;
  uint64_t rows_beyond; /* measured executions as a row that is not listed */
};

struct vkm_plan_window {
  uint32_t first, count; /* commands [first, first + count) were timed */
  uint64_t executions;
};

struct vkm_plan {
  struct vkm_hash signature;
  uint32_t mark_count;
  uint32_t child_count;
  bool secondary;
  struct vkm_plan_mark *marks; /* owned, mark_count of them; NULL: the cap was reached */
  uint64_t recordings;         /* counted by whoever finds the plan for one */
  uint64_t executions;         /* counted in any way */
  uint64_t measured;           /* one by one */
  uint64_t control;            /* in control spans */
  struct vkm_samples spans, control_spans; /* first stamp to closing stamp */
  struct vkm_samples ratios;               /* of control pairs, in VKM_PLAN_RATIO_UNIT */
  /* Pairing: each control span with its nearest instrumented neighbours. */
  int64_t last_span_ns;    /* latest settled instrumented span, INT64_MIN none */
  int64_t open_control_ns; /* waits for its later neighbour, INT64_MIN none */
  int64_t open_before_ns;  /* its earlier one, INT64_MIN none */
  uint64_t unseen_kernels; /* commands in control recordings that had never been measured */
  struct vkm_plan_window windows[VKM_PLAN_WINDOW_CAP];
  uint32_t window_count;   /* listed */
  uint32_t windows_needed; /* of the latest windowed recording; 0: it was not cut */
  uint64_t window_beyond;  /* executions of windows that are not listed */
};

/* Executions of recordings whose plan found no place, and the commands in them. */
struct vkm_plan_other {
  uint64_t executions, measured, control, marks;
};

struct vkm_plans {
  struct vkm_plan **plans; /* in order of first sight; pointers stay valid until finish */
  size_t count, capacity;
  void *index; /* uthash, private */
  size_t plan_cap, mark_cap, sample_cap;
  size_t mark_count; /* commands that have samples */
  struct vkm_plan_other other;
};

void vkm_plans_init(struct vkm_plans *plans);
void vkm_plans_finish(struct vkm_plans *plans);
/* What was known at creation; everything else of a plan starts at zero. */
struct vkm_plan_shape {
  struct vkm_hash signature;
  uint32_t mark_count, child_count;
  bool secondary;
};
/* The plan of this shape, made on first sight; NULL when the cap is reached or memory is short. */
struct vkm_plan *vkm_plans_find(struct vkm_plans *plans, const struct vkm_plan_shape *shape);

/* One command of one execution was measured; `at` its place, `row` the index of its kernel row. */
void vkm_plan_measured(struct vkm_plan *plan, uint32_t at, int64_t duration_ns, uint32_t row);
/* The span of one execution. */
void vkm_plan_span(struct vkm_plan *plan, bool control, int64_t span_ns);
/* One execution timed commands [first, first + count) of a plan that needs `needed` windows; 0:
 * that was not known when it was recorded. */
void vkm_plan_windowed(struct vkm_plan *plan, uint32_t first, uint32_t count, uint32_t needed);

/* Into how many windows `marks` commands are cut when one recording may hold `limit` stamps and a
 * command takes `stamps_per_mark` (1 to 2) of them: the fewest even ones, with room for the begin
 * and end of the span. At least 1. */
uint32_t vkm_plan_windows(uint32_t marks, uint32_t limit, double stamps_per_mark);

/* A copy that shares nothing; false: memory was short, and nothing is owned by it. */
VKM_MUST_CHECK bool vkm_plan_copy(struct vkm_plan *to, const struct vkm_plan *from);
void vkm_plan_finish(struct vkm_plan *plan);

#endif
