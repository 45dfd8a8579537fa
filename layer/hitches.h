/* Pipelines that a thread created between two of its submissions: while it did, it submitted
 * nothing. In: creations and submissions. Out: figures for the profile, flags of pipeline records.
 * Any thread; a leaf lock, taken only by threads that have created something meanwhile. */
#ifndef VKM_LAYER_HITCHES_H
#define VKM_LAYER_HITCHES_H

#include <stdint.h>

#include "device_record.h"
#include "profile/profile.h"

/* This thread created a pipeline in so many ns. `pipeline` NULL: one that is not tracked. */
void vkm_hitch_built(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline,
                     int64_t wall_ns);
/* This thread has submitted work. */
void vkm_hitch_submitted(void);

/* Devices as numbers: of the records by ->next from `first`. */
void vkm_hitches_read(const struct vkm_device_record *first, struct vkm_profile_hitches *figures);
/* After fork, in the child. */
void vkm_hitches_forked(void);

#endif
