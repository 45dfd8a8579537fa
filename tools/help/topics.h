/* What `vkmeter help` explains beside commands and options. Main thread. */
#ifndef VKM_TOOLS_HELP_TOPICS_H
#define VKM_TOOLS_HELP_TOPICS_H

#include <stddef.h>
#include <stdio.h>

struct vkm_topic {
  const char *name;
  const char *title;
  void (*print)(FILE *to); /* whole lines of at most 100 bytes; those that begin with a blank are
                              laid out and stay as they are */
};

extern const struct vkm_topic vkm_topics[];
extern const size_t vkm_topic_count;

#endif
