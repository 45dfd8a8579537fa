/* What makes `compare` fail: --fail-on. In: a comparison. Out: which gates tripped. Pure. */
#ifndef VKM_TOOLS_MODEL_GATE_H
#define VKM_TOOLS_MODEL_GATE_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_comparison;
struct vkm_compared_row;

enum vkm_gate_kind {
  VKM_GATE_SLOWER = 0,
  VKM_GATE_LIKELY_SLOWER,
  VKM_GATE_GONE,
  VKM_GATE_NEW,
  VKM_GATE_UNCLEAR,
  VKM_GATE_ENVIRONMENT, /* code-identical rows moved */
  VKM_GATE_INCOMPARABLE,
  VKM_GATE_ERROR, /* runs that failed; these fail without a gate as well */
  VKM_GATE_COUNT,
};

struct vkm_gate {
  unsigned requested, tripped; /* bits: 1u << kind */
};

/* "slower", "likely-slower", ...; static. */
const char *vkm_gate_name(enum vkm_gate_kind kind);

/* How many rows (environment: panels; error: runs) would trip the gate. */
size_t vkm_gate_count(const struct vkm_comparison *comparison, enum vkm_gate_kind kind);
/* Rows that got slower with the same code on both sides, where the machine as a whole did. */
size_t vkm_gate_weather(const struct vkm_comparison *comparison);
/* Whether the row by itself trips one that was requested. */
bool vkm_gate_trips(const struct vkm_gate *gate, const struct vkm_compared_row *row);
/* Fills comparison->gate. */
void vkm_gate_judge(struct vkm_comparison *comparison, unsigned requested);

#endif
