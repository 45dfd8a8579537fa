/* In: a packet. Out: its parts, looked at in place. Next: trace_read, trace_merge_scan. */
#include "timeline/trace_packet.h"

enum { STATE_CLEARED = 1 };

static void take_message(const struct vkm_wire_field *field, struct vkm_trace_parts *parts) {
  switch (field->number) {
  case 6:
    parts->snapshot = *field;
    break;
  case 11:
    parts->event = *field;
    break;
  case 12:
    parts->interned = *field;
    break;
  case 50:  /* by deflate */
  case 133: /* by zstd */
    parts->compressed = true;
    break;
  case 53:
    parts->stage = *field;
    break;
  case 59:
    parts->defaults = *field;
    break;
  case 60:
    parts->descriptor = *field;
    break;
  default:
    break;
  }
}

/* Writers say twice that the state was cleared, newer ones in the flags, and put fields in any
 * order: either alone is enough. */
static void take(const struct vkm_wire_field *field, struct vkm_trace_parts *parts) {
  switch (field->number) {
  case 8:
    parts->timestamp = field->value;
    parts->has_timestamp = true;
    break;
  case 10:
    parts->sequence = field->value;
    break;
  case 13:
    parts->cleared = parts->cleared || (field->value & STATE_CLEARED) != 0;
    break;
  case 41:
    parts->cleared = parts->cleared || field->value != 0;
    break;
  case 58:
    parts->clock = field->value;
    break;
  case 98:
    parts->machine = field->value;
    break;
  default:
    take_message(field, parts);
  }
}

bool vkm_trace_take_apart(const struct vkm_trace_packet *packet, struct vkm_trace_parts *parts) {
  struct vkm_wire wire = vkm_wire_of(packet->bytes, packet->length_bytes);
  struct vkm_wire_field field;
  *parts = (struct vkm_trace_parts){.sequence = 0};
  while (vkm_wire_next(&wire, &field)) {
    take(&field, parts);
  }
  return !wire.bad;
}

bool vkm_trace_defaults_in(const struct vkm_wire_field *field,
                           struct vkm_trace_defaults *defaults) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  bool bad = false;
  *defaults = (struct vkm_trace_defaults){0, 0};
  while (vkm_wire_next(&wire, &part)) {
    if (part.number == 58) {
      defaults->clock = part.value;
    } else if (part.number == 11) {
      struct vkm_wire inner = vkm_wire_in(&part);
      struct vkm_wire_field track;
      while (vkm_wire_next(&inner, &track)) {
        defaults->track = track.number == 11 ? track.value : defaults->track;
      }
      bad = bad || inner.bad;
    }
  }
  return !wire.bad && !bad;
}
