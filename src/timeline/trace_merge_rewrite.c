/* In: a packet of one file. Out: the same packet with the numbers that it has in the whole. What
 * does not hold such a number is copied as it is, whatever it means. */
#include <string.h>

#include "base/alloc.h"
#include "timeline/trace_merge_parts.h"

enum message {
  PACKET,
  SNAPSHOT,
  EVENT,
  EVENT_NOTE,
  CORRELATION,
  STAGE,
  DEFAULTS,
  EVENT_DEFAULTS,
  DESCRIPTOR
};
enum action { COPY, ENTER, SEQUENCE, UUID, FLOW, EVENT_ID, PRIMARY };

static const struct rule {
  enum message in;
  uint32_t field;
  enum action action;
  enum message enter;
} rules[] = {
    {PACKET, 6, ENTER, SNAPSHOT},
    {PACKET, 10, SEQUENCE, 0},
    {PACKET, 11, ENTER, EVENT},
    {PACKET, 53, ENTER, STAGE},
    {PACKET, 59, ENTER, DEFAULTS},
    {PACKET, 60, ENTER, DESCRIPTOR},
    {SNAPSHOT, 2, PRIMARY, 0},
    {EVENT, 11, UUID, 0},
    {EVENT, 4, ENTER, EVENT_NOTE},
    {EVENT_NOTE, 3, EVENT_ID, 0},
    {EVENT, 47, FLOW, 0},
    {EVENT, 48, FLOW, 0},
    {EVENT, 3000, ENTER, CORRELATION},
    {CORRELATION, 1, EVENT_ID, 0},
    {CORRELATION, 2, EVENT_ID, 0},
    {STAGE, 1, EVENT_ID, 0},
    {STAGE, 18, EVENT_ID, 0},
    {DEFAULTS, 11, ENTER, EVENT_DEFAULTS},
    {EVENT_DEFAULTS, 11, UUID, 0},
    {DESCRIPTOR, 1, UUID, 0},
    {DESCRIPTOR, 5, UUID, 0},
};

struct writer {
  const struct vkm_merge *merge;
  size_t file;
  const struct vkm_merge_sequence *sequence;
  bool drop_snapshot;
  struct vkm_merge_bytes *to;
};

static uint8_t *room(struct vkm_merge_bytes *to, size_t length) {
  if (to->failed || length > SIZE_MAX / 4) {
    to->failed = true;
    return NULL;
  }
  if (to->length + length > to->capacity) {
    size_t capacity = (to->length + length) * 2;
    uint8_t *data = vkm_realloc(to->data, capacity);
    if (data == NULL) {
      to->failed = true;
      return NULL;
    }
    to->data = data;
    to->capacity = capacity;
  }
  return to->data + to->length;
}

static void put(struct vkm_merge_bytes *to, const uint8_t *bytes, size_t length) {
  uint8_t *at = room(to, length);
  if (at != NULL && length > 0) {
    memcpy(at, bytes, length);
    to->length += length;
  }
}

static void put_number(struct vkm_merge_bytes *to, uint32_t field, uint64_t value) {
  uint8_t bytes[VKM_WIRE_HEAD_MOST + VKM_WIRE_VARINT_MOST];
  size_t used = vkm_wire_put_head(bytes, field, VKM_WIRE_VARINT);
  used += vkm_wire_put_varint(bytes + used, value);
  put(to, bytes, used);
}

/* Puts head and length in front of what was written since `begin`. */
static void enclose(struct vkm_merge_bytes *to, size_t begin, uint32_t field) {
  uint8_t head[VKM_WIRE_HEAD_MOST + VKM_WIRE_VARINT_MOST];
  size_t length = to->length - begin;
  size_t used = vkm_wire_put_head(head, field, VKM_WIRE_BYTES);
  used += vkm_wire_put_varint(head + used, length);
  if (room(to, used) != NULL) {
    memmove(to->data + begin + used, to->data + begin, length);
    memcpy(to->data + begin, head, used);
    to->length += used;
  }
}

uint64_t vkm_merge_new_uuid(const struct vkm_merge *merge, size_t file, uint64_t uuid) {
  const uint32_t *high =
      vkm_lookup_find(&merge->lookup, vkm_merge_key(VKM_MERGE_NEW_UUID, file + 1), uuid);
  const uint32_t *low =
      vkm_lookup_find(&merge->lookup, vkm_merge_key(VKM_MERGE_NEW_UUID_LOW, file + 1), uuid);
  return high == NULL || low == NULL ? uuid : (uint64_t)*high << 32 | *low;
}

static void put_flows(const struct writer *writer, const struct vkm_wire_field *field) {
  uint8_t bytes[8];
  uint64_t mask = writer->sequence->flow_mask;
  uint64_t id = 0;
  size_t begin = writer->to->length;
  if (field->type == VKM_WIRE_64) {
    uint8_t head[VKM_WIRE_HEAD_MOST];
    put(writer->to, head, vkm_wire_put_head(head, field->number, VKM_WIRE_64));
    put(writer->to, bytes, vkm_wire_put_fixed64(bytes, field->value ^ mask));
    return;
  }
  struct vkm_wire wire = vkm_wire_in(field);
  while (vkm_wire_fixed64(&wire, &id)) {
    put(writer->to, bytes, vkm_wire_put_fixed64(bytes, id ^ mask));
  }
  enclose(writer->to, begin, field->number);
}

static void put_event_ids(const struct writer *writer, const struct vkm_wire_field *field) {
  uint64_t shift = writer->sequence->event_shift;
  uint64_t id = 0;
  size_t begin = writer->to->length;
  if (field->type == VKM_WIRE_VARINT) {
    put_number(writer->to, field->number, field->value + shift);
    return;
  }
  struct vkm_wire wire = vkm_wire_in(field);
  while (vkm_wire_varint(&wire, &id)) {
    uint8_t bytes[VKM_WIRE_VARINT_MOST];
    put(writer->to, bytes, vkm_wire_put_varint(bytes, id + shift));
  }
  enclose(writer->to, begin, field->number);
}

static const struct rule *rule_of(const struct writer *writer, enum message in,
                                  const struct vkm_wire_field *field) {
  static const struct rule copy = {.action = COPY};
  bool deep = writer->sequence->ours;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const struct rule *rule = &rules[i];
    if (rule->in != in || rule->field != field->number) {
      continue;
    }
    if (rule->enter == EVENT_NOTE && !vkm_merge_is_event_note(writer->sequence, field)) {
      return &copy;
    }
    bool any_writer = in == SNAPSHOT || rule->action == SEQUENCE || rule->enter == SNAPSHOT;
    return deep || any_writer ? rule : &copy;
  }
  return &copy;
}

/* Whether a field is of a type that its rule can change; else it is copied. */
static bool fits(enum action action, const struct vkm_wire_field *field) {
  switch (action) {
  case ENTER:
    return field->type == VKM_WIRE_BYTES;
  case FLOW:
    return field->type == VKM_WIRE_64 || field->type == VKM_WIRE_BYTES;
  case EVENT_ID:
    return field->type == VKM_WIRE_VARINT || field->type == VKM_WIRE_BYTES;
  case SEQUENCE:
  case UUID:
  case PRIMARY:
    return field->type == VKM_WIRE_VARINT;
  default:
    return false;
  }
}

static void put_field(const struct writer *writer, const struct rule *rule,
                      const struct vkm_wire_field *field) {
  const struct vkm_merge *merge = writer->merge;
  switch (rule->action) {
  case SEQUENCE:
    put_number(writer->to, field->number, writer->sequence->new_id);
    break;
  case UUID:
    put_number(writer->to, field->number, vkm_merge_new_uuid(merge, writer->file, field->value));
    break;
  case FLOW:
    put_flows(writer, field);
    break;
  case EVENT_ID:
    put_event_ids(writer, field);
    break;
  default: /* the whole has one primary clock, put behind the others */
    break;
  }
}

static bool says_default(const struct vkm_wire_field *snapshot) {
  struct vkm_merge_clocks clocks;
  return vkm_merge_read_clocks(snapshot, &clocks) && vkm_merge_default(&clocks, 0) != 0;
}

/* Messages within each other are few: rules name them all. */
static void put_message(const struct writer *writer, enum message in, struct vkm_wire wire) {
  struct vkm_wire_field field;
  while (vkm_wire_next(&wire, &field)) {
    const struct rule *rule = rule_of(writer, in, &field);
    if (rule->action == COPY || !fits(rule->action, &field)) {
      put(writer->to, field.header, (size_t)(wire.at - field.header));
      continue;
    }
    if (rule->action != ENTER) {
      put_field(writer, rule, &field);
      continue;
    }
    if (rule->enter == SNAPSHOT && writer->drop_snapshot) {
      continue;
    }
    size_t begin = writer->to->length;
    put_message(writer, rule->enter, vkm_wire_in(&field));
    if (rule->enter == SNAPSHOT && writer->merge->primary != 0 && says_default(&field)) {
      put_number(writer->to, 2, writer->merge->primary);
    }
    enclose(writer->to, begin, field.number);
  }
}

bool vkm_merge_changes(const struct vkm_merge_sequence *sequence) {
  return sequence->ours || sequence->new_id != sequence->id;
}

void vkm_merge_rewrite(const struct vkm_merge *merge, size_t file,
                       const struct vkm_merge_sequence *sequence,
                       const struct vkm_trace_packet *packet, uint64_t clock, bool drop_snapshot,
                       struct vkm_merge_bytes *to) {
  struct writer writer = {merge, file, sequence, drop_snapshot, to};
  to->length = 0;
  put_message(&writer, PACKET, vkm_wire_of(packet->bytes, packet->length_bytes));
  if (clock != 0) {
    put_number(to, 58, clock);
  }
  enclose(to, 0, 1);
}
