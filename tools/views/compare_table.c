/* A comparison as a table for people. In: a judged comparison. Out: aligned text. Next: stdout. */
#include <string.h>

#include "model/side.h"
#include "views/compare_explain.h"
#include "views/compare_heading.h"
#include "views/compare_notes.h"
#include "views/compare_sheet.h"
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/sheet.h"
#include "views/units.h"

typedef struct vkm_compared_row row_type;

/* What the cells of one panel's table need to know of each other. */
struct plan {
  const struct vkm_panel *panel;
  struct vkm_compare_notes notes;
  size_t low_width, high_width; /* widest ends of intervals */
};

static const struct plan *plan_of(const struct vkm_column *column) {
  return column->key;
}

static size_t width_of_change(double fraction, const struct vkm_view_settings *settings) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_format_change(&text, fraction, settings->ascii);
  size_t width = text.failed ? 0 : vkm_term_width(text.data, text.length_bytes);
  vkm_text_finish(&text);
  return width;
}

static void measure_intervals(struct plan *plan, size_t shown,
                              const struct vkm_view_settings *settings) {
  for (size_t i = 0; i < shown; i++) {
    const row_type *row = &plan->panel->rows[i];
    if (row->has_interval) {
      size_t low = width_of_change(row->low, settings);
      size_t high = width_of_change(row->high, settings);
      plan->low_width = low > plan->low_width ? low : plan->low_width;
      plan->high_width = high > plan->high_width ? high : plan->high_width;
    }
  }
}

static void append_padded(double fraction, size_t width, const struct vkm_view_settings *settings,
                          struct vkm_text *text) {
  for (size_t i = width_of_change(fraction, settings); i < width; i++) {
    vkm_text_string(text, " ");
  }
  vkm_format_change(text, fraction, settings->ascii);
}

/* Both ends stand under each other. */
static void print_interval(const void *at, const struct vkm_column *column,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const row_type *row = at;
  if (row->has_interval) {
    append_padded(row->low, plan_of(column)->low_width, settings, text);
    vkm_text_string(text, settings->ascii ? " .. " : " … ");
    append_padded(row->high, plan_of(column)->high_width, settings, text);
  }
}

static void print_verdict(const void *at, const struct vkm_column *column,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const row_type *row = at;
  const struct plan *plan = plan_of(column);
  vkm_text_string(text, vkm_compare_verdict(row->verdict));
  vkm_compare_notes_mark(plan->notes.numbers[row - plan->panel->rows], settings, text);
}

enum { COLUMNS_MAX = 16 };

/* The shared columns, the two that need the plan replaced. `columns` and `made` hold room. */
static struct vkm_sheet sheet_of(const struct plan *plan, size_t shown, const char *interval,
                                 const struct vkm_column **columns, struct vkm_column *made) {
  struct vkm_sheet sheet = vkm_sheet_of_compared(plan->panel);
  size_t used = 0;
  for (size_t i = 0; i < sheet.column_count && i < COLUMNS_MAX; i++) {
    const struct vkm_column *column = sheet.columns[i];
    columns[i] = column;
    bool is_interval = strcmp(column->id, "interval") == 0;
    if (is_interval || strcmp(column->id, "verdict") == 0) {
      made[used] = *column;
      made[used].key = plan;
      made[used].print = is_interval ? print_interval : print_verdict;
      made[used].header = is_interval ? interval : column->header;
      columns[i] = &made[used++];
    }
  }
  sheet.columns = columns;
  sheet.shown = shown;
  return sheet;
}

static void line(struct vkm_text *part, enum vkm_style style,
                 const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (part->length_bytes > 0) {
    if (style != VKM_STYLE_PLAIN) {
      vkm_term_style(text, settings, style);
    }
    vkm_text_append(text, part->data, part->length_bytes);
    if (style != VKM_STYLE_PLAIN) {
      vkm_term_style(text, settings, VKM_STYLE_PLAIN);
    }
    vkm_text_string(text, "\n");
  }
  text->failed = text->failed || part->failed;
  vkm_text_clear(part);
}

static void append_head(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_side(comparison, panel, side, settings, &part);
    line(&part, VKM_STYLE_STRONG, settings, text);
  }
  vkm_compare_heading_software(panel, &part);
  line(&part, VKM_STYLE_WARN, settings, text);
  if (panel->incomparable_because != NULL) {
    vkm_text_string(&part, "not comparable: ");
    vkm_term_name(&part, panel->incomparable_because, 0, settings->ascii);
    line(&part, VKM_STYLE_WARN, settings, text);
  } else {
    vkm_compare_heading_limits(comparison, panel, settings, &part);
    line(&part, VKM_STYLE_PLAIN, settings, text);
  }
  if (panel->allowed != NULL) {
    vkm_text_string(&part, "compared although they differ: ");
    vkm_term_name(&part, panel->allowed, 0, settings->ascii);
    line(&part, VKM_STYLE_WARN, settings, text);
  }
  vkm_compare_heading_single(panel, settings, &part);
  line(&part, VKM_STYLE_PLAIN, settings, text);
  vkm_text_finish(&part);
}

/* Rows by verdict that come behind the first `shown` and are not the same. */
static void append_cut(const struct vkm_panel *panel, size_t shown, size_t listed,
                       const struct vkm_view_settings *settings, struct vkm_text *part) {
  size_t counts[VKM_VERDICT_COUNT] = {0};
  if (shown >= listed) {
    return;
  }
  for (size_t i = shown; i < listed; i++) {
    counts[panel->rows[i].verdict]++;
  }
  vkm_text_string(part, settings->ascii ? "... " : "… ");
  vkm_heading_plural(part, listed - shown, "more row: ", "more rows: ");
  vkm_compare_heading_verdicts(counts, part);
  vkm_text_string(part, " (-n 0 shows all)");
}

static void append_figures(const struct vkm_panel *panel, const struct vkm_view_settings *settings,
                           struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_compare_heading_total(panel, settings, &part);
  line(&part, VKM_STYLE_STRONG, settings, text);
  vkm_compare_heading_geomean(panel, settings, &part);
  line(&part, VKM_STYLE_PLAIN, settings, text);
  vkm_compare_heading_apart(panel, settings, &part);
  line(&part, VKM_STYLE_PLAIN, settings, text);
  vkm_compare_heading_renamed(panel, settings, &part);
  line(&part, VKM_STYLE_PLAIN, settings, text);
  vkm_compare_heading_controls(panel, settings, &part);
  line(&part, panel->drifted ? VKM_STYLE_WARN : VKM_STYLE_PLAIN, settings, text);
  vkm_compare_heading_inside(panel, &part);
  line(&part, VKM_STYLE_PLAIN, settings, text);
  vkm_text_finish(&part);
}

/* Lines with an empty one before them; nothing for no lines. */
static void paragraph(struct vkm_text *part, struct vkm_text *text) {
  if (part->length_bytes > 0) {
    vkm_text_string(text, "\n");
    vkm_text_append(text, part->data, part->length_bytes);
  }
  text->failed = text->failed || part->failed;
  vkm_text_clear(part);
}

/* What the marks of the rows shown mean. */
static void append_legend(const struct vkm_panel *panel, size_t shown,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  bool same = false;
  bool changed = false;
  for (size_t i = 0; i < shown; i++) {
    same = same || panel->rows[i].code == VKM_CODE_SAME;
    changed = changed || panel->rows[i].code == VKM_CODE_CHANGED;
  }
  if (same || changed) {
    vkm_term_style(text, settings, VKM_STYLE_FAINT);
    vkm_text_string(text, "code: ");
    vkm_text_string(text, same ? "= same shader code and workgroups" : "");
    vkm_text_string(text, same && changed ? ", " : "");
    vkm_text_string(text, changed ? "* shader code changed" : "");
    vkm_term_style(text, settings, VKM_STYLE_PLAIN);
    vkm_text_string(text, "\n");
  }
}

static void append_rest(const struct vkm_panel *panel, size_t shown, size_t listed,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  append_cut(panel, shown, listed, settings, &part);
  line(&part, VKM_STYLE_FAINT, settings, text);
  if (listed < panel->row_count) {
    vkm_text_string(&part, settings->ascii ? "... " : "… ");
    vkm_heading_plural(&part, panel->row_count - listed, listed > 0 ? "more row" : "row",
                       listed > 0 ? "more rows" : "rows");
    vkm_text_string(&part, " SAME (-v lists ");
    vkm_text_string(&part, panel->row_count - listed == 1 ? "it)" : "them)");
    line(&part, VKM_STYLE_FAINT, settings, text);
  }
  vkm_text_finish(&part);
}

/* Rows that are the same come last, and are listed on demand. */
static size_t listed_rows(const struct vkm_panel *panel, const struct vkm_view_settings *settings) {
  return settings->verbose ? panel->row_count
                           : panel->row_count - panel->verdict_counts[VKM_VERDICT_SAME];
}

static size_t shown_rows(size_t listed, const struct vkm_view_settings *settings) {
  bool all = settings->verbose && !settings->top_given;
  return vkm_sheet_top(listed, all ? 0 : settings->top);
}

static void append_rows(const struct vkm_panel *panel, size_t shown, const char *interval,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct plan plan = {.panel = panel};
  bool good = vkm_compare_notes_init(&plan.notes, panel, shown, settings);
  if (good && shown > 0) {
    const struct vkm_column *columns[COLUMNS_MAX];
    struct vkm_column made[COLUMNS_MAX];
    measure_intervals(&plan, shown, settings);
    struct vkm_sheet sheet = sheet_of(&plan, shown, interval, columns, made);
    vkm_sheet_table(&sheet, settings, text);
  }
  if (good) {
    append_rest(panel, shown, listed_rows(panel, settings), settings, text);
    struct vkm_text part;
    vkm_text_init(&part, SIZE_MAX);
    append_figures(panel, settings, &part);
    paragraph(&part, text);
    append_legend(panel, shown, settings, &part);
    vkm_compare_notes_print(&plan.notes, settings, &part);
    paragraph(&part, text);
    vkm_text_finish(&part);
  }
  text->failed = text->failed || !good;
  vkm_compare_notes_finish(&plan.notes);
}

/* "95 % interval": over runs, or relative to what code-identical rows moved by. */
static void append_interval_header(const struct vkm_comparison *comparison,
                                   const struct vkm_panel *panel, struct vkm_text *text) {
  for (size_t i = 0; i < panel->row_count; i++) {
    if (panel->rows[i].evidence == VKM_EVIDENCE_CONTROLS) {
      vkm_text_string(text, "drift-relative");
      return;
    }
  }
  vkm_format_level(text, comparison->settings.confidence);
  vkm_text_string(text, " interval");
}

static void append_panel(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  append_head(comparison, panel, settings, text);
  vkm_text_string(text, "\n");
  if (panel->row_count == 0) {
    vkm_text_string(text, "no row on either side\n");
    return;
  }
  struct vkm_text interval;
  vkm_text_init(&interval, SIZE_MAX);
  append_interval_header(comparison, panel, &interval);
  size_t shown = shown_rows(listed_rows(panel, settings), settings);
  if (!interval.failed) {
    append_rows(panel, shown, interval.data, settings, text);
  }
  text->failed = text->failed || interval.failed;
  vkm_text_finish(&interval);
  if (settings->explain) {
    vkm_compare_explain(comparison, panel, shown, settings, text);
  }
}

void vkm_compare_table(const struct vkm_comparison *comparison,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_panel(comparison, &comparison->panels[i], settings, text);
  }
  if (comparison->panel_count == 0) {
    vkm_text_string(text, "nothing was recorded on either side\n");
  }
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_errors(comparison->sides[side], settings, &part);
    line(&part, VKM_STYLE_WARN, settings, text);
  }
  vkm_text_finish(&part);
}
