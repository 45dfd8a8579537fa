/* Where the time and the memory went, copied into the profile's model. In: device records, the
 * process. Part of snapshot.c's work, in a file of its own. */
#ifndef VKM_LAYER_BREAKDOWN_H
#define VKM_LAYER_BREAKDOWN_H

#include "device_record.h"

/* The record's lock is held. */
void vkm_breakdown_of_device(struct vkm_profile_device *device, struct vkm_device_record *record);
/* No lock is held. `first`: all records, by ->next, in the order of profile->devices. */
void vkm_breakdown_of_process(struct vkm_profile *profile, const struct vkm_device_record *first);

#endif
