/* What was seen of a good run from outside: schema vkmeter.sample/1, sample.schema.json. Main
 * thread. */
#ifndef VKM_TOOLS_LAUNCH_SAMPLE_RECORD_H
#define VKM_TOOLS_LAUNCH_SAMPLE_RECORD_H

#include <stdbool.h>

#include "model/sample.h"

struct vkm_sample_record {
  const char *run; /* its id */
  const struct vkm_sample *sample;
  const char *const *outputs; /* names of the sample's, NULL behind them; NULL: none */
  const int *decimals;        /* to which numbers of each were rounded; -1: it is as it is */
};

/* Writes it to `path`, whole or not at all, in one line. False: reported. */
bool vkm_sample_record_write(const struct vkm_sample_record *record, const char *path)
    __attribute__((warn_unused_result));

#endif
