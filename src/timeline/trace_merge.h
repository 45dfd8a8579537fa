/* Several traces become one: of processes that ran on one machine at the same time, also beside a
 * trace of the system. In: files. Out: their packets, to a sink. Nothing is lost: a packet is
 * copied byte by byte but for numbers that would be taken for another's. Equal files give equal
 * bytes. Any thread. */
#ifndef VKM_TIMELINE_TRACE_MERGE_H
#define VKM_TIMELINE_TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Takes bytes of whole packets. False: they cannot be written, errno says why. */
typedef bool (*vkm_merge_sink)(void *context, const void *bytes, size_t length_bytes);

enum { VKM_MERGE_FILES_MAX = 4096 };

/* What was found and done. */
struct vkm_merge_result {
  uint64_t packets;
  uint64_t sequences, tracks, flows, event_ids; /* changed: sequences, tracks; and sequences of
                                                   which all flows, all event ids are moved */
  uint64_t snapshots; /* left out: they would turn a clock back, another one tells the same */
  uint64_t same_pid;  /* pids that processes of several files have: viewers show them as one */
  size_t cut;         /* files that end within a packet */
  size_t clockless;   /* files without a clock snapshot: their times are taken as they are */
};

struct vkm_merge_error {
  size_t file; /* which one; SIZE_MAX: what is written */
  char cause[256];
  const char *remedy; /* static */
};

/* VKM_IO, VKM_BAD_INPUT (no trace, one with compressed packets, one of another boot),
 * VKM_OUT_OF_MEMORY: `error` says why, what was written so far is no whole trace. Files are read
 * twice: none may be a pipe. */
VKM_MUST_CHECK enum vkm_status vkm_trace_merge(const char *const *paths, size_t count,
                                               vkm_merge_sink sink, void *context,
                                               struct vkm_merge_result *result,
                                               struct vkm_merge_error *error);

#endif
