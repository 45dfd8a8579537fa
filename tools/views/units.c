/* Numbers as text. In: numbers in ns, counts, fractions. Out: text. Next: columns and the views. */
#include "views/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
  double size; /* in ns or bytes */
  const char *name, *ascii;
} UNITS[] = {
    [VKM_UNIT_AUTO] = {1, "ns", "ns"},
    [VKM_UNIT_NS] = {1, "ns", "ns"},
    [VKM_UNIT_US] = {1e3, "µs", "us"},
    [VKM_UNIT_MS] = {1e6, "ms", "ms"},
    [VKM_UNIT_S] = {1e9, "s", "s"},
    [VKM_UNIT_B] = {1, "B", "B"},
    [VKM_UNIT_KIB] = {1024, "KiB", "KiB"},
    [VKM_UNIT_MIB] = {1048576, "MiB", "MiB"},
    [VKM_UNIT_GIB] = {1073741824, "GiB", "GiB"},
};

enum vkm_unit vkm_unit_for(double largest_ns) {
  enum vkm_unit unit = VKM_UNIT_S;
  while (unit > VKM_UNIT_NS && largest_ns < 10 * UNITS[unit].size) {
    unit--;
  }
  return unit;
}

enum vkm_unit vkm_bytes_unit_for(double largest_bytes) {
  enum vkm_unit unit = VKM_UNIT_GIB;
  while (unit > VKM_UNIT_B && largest_bytes < 10 * UNITS[unit].size) {
    unit--;
  }
  return unit;
}

const char *vkm_unit_name(enum vkm_unit unit, bool ascii) {
  return ascii ? UNITS[unit].ascii : UNITS[unit].name;
}

/* Puts a comma before each three digits of the whole part. */
static void append_grouped(struct vkm_text *text, const char *number) {
  if (*number == '-') {
    vkm_text_append(text, number++, 1);
  }
  size_t digits = strspn(number, "0123456789");
  for (size_t i = 0; i < digits; i++) {
    if (i > 0 && (digits - i) % 3 == 0) {
      vkm_text_append(text, ",", 1);
    }
    vkm_text_append(text, number + i, 1);
  }
  vkm_text_string(text, number + digits);
}

void vkm_format_count(struct vkm_text *text, uint64_t count) {
  char number[32];
  snprintf(number, sizeof number, "%" PRIu64, count);
  append_grouped(text, number);
}

static void append_fixed(struct vkm_text *text, double value, int decimals) {
  char number[400]; /* the largest double has 309 digits */
  snprintf(number, sizeof number, "%.*f", decimals, value);
  append_grouped(text, number);
}

static int decimals_for(double size) {
  if (size >= 10) {
    return 1;
  }
  return size >= 1 ? 2 : 3;
}

void vkm_format_time(struct vkm_text *text, double ns, enum vkm_unit unit) {
  double value = ns / UNITS[unit].size;
  if (value == 0) {
    vkm_text_string(text, "0");
  } else if (UNITS[unit].size == 1) {
    append_fixed(text, value, ns == floor(ns) ? 0 : 1);
  } else if (fabs(value) < 0.001) {
    vkm_text_string(text, value > 0 ? "<0.001" : ">-0.001");
  } else {
    append_fixed(text, value, decimals_for(fabs(value)));
  }
}

void vkm_format_duration(struct vkm_text *text, double ns, bool ascii) {
  enum vkm_unit unit = VKM_UNIT_S;
  while (unit > VKM_UNIT_NS && fabs(ns) < UNITS[unit].size) {
    unit--;
  }
  vkm_format_time(text, ns, unit);
  vkm_text_string(text, " ");
  vkm_text_string(text, vkm_unit_name(unit, ascii));
}

void vkm_format_seconds(struct vkm_text *text, double ns) {
  const uint64_t second = 1000000000;
  uint64_t whole = ns > 0 && ns < 1e18 ? (uint64_t)(ns + 0.5) : 0;
  char number[48];
  snprintf(number, sizeof number, "%" PRIu64 ".%09" PRIu64, whole / second, whole % second);
  vkm_text_string(text, number);
}

void vkm_format_level(struct vkm_text *text, double fraction) {
  char number[32];
  snprintf(number, sizeof number, "%.6g %%", 100 * fraction);
  vkm_text_string(text, number);
}

void vkm_format_figure(struct vkm_text *text, double value) {
  char number[32];
  snprintf(number, sizeof number, "%.4g", value);
  vkm_text_string(text, number);
}

size_t vkm_place_on(double value, double least, double most, size_t columns) {
  double place = most > least ? (value - least) / (most - least) * (double)(columns - 1) : 0;
  return place > 0 ? (size_t)fmin(place + 0.5, (double)(columns - 1)) : 0;
}

void vkm_format_percent(struct vkm_text *text, double fraction) {
  if (fraction > 0 && fraction < 0.0005) {
    vkm_text_string(text, "<0.1");
  } else {
    append_fixed(text, 100 * fraction, 1);
  }
}

static void append_sign(struct vkm_text *text, double value, bool ascii) {
  if (value > 0) {
    vkm_text_string(text, "+");
  } else if (value < 0) {
    vkm_text_string(text, ascii ? "-" : "−");
  }
}

void vkm_format_change(struct vkm_text *text, double fraction, bool ascii) {
  double percent = round(1000 * fraction) / 10; /* what reads as 0 has no sign */
  append_sign(text, percent, ascii);
  append_fixed(text, fabs(percent), 1);
}

void vkm_format_impact(struct vkm_text *text, double ns, enum vkm_unit unit, bool ascii) {
  append_sign(text, ns, ascii);
  vkm_format_time(text, fabs(ns), unit);
}

void vkm_format_number(struct vkm_text *text, double value) {
  append_fixed(text, value, value == floor(value) ? 0 : decimals_for(fabs(value)));
}

void vkm_format_ratio(struct vkm_text *text, double value) {
  append_fixed(text, value, 3);
}

void vkm_format_exact(struct vkm_text *text, double value) {
  const double largest = 9007199254740992.0; /* beyond it a double holds no single digits */
  if (value == floor(value) && fabs(value) < largest) {
    vkm_text_i64(text, (int64_t)value);
  } else {
    vkm_text_double(text, value);
  }
}

void vkm_format_date(struct vkm_text *text, int64_t unix_ns) {
  char words[64] = "unknown";
  time_t seconds = (time_t)(unix_ns / 1000000000);
  struct tm parts;
  if (gmtime_r(&seconds, &parts) != NULL) {
    strftime(words, sizeof words, "%Y-%m-%d %H:%M:%S UTC", &parts);
  }
  vkm_text_string(text, words);
}

void vkm_format_bytes(struct vkm_text *text, uint64_t bytes) {
  static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  size_t step = 0;
  while (value >= 1024 && step < 4) {
    value /= 1024;
    step++;
  }
  append_fixed(text, value, step > 0);
  vkm_text_string(text, " ");
  vkm_text_string(text, names[step]);
}

void vkm_format_bar(struct vkm_text *text, double fraction, int columns, bool ascii) {
  static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  int eighths = (int)lround(8 * columns * fmax(0, fmin(fraction, 1)));
  eighths = eighths == 0 ? 1 : eighths;
  for (; eighths >= 8; eighths -= 8) {
    vkm_text_string(text, ascii ? "#" : "█");
  }
  if (ascii) {
    vkm_text_string(text, eighths > 0 ? "-" : "");
  } else {
    vkm_text_string(text, parts[eighths]);
  }
}

bool vkm_parse_quantity(const char *text, double *out) {
  char *end = NULL;
  if (!isdigit((unsigned char)*text) && *text != '.' && *text != '-') {
    return false;
  }
  *out = strtod(text, &end);
  if (end == text || !isfinite(*out)) {
    return false;
  }
  end += strspn(end, " ");
  if (strcmp(end, "%") == 0) {
    *out /= 100;
    return true;
  }
  for (enum vkm_unit unit = VKM_UNIT_NS; unit <= VKM_UNIT_GIB && *end; unit++) {
    if (strcmp(end, UNITS[unit].name) == 0 || strcmp(end, UNITS[unit].ascii) == 0) {
      *out *= UNITS[unit].size;
      return true;
    }
  }
  return !*end;
}
