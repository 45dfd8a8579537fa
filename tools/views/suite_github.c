/* A suite as annotations of GitHub Actions. In: results. Out: workflow commands. Next: stdout. */
#include "views/compare_words.h"
#include "views/github.h"
#include "views/suite.h"
#include "views/units.h"

static void about(const struct vkm_suite_lane *lane, const char *what, struct vkm_text *title) {
  vkm_text_string(title, what);
  vkm_text_string(title, ": ");
  vkm_text_string(title, lane->planned.workload->name);
}

static bool annotate(const struct vkm_suite_lane *lane, struct vkm_text *text) {
  struct vkm_text title;
  struct vkm_text message;
  vkm_text_init(&title, SIZE_MAX);
  vkm_text_init(&message, SIZE_MAX);
  bool failed = lane->planned.status == VKM_SUITE_ERROR;
  bool slower = lane->compared.verdict == VKM_SUITE_WARNING;
  if (failed) {
    about(lane, "Workload failed", &title);
    vkm_text_string(&message, lane->planned.reason);
  } else if (slower) {
    about(lane, "Performance regression", &title);
    for (size_t i = 0; i < lane->compared.change_count; i++) {
      const struct vkm_suite_change *change = &lane->compared.changes[i];
      vkm_text_string(&message, i > 0 ? "\n" : "");
      vkm_text_string(&message, change->name);
      vkm_text_string(&message, " ");
      vkm_text_string(&message, vkm_verdict_name(change->verdict));
      if (change->has_change) {
        vkm_text_string(&message, " ");
        vkm_format_change(&message, change->change, false);
        vkm_text_string(&message, " %");
      }
    }
  } else if (lane->over_budget > 0) {
    about(lane, "Budget exceeded", &title);
    vkm_format_count(&message, lane->over_budget);
    vkm_text_string(&message, " over its limit, see summary.md");
  }
  bool some = title.length_bytes > 0;
  if (some) {
    vkm_github_command(failed ? "error" : "warning", &title, &message, text);
  }
  vkm_text_finish(&title);
  vkm_text_finish(&message);
  return some;
}

void vkm_view_suite_github(const struct vkm_suite_results *results, struct vkm_text *text) {
  size_t count = 0;
  for (size_t i = 0; i < results->lane_count && count < VKM_GITHUB_MOST; i++) {
    count += annotate(&results->lanes[i], text);
  }
}
