/* Gates. In: a judged comparison. Out: which of the requested gates tripped. Next: commands/compare
 * and the views. */
#include "model/gate.h"

#include "model/comparison.h"
#include "model/side.h"

static const struct {
  const char *name;
  enum vkm_verdict verdict; /* VKM_VERDICT_COUNT: no verdict of rows */
} gates[VKM_GATE_COUNT] = {
    [VKM_GATE_SLOWER] = {"slower", VKM_VERDICT_SLOWER},
    [VKM_GATE_LIKELY_SLOWER] = {"likely-slower", VKM_VERDICT_LIKELY_SLOWER},
    [VKM_GATE_GONE] = {"gone", VKM_VERDICT_GONE},
    [VKM_GATE_NEW] = {"new", VKM_VERDICT_NEW},
    [VKM_GATE_UNCLEAR] = {"unclear", VKM_VERDICT_UNCLEAR},
    [VKM_GATE_ENVIRONMENT] = {"environment", VKM_VERDICT_COUNT},
    [VKM_GATE_INCOMPARABLE] = {"incomparable", VKM_VERDICT_INCOMPARABLE},
    [VKM_GATE_ERROR] = {"error", VKM_VERDICT_COUNT},
};

const char *vkm_gate_name(enum vkm_gate_kind kind) {
  return gates[kind].name;
}

static size_t drifted_count(const struct vkm_comparison *comparison) {
  size_t count = 0;
  for (size_t i = 0; i < comparison->panel_count; i++) {
    count += comparison->panels[i].drifted;
  }
  return count;
}

/* Also where a side has no row that could say so. */
static size_t incomparable_count(const struct vkm_comparison *comparison) {
  size_t count = comparison->verdict_counts[VKM_VERDICT_INCOMPARABLE];
  size_t panels = 0;
  for (size_t i = 0; i < comparison->panel_count; i++) {
    panels += !comparison->panels[i].comparable;
  }
  for (int side = 0; side < VKM_SIDES; side++) {
    panels += comparison->sides[side]->never_promoted;
  }
  return count > 0 ? count : panels;
}

size_t vkm_gate_count(const struct vkm_comparison *comparison, enum vkm_gate_kind kind) {
  switch (kind) {
  case VKM_GATE_ENVIRONMENT:
    return drifted_count(comparison);
  case VKM_GATE_INCOMPARABLE:
    return incomparable_count(comparison);
  case VKM_GATE_ERROR:
    return comparison->sides[VKM_BASE]->error_count + comparison->sides[VKM_NEW]->error_count;
  default:
    return comparison->verdict_counts[gates[kind].verdict];
  }
}

size_t vkm_gate_weather(const struct vkm_comparison *comparison) {
  size_t count = 0;
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    for (size_t j = 0; panel->drifted && j < panel->row_count; j++) {
      const struct vkm_compared_row *row = &panel->rows[j];
      count += row->verdict == VKM_VERDICT_SLOWER && row->code == VKM_CODE_SAME;
    }
  }
  return count;
}

bool vkm_gate_trips(const struct vkm_gate *gate, const struct vkm_compared_row *row) {
  for (unsigned kind = 0; kind < VKM_GATE_COUNT; kind++) {
    if ((gate->requested & 1U << kind) != 0 && gates[kind].verdict == row->verdict) {
      return true;
    }
  }
  return false;
}

void vkm_gate_judge(struct vkm_comparison *comparison, unsigned requested) {
  comparison->gate = (struct vkm_gate){.requested = requested};
  for (unsigned kind = 0; kind < VKM_GATE_COUNT; kind++) {
    bool asked = (requested & 1U << kind) != 0;
    if (asked && vkm_gate_count(comparison, (enum vkm_gate_kind)kind) > 0) {
      comparison->gate.tripped |= 1U << kind;
    }
  }
}
