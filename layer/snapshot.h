/* Copies everything known into the profile's model. In: device records. Next room: src/profile. */
#ifndef VKM_LAYER_SNAPSHOT_H
#define VKM_LAYER_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "output.h"
#include "profile/profile.h"

struct vkm_device_record;

struct vkm_snapshot_request {
  const struct vkm_session_facts *facts;
  const struct vkm_settings *settings;
  const char *run;                       /* id; set by output.c */
  struct vkm_device_record *first;       /* by ->next */
  uint64_t dropped;                      /* devices beyond the cap */
  const struct vkm_named_count *unknown; /* commands asked for that we do not know */
  size_t unknown_count;
  const char *end_reason;
  bool complete;
  bool last; /* no other writing will follow: what goes wrong now stays wrong */
};

/* Replaces the file at `path` by the document, as vkm_profile_write does. Takes each device's locks
 * for as long as its results are copied, none while it writes. */
VKM_MUST_CHECK enum vkm_status vkm_snapshot_write(const struct vkm_snapshot_request *request,
                                                  const char *path);

#endif
