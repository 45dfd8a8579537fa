/* In: any bytes, read as a profile. Out: nothing; a crash, a sanitizer report or an abort is a
 * fault of src/profile/profile_read* or of what the command makes of it. Refused is allowed, with a
 * reason; what is accepted is walked through. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_target.h"
#include "model/report.h"
#include "profile/profile_read.h"
#include "views/view.h"

size_t fuzz_accepted;

/* Everything that the command makes of a profile; the length of it all is more than nothing. */
static void show(const struct vkm_read_profile *profile) {
  struct vkm_view_settings settings = {.color = VKM_COLOR_NEVER, .width = 60};
  struct vkm_report report;
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_info(profile, "x", &settings, &text);
  if (vkm_report_build(&report, profile, 1, 1)) {
    for (size_t i = 0; i < vkm_view_count; i++) {
      vkm_views[i]->report(&report, &settings, &text);
    }
    vkm_report_finish(&report);
  }
  if (!text.failed && text.length_bytes == 0) {
    abort();
  }
  vkm_text_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct vkm_read_profile profile;
  struct vkm_read_error error = {"", NULL};
  if (vkm_profile_read_bytes((const char *)data, size, &profile, &error) == VKM_OK) {
    show(&profile);
    vkm_profile_read_finish(&profile);
    fuzz_accepted++;
  } else if (error.cause[0] == 0 || error.remedy == NULL) {
    (void)fputs("refused without a reason\n", stderr);
    abort();
  }
  return 0;
}
