/* Sentences on a suite, the same for every reader. In: results. Out: text. */
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
