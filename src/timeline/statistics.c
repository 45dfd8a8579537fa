/* Looks names up in statistics.def. */
#include "timeline/statistics.h"

#include <stddef.h>
#include <strings.h>

static const struct {
  const char *driver, *viewer;
} names[] = {
#define VKM_STATISTIC(driver, viewer) {driver, viewer},
#include "timeline/statistics.def"
#undef VKM_STATISTIC
};

const char *vkm_statistic_viewed(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcasecmp(names[i].driver, name) == 0) { /* "LDS Size" was "LDS size" once */
      return names[i].viewer;
    }
  }
  return NULL;
}
