/* Sentences about rows. In: a judged row. Out: text. Next: the views for people. */
#include "views/compare_heading.h"

#include <string.h>

#include "count.h"
#include "views/sheet.h"
#include "views/term.h"
#include "views/units.h"

static const char *arrow(const struct vkm_view_settings *settings) {
  return settings->ascii ? " -> " : " → ";
}

void vkm_compare_heading_name(const struct vkm_compared_row *row,
                              const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_term_name(text, row->name, 0, settings->ascii);
  for (int axis = 0; row->has_groups && axis < 3; axis++) {
    vkm_text_string(text, axis == 0 ? " [" : settings->ascii ? "x" : "×");
    vkm_text_u64(text, row->groups[axis]);
  }
  vkm_text_string(text, row->has_groups ? "]" : row->is_dispatch ? " [indirect]" : "");
}

static void append_center(const struct vkm_compared_side *side,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (side->has_time) {
    vkm_format_duration(text, side->center_ns, settings->ascii);
  } else {
    vkm_text_string(text, side->present ? "not timed" : "not there");
  }
}

void vkm_compare_heading_row(const struct vkm_compared_row *row,
                             const struct vkm_view_settings *settings, struct vkm_text *text) {
  append_center(&row->sides[VKM_BASE], settings, text);
  vkm_text_string(text, arrow(settings));
  append_center(&row->sides[VKM_NEW], settings, text);
  if (row->has_change) {
    vkm_text_string(text, ", ");
    vkm_format_change(text, row->change, settings->ascii);
    vkm_text_string(text, " %");
  }
  if (row->has_interval) {
    vkm_text_string(text, " (");
    vkm_format_change(text, row->low, settings->ascii);
    vkm_text_string(text, settings->ascii ? " .. " : " … ");
    vkm_format_change(text, row->high, settings->ascii);
    vkm_text_string(text, ")");
  }
  if (row->has_impact) {
    enum vkm_unit unit = vkm_unit_for(row->impact_ns < 0 ? -row->impact_ns : row->impact_ns);
    vkm_text_string(text, ", ");
    vkm_format_impact(text, row->impact_ns, unit, settings->ascii);
    vkm_text_string(text, " ");
    vkm_text_string(text, vkm_unit_name(unit, settings->ascii));
    vkm_text_string(text, " a run");
  }
}

void vkm_compare_heading_why(const struct vkm_compared_row *row, struct vkm_text *text) {
  static const struct {
    const char *slug, *sentence;
  } known[] = {
      {"interval-above-threshold", "the interval lies above the threshold"},
      {"interval-below-threshold", "the interval lies below the threshold"},
      {"interval-within-threshold", "the interval lies within the threshold"},
      {"interval-within-floor", "the interval lies within the floor"},
      {"interval-straddles-threshold", "the interval reaches over the threshold"},
      {"interval-straddles-floor", "the interval reaches over the floor"},
      {"machine-drifted", "the machine drifted: rows of the same code moved as much"},
      {"not-timed", "not timed on both sides"},
      {"first-use-on-one-side", "one side has nothing but first uses"},
      {"below-resolution", "shorter than the clock resolves"},
      {"few-samples", "too few samples a run for this --stat"},
      {"in-too-few-runs", "in fewer than 3 runs of a side"},
      {"single-run", "a single run, and too few rows of the same code to judge it by"},
      {"segment-differs", "recorded in different environments"},
      {"nothing-to-compare-with", "the other side holds nothing at all"},
      {"not-significant", "not significant with Holm's correction"},
      {"significant", "significant with Holm's correction"},
      {"ratio-within-threshold", "the ratio of medians lies within the threshold"},
      {"change-within-floor", "the change lies within the floor"},
      {"samples-overlap", "too few samples lie beyond the base's median"},
      {"samples-beyond-median", "ratio, floor and samples beyond the base's median all say so"},
      {"only-in-base", "only in base"},
      {"only-in-new", "only in new"},
  };
  for (size_t i = 0; row->reason != NULL && i < VKM_COUNT(known); i++) {
    if (strcmp(known[i].slug, row->reason) == 0) {
      vkm_text_string(text, known[i].sentence);
      return;
    }
  }
  vkm_text_string(text, row->reason != NULL ? row->reason : "");
}

void vkm_compare_heading_reason(const struct vkm_compared_row *row, struct vkm_text *text) {
  vkm_compare_heading_why(row, text);
  if (row->runs_needed > 0) {
    vkm_text_string(text, row->reason != NULL ? "; " : "");
    vkm_text_string(text, "about ");
    vkm_format_count(text, row->runs_needed);
    vkm_text_string(text, " runs a side would settle it");
  }
  if (row->beyond_gating) {
    vkm_text_string(text, row->reason != NULL || row->runs_needed > 0 ? "; " : "");
    vkm_text_string(text, "its noise alone exceeds the threshold");
  }
}

void vkm_compare_heading_statistics(const struct vkm_compared_row *row,
                                    const struct vkm_view_settings *settings,
                                    struct vkm_text *text) {
  for (size_t i = 0; i < row->statistic_count; i++) {
    const struct vkm_statistic_change *change = &row->statistics[i];
    vkm_text_string(text, i > 0 ? ", " : "");
    vkm_term_name(text, change->name, 0, settings->ascii);
    vkm_text_string(text, " ");
    vkm_format_number(text, change->base);
    vkm_text_string(text, arrow(settings));
    vkm_format_number(text, change->fresh);
  }
}

static void part(struct vkm_text *text, size_t begin) {
  vkm_text_string(text, text->length_bytes > begin ? "; " : "");
}

static bool is_open(const struct vkm_compared_row *row) {
  return row->verdict == VKM_VERDICT_UNCLEAR || row->verdict == VKM_VERDICT_INCOMPARABLE;
}

void vkm_compare_heading_facts(const struct vkm_compared_row *row,
                               const struct vkm_view_settings *settings, struct vkm_text *text) {
  size_t begin = text->length_bytes;
  if (row->base_name != NULL) {
    vkm_text_string(text, "was ");
    vkm_sheet_name(row->base_name, settings, text);
  }
  if (row->statistic_count > 0) {
    part(text, begin);
    vkm_compare_heading_statistics(row, settings, text);
  }
}

void vkm_compare_heading_note(const struct vkm_compared_row *row,
                              const struct vkm_view_settings *settings, struct vkm_text *text) {
  size_t begin = text->length_bytes;
  vkm_compare_heading_facts(row, settings, text);
  if (is_open(row) && row->reason != NULL) {
    part(text, begin);
    vkm_compare_heading_reason(row, text);
  }
}
