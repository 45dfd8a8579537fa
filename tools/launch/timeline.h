/* Where the layer writes the timeline of the program that is started next. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_TIMELINE_H
#define VKM_TOOLS_LAUNCH_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct vkm_args;

/* Puts what --trace and --trace-style say into this process's environment; without them nothing.
 * `numbered`: the program is run `number` of a series. False: reported. */
bool vkm_timeline_ask(const struct vkm_args *args, bool numbered, uint32_t number)
    __attribute__((warn_unused_result));

#endif
