/* Verdicts, explained. In: judged rows. Out: their numbers, and where runs lie. Next:
 * compare_table.
 */
#include "views/compare_explain.h"

#include <math.h>
#include <string.h>

#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/compare_words.h"
#include "views/heading.h"
#include "views/term.h"
#include "views/units.h"

enum { STRIP = 60 };

static void append_runs(const struct vkm_compared_row *row, int side, enum vkm_unit unit,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_compared_side *of = &row->sides[side];
  vkm_text_string(text, side == VKM_BASE ? "  base  " : "  new   ");
  vkm_heading_plural(text, of->run_count, "run", "runs");
  vkm_text_string(text, ", ");
  vkm_text_string(text, vkm_unit_name(unit, settings->ascii));
  vkm_text_string(text, ": ");
  for (size_t i = 0; i < of->run_count; i++) {
    vkm_text_string(text, i > 0 ? "  " : "");
    vkm_format_time(text, of->run_ns[i], unit);
  }
  vkm_text_string(text, of->has_time ? "" : "not timed");
  vkm_text_string(text, "\n");
}

static void extend(const struct vkm_compared_side *side, double *least, double *most) {
  for (size_t i = 0; i < side->run_count; i++) {
    *least = fmin(*least, side->run_ns[i]);
    *most = fmax(*most, side->run_ns[i]);
  }
}

/* Where the runs of both sides lie: b and n, # where both do. */
static void append_strip(const struct vkm_compared_row *row, enum vkm_unit unit,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  char cells[STRIP + 1];
  double least = INFINITY;
  double most = -INFINITY;
  memset(cells, ' ', STRIP);
  cells[STRIP] = 0;
  extend(&row->sides[VKM_BASE], &least, &most);
  extend(&row->sides[VKM_NEW], &least, &most);
  for (int side = 0; side < VKM_SIDES; side++) {
    char mark = side == VKM_BASE ? 'b' : 'n';
    for (size_t i = 0; i < row->sides[side].run_count; i++) {
      char *cell = &cells[vkm_place_on(row->sides[side].run_ns[i], least, most, STRIP)];
      *cell = (char)(*cell == ' ' || *cell == mark ? mark : '#');
    }
  }
  vkm_text_string(text, "  ");
  vkm_format_time(text, least, unit);
  vkm_text_string(text, " |");
  vkm_text_string(text, cells);
  vkm_text_string(text, "| ");
  vkm_format_time(text, most, unit);
  vkm_text_string(text, " ");
  vkm_text_string(text, vkm_unit_name(unit, settings->ascii));
  vkm_text_string(text, "   b base, n new, # both\n");
}

static void append_number(const char *name, double value, struct vkm_text *text) {
  vkm_text_string(text, name);
  vkm_format_figure(text, value);
}

static void append_interval(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                            const struct vkm_compared_row *row,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "  ");
  if (row->has_interval) {
    vkm_format_level(text, comparison->settings.confidence);
    vkm_text_string(text, " interval ");
    vkm_format_change(text, row->low, settings->ascii);
    vkm_text_string(text, settings->ascii ? " .. " : " … ");
    vkm_format_change(text, row->high, settings->ascii);
    vkm_text_string(text, " %, ");
  }
  vkm_text_string(text, settings->ascii ? "threshold +/-" : "threshold ±");
  vkm_format_level(text, comparison->settings.threshold);
  vkm_text_string(text, ", floor ");
  vkm_format_duration(text, panel->floor_ns, settings->ascii);
  vkm_text_string(text, "\n");
}

static void append_rule(const struct vkm_compared_row *row, struct vkm_text *text) {
  const char *evidence = vkm_compare_evidence(row->evidence);
  vkm_text_string(text, "  ");
  vkm_text_string(text, vkm_compare_verdict(row->verdict));
  if (row->reason != NULL) {
    vkm_text_string(text, ": ");
    vkm_compare_heading_reason(row, text);
    vkm_text_string(text, " (");
    vkm_text_string(text, row->reason);
    vkm_text_string(text, evidence != NULL ? ", by " : "");
    vkm_text_string(text, evidence != NULL ? evidence : "");
    vkm_text_string(text, ")");
  }
  vkm_text_string(text, "\n");
}

static void explain(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                    const struct vkm_compared_row *row, const struct vkm_view_settings *settings,
                    struct vkm_text *text) {
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  enum vkm_unit unit = settings->unit != VKM_UNIT_AUTO
                           ? settings->unit
                           : vkm_unit_for(fmax(base->center_ns, fresh->center_ns));
  vkm_text_string(text, "\n");
  vkm_term_style(text, settings, VKM_STYLE_STRONG);
  vkm_compare_heading_name(row, settings, text);
  vkm_term_style(text, settings, VKM_STYLE_PLAIN);
  vkm_text_string(text, "\n");
  append_runs(row, VKM_BASE, unit, settings, text);
  append_runs(row, VKM_NEW, unit, settings, text);
  if (base->has_time && fresh->has_time) {
    append_strip(row, unit, settings, text);
  }
  if (row->has_interval && row->evidence != VKM_EVIDENCE_SAMPLES) {
    append_number("  log difference ", row->log_difference, text);
    append_number(", standard error ", row->standard_error, text);
    append_number(", degrees of freedom ", row->degrees_of_freedom, text);
    append_number(", t ", row->t, text);
    if (row->has_p) {
      append_number(", corrected p ", row->p, text);
    }
    vkm_text_string(text, "\n");
  }
  if (row->evidence == VKM_EVIDENCE_SAMPLES) {
    vkm_text_string(text, "  samples of new beyond the base's median: ");
    vkm_format_percent(text, row->exceeding);
    vkm_text_string(text, " %\n");
  }
  append_interval(comparison, panel, row, settings, text);
  append_rule(row, text);
}

static bool is_asked(const struct vkm_compared_row *row, const char *name, bool shown) {
  if (name != NULL) {
    return strcmp(row->name, name) == 0;
  }
  return shown && row->sides[VKM_BASE].present && row->sides[VKM_NEW].present;
}

void vkm_compare_explain(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                         size_t shown, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  for (size_t i = 0; i < panel->row_count; i++) {
    if (is_asked(&panel->rows[i], settings->explain_row, i < shown)) {
      explain(comparison, panel, &panel->rows[i], settings, text);
    }
  }
}
