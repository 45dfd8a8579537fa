/* The packets of a trace, one after the other, from a file of any size, a pipe or memory. Memory is
 * that of the largest packet. One thread at a time. */
#ifndef VKM_TIMELINE_TRACE_FILE_H
#define VKM_TIMELINE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct vkm_trace_packet {
  const uint8_t *whole; /* from its tag on; until the next call */
  size_t whole_bytes;
  const uint8_t *bytes; /* the message in it */
  size_t length_bytes;
  uint64_t offset; /* of its tag in the file */
};

struct vkm_trace_file {
  int descriptor;  /* -1: memory */
  uint8_t *buffer; /* owned; of memory: borrowed */
  size_t capacity;
  size_t used, at; /* bytes in the buffer; the first that was not read */
  uint64_t before; /* bytes of the file before the buffer */
  bool ended;      /* nothing is behind the buffer */
  bool cut;        /* the file goes on at cut_at_byte with something that is no whole packet */
  uint64_t cut_at_byte;
};

/* "-": standard input. False: errno says why. */
bool vkm_trace_file_open(struct vkm_trace_file *file, const char *path)
    __attribute__((warn_unused_result));
void vkm_trace_file_from(struct vkm_trace_file *file, const void *bytes, size_t length_bytes);
/* VKM_OK: `*packet`, or at the end one with `bytes` NULL. VKM_IO, VKM_OUT_OF_MEMORY. */
VKM_MUST_CHECK enum vkm_status vkm_trace_file_next(struct vkm_trace_file *file,
                                                   struct vkm_trace_packet *packet);
void vkm_trace_file_close(struct vkm_trace_file *file);

#endif
