/* Sentences on a suite, the same for every reader. In: results. Out: text. */
#include "views/compare_words.h"
#include "views/suite.h"

#include "views/units.h"

void vkm_suite_title(const struct vkm_suite_results *results, struct vkm_text *text) {
  vkm_text_string(text, vkm_suite_mode_name(results->choice->mode));
  vkm_text_string(text, " suite");
  for (size_t i = 0; i < results->partial_count; i++) {
    vkm_text_string(text, i == 0 ? ", in part: " : "; ");
    vkm_text_string(text, results->partial_because[i]);
  }
}

static void add(struct vkm_text *text, size_t count, const char *what) {
  if (count > 0) {
    vkm_text_string(text, ", ");
    vkm_format_count(text, count);
    vkm_text_string(text, what);
  }
}

void vkm_suite_tally(const struct vkm_suite_results *results, struct vkm_text *text) {
  vkm_format_count(text, results->ok_count);
  vkm_text_string(text, " ok");
  add(text, results->error_count, " with errors");
  add(text, results->skipped_count, " skipped");
  add(text, results->planned_count, " not begun");
  add(text, results->warning_count, " with warnings");
}

static void add_line(struct vkm_text *text) {
  vkm_text_string(text, text->length_bytes > 0 ? "\n" : "");
}

static void add_change(const struct vkm_suite_change *change, struct vkm_text *text) {
  add_line(text);
  vkm_text_string(text, change->name);
  vkm_text_string(text, " ");
  vkm_text_string(text, vkm_verdict_name(change->verdict));
  if (change->has_change) {
    vkm_text_string(text, " ");
    vkm_format_change(text, change->change, false);
    vkm_text_string(text, " %");
  }
}

void vkm_suite_lane_words(const struct vkm_suite_lane *lane, struct vkm_text *text) {
  vkm_text_string(text, lane->planned.reason);
  for (size_t i = 0; i < lane->compared.change_count; i++) {
    add_change(&lane->compared.changes[i], text);
  }
  for (int of = 0; of < VKM_MEASURES; of++) {
    if (vkm_suite_measure_told(lane, (enum vkm_measure_of)of)) {
      add_line(text);
      vkm_suite_measure_words(lane, (enum vkm_measure_of)of, text);
    }
  }
  for (size_t i = 0; i < lane->planned.workload->outputs.count; i++) {
    if (vkm_suite_output_told(&lane->outputs[i])) {
      add_line(text);
      vkm_suite_output_words(&lane->outputs[i], text);
    }
  }
  if (lane->over_budget > 0) {
    add_line(text);
    vkm_format_count(text, lane->over_budget);
    vkm_text_string(text, " over budget");
  }
}
