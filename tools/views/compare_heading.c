/* Sentences about panels. In: a judged comparison. Out: text. Next: the views for people. */
#include "views/compare_heading.h"

#include <string.h>

#include "model/segment.h"
#include "model/side.h"
#include "views/compare_sheet.h"
#include "views/compare_words.h"
#include "views/heading.h"
#include "views/term.h"
#include "views/units.h"

static void separate(const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, settings->ascii ? " - " : " · ");
}

static void append_arrow(const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, settings->ascii ? " -> " : " → ");
}

static void append_change(double fraction, const struct vkm_view_settings *settings,
                          struct vkm_text *text) {
  vkm_format_change(text, fraction, settings->ascii);
  vkm_text_string(text, " %");
}

static void append_interval(double low, double high, const struct vkm_view_settings *settings,
                            struct vkm_text *text) {
  vkm_text_string(text, " (");
  vkm_format_change(text, low, settings->ascii);
  vkm_text_string(text, settings->ascii ? " .. " : " … ");
  vkm_format_change(text, high, settings->ascii);
  vkm_text_string(text, ")");
}

static void append_limit(double fraction, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  vkm_text_string(text, settings->ascii ? "+/-" : "±");
  vkm_format_percent(text, fraction);
  vkm_text_string(text, " %");
}

void vkm_compare_heading_verdicts(const size_t *counts, struct vkm_text *text) {
  bool first = true;
  for (int verdict = 0; verdict < VKM_VERDICT_COUNT; verdict++) {
    if (counts[verdict] > 0) {
      vkm_text_string(text, first ? "" : ", ");
      vkm_format_count(text, counts[verdict]);
      vkm_text_string(text, " ");
      vkm_text_string(text, vkm_compare_verdict((enum vkm_verdict)verdict));
      first = false;
    }
  }
  vkm_text_string(text, first ? "no rows" : "");
}

static const struct vkm_read_device *device_of(const struct vkm_panel *panel, int side) {
  return panel->first[side] != NULL ? vkm_segment_device(panel->first[side]) : NULL;
}

static bool equal(const char *left, const char *right) {
  return (left == NULL && right == NULL) ||
         (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool same_place(const struct vkm_panel *panel) {
  const struct vkm_read_device *base = device_of(panel, VKM_BASE);
  const struct vkm_read_device *fresh = device_of(panel, VKM_NEW);
  return base != NULL && fresh != NULL && equal(base->name, fresh->name) &&
         equal(base->driver_name, fresh->driver_name) &&
         equal(base->driver_info, fresh->driver_info) &&
         equal(base->driver_version, fresh->driver_version) &&
         equal(panel->first[VKM_BASE]->run.vkmeter_version,
               panel->first[VKM_NEW]->run.vkmeter_version);
}

static void append_place(const struct vkm_panel *panel, int side,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_device *device = device_of(panel, side);
  if (device == NULL) {
    vkm_text_string(text, "no device");
    return;
  }
  const char *info = device->driver_info;
  vkm_term_name(text, device->name ? device->name : "unnamed device", 0, settings->ascii);
  separate(settings, text);
  vkm_text_string(text, "driver ");
  if (device->driver_name != NULL) {
    vkm_term_name(text, device->driver_name, 0, settings->ascii);
    vkm_text_string(text, " ");
  }
  vkm_term_name(text, info != NULL && *info ? info : device->driver_version, 0, settings->ascii);
  if (panel->first[side]->run.vkmeter_version != NULL) {
    separate(settings, text);
    vkm_text_string(text, "vkmeter ");
    vkm_term_name(text, panel->first[side]->run.vkmeter_version, 0, settings->ascii);
  }
}

/* The tag `commit`, where all profiles of the side have the same; NULL: they do not. */
static const char *commit_of(const struct vkm_side *side) {
  const char *commit = NULL;
  for (size_t i = 0; i < side->profile_count; i++) {
    const struct vkm_read_pairs *tags = &side->profiles[i].run.tags;
    const char *found = NULL;
    for (size_t tag = 0; tag < tags->count; tag++) {
      found = strcmp(tags->items[tag].name, "commit") == 0 ? tags->items[tag].value : found;
    }
    if (found == NULL || (i > 0 && strcmp(found, commit) != 0)) {
      return NULL;
    }
    commit = found;
  }
  return commit;
}

void vkm_compare_heading_side(const struct vkm_comparison *comparison,
                              const struct vkm_panel *panel, int side,
                              const struct vkm_view_settings *settings, struct vkm_text *text) {
  const char *name = side == VKM_BASE ? "base" : "new";
  const char *label = comparison->sides[side]->label;
  vkm_text_string(text, name);
  if (label != NULL && strcmp(label, name) != 0) {
    vkm_text_string(text, " ");
    vkm_term_name(text, label, 0, settings->ascii);
  }
  vkm_text_string(text, ": ");
  if (comparison->sides[side]->never_promoted) {
    vkm_text_string(text, "nothing was ever promoted to this name");
    return;
  }
  if (panel->first[side] == NULL) {
    vkm_text_string(text, "no run in this environment");
    return;
  }
  vkm_heading_plural(text, panel->run_count[side], "run", "runs");
  if (panel->incomplete_count[side] > 0) {
    vkm_text_string(text, " (");
    vkm_format_count(text, panel->incomplete_count[side]);
    vkm_text_string(text, " not complete)");
  }
  separate(settings, text);
  const char *commit = commit_of(comparison->sides[side]);
  if (commit != NULL) {
    vkm_text_string(text, "commit ");
    vkm_term_name(text, commit, 0, settings->ascii);
    separate(settings, text);
  }
  if (side == VKM_NEW && same_place(panel)) {
    vkm_text_string(text, "same device, driver and vkmeter");
  } else {
    append_place(panel, side, settings, text);
  }
}

void vkm_compare_heading_limits(const struct vkm_comparison *comparison,
                                const struct vkm_panel *panel,
                                const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_compare_settings *asked = &comparison->settings;
  vkm_text_string(text, settings->ascii ? "threshold +/-" : "threshold ±");
  vkm_format_level(text, asked->threshold);
  vkm_text_string(text, ", floor ");
  vkm_format_duration(text, panel->floor_ns, settings->ascii);
  if (asked->rule == VKM_RULE_SAMPLES) {
    vkm_text_string(text, ", rule samples");
  } else {
    vkm_text_string(text, ", ");
    vkm_format_level(text, asked->confidence);
    vkm_text_string(text, " intervals");
  }
  if (asked->stat != VKM_STAT_MEDIAN) {
    vkm_text_string(text, ", of each run the ");
    vkm_text_string(text, vkm_compare_stat(asked->stat));
  }
  vkm_text_string(text, ", change = new against base, + is slower");
  if (asked->adjust_drift) {
    vkm_text_string(text, ", drift subtracted");
  }
}

static bool is_judged_by_samples(const struct vkm_panel *panel) {
  for (size_t i = 0; i < panel->row_count; i++) {
    if (panel->rows[i].evidence == VKM_EVIDENCE_SAMPLES) {
      return true;
    }
  }
  return false;
}

void vkm_compare_heading_single(const struct vkm_panel *panel,
                                const struct vkm_view_settings *settings, struct vkm_text *text) {
  size_t base = panel->run_count[VKM_BASE];
  size_t fresh = panel->run_count[VKM_NEW];
  if (!panel->comparable || base == 0 || fresh == 0 ||
      (base >= VKM_RUNS_NEEDED && fresh >= VKM_RUNS_NEEDED)) {
    return;
  }
  vkm_text_string(text, base == 1 && fresh == 1 ? "one run a side" : "fewer than 3 runs on a side");
  if (is_judged_by_samples(panel)) {
    vkm_text_string(text, ": judged by their samples, without the noise between runs");
  } else if (panel->noise_count > 0) {
    vkm_text_string(text, ": the noise of ");
    vkm_heading_plural(text, panel->noise_count, "row", "rows");
    vkm_text_string(text, " is taken from the noise file");
  } else if (panel->has_drift) {
    vkm_text_string(text, ": run-to-run noise is estimated from ");
    vkm_heading_plural(text, panel->control_count, "code-identical row", "code-identical rows");
    vkm_text_string(text, ", drift ");
    append_change(panel->drift, settings, text);
    vkm_text_string(text, ", noise floor ");
    append_limit(panel->noise_floor, settings, text);
  }
  bool judged = panel->noise_count > 0 || panel->has_drift || is_judged_by_samples(panel);
  vkm_text_string(text, judged ? ", so verdicts are at most likely" : "");
  vkm_text_string(text, "; for a firm answer: 5 alternating runs a side");
}

void vkm_compare_heading_total(const struct vkm_panel *panel,
                               const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (!panel->has_total) {
    return;
  }
  vkm_heading_plural(text, panel->matched_count, "matched row", "matched rows");
  vkm_text_string(text, ": ");
  vkm_format_duration(text, panel->matched_ns[VKM_BASE], settings->ascii);
  append_arrow(settings, text);
  vkm_format_duration(text, panel->matched_ns[VKM_NEW], settings->ascii);
  vkm_text_string(text, " a run, ");
  append_change(panel->total_change, settings, text);
  if (panel->has_total_interval) {
    append_interval(panel->total_low, panel->total_high, settings, text);
  }
  vkm_text_string(text, " ");
  vkm_text_string(text, vkm_compare_verdict(panel->total_verdict));
}

void vkm_compare_heading_geomean(const struct vkm_panel *panel,
                                 const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (panel->has_geomean) {
    vkm_text_string(text, "geomean of ");
    vkm_heading_plural(text, panel->matched_count, "matched row", "matched rows");
    vkm_text_string(text, ": ");
    append_change(panel->geomean, settings, text);
  }
}

void vkm_compare_heading_apart(const struct vkm_panel *panel,
                               const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (panel->verdict_counts[VKM_VERDICT_GONE] + panel->verdict_counts[VKM_VERDICT_NEW] > 0) {
    vkm_text_string(text, "gone and new rows, not in the figures above: ");
    vkm_format_duration(text, panel->gone_ns, settings->ascii);
    append_arrow(settings, text);
    vkm_format_duration(text, panel->new_ns, settings->ascii);
    vkm_text_string(text, " a run");
  }
}

void vkm_compare_heading_controls(const struct vkm_panel *panel,
                                  const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (panel->has_drift) {
    vkm_heading_plural(text, panel->control_count, "code-identical row", "code-identical rows");
    vkm_text_string(text, " moved by ");
    append_change(panel->drift, settings, text);
    vkm_text_string(text, panel->drifted ? ": the environment drifted" : ": environment steady");
  }
}

void vkm_compare_heading_inside(const struct vkm_panel *panel, struct vkm_text *text) {
  bool single = panel->run_count[VKM_BASE] == 1 && panel->run_count[VKM_NEW] == 1;
  if (single && panel->has_drift) {
    vkm_format_count(text, panel->control_count - panel->controls_outside);
    vkm_text_string(text, " of ");
    vkm_heading_plural(text, panel->control_count, "code-identical row", "code-identical rows");
    vkm_text_string(text, panel->control_count - panel->controls_outside == 1
                              ? " lies inside the noise floor"
                              : " lie inside the noise floor");
  }
}

void vkm_compare_heading_software(const struct vkm_panel *panel, struct vkm_text *text) {
  for (int side = 0; side < VKM_SIDES; side++) {
    const struct vkm_read_device *device = device_of(panel, side);
    if (device != NULL && device->software) {
      vkm_text_string(text, "software driver: times are not GPU times");
      return;
    }
  }
}

/* Whether rows of other group counts say the same. */
static bool is_repeated(const struct vkm_panel *panel, size_t index) {
  const struct vkm_compared_row *row = &panel->rows[index];
  for (size_t i = 0; i < index; i++) {
    if (panel->rows[i].base_name != NULL && equal(panel->rows[i].name, row->name) &&
        equal(panel->rows[i].base_name, row->base_name)) {
      return true;
    }
  }
  return false;
}

void vkm_compare_heading_renamed(const struct vkm_panel *panel,
                                 const struct vkm_view_settings *settings, struct vkm_text *text) {
  enum { NAMED = 3 };
  size_t named = 0;
  for (size_t i = 0; i < panel->row_count && named <= NAMED; i++) {
    const struct vkm_compared_row *row = &panel->rows[i];
    if (row->base_name == NULL || is_repeated(panel, i)) {
      continue;
    }
    vkm_text_string(text, named == 0 ? "renamed: " : ", ");
    if (named < NAMED) {
      vkm_term_name(text, row->name, 0, settings->ascii);
      vkm_text_string(text, " was ");
      vkm_term_name(text, row->base_name, 0, settings->ascii);
    } else {
      vkm_text_string(text, settings->ascii ? "..." : "…");
    }
    named++;
  }
}

void vkm_compare_heading_errors(const struct vkm_side *side,
                                const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (side->error_count == 0) {
    return;
  }
  const struct vkm_run_error *first = &side->errors[0];
  vkm_heading_plural(text, side->error_count, "run", "runs");
  vkm_text_string(text, " of ");
  vkm_term_name(text, side->label ? side->label : "a side", 0, settings->ascii);
  vkm_text_string(text, " failed: ");
  vkm_term_name(text, first->command ? first->command : "", 0, settings->ascii);
  vkm_text_string(text, first->command ? ": " : "");
  vkm_term_name(text, first->cause ? first->cause : "no cause is known", 0, settings->ascii);
}

static void append_gates(unsigned bits, struct vkm_text *text) {
  bool first = true;
  for (unsigned kind = 0; kind < VKM_GATE_COUNT; kind++) {
    if ((bits & 1U << kind) != 0) {
      vkm_text_string(text, first ? "" : ", ");
      vkm_text_string(text, vkm_gate_name((enum vkm_gate_kind)kind));
      first = false;
    }
  }
}

void vkm_compare_heading_gate(const struct vkm_gate *gate, struct vkm_text *text) {
  if (gate->requested == 0) {
    return;
  }
  bool one = (gate->requested & (gate->requested - 1)) == 0;
  vkm_text_string(text, one ? "gate " : "gates ");
  append_gates(gate->requested, text);
  vkm_text_string(text, gate->tripped != 0 ? ": failed" : ": passed");
  if (gate->tripped != 0 && !one) {
    vkm_text_string(text, " on ");
    append_gates(gate->tripped, text);
  }
}

void vkm_compare_heading_rest(const struct vkm_panel *panel,
                              const struct vkm_view_settings *settings, size_t *shown,
                              struct vkm_text *text) {
  size_t most = settings->top_given ? settings->top : 0;
  *shown = most == 0 || most > panel->row_count ? panel->row_count : most;
  if (*shown < panel->row_count) {
    vkm_text_string(text, settings->ascii ? "... " : "… ");
    vkm_heading_plural(text, panel->row_count - *shown, "more row", "more rows");
    vkm_text_string(text, " (-n 0 shows all)");
  }
}
