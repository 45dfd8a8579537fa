/* The record of a run that failed: schema vkmeter.error/1, error.schema.json. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_RECORD_H
#define VKM_TOOLS_LAUNCH_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/child.h"

struct vkm_record {
  const char *run; /* its id */
  uint32_t sequence;
  char *const *command; /* ends in NULL */
  const struct vkm_child *child;
  const char *cause;     /* one line */
  const char *last_line; /* that the program wrote on stderr; NULL: not looked at */
};

/* Writes it to `path`, whole or not at all. False: reported. */
bool vkm_record_write(const struct vkm_record *record, const char *path)
    __attribute__((warn_unused_result));

/* "SIGSEGV"; NULL: it has no name. Static. */
const char *vkm_signal_name(int number);

#endif
