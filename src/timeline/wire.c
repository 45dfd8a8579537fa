/* In: bytes. Out: fields. Next: trace_read, which knows their meaning. Messages of a file of a
 * gigabyte are read without a copy, and hostile ones cost what they are long. */
#include "timeline/wire.h"

#include <string.h>

struct vkm_wire vkm_wire_of(const void *bytes, size_t length_bytes) {
  const uint8_t *at = bytes;
  return (struct vkm_wire){at, at == NULL ? NULL : at + length_bytes, false};
}

struct vkm_wire vkm_wire_in(const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_of(field->bytes, field->length_bytes);
  wire.bad = field->type != VKM_WIRE_BYTES;
  return wire;
}

bool vkm_wire_varint(struct vkm_wire *wire, uint64_t *value) {
  uint64_t sum = 0;
  if (wire->bad || wire->at == wire->end) {
    return false;
  }
  for (unsigned shift = 0; shift < 70 && wire->at != wire->end; shift += 7) {
    uint8_t byte = *wire->at++;
    if (shift == 63 && byte > 1) {
      break;
    }
    sum |= (uint64_t)(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) {
      *value = sum;
      return true;
    }
  }
  wire->bad = true;
  return false;
}

static uint64_t little(const uint8_t *bytes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum |= (uint64_t)bytes[i] << (8 * i);
  }
  return sum;
}

static bool fixed(struct vkm_wire *wire, size_t count, uint64_t *value) {
  if (wire->bad || (size_t)(wire->end - wire->at) < count) {
    wire->bad = true;
    return false;
  }
  *value = little(wire->at, count);
  wire->at += count;
  return true;
}

bool vkm_wire_fixed64(struct vkm_wire *wire, uint64_t *value) {
  return !wire->bad && wire->at != wire->end && fixed(wire, 8, value);
}

static bool bytes_of(struct vkm_wire *wire, struct vkm_wire_field *field) {
  uint64_t length = 0;
  if (!vkm_wire_varint(wire, &length) || length > (uint64_t)(wire->end - wire->at)) {
    wire->bad = true;
    return false;
  }
  field->bytes = wire->at;
  field->length_bytes = (size_t)length;
  wire->at += length;
  return true;
}

bool vkm_wire_next(struct vkm_wire *wire, struct vkm_wire_field *field) {
  uint64_t tag = 0;
  *field = (struct vkm_wire_field){.header = wire->at};
  if (!vkm_wire_varint(wire, &tag)) {
    return false;
  }
  field->number = (uint32_t)(tag >> 3);
  field->type = (enum vkm_wire_type)(tag & 7);
  bool good = tag >> 3 != 0 && tag <= UINT32_MAX;
  switch (tag & 7) {
  case VKM_WIRE_VARINT:
    good = good && vkm_wire_varint(wire, &field->value);
    break;
  case VKM_WIRE_64:
    good = good && fixed(wire, 8, &field->value);
    break;
  case VKM_WIRE_BYTES:
    good = good && bytes_of(wire, field);
    break;
  case VKM_WIRE_32:
    good = good && fixed(wire, 4, &field->value);
    break;
  default:
    good = false;
  }
  wire->bad = !good;
  return good;
}

size_t vkm_wire_put_varint(uint8_t *to, uint64_t value) {
  size_t used = 0;
  for (; value > 0x7F; value >>= 7) {
    to[used++] = (uint8_t)(value | 0x80);
  }
  to[used++] = (uint8_t)value;
  return used;
}

size_t vkm_wire_put_head(uint8_t *to, uint32_t number, enum vkm_wire_type type) {
  return vkm_wire_put_varint(to, (uint64_t)number << 3 | type);
}

size_t vkm_wire_put_fixed64(uint8_t *to, uint64_t value) {
  for (unsigned i = 0; i < 8; i++) {
    to[i] = (uint8_t)(value >> (8 * i));
  }
  return 8;
}
