/* The door of the probe. In: what to look at. Out: facts on stdout. Next: instance, devices,
 * selftest. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

void probe_say(const char *key, const char *format, ...) {
  va_list values;
  va_start(values, format);
  printf("%s\t", key);
  vprintf(format, values);
  va_end(values);
  putchar('\n');
  fflush(stdout); /* a crash takes nothing back */
}

bool probe_good(VkResult result, const char *name) {
  if (result < 0) {
    probe_say("failed", "%s\t%d", name, (int)result);
  }
  return result >= 0;
}

/* vkmeter-probe instance | devices | selftest INDEX */
int main(int argc, char **argv) {
  struct probe probe = {0};
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "instance") != 0 && strcmp(what, "devices") != 0 &&
      strcmp(what, "selftest") != 0) {
    fputs("vkmeter-probe is a part of vkmeter doctor; run that\n", stderr);
    return 2;
  }
  if (!probe_open_loader(&probe)) {
    return 1;
  }
  bool opened = probe_open_instance(&probe);
  if (opened && strcmp(what, "devices") == 0) {
    probe_devices(&probe);
  } else if (opened && strcmp(what, "selftest") == 0) {
    probe_selftest(&probe, argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0);
  }
  probe_close(&probe);
  probe_say("end", "%s", what);
  return 0;
}
