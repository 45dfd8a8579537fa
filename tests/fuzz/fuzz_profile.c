/* In: any bytes, read as a profile. Out: nothing; a crash, a sanitizer report or an abort is a
 * fault of src/profile/profile_read* or of what the command makes of it. Refused is allowed, with a
 * reason; what is accepted is walked through. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_target.h"
#include "model/comparison.h"
#include "model/report.h"
#include "model/side.h"
#include "profile/profile_read.h"
#include "views/view.h"

size_t fuzz_accepted;

static void show_report(const struct vkm_read_profile *profile,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_report report;
  if (vkm_report_build(&report, profile, 1, 1)) {
    for (size_t i = 0; i < vkm_view_count; i++) {
      if (vkm_views[i]->report != NULL) {
        vkm_views[i]->report(&report, settings, text);
      }
    }
    vkm_report_finish(&report);
  }
}

/* Compares the profile with itself. */
static void show_comparison(struct vkm_read_profile *profile,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  char *path = "x";
  size_t run = 0;
  const struct vkm_side side = {.label = path,
                                .profiles = profile,
                                .paths = &path,
                                .runs = &run,
                                .profile_count = 1,
                                .run_count = 1};
  const struct vkm_compare_settings judge = {
      .threshold = 0.02, .floor_ns = -1, .confidence = 0.95, .warmup = 1};
  struct vkm_comparison comparison;
  if (vkm_comparison_build(&comparison, &side, &side, &judge)) {
    if (comparison.verdict_counts[VKM_VERDICT_NEW] + comparison.verdict_counts[VKM_VERDICT_GONE] +
            comparison.verdict_counts[VKM_VERDICT_LIKELY_SLOWER] +
            comparison.verdict_counts[VKM_VERDICT_LIKELY_FASTER] >
        0) {
      (void)fputs("a profile differs from itself\n", stderr);
      abort();
    }
    for (size_t i = 0; i < vkm_view_count; i++) {
      if (vkm_views[i]->compare != NULL) {
        vkm_views[i]->compare(&comparison, settings, text);
      }
    }
    vkm_comparison_finish(&comparison);
  }
}

/* Everything that the command makes of a profile; the length of it all is more than nothing. */
static void show(struct vkm_read_profile *profile) {
  struct vkm_view_settings settings = {.color = VKM_COLOR_NEVER, .width = 60};
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_info(profile, "x", &settings, &text);
  show_report(profile, &settings, &text);
  settings.explain = settings.verbose = true;
  show_comparison(profile, &settings, &text);
  if (!text.failed && text.length_bytes == 0) {
    abort();
  }
  vkm_text_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct vkm_read_profile profile;
  struct vkm_read_error error = {"", NULL};
  enum vkm_status status = vkm_profile_read_bytes((const char *)data, size, &profile, &error);
  if (status == VKM_OK) {
    show(&profile);
    vkm_profile_read_finish(&profile);
    fuzz_accepted++;
  } else if (error.cause[0] == 0 || error.remedy == NULL || status == VKM_OUT_OF_MEMORY) {
    /* Out of memory is what is said when the parser refuses what the check took. */
    (void)fputs("refused without a reason\n", stderr);
    abort();
  }
  return 0;
}
