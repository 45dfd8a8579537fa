/* The trace's file: where it is, what fits. In: events in order, from one thread at a time. Out:
 * whole packets in a file that only grows, or one line on stderr. */
#ifndef VKM_LAYER_TRACE_FILE_H
#define VKM_LAYER_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "place.h"
#include "timeline/trace_write.h"

struct vkm_session_facts;

struct vkm_trace_file {
  const struct vkm_session_facts *facts;
  const char *run, *shared_run;
  enum vkm_trace_style style;
  uint64_t limit_bytes;
  struct vkm_place place;
  struct vkm_trace_writer *writer; /* NULL: not open */
  int file;                        /* -1: none */
  bool failed, full;               /* it ended early; nothing more fits */
  bool closing, refused;           /* the last packets; the last event was not kept */
  char cause[96];                  /* why it failed */
  uint64_t bytes;                  /* in the file */
  int64_t clocks_ns;               /* when the clocks were written last */
  unsigned char *packets;          /* whole ones that wait; owned */
  size_t packet_bytes;
  uint64_t waiting;       /* events in `packets` */
  uint64_t written, lost; /* events in the file; that will never be */
  uint64_t memory_short;  /* events that the writer had no memory for */
};

/* Resolves the path; opens nothing. */
void vkm_trace_file_start(struct vkm_trace_file *file, const char *pattern);
/* Memory for packets; false: there is none. */
bool vkm_trace_file_allocate(struct vkm_trace_file *file);
/* Says, once, that there will be no trace for lack of memory. */
void vkm_trace_file_refuse(struct vkm_trace_file *file);
/* Opens the file at the first call. False: not now, memory is short, and nothing was taken. What
 * does not fit or fails is counted in `lost`. */
bool vkm_trace_file_add(struct vkm_trace_file *file, const struct vkm_event *events,
                        uint32_t count);
/* What waits goes to the file. */
void vkm_trace_file_flush(struct vkm_trace_file *file);
/* Writes the last packets. */
void vkm_trace_file_close(struct vkm_trace_file *file, const struct vkm_trace_counts *counts);
/* After fork, in the child: the file is the parent's. */
void vkm_trace_file_forget(struct vkm_trace_file *file);

#endif
