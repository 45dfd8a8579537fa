/* In: a file. Out: packets. Next: trace_read, and merging. Read, not mapped: a file that somebody
 * else cuts short meanwhile must not end this process. */
#include "timeline/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "timeline/wire.h"

enum { STEP_BYTES = 1 << 20, PACKET_TAG = 1 << 3 | VKM_WIRE_BYTES };

bool vkm_trace_file_open(struct vkm_trace_file *file, const char *path) {
  *file = (struct vkm_trace_file){0};
  file->descriptor =
      strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  return file->descriptor >= 0;
}

void vkm_trace_file_from(struct vkm_trace_file *file, const void *bytes, size_t length_bytes) {
  *file = (struct vkm_trace_file){
      .descriptor = -1, .buffer = (uint8_t *)bytes, .used = length_bytes, .ended = true};
}

/* Makes place for more behind what was not read yet. A length that a damaged file claims is not
 * believed: the place doubles as bytes come. */
static enum vkm_status room(struct vkm_trace_file *file) {
  if (file->at > 0) {
    memmove(file->buffer, file->buffer + file->at, file->used - file->at);
    file->before += file->at;
    file->used -= file->at;
    file->at = 0;
  }
  if (file->used + STEP_BYTES / 2 > file->capacity) {
    size_t capacity = file->capacity == 0 ? STEP_BYTES : file->capacity * 2;
    uint8_t *buffer = vkm_realloc(file->buffer, capacity);
    if (buffer == NULL) {
      return VKM_OUT_OF_MEMORY;
    }
    file->buffer = buffer;
    file->capacity = capacity;
  }
  return VKM_OK;
}

static enum vkm_status fill(struct vkm_trace_file *file) {
  enum vkm_status status = room(file);
  if (status != VKM_OK) {
    return status;
  }
  ssize_t got = 0;
  do {
    got = read(file->descriptor, file->buffer + file->used, file->capacity - file->used);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    return VKM_IO;
  }
  file->ended = got == 0;
  file->used += (size_t)got;
  return VKM_OK;
}

/* Whether a whole packet, or what can never become one, is in the buffer. */
static bool look(struct vkm_trace_file *file, struct vkm_trace_packet *packet) {
  size_t there = file->used - file->at;
  if (there == 0) { /* of an empty file there is no buffer either */
    return file->ended;
  }
  const uint8_t *whole = file->buffer + file->at;
  uint64_t length = 0;
  struct vkm_wire wire = vkm_wire_of(whole, there);
  wire.at++;
  bool is_packet = whole[0] == PACKET_TAG;
  if (is_packet && vkm_wire_varint(&wire, &length) && length <= (uint64_t)(wire.end - wire.at)) {
    *packet = (struct vkm_trace_packet){whole, (size_t)(wire.at - whole) + (size_t)length, wire.at,
                                        (size_t)length, file->before + file->at};
    file->at += packet->whole_bytes;
    return true;
  }
  bool hopeless = !is_packet || (wire.bad && there > VKM_WIRE_VARINT_MOST);
  file->cut = hopeless || file->ended;
  file->cut_at_byte = file->before + file->at;
  return file->cut;
}

enum vkm_status vkm_trace_file_next(struct vkm_trace_file *file, struct vkm_trace_packet *packet) {
  *packet = (struct vkm_trace_packet){0};
  enum vkm_status status = VKM_OK;
  while (!file->cut && !look(file, packet)) {
    status = fill(file);
    if (status != VKM_OK) {
      return status;
    }
  }
  return VKM_OK;
}

void vkm_trace_file_close(struct vkm_trace_file *file) {
  if (file->descriptor >= 0) {
    vkm_free(file->buffer);
    if (file->descriptor != STDIN_FILENO) {
      (void)close(file->descriptor);
    }
  }
  *file = (struct vkm_trace_file){.descriptor = -1};
}
