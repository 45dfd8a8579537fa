/* A suite as annotations of GitHub Actions. In: results. Out: workflow commands. Next: stdout. */
#include "views/github.h"
#include "views/suite.h"

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
  if (failed) {
    about(lane, "Workload failed", &title);
  } else if (lane->compared.verdict == VKM_SUITE_WARNING) {
    about(lane, "Performance regression", &title);
  } else if (lane->outputs_changed > 0) {
    about(lane, "Output changed", &title);
  } else if (lane->over_budget > 0) {
    about(lane, "Budget exceeded", &title);
  }
  vkm_suite_lane_words(lane, &message);
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
