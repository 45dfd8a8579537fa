/* Messages for people. In: a format and values. Out: one line on stderr. */
#include "message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool quiet;

static void say(const char *prefix, const char *format, va_list values) {
  char line[2048];
  vsnprintf(line, sizeof line, format, values);
  for (char *c = line; *c; c++) {
    if ((unsigned char)*c < 0x20 || *c == 0x7f) {
      *c = '?';
    }
  }
  fprintf(stderr, "vkmeter: %s%s\n", prefix, line);
}

void vkm_error(const char *format, ...) {
  va_list values;
  va_start(values, format);
  say("", format, values);
  va_end(values);
}

void vkm_warning(const char *format, ...) {
  va_list values;
  va_start(values, format);
  say("warning: ", format, values);
  va_end(values);
}

void vkm_note(const char *format, ...) {
  if (quiet) {
    return;
  }
  va_list values;
  va_start(values, format);
  say("note: ", format, values);
  va_end(values);
}

void vkm_message_quiet(void) {
  quiet = true;
}
