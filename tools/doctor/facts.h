/* What the probe (tools/probe) says. In: arguments and changes of its environment. Out: facts, and
 * how it ended: a driver may have crashed or hung it. Main thread. */
#ifndef VKM_TOOLS_DOCTOR_FACTS_H
#define VKM_TOOLS_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stddef.h>

enum { VKM_FACT_VALUES = 6 };

struct vkm_fact {
  const char *key;
  const char *values[VKM_FACT_VALUES]; /* never NULL; those that are not there are "" */
};

struct vkm_facts {
  struct vkm_fact *items; /* owned, as the text that they point into */
  size_t count;
  char *text;
  bool ended;          /* it came to its own end */
  char end[160];       /* how it ended otherwise, and at which step */
  char complaint[256]; /* the last line that it, or a driver in it, wrote on stderr; or empty */
};

struct vkm_variable {
  const char *name, *value; /* NULL: taken away */
};

/* Runs the probe for at most `limit_s` seconds. False: it cannot be started, reported; finish is
 * not needed then. */
bool vkm_facts_gather(struct vkm_facts *facts, const char *const *arguments,
                      const struct vkm_variable *changes, size_t change_count, int limit_s)
    __attribute__((warn_unused_result));
void vkm_facts_finish(struct vkm_facts *facts);

/* The fact number `at` of this key, NULL when there are fewer. */
const struct vkm_fact *vkm_facts_find(const struct vkm_facts *facts, const char *key, size_t at);

#endif
