/* See fuzz_settings_check.h. The linker gives us the layer's calls of vkm_strdup and vkm_free
 * (--wrap). */
#include "fuzz_settings_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz_target.h"

char *__real_vkm_strdup(const char *text); /* NOLINT: names that --wrap makes */
char *__wrap_vkm_strdup(const char *text); /* NOLINT */
void __real_vkm_free(void *memory);        /* NOLINT */
void __wrap_vkm_free(void *memory);        /* NOLINT */

size_t fuzz_accepted;
static char **kept;
static size_t kept_count, kept_capacity;

static void check(bool holds) {
  if (!holds) {
    abort();
  }
}

char *__wrap_vkm_strdup(const char *text) { /* NOLINT */
  char *copy = __real_vkm_strdup(text);
  if (copy == NULL) {
    return NULL;
  }
  if (kept_count == kept_capacity) {
    kept_capacity = kept_capacity == 0 ? 1024 : 2 * kept_capacity;
    char **larger = realloc(kept, kept_capacity * sizeof *kept);
    check(larger != NULL);
    kept = larger;
  }
  kept[kept_count++] = copy;
  return copy;
}

/* A text that the layer frees itself is not kept any more. */
void __wrap_vkm_free(void *memory) { /* NOLINT */
  size_t at = kept_count;
  while (at > 0 && kept[at - 1] != memory) {
    at--;
  }
  if (at > 0) {
    kept[at - 1] = kept[--kept_count];
  }
  __real_vkm_free(memory);
}

void fuzz_settings_release(void) {
  while (kept_count > 0) {
    __real_vkm_free(kept[--kept_count]);
  }
}

void fuzz_settings_check(const struct vkm_settings *settings) {
  size_t length = 0; /* of every text: a sanitizer sees where one does not end */
  check(settings->output != NULL && settings->output[0] != '\0' && settings->run != NULL);
  check(settings->samples >= 1 && settings->samples <= 1000000);
  check(settings->query_cap >= 256 && settings->query_cap <= 1048576);
  check(settings->in_force_count == VKM_SETTING_COUNT);
  for (size_t i = 0; i < settings->in_force_count; i++) {
    length += strlen(settings->in_force[i].name) + strlen(settings->in_force[i].value);
  }
  check(settings->capture.submissions.first <= settings->capture.submissions.last);
  check(settings->capture.time_ns.first < settings->capture.time_ns.last);
  length += strlen(settings->process) + strlen(settings->capture.label) +
            strlen(settings->capture.kernel) + strlen(settings->capture.trigger);
  check(settings->tag_count <= VKM_TAG_CAP);
  for (size_t i = 0; i < settings->tag_count; i++) {
    check(settings->tags[i].name[0] != '\0');
    length += strlen(settings->tags[i].name) + strlen(settings->tags[i].value);
  }
  check(settings->rejected_count <= VKM_REJECTED_CAP);
  for (size_t i = 0; i < settings->rejected_count; i++) {
    length += strlen(settings->rejected[i].name) + strlen(settings->rejected[i].value);
    check(settings->rejected[i].accepted[0] != '\0');
  }
  check(length > 0);
  fuzz_accepted += settings->rejected_count == 0;
}
