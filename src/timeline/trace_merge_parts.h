/* What merging knows of its files; shared by its parts. */
#ifndef VKM_TIMELINE_TRACE_MERGE_PARTS_H
#define VKM_TIMELINE_TRACE_MERGE_PARTS_H

#include "timeline/lookup.h"
#include "timeline/trace_file.h"
#include "timeline/trace_merge.h"
#include "timeline/trace_packet.h"
#include "timeline/wire.h"

enum {
  VKM_MERGE_CLOCKS = 7,
  VKM_MERGE_REALTIME = 1,
  VKM_MERGE_MONOTONIC = 3,
  VKM_MERGE_RAW = 5,
  VKM_MERGE_BOOTTIME = 6
};

/* Clocks of one snapshot. */
struct vkm_merge_clocks {
  uint64_t ns[VKM_MERGE_CLOCKS];
  bool there[VKM_MERGE_CLOCKS];
  uint64_t primary; /* 0 not said */
  bool shared;      /* clocks of the machine only: it has to stand in order among files */
};

struct vkm_merge_sequence {
  uint64_t id, new_id;
  bool ours;            /* what vkmeter wrote: its numbers may be changed */
  uint64_t clock;       /* default of its packets, while they are read; 0 none */
  bool has_events;      /* it names GPU events */
  uint64_t least, most; /* numbers of these */
  uint64_t event_shift;
  uint64_t event_note; /* what annotations that hold such a number are called, as `clock`; 0: not
                          seen */
  bool flows_collide;
  uint64_t flow_mask; /* 0: as they are */
};

struct vkm_merge_file {
  const char *path;
  struct vkm_trace_file file;
  bool opened;
  struct vkm_merge_sequence *sequences;
  size_t sequence_count, sequence_capacity;
  struct vkm_merge_clocks first; /* shared snapshot */
  bool has_snapshot;
  bool needs_default;     /* events without a clock of their own */
  uint64_t default_clock; /* while it is read; 0: none */
  bool cut;
  /* The next packet, taken apart, and what orders it. */
  struct vkm_trace_packet packet;
  uint64_t key; /* of the snapshot that it stands behind, or is */
};

struct vkm_merge {
  struct vkm_merge_file *files;
  size_t count;
  struct vkm_lookup lookup;
  struct vkm_merge_result *result;
  uint64_t primary;             /* of the whole; 0 none */
  uint64_t key_clock;           /* by which snapshots are ordered */
  struct vkm_merge_clocks last; /* of the snapshots that were written */
};

/* First half of a pair in the lookup: what, and of which file (0: of any). */
enum vkm_merge_what {
  VKM_MERGE_SEQUENCE = 1,   /* id in a file: index */
  VKM_MERGE_TAKEN_SEQUENCE, /* id: file + 1 */
  VKM_MERGE_UUID,           /* of any file: file + 1 */
  VKM_MERGE_OWN_UUID,       /* of a sequence of vkmeter: its index */
  VKM_MERGE_NEW_UUID,       /* halves of what it is in the whole */
  VKM_MERGE_NEW_UUID_LOW,
  VKM_MERGE_FLOW, /* of any file: file + 1 */
  VKM_MERGE_PID,  /* of any file: file + 1 */
};
static inline uint64_t vkm_merge_key(enum vkm_merge_what what, size_t file) {
  return (uint64_t)file << 8 | what;
}

bool vkm_merge_read_clocks(const struct vkm_wire_field *field, struct vkm_merge_clocks *clocks);
/* Default clock behind a snapshot, as viewers take it. */
uint64_t vkm_merge_default(const struct vkm_merge_clocks *clocks, uint64_t before);
/* NULL: out of memory. */
struct vkm_merge_sequence *vkm_merge_sequence_of(struct vkm_merge *merge, size_t file, uint64_t id);
/* Takes what a packet says for itself and those behind it: defaults, names; or that they are
 * cleared. To be called with each packet, both times that a file is read. */
void vkm_merge_read_state(struct vkm_merge_sequence *sequence, const struct vkm_trace_parts *parts);

/* Reads a file through and notes the numbers in it. */
VKM_MUST_CHECK enum vkm_status vkm_merge_scan(struct vkm_merge *merge, size_t file,
                                              struct vkm_merge_error *error);
/* Gives numbers that collide others. */
VKM_MUST_CHECK enum vkm_status vkm_merge_assign(struct vkm_merge *merge);

/* Whether an annotation holds the number of a GPU event. */
bool vkm_merge_is_event_note(const struct vkm_merge_sequence *sequence,
                             const struct vkm_wire_field *annotation);

/* Bytes that grow. */
struct vkm_merge_bytes {
  uint8_t *data;
  size_t length, capacity;
  bool failed;
};
/* A packet as it stands in the whole, tag and length in front. `clock`: 0, or that its time has to
 * be said to be of. `drop_snapshot`: without its snapshot. */
void vkm_merge_rewrite(const struct vkm_merge *merge, size_t file,
                       const struct vkm_merge_sequence *sequence,
                       const struct vkm_trace_packet *packet, uint64_t clock, bool drop_snapshot,
                       struct vkm_merge_bytes *to);
/* Whether anything in the packet has to be changed. */
bool vkm_merge_changes(const struct vkm_merge_sequence *sequence);
uint64_t vkm_merge_new_uuid(const struct vkm_merge *merge, size_t file, uint64_t uuid);

#endif
