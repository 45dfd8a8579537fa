/* Sentences about rows. In: a judged row. Out: text. Next: the views for people. */
#include "views/compare_heading.h"

#include <string.h>

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

/* A slug as words: interval-above-threshold. */
void vkm_compare_heading_reason(const struct vkm_compared_row *row, struct vkm_text *text) {
  for (const char *at = row->reason; at != NULL && *at; at++) {
    vkm_text_append(text, *at == '-' ? " " : at, 1);
  }
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
