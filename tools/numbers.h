/* Numbers with units on the command line. Strict: digits with at most one point, then the unit, and
 * nothing else. Pure; each leaves `out` alone when it returns false. */
#ifndef VKM_TOOLS_NUMBERS_H
#define VKM_TOOLS_NUMBERS_H

#include <stdbool.h>

/* "2%" gives 0.02. */
bool vkm_parse_percent(const char *text, double *out);
/* "0.95" or "95%" gives 0.95. */
bool vkm_parse_fraction(const char *text, double *out);
/* "1us", "2.5ms": ns, us (also with the micro sign), ms or s; gives ns. */
bool vkm_parse_duration(const char *text, double *out_ns);

#endif
