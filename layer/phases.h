/* The phases of a device: paths of labels. In: labels as they are opened, frames. Out: an index for
 * each path, which never changes. Label hooks are on the recording path: a label that was seen
 * before is found without a lock and without memory. */
#ifndef VKM_LAYER_PHASES_H
#define VKM_LAYER_PHASES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

enum {
  VKM_PHASE_CAP = 4096,
  VKM_PHASE_SLOTS = 2 * VKM_PHASE_CAP,
  VKM_LABEL_CAP = 64, /* bytes kept of one label */
  VKM_PATH_CAP = 256, /* bytes of a path */
};
/* Set in a queue's phase that is a frame: it holds only where no label is open. */
#define VKM_PHASE_FRAME UINT32_C(0x80000000)

/* One name below one phase. Two of them may stand for one path: "a/b", and "b" below "a". */
struct vkm_phase {
  uint32_t hash, outer, index;
  char name[]; /* as it is compared: digits collapsed, cut */
};

struct vkm_phase_table {
  _Atomic(struct vkm_phase *) slots[VKM_PHASE_SLOTS]; /* open addressing; added under the lock */
};

struct vkm_phases {
  /* Made with the first label: most devices never have one. Owned; NULL before. */
  _Atomic(struct vkm_phase_table *) table;
  bool keep_digits; /* else runs of digits become '#' */
  /* Guarded by the record's lock. */
  char **paths; /* owned, none is NULL; see VKM_PHASE_* for the first two */
  uint32_t count, capacity;
  uint32_t name_count; /* of the slots that are taken */
  bool sealed;         /* nothing is added: what is not there is VKM_PHASE_OTHER */
  struct vkm_profile_other_labels other; /* what went there */
};

struct vkm_device_record;

/* False: memory is short. */
bool vkm_phases_init(struct vkm_phases *phases, bool keep_digits);
void vkm_phases_finish(struct vkm_phases *phases);

/* The index of the label path "outer/name", found or made; VKM_PHASE_OTHER (counted there) when it
 * finds no place. Any thread. */
uint32_t vkm_phase_below(struct vkm_device_record *record, uint32_t outer, const char *name);
/* The phase of a command by the labels of its queue (or a frame) and its own; either may be 0. The
 * caller holds the record's lock. */
uint32_t vkm_phase_join(struct vkm_device_record *record, uint32_t queue, uint32_t own);
/* The phase of the frame after `presents` presents. Any thread. */
uint32_t vkm_phase_of_frame(struct vkm_device_record *record, uint64_t presents);

#endif
