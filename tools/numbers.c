/* Numbers with units. In: a word of the command line. Out: a number. Next: the options. */
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

/* The unit behind the number, NULL when there is none. strtod alone takes too much: signs, hex,
 * infinity. */
static const char *number(const char *text, double *out) {
  size_t whole = strspn(text, "0123456789");
  const char *end = text + whole;
  size_t digits = whole;
  if (*end == '.') {
    size_t after = strspn(end + 1, "0123456789");
    digits = after > 0 ? whole + after : 0;
    end += 1 + after;
  }
  if (digits == 0 || digits > 18) {
    return NULL;
  }
  *out = strtod(text, NULL);
  return end;
}

bool vkm_parse_percent(const char *text, double *out) {
  double value = 0;
  const char *unit = number(text, &value);
  if (unit == NULL || strcmp(unit, "%") != 0) {
    return false;
  }
  *out = value / 100;
  return true;
}

bool vkm_parse_fraction(const char *text, double *out) {
  double value = 0;
  const char *unit = number(text, &value);
  if (unit == NULL || (*unit && strcmp(unit, "%") != 0)) {
    return false;
  }
  *out = *unit ? value / 100 : value;
  return true;
}

bool vkm_parse_duration(const char *text, double *out_ns) {
  static const struct {
    const char *name;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  double value = 0;
  const char *unit = number(text, &value);
  for (size_t i = 0; unit != NULL && i < sizeof units / sizeof units[0]; i++) {
    if (strcmp(unit, units[i].name) == 0) {
      *out_ns = value * units[i].ns;
      return true;
    }
  }
  return false;
}
