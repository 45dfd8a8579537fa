/* A comparison as JUnit's XML. In: a judged comparison. Out: a suite a panel, a case a row. Next: a
 * CI that shows tests. */
#include "model/side.h"
#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/compare_words.h"
#include "views/sheet.h"
#include "views/tables.h"
#include "views/term.h"
#include "views/units.h"

enum outcome { PASSED = 0, FAILED, ERROR, SKIPPED, OUTCOMES };

struct suite {
  const struct vkm_comparison *comparison;
  const struct vkm_view_settings *settings;
  const char *device; /* NULL: none */
};

/* UNCLEAR is no failure: it says that nothing was found out. What vanished is none either, unless
 * somebody wants to know. */
static enum outcome outcome_of(const struct vkm_compared_row *row, const struct vkm_gate *gate) {
  switch (row->verdict) {
  case VKM_VERDICT_SLOWER:
    return FAILED;
  case VKM_VERDICT_LIKELY_SLOWER:
  case VKM_VERDICT_UNCLEAR:
    return vkm_gate_trips(gate, row) ? FAILED : SKIPPED;
  case VKM_VERDICT_GONE:
  case VKM_VERDICT_NEW:
  case VKM_VERDICT_INCOMPARABLE:
    return vkm_gate_trips(gate, row) ? ERROR : SKIPPED;
  default:
    return PASSED;
  }
}

/* Escaped; U+FFFE and U+FFFF, which XML does not know, are left out. Control characters are gone
 * already. */
static void append_escaped(const struct vkm_text *part, struct vkm_text *text) {
  for (size_t at = 0; at < part->length_bytes;) {
    const unsigned char *bytes = (const unsigned char *)part->data + at;
    if (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe) {
      at += 3;
    } else {
      vkm_html_escaped(text, part->data + at, 1);
      at++;
    }
  }
  text->failed = text->failed || part->failed;
}

static void attribute(struct vkm_text *text, const char *name, const struct vkm_text *value) {
  vkm_text_string(text, " ");
  vkm_text_string(text, name);
  vkm_text_string(text, "=\"");
  append_escaped(value, text);
  vkm_text_string(text, "\"");
}

static void attribute_name(struct vkm_text *text, const char *name, const char *value) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_term_name(&part, value, 0, false);
  attribute(text, name, &part);
  vkm_text_finish(&part);
}

static void attribute_count(struct vkm_text *text, const char *name, size_t value) {
  vkm_text_string(text, " ");
  vkm_text_string(text, name);
  vkm_text_string(text, "=\"");
  vkm_text_u64(text, value);
  vkm_text_string(text, "\"");
}

static void begin_case(const char *device, const struct vkm_text *name, double ns,
                       struct vkm_text *text) {
  vkm_text_string(text, "    <testcase");
  attribute_name(text, "classname", device != NULL ? device : "vkmeter");
  attribute(text, "name", name);
  vkm_text_string(text, " time=\"");
  vkm_format_seconds(text, ns);
  vkm_text_string(text, "\"");
}

/* Ends the case: with what it came to, if that is not a pass. */
static void end_case(enum outcome outcome, const char *type, const struct vkm_text *message,
                     struct vkm_text *text) {
  static const char *const tags[OUTCOMES] = {"system-out", "failure", "error", "skipped"};
  if (outcome == PASSED && message->length_bytes == 0) {
    vkm_text_string(text, "/>\n");
    return;
  }
  vkm_text_string(text, ">\n      <");
  vkm_text_string(text, tags[outcome]);
  if (outcome != PASSED) {
    attribute(text, "message", message);
  }
  if (outcome == FAILED || outcome == ERROR) {
    attribute_name(text, "type", type);
  }
  if (outcome == PASSED) {
    vkm_text_string(text, ">");
    append_escaped(message, text);
    vkm_text_string(text, "</system-out>\n    </testcase>\n");
  } else {
    vkm_text_string(text, "/>\n    </testcase>\n");
  }
}

static void append_row(const struct suite *suite, const struct vkm_compared_row *row,
                       struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_compare_heading_name(row, suite->settings, &part);
  begin_case(row->device != NULL ? row->device : suite->device, &part,
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
  end_case(outcome_of(row, &suite->comparison->gate), vkm_verdict_name(row->verdict), &part, text);
  vkm_text_finish(&part);
}

/* Code-identical rows that moved, and environments that cannot be compared, are cases of their
 * own: no row can show them. */
static void append_environment(const struct suite *suite, const struct vkm_panel *panel,
                               struct vkm_text *text) {
  unsigned requested = suite->comparison->gate.requested;
  unsigned gate = panel->comparable ? VKM_GATE_ENVIRONMENT : VKM_GATE_INCOMPARABLE;
  bool bad = !panel->comparable || panel->drifted;
  enum outcome outcome = PASSED;
  if (bad) {
    outcome = (requested & 1U << gate) != 0 ? ERROR : SKIPPED;
  }
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_text_string(&part, "environment");
  begin_case(suite->device, &part, 0, text);
  vkm_text_clear(&part);
  if (panel->comparable) {
    vkm_compare_heading_controls(panel, suite->settings, &part);
  } else if (panel->incomparable_because != NULL) {
    vkm_term_name(&part, panel->incomparable_because, 0, false);
  }
  end_case(outcome, panel->comparable ? "environment" : "incomparable", &part, text);
  vkm_text_finish(&part);
}

static void count_outcomes(const struct suite *suite, const struct vkm_panel *panel, size_t *of) {
  unsigned requested = suite->comparison->gate.requested;
  unsigned gate = panel->comparable ? VKM_GATE_ENVIRONMENT : VKM_GATE_INCOMPARABLE;
  for (size_t i = 0; i < panel->row_count; i++) {
    of[outcome_of(&panel->rows[i], &suite->comparison->gate)]++;
  }
  if (panel->comparable && !panel->drifted) {
    of[PASSED]++;
  } else {
    of[(requested & 1U << gate) != 0 ? ERROR : SKIPPED]++;
  }
}

static void begin_suite(const char *tag, const char *name, const size_t *of,
                        struct vkm_text *text) {
  vkm_text_string(text, tag);
  attribute_name(text, "name", name);
  attribute_count(text, "tests", of[PASSED] + of[FAILED] + of[ERROR] + of[SKIPPED]);
  attribute_count(text, "failures", of[FAILED]);
  attribute_count(text, "errors", of[ERROR]);
  attribute_count(text, "skipped", of[SKIPPED]);
  vkm_text_string(text, ">\n");
}

static void append_panel(struct suite *suite, const struct vkm_panel *panel,
                         struct vkm_text *text) {
  size_t of[OUTCOMES] = {0};
  suite->device = vkm_compare_device(panel);
  count_outcomes(suite, panel, of);
  begin_suite("  <testsuite", suite->device != NULL ? suite->device : "no device", of, text);
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
  size_t of[OUTCOMES] = {[ERROR] = error_count(suite->comparison)};
  suite->device = NULL;
  begin_suite("  <testsuite", "runs", of, text);
  for (int which = 0; which < VKM_SIDES; which++) {
    const struct vkm_side *side = suite->comparison->sides[which];
    for (size_t i = 0; i < side->error_count; i++) {
      const struct vkm_run_error *error = &side->errors[i];
      struct vkm_text part;
      vkm_text_init(&part, SIZE_MAX);
      vkm_text_string(&part, which == VKM_BASE ? "base: " : "new: ");
      vkm_term_name(&part, error->path ? error->path : "run", 0, false);
      begin_case(suite->device, &part, 0, text);
      vkm_text_clear(&part);
      vkm_term_name(&part, error->cause ? error->cause : "no cause is known", 0, false);
      end_case(ERROR, "run", &part, text);
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
  size_t of[OUTCOMES] = {[ERROR] = error_count(comparison)};
  for (size_t i = 0; i < comparison->panel_count; i++) {
    count_outcomes(&suite, &comparison->panels[i], of);
  }
  vkm_text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  begin_suite("<testsuites", "vkmeter compare", of, text);
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
