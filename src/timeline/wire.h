/* The wire format of protocol buffers, read in place: nothing is allocated, nothing recurses, any
 * bytes are allowed. Also what it takes to write a field. Any thread. */
#ifndef VKM_TIMELINE_WIRE_H
#define VKM_TIMELINE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vkm_wire {
  const uint8_t *at, *end; /* borrowed */
  bool bad;                /* the bytes are no message: set once, nothing is read any more */
};

enum vkm_wire_type { VKM_WIRE_VARINT = 0, VKM_WIRE_64 = 1, VKM_WIRE_BYTES = 2, VKM_WIRE_32 = 5 };

struct vkm_wire_field {
  uint32_t number; /* from 1 */
  enum vkm_wire_type type;
  uint64_t value;        /* of all but bytes */
  const uint8_t *bytes;  /* of bytes; borrowed */
  size_t length_bytes;   /* 0 of all but bytes */
  const uint8_t *header; /* where its tag begins */
};

struct vkm_wire vkm_wire_of(const void *bytes, size_t length_bytes);
/* The message in a field; bad when the field holds none. */
struct vkm_wire vkm_wire_in(const struct vkm_wire_field *field);
/* False: the end, or `wire->bad`. Groups are none of ours: bad. */
bool vkm_wire_next(struct vkm_wire *wire, struct vkm_wire_field *field);
/* A number alone, as in packed arrays. False: the end, or bad. */
bool vkm_wire_varint(struct vkm_wire *wire, uint64_t *value);
bool vkm_wire_fixed64(struct vkm_wire *wire, uint64_t *value);

enum { VKM_WIRE_VARINT_MOST = 10, VKM_WIRE_HEAD_MOST = 15 };
/* Each writes to `to`, which has room for the most, and returns how many bytes. */
size_t vkm_wire_put_varint(uint8_t *to, uint64_t value);
size_t vkm_wire_put_head(uint8_t *to, uint32_t number, enum vkm_wire_type type);
size_t vkm_wire_put_fixed64(uint8_t *to, uint64_t value);

#endif
