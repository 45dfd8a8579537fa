/* Where a file of this process goes. In: a pattern with placeholders, facts of the process. Out: an
 * absolute path that no other living process of ours, and no process of the same run, has. One
 * thread at a time. */
#ifndef VKM_LAYER_PLACE_H
#define VKM_LAYER_PLACE_H

#include <stdbool.h>

struct vkm_session_facts;

struct vkm_place {
  char *path;   /* absolute, placeholders resolved; owned; NULL: could not be kept */
  bool claimed; /* the path is decided for good */
};

/* Resolves the path now: the program may change its directory later. `pattern` NULL: it is not
 * known where. What was in `place` is forgotten. */
void vkm_place_start(struct vkm_place *place, const char *pattern,
                     const struct vkm_session_facts *facts);
/* Decides: where another process has the path, the process id is added. `run`: id that the file of
 * another process of this run has in its first bytes; NULL: there is no other. */
void vkm_place_claim(struct vkm_place *place, const struct vkm_session_facts *facts,
                     const char *run);

#endif
