/* In: debug annotations, arguments of kernels. Out: names and values. Next: trace_read_event,
 * trace_read_gpu. */
#include <string.h>

#include "timeline/trace_read_state.h"

static enum vkm_status text_of(struct vkm_reader *reader, const struct vkm_wire_field *field,
                               struct vkm_read_note *note) {
  uint32_t name = 0;
  enum vkm_status status = vkm_read_name(reader, field->bytes, field->length_bytes, &name);
  if (status == VKM_OK) {
    note->has_value = true;
    note->fact.type = VKM_TIMELINE_TEXT;
    note->fact.text = reader->to->names[name];
  }
  return status;
}

static void number_of(const struct vkm_wire_field *field, enum vkm_timeline_type type,
                      struct vkm_read_note *note) {
  note->has_value = true;
  note->fact.type = type;
  note->fact.u64 = field->value;
  if (type == VKM_TIMELINE_INT) {
    note->fact.i64 = (int64_t)field->value;
  } else if (type == VKM_TIMELINE_DOUBLE) {
    memcpy(&note->fact.f64, &field->value, sizeof note->fact.f64);
  }
}

static void interned_text(const struct vkm_reader *reader, const struct vkm_read_sequence *sequence,
                          uint64_t iid, struct vkm_read_note *note) {
  uint32_t name = vkm_read_intern(reader, sequence, VKM_READ_NOTE_TEXT, iid);
  if (name != VKM_TIMELINE_NONE) {
    note->has_value = true;
    note->fact.type = VKM_TIMELINE_TEXT;
    note->fact.text = reader->to->names[name];
  }
}

static enum vkm_status annotation_part(struct vkm_reader *reader,
                                       const struct vkm_read_sequence *sequence,
                                       const struct vkm_wire_field *part,
                                       struct vkm_read_note *note) {
  switch (part->number) {
  case 1:
    note->name = vkm_read_intern(reader, sequence, VKM_READ_NOTE_NAME, part->value);
    return VKM_OK;
  case 2:
  case 3:
    number_of(part, VKM_TIMELINE_UINT, note);
    return VKM_OK;
  case 4:
    number_of(part, VKM_TIMELINE_INT, note);
    return VKM_OK;
  case 5:
    number_of(part, VKM_TIMELINE_DOUBLE, note);
    return VKM_OK;
  case 6:
    return text_of(reader, part, note);
  case 10:
    return vkm_read_name(reader, part->bytes, part->length_bytes, &note->name);
  case 17:
    interned_text(reader, sequence, part->value, note);
    return VKM_OK;
  default:
    return VKM_OK;
  }
}

static enum vkm_status argument_part(struct vkm_reader *reader,
                                     const struct vkm_read_sequence *sequence,
                                     const struct vkm_wire_field *part,
                                     struct vkm_read_note *note) {
  switch (part->number) {
  case 1:
    note->name = vkm_read_intern(reader, sequence, VKM_READ_ARG_NAME, part->value);
    return VKM_OK;
  case 2:
    return vkm_read_name(reader, part->bytes, part->length_bytes, &note->name);
  case 3:
    number_of(part, VKM_TIMELINE_INT, note);
    return VKM_OK;
  case 4:
    number_of(part, VKM_TIMELINE_UINT, note);
    return VKM_OK;
  case 5:
    number_of(part, VKM_TIMELINE_DOUBLE, note);
    return VKM_OK;
  case 6:
    return text_of(reader, part, note);
  case 7:
    interned_text(reader, sequence, part->value, note);
    return VKM_OK;
  default:
    return VKM_OK;
  }
}

enum vkm_status vkm_read_one_note(struct vkm_reader *reader,
                                  const struct vkm_read_sequence *sequence,
                                  const struct vkm_wire_field *field, bool annotation,
                                  struct vkm_read_note *note) {
  *note = (struct vkm_read_note){.name = VKM_TIMELINE_NONE};
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    status = annotation ? annotation_part(reader, sequence, &part, note)
                        : argument_part(reader, sequence, &part, note);
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

uint64_t vkm_read_number(const struct vkm_read_note *note, uint64_t otherwise) {
  bool whole = note->has_value &&
               (note->fact.type == VKM_TIMELINE_UINT || note->fact.type == VKM_TIMELINE_INT);
  return whole ? note->fact.u64 : otherwise;
}
