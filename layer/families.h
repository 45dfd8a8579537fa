/* What kernels are for. In: pipeline records when they are made or named, the user's rules. Out:
 * the family and the phase that the record says. Never while recording. Next room: src/kernel. */
#ifndef VKM_LAYER_FAMILIES_H
#define VKM_LAYER_FAMILIES_H

#include "kernel/rules.h"

struct vkm_pipeline_record;

/* Reads the user's rules; a file that cannot be read, or no memory for it, is among their faults.
 * `path` is borrowed for good. Once a process, before any device. */
void vkm_families_start(const char *path);
/* NULL: none were given. Not changed after start. */
const struct vkm_rules *vkm_families_rules(void);
/* The record is of this thread alone, or its device's lock is held. Needs no memory. */
void vkm_families_classify(struct vkm_pipeline_record *pipeline);

#endif
