/* How the programs of a lane are started: words and variables filled in, a place of their own. Main
 * thread. */
#ifndef VKM_TOOLS_COMMANDS_SUITE_SETUP_H
#define VKM_TOOLS_COMMANDS_SUITE_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/cold.h"
#include "model/suite_file.h"

enum { VKM_SETUP_WHY_BYTES = 384 };

struct vkm_suite_setup {
  char **command, **validate; /* end in NULL; owned. validate NULL: none */
  char **names, **values;     /* of variables, of the device and then of the workload; owned */
  size_t variable_count;
  struct vkm_cold cold; /* a folder of the lane's own with caches, home, work and temporary files */
  char *work;           /* the programs' working directory; owned */
};

enum vkm_setup_result { VKM_SETUP_DONE = 0, VKM_SETUP_MISSING, VKM_SETUP_TROUBLE };

/* MISSING: something that it needs is not there, `why` says what. TROUBLE: reported. Finish is
 * needed in any case. `device` NULL: the file has none. */
enum vkm_setup_result
vkm_suite_setup_make(struct vkm_suite_setup *setup, const struct vkm_suite_file *file,
                     const struct vkm_workload *workload, const struct vkm_suite_device *device,
                     char why[VKM_SETUP_WHY_BYTES]) __attribute__((warn_unused_result));
/* Makes the folder, with empty caches. False: reported. Changes the environment. */
bool vkm_suite_setup_place(struct vkm_suite_setup *setup) __attribute__((warn_unused_result));
/* Gives this process the variables of the lane. False: reported. */
bool vkm_suite_setup_apply(const struct vkm_suite_setup *setup) __attribute__((warn_unused_result));
void vkm_suite_setup_finish(struct vkm_suite_setup *setup);

/* The variables of a device alone, and whether what it needs is there. */
enum vkm_setup_result
vkm_suite_setup_device(struct vkm_suite_setup *setup, const struct vkm_suite_file *file,
                       const struct vkm_suite_device *device, char why[VKM_SETUP_WHY_BYTES])
    __attribute__((warn_unused_result));

#endif
