// Rules of Vulkan that somebody above the driver broke.
//
// In: a sentence from any room. Out: the list for the test. A leaf: no other lock is taken here.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VIOLATIONS = 1024, SENTENCE_BYTES = 256 };

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static char *list[MAX_VIOLATIONS];
static uint32_t list_count;

void fake_violate(const char *format, ...) {
  char *sentence = malloc(SENTENCE_BYTES);
  if (sentence == NULL) {
    abort();
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, SENTENCE_BYTES, format, arguments);
  va_end(arguments);
  if (getenv("FAKE_DRIVER_PRINT") != NULL) {
    fprintf(stderr, "fake driver: %s\n", sentence);
  }
  pthread_mutex_lock(&list_mutex);
  if (list_count < MAX_VIOLATIONS) {
    list[list_count++] = sentence;
    sentence = NULL;
  }
  pthread_mutex_unlock(&list_mutex);
  free(sentence);
}

uint32_t fake_violation_count(void) {
  pthread_mutex_lock(&list_mutex);
  uint32_t count = list_count;
  pthread_mutex_unlock(&list_mutex);
  return count;
}

const char *fake_violation(uint32_t index) {
  pthread_mutex_lock(&list_mutex);
  const char *sentence = index < list_count ? list[index] : NULL;
  pthread_mutex_unlock(&list_mutex);
  return sentence;
}

bool fake_has_violation(const char *part) {
  bool found = false;
  pthread_mutex_lock(&list_mutex);
  for (uint32_t i = 0; i < list_count; i++) {
    found = found || strstr(list[i], part) != NULL;
  }
  pthread_mutex_unlock(&list_mutex);
  return found;
}

void fake_violations_reset(void) {
  pthread_mutex_lock(&list_mutex);
  for (uint32_t i = 0; i < list_count; i++) {
    free(list[i]);
  }
  list_count = 0;
  pthread_mutex_unlock(&list_mutex);
}

void fake_clear_violations(void) {
  fake_violations_reset();
}
