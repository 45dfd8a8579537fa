/* Talk about the files of a side. In: a side. Out: warnings and errors on stderr. */
#include "commands/sides.h"

#include <inttypes.h>

#include "message.h"
#include "model/side.h"

void vkm_side_warn(const struct vkm_side *side) {
  for (size_t i = 0; i < side->profile_count; i++) {
    const struct vkm_read_profile *profile = &side->profiles[i];
    if (!profile->complete) {
      vkm_warning("'%s' is not complete (%s): the program was killed, or runs still",
                  side->paths[i], profile->end_reason ? profile->end_reason : "no reason given");
    }
    if (profile->beyond_rows.executed > 0) {
      vkm_warning("'%s': %" PRIu64 " dispatches are in no row: there were more different ones than "
                  "the layer keeps",
                  side->paths[i], profile->beyond_rows.executed);
    }
  }
}

void vkm_side_name_errors(const struct vkm_side *side) {
  for (size_t i = 0; i < side->error_count; i++) {
    const struct vkm_run_error *error = &side->errors[i];
    vkm_error("'%s': a run of %s failed: %s (%s); it is in no figure, record it again", error->path,
              side->label, error->cause, *error->command ? error->command : "command not known");
  }
}
