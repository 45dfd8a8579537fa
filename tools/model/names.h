/* Names of shaders for people, unique within a section. Main thread. */
#ifndef VKM_TOOLS_MODEL_NAMES_H
#define VKM_TOOLS_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_kernel_ref;

struct vkm_shader_name {
  const char *identity; /* borrowed; "" where no pipeline was bound */
  const char *name;     /* borrowed */
  size_t digits;        /* of the identity, needed to tell it from others of that name; 0: none */
};
struct vkm_names {
  struct vkm_shader_name *items; /* ascending by identity; owned */
  size_t count;
};

/* The name that a kernel has by itself; borrowed, static for a kernel without a pipeline. Returns
 * 3: that of its pipeline, 2: of its module, 1: its entry point, 0: nothing better than that there
 * is one. */
int vkm_name_rank(const struct vkm_kernel_ref *ref, const char **name);

/* Takes the names of the shaders in refs (sorted by identity): the debug name of the pipeline, else
 * of its module, else the entry point. False: out of memory. */
bool vkm_names_init(struct vkm_names *names, const struct vkm_kernel_ref *refs, size_t count)
    __attribute__((warn_unused_result));
void vkm_names_finish(struct vkm_names *names);

/* The name of a shader that was among the refs; NULL: out of memory. To be freed. `identity` NULL:
 * no pipeline. */
char *vkm_names_of(const struct vkm_names *names, const char *identity)
    __attribute__((warn_unused_result));

#endif
