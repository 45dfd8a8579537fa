/* A comparison as JUnit's XML. In: a judged comparison. Out: a suite a panel, a case a row. Next: a
 * CI that shows tests. */
#include "model/side.h"
#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/compare_words.h"
#include "views/junit_parts.h"
#include "views/sheet.h"
#include "views/tables.h"
#include "views/term.h"
#include "views/units.h"

struct suite {
  const struct vkm_comparison *comparison;
  const struct vkm_view_settings *settings;
  const char *device; /* NULL: none */
};

/* UNCLEAR is no failure: it says that nothing was found out. What vanished is none either, unless
 * somebody wants to know. */
static enum vkm_junit outcome_of(const struct vkm_compared_row *row, const struct vkm_gate *gate) {
  switch (row->verdict) {
  case VKM_VERDICT_SLOWER:
    return VKM_JUNIT_FAILED;
  case VKM_VERDICT_LIKELY_SLOWER:
  case VKM_VERDICT_UNCLEAR:
    return vkm_gate_trips(gate, row) ? VKM_JUNIT_FAILED : VKM_JUNIT_SKIPPED;
  case VKM_VERDICT_GONE:
  case VKM_VERDICT_NEW:
  case VKM_VERDICT_INCOMPARABLE:
    return vkm_gate_trips(gate, row) ? VKM_JUNIT_ERROR : VKM_JUNIT_SKIPPED;
  default:
    return VKM_JUNIT_PASSED;
  }
}

static void append_row(const struct suite *suite, const struct vkm_compared_row *row,
                       struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_compare_heading_name(row, suite->settings, &part);
  vkm_junit_begin_case(row->device != NULL ? row->device : suite->device, &part,
                       row->sides[VKM_NEW].has_time ? row->sides[VKM_NEW].center_ns : 0, text);
  vkm_text_clear(&part);
  vkm_text_string(&part, vkm_compare_verdict(row->verdict));
  vkm_text_string(&part, ": ");
  vkm_compare_heading_row(row, suite->settings, &part);
  if (row->statistic_count > 0) {
    vkm_text_string(&part, "; ");
    vkm_compare_heading_statistics(row, suite->settings, &part);
  }
  if (row->reason != NULL || row->runs_needed > 0) {
    vkm_text_string(&part, "; ");
    vkm_compare_heading_reason(row, &part);
  }
  vkm_junit_end_case(outcome_of(row, &suite->comparison->gate), vkm_verdict_name(row->verdict),
                     &part, text);
  vkm_text_finish(&part);
}

/* Code-identical rows that moved, and environments that cannot be compared, are cases of their
 * own: no row can show them. */
static void append_environment(const struct suite *suite, const struct vkm_panel *panel,
                               struct vkm_text *text) {
  unsigned requested = suite->comparison->gate.requested;
  unsigned gate = panel->comparable ? VKM_GATE_ENVIRONMENT : VKM_GATE_INCOMPARABLE;
  bool bad = !panel->comparable || panel->drifted;
  enum vkm_junit outcome = VKM_JUNIT_PASSED;
  if (bad) {
    outcome = (requested & 1U << gate) != 0 ? VKM_JUNIT_ERROR : VKM_JUNIT_SKIPPED;
  }
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_text_string(&part, "environment");
  vkm_junit_begin_case(suite->device, &part, 0, text);
  vkm_text_clear(&part);
  if (panel->comparable) {
    vkm_compare_heading_controls(panel, suite->settings, &part);
  } else if (panel->incomparable_because != NULL) {
    vkm_term_name(&part, panel->incomparable_because, 0, false);
  }
  vkm_junit_end_case(outcome, panel->comparable ? "environment" : "incomparable", &part, text);
  vkm_text_finish(&part);
}

static void count_outcomes(const struct suite *suite, const struct vkm_panel *panel, size_t *of) {
  unsigned requested = suite->comparison->gate.requested;
  unsigned gate = panel->comparable ? VKM_GATE_ENVIRONMENT : VKM_GATE_INCOMPARABLE;
  for (size_t i = 0; i < panel->row_count; i++) {
    of[outcome_of(&panel->rows[i], &suite->comparison->gate)]++;
  }
  if (panel->comparable && !panel->drifted) {
    of[VKM_JUNIT_PASSED]++;
  } else {
    of[(requested & 1U << gate) != 0 ? VKM_JUNIT_ERROR : VKM_JUNIT_SKIPPED]++;
  }
}

static void append_panel(struct suite *suite, const struct vkm_panel *panel,
                         struct vkm_text *text) {
  size_t of[VKM_JUNIT_OUTCOMES] = {0};
  suite->device = vkm_compare_device(panel);
  count_outcomes(suite, panel, of);
  vkm_junit_begin_suite("  <testsuite", suite->device != NULL ? suite->device : "no device", of,
                        text);
  append_environment(suite, panel, text);
  for (size_t i = 0; i < panel->row_count; i++) {
    append_row(suite, &panel->rows[i], text);
  }
  vkm_text_string(text, "  </testsuite>\n");
}

static size_t error_count(const struct vkm_comparison *comparison) {
  return comparison->sides[VKM_BASE]->error_count + comparison->sides[VKM_NEW]->error_count;
}

/* Runs that failed fail without a gate. */
static void append_failed_runs(struct suite *suite, struct vkm_text *text) {
  size_t of[VKM_JUNIT_OUTCOMES] = {[VKM_JUNIT_ERROR] = error_count(suite->comparison)};
  suite->device = NULL;
  vkm_junit_begin_suite("  <testsuite", "runs", of, text);
  for (int which = 0; which < VKM_SIDES; which++) {
    const struct vkm_side *side = suite->comparison->sides[which];
    for (size_t i = 0; i < side->error_count; i++) {
      const struct vkm_run_error *error = &side->errors[i];
      struct vkm_text part;
      vkm_text_init(&part, SIZE_MAX);
      vkm_text_string(&part, which == VKM_BASE ? "base: " : "new: ");
      vkm_term_name(&part, error->path ? error->path : "run", 0, false);
      vkm_junit_begin_case(suite->device, &part, 0, text);
      vkm_text_clear(&part);
      vkm_term_name(&part, error->cause ? error->cause : "no cause is known", 0, false);
      vkm_junit_end_case(VKM_JUNIT_ERROR, "run", &part, text);
      vkm_text_finish(&part);
    }
  }
  vkm_text_string(text, "  </testsuite>\n");
}

static void compare(const struct vkm_comparison *comparison,
                    const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_view_settings utf8 = *settings; /* as the first line says */
  utf8.ascii = false;
  struct suite suite = {comparison, &utf8, NULL};
  size_t of[VKM_JUNIT_OUTCOMES] = {[VKM_JUNIT_ERROR] = error_count(comparison)};
  for (size_t i = 0; i < comparison->panel_count; i++) {
    count_outcomes(&suite, &comparison->panels[i], of);
  }
  vkm_text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  vkm_junit_begin_suite("<testsuites", "vkmeter compare", of, text);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    append_panel(&suite, &comparison->panels[i], text);
  }
  if (error_count(comparison) > 0) {
    append_failed_runs(&suite, text);
  }
  vkm_text_string(text, "</testsuites>\n");
}

const struct vkm_view vkm_view_junit = {
    "junit", "a test case a row; SLOWER fails, UNCLEAR is skipped (compare)", true, NULL, compare,
    NULL};
