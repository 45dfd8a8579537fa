/* Messages for people. In: a format and values. Out: one line on stderr. */
#include "message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool quiet;
static bool progress; /* a line of progress stands on the terminal */

static void put_line(char *line, size_t size, const char *format, va_list values) {
  vsnprintf(line, size, format, values);
  for (char *c = line; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    unsigned char next = (unsigned char)c[1];
    if (byte < 0x20 || byte == 0x7f) {
      *c = '?';
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) { /* controls of a terminal, too */
      *c++ = '?';
      *c = '?';
    }
  }
}

static void say(const char *prefix, const char *format, va_list values) {
  char line[2048];
  put_line(line, sizeof line, format, values);
  vkm_progress_end();
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

void vkm_progress(const char *format, ...) {
  const char *term = getenv("TERM");
  if (quiet || !isatty(STDERR_FILENO) || term == NULL || strcmp(term, "dumb") == 0) {
    return;
  }
  char line[128];
  va_list values;
  va_start(values, format);
  put_line(line, sizeof line, format, values);
  va_end(values);
  fprintf(stderr, "\r\033[K%s ", line);
  progress = true;
}

void vkm_progress_end(void) {
  if (progress) {
    fputs("\r\033[K", stderr);
  }
  progress = false;
}
