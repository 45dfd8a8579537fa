/* A comparison as JSON (schema vkmeter.compare/1: compare.schema.json beside this file) and as
 * lines of JSON. In: a judged comparison. Out: times in ns, ratios as fractions, absent as null.
 * Next: a program. */
#include "model/comparison.h"
#include "model/side.h"
#include "views/compare_views.h"
#include "views/compare_words.h"
#include "views/members.h"
#include "views/units.h"

static void append_settings(const struct vkm_compare_settings *settings, struct vkm_text *text) {
  vkm_member_open(text, "settings", "{");
  vkm_member_number(text, "threshold", true, settings->threshold);
  vkm_member_number(text, "floor_ns", settings->floor_ns >= 0, settings->floor_ns);
  vkm_member_number(text, "confidence", true, settings->confidence);
  vkm_member_text(text, "stat", vkm_compare_stat(settings->stat));
  vkm_member_text(text, "match", vkm_compare_match(settings->match));
  vkm_member_text(text, "rule", vkm_compare_rule(settings->rule));
  vkm_member_bool(text, "adjust_drift", settings->adjust_drift);
  vkm_member_open(text, "allow_different", "[");
  for (unsigned i = 0; i < VKM_COMPARE_ALLOWS; i++) {
    if ((settings->allow_different & 1U << i) != 0) {
      vkm_member_next(text);
      vkm_text_json(text, vkm_compare_allow(i));
    }
  }
  vkm_text_string(text, "]");
  vkm_member_count(text, "warmup", settings->warmup);
  vkm_member_bool(text, "noise", settings->noise != NULL);
  vkm_member_open(text, "renames", "[");
  for (size_t i = 0; i < settings->rename_count; i++) {
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "from", settings->renames[i].from);
    vkm_member_text(text, "to", settings->renames[i].to);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]}");
}

static void append_side(const char *name, const struct vkm_side *side, struct vkm_text *text) {
  vkm_member_open(text, name, "{");
  vkm_member_text(text, "label", side->label);
  vkm_member_count(text, "runs", side->run_count);
  vkm_member_count(text, "profiles", side->profile_count);
  vkm_member_bool(text, "never_promoted", side->never_promoted);
  vkm_member_open(text, "errors", "[");
  for (size_t i = 0; i < side->error_count; i++) {
    const struct vkm_run_error *error = &side->errors[i];
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "path", error->path);
    vkm_member_text(text, "run", error->run);
    vkm_member_number(text, "sequence", error->sequence >= 0, (double)error->sequence);
    vkm_member_text(text, "command", error->command);
    vkm_member_text(text, "cause", error->cause);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]}");
}

/* The device that the section is about: profiles may hold others that nothing was timed on. */
static const struct vkm_read_device *main_device(const struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->device_count; i++) {
    if (profile->devices[i].profiled) {
      return &profile->devices[i];
    }
  }
  return profile->device_count > 0 ? &profile->devices[0] : NULL;
}

static void append_measured(const struct vkm_panel *panel, int side, struct vkm_text *text) {
  const struct vkm_read_profile *first = panel->first[side];
  if (first == NULL) {
    vkm_member_text(text, side == VKM_BASE ? "base" : "new", NULL);
    return;
  }
  const struct vkm_read_device *device = main_device(first);
  vkm_member_open(text, side == VKM_BASE ? "base" : "new", "{");
  vkm_member_text(text, "device", device ? device->name : NULL);
  vkm_member_text(text, "driver_name", device ? device->driver_name : NULL);
  vkm_member_text(text, "driver_info", device ? device->driver_info : NULL);
  vkm_member_text(text, "driver_version", device ? device->driver_version : NULL);
  vkm_member_bool(text, "software", device && device->software);
  vkm_member_text(text, "vkmeter_version", first->run.vkmeter_version);
  vkm_member_text(text, "mode", first->mode);
  vkm_member_text(text, "workload", first->workload_tag);
  vkm_member_text(text, "segment", first->segment_key);
  vkm_member_count(text, "runs", panel->run_count[side]);
  vkm_member_count(text, "incomplete_runs", panel->incomplete_count[side]);
  vkm_member_count(text, "failed_runs", panel->error_count[side]);
  vkm_text_string(text, "}");
}

static void append_row_side(const char *name, const struct vkm_compared_side *side,
                            struct vkm_text *text) {
  if (!side->present) {
    vkm_member_text(text, name, NULL);
    return;
  }
  vkm_member_open(text, name, "{");
  vkm_member_text(text, "identity", side->identity);
  vkm_member_number(text, "center_ns", side->has_time, side->center_ns);
  vkm_member_open(text, "run_ns", "[");
  for (size_t i = 0; i < side->run_count; i++) {
    vkm_member_next(text);
    vkm_format_exact(text, side->run_ns[i]);
  }
  vkm_text_string(text, "]");
  vkm_member_count(text, "calls", side->calls);
  vkm_member_number(text, "total_ns_per_run", side->has_time, side->total_ns);
  vkm_member_count(text, "least_samples", side->sample_count);
  vkm_member_bool(text, "only_first_use", side->only_first_use);
  vkm_text_string(text, "}");
}

static void append_what(const struct vkm_compared_row *row, struct vkm_text *text) {
  struct vkm_text id;
  vkm_text_init(&id, SIZE_MAX);
  vkm_compare_id(row, &id);
  vkm_member_text(text, "id", id.data);
  text->failed = text->failed || id.failed;
  vkm_text_finish(&id);
  vkm_member_text(text, "name", row->name);
  vkm_member_text(text, "base_name", row->base_name);
  vkm_member_text(text, "device", row->device);
  vkm_member_text(text, "kind", row->kind);
  vkm_member_text(text, "family", row->family);
  vkm_member_text(text, "phase", row->phase);
  if (row->has_groups) {
    vkm_member_open(text, "groups", "[");
    for (int axis = 0; axis < 3; axis++) {
      vkm_member_next(text);
      vkm_text_u64(text, row->groups[axis]);
    }
    vkm_text_string(text, "]");
  } else {
    vkm_member_text(text, "groups", NULL);
  }
  vkm_member_text(text, "code", vkm_compare_code(row->code));
  vkm_member_text(text, "matched_by", vkm_compare_matched_by(row->matched_by));
}

static void append_statistics(const struct vkm_compared_row *row, struct vkm_text *text) {
  vkm_member_open(text, "statistics", "[");
  for (size_t i = 0; i < row->statistic_count; i++) {
    const struct vkm_statistic_change *change = &row->statistics[i];
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "executable", change->executable);
    vkm_member_text(text, "name", change->name);
    vkm_member_number(text, "base", true, change->base);
    vkm_member_number(text, "new", true, change->fresh);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_row(const struct vkm_compared_row *row, struct vkm_text *text) {
  bool interval = row->degrees_of_freedom > 0;
  append_what(row, text);
  append_row_side("base", &row->sides[VKM_BASE], text);
  append_row_side("new", &row->sides[VKM_NEW], text);
  vkm_member_number(text, "change", row->has_change, row->change);
  vkm_member_number(text, "low", row->has_interval, row->low);
  vkm_member_number(text, "high", row->has_interval, row->high);
  vkm_member_number(text, "impact_ns_per_run", row->has_impact, row->impact_ns);
  vkm_member_text(text, "verdict", vkm_verdict_name(row->verdict));
  vkm_member_text(text, "evidence", vkm_compare_evidence(row->evidence));
  vkm_member_text(text, "reason", row->reason);
  vkm_member_number(text, "runs_needed", row->runs_needed > 0, (double)row->runs_needed);
  vkm_member_bool(text, "beyond_gating", row->beyond_gating);
  vkm_member_number(text, "log_difference", interval, row->log_difference);
  vkm_member_number(text, "standard_error", interval, row->standard_error);
  vkm_member_number(text, "degrees_of_freedom", interval, row->degrees_of_freedom);
  vkm_member_number(text, "t", interval, row->t);
  vkm_member_number(text, "exceeding", row->evidence == VKM_EVIDENCE_SAMPLES, row->exceeding);
  vkm_member_number(text, "p", row->has_p, row->p);
  vkm_member_number(text, "noise", row->has_noise, row->noise);
  append_statistics(row, text);
}

static void append_verdicts(const size_t *counts, struct vkm_text *text) {
  vkm_member_open(text, "verdicts", "{");
  for (int verdict = 0; verdict < VKM_VERDICT_COUNT; verdict++) {
    vkm_member_count(text, vkm_verdict_name((enum vkm_verdict)verdict), counts[verdict]);
  }
  vkm_text_string(text, "}");
}

static void append_totals(const struct vkm_panel *panel, struct vkm_text *text) {
  vkm_member_open(text, "totals", "{");
  vkm_member_count(text, "matched_rows", panel->matched_count);
  vkm_member_number(text, "base_ns_per_run", panel->has_total, panel->matched_ns[VKM_BASE]);
  vkm_member_number(text, "new_ns_per_run", panel->has_total, panel->matched_ns[VKM_NEW]);
  vkm_member_number(text, "change", panel->has_total, panel->total_change);
  vkm_member_number(text, "low", panel->has_total_interval, panel->total_low);
  vkm_member_number(text, "high", panel->has_total_interval, panel->total_high);
  vkm_member_text(text, "verdict",
                  panel->has_total ? vkm_verdict_name(panel->total_verdict) : NULL);
  vkm_member_number(text, "geomean", panel->has_geomean, panel->geomean);
  vkm_member_number(text, "gone_ns_per_run", true, panel->gone_ns);
  vkm_member_number(text, "new_rows_ns_per_run", true, panel->new_ns);
  vkm_text_string(text, "}");
}

static void append_panel(const struct vkm_panel *panel, struct vkm_text *text) {
  append_measured(panel, VKM_BASE, text);
  append_measured(panel, VKM_NEW, text);
  vkm_member_bool(text, "comparable", panel->comparable);
  vkm_member_text(text, "incomparable_because", panel->incomparable_because);
  vkm_member_text(text, "allowed", panel->allowed);
  vkm_member_number(text, "tick_ns", panel->tick_ns > 0, panel->tick_ns);
  vkm_member_number(text, "floor_ns", panel->comparable, panel->floor_ns);
  vkm_member_open(text, "environment", "{");
  vkm_member_count(text, "controls", panel->control_count);
  vkm_member_number(text, "controls_outside", panel->has_drift, (double)panel->controls_outside);
  vkm_member_number(text, "drift", panel->has_drift, panel->drift);
  vkm_member_number(text, "noise", panel->has_drift, panel->noise_floor);
  vkm_member_bool(text, "drifted", panel->drifted);
  vkm_member_count(text, "rows_in_noise_file", panel->noise_count);
  vkm_text_string(text, "}");
  append_verdicts(panel->verdict_counts, text);
  append_totals(panel, text);
}

static void append_gate_list(const char *name, unsigned bits, struct vkm_text *text) {
  vkm_member_open(text, name, "[");
  for (unsigned kind = 0; kind < VKM_GATE_COUNT; kind++) {
    if ((bits & 1U << kind) != 0) {
      vkm_member_next(text);
      vkm_text_json(text, vkm_gate_name((enum vkm_gate_kind)kind));
    }
  }
  vkm_text_string(text, "]");
}

static void append_head(const struct vkm_comparison *comparison, struct vkm_text *text) {
  vkm_member_text(text, "schema", "vkmeter.compare/1");
  vkm_member_text(text, "tool", "vkmeter " VKM_VERSION);
  append_settings(&comparison->settings, text);
  append_side("base", comparison->sides[VKM_BASE], text);
  append_side("new", comparison->sides[VKM_NEW], text);
  append_verdicts(comparison->verdict_counts, text);
  vkm_member_open(text, "gate", "{");
  append_gate_list("requested", comparison->gate.requested, text);
  append_gate_list("tripped_by", comparison->gate.tripped, text);
  vkm_member_bool(text, "tripped", comparison->gate.tripped != 0);
  vkm_text_string(text, "}");
}

static size_t shown_rows(const struct vkm_panel *panel, const struct vkm_view_settings *settings) {
  return settings->top == 0 || settings->top > panel->row_count ? panel->row_count : settings->top;
}

void vkm_compare_json(const struct vkm_comparison *comparison,
                      const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "{");
  append_head(comparison, text);
  vkm_text_string(text, ",\n \"panels\":[");
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    vkm_text_string(text, i > 0 ? ",\n  {" : "\n  {");
    append_panel(panel, text);
    vkm_text_string(text, ",\n   \"rows\":[");
    for (size_t row = 0; row < shown_rows(panel, settings); row++) {
      vkm_text_string(text, row > 0 ? ",\n    {" : "\n    {");
      append_row(&panel->rows[row], text);
      vkm_text_string(text, "}");
    }
    vkm_text_string(text, "]");
    vkm_member_count(text, "rows_left_out", panel->row_count - shown_rows(panel, settings));
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]}\n");
}

static void begin_line(struct vkm_text *text, const char *sheet) {
  vkm_text_string(text, "{");
  vkm_member_text(text, "sheet", sheet);
}

void vkm_compare_ndjson(const struct vkm_comparison *comparison,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  begin_line(text, "comparison");
  append_head(comparison, text);
  vkm_text_string(text, "}\n");
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    begin_line(text, "panels");
    vkm_member_count(text, "panel", i);
    append_panel(panel, text);
    vkm_text_string(text, "}\n");
    for (size_t row = 0; row < shown_rows(panel, settings); row++) {
      begin_line(text, "rows");
      vkm_member_count(text, "panel", i);
      append_row(&panel->rows[row], text);
      vkm_text_string(text, "}\n");
    }
  }
}
