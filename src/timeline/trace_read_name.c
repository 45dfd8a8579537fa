/* In: bytes of a trace that name something. Out: indices of names, each text once. Also interned
 * data: what numbers of a sequence stand for. Next: trace_read_event, trace_read_gpu. */
#include <string.h>

#include "base/alloc.h"
#include "kernel/identity.h"
#include "timeline/trace_read_state.h"

/* Texts of a trace may hold NUL: it ends what is kept. */
static enum vkm_status keep(struct vkm_reader *reader, const uint8_t *bytes, size_t length_bytes,
                            const char **kept) {
  char some[256];
  char *copy = length_bytes < sizeof some ? some : vkm_alloc(length_bytes + 1);
  if (copy == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  if (length_bytes > 0) {
    memcpy(copy, bytes, length_bytes);
  }
  copy[length_bytes] = 0;
  *kept = vkm_keep_text(reader->keep, copy);
  if (copy != some) {
    vkm_free(copy);
  }
  return *kept == NULL ? VKM_OUT_OF_MEMORY : VKM_OK;
}

enum vkm_status vkm_read_name(struct vkm_reader *reader, const uint8_t *bytes, size_t length_bytes,
                              uint32_t *name) {
  struct vkm_timeline *to = reader->to;
  struct vkm_hash hash = vkm_hash_bytes(bytes, length_bytes);
  uint64_t first = (hash.high & ~UINT64_C(0xFF)) | VKM_READ_NAME;
  const uint32_t *found = vkm_lookup_find(&reader->lookup, first, hash.low);
  if (found != NULL) {
    *name = *found;
    return VKM_OK;
  }
  const char *kept = NULL;
  enum vkm_status status = keep(reader, bytes, length_bytes, &kept);
  if (status != VKM_OK ||
      !vkm_room(&to->names, &reader->room.names, to->name_count, sizeof *to->names)) {
    return VKM_OUT_OF_MEMORY;
  }
  *name = (uint32_t)to->name_count;
  if (vkm_lookup_put(&reader->lookup, first, hash.low, *name) == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  to->names[to->name_count++] = kept;
  return VKM_OK;
}

uint32_t vkm_read_intern(const struct vkm_reader *reader, const struct vkm_read_sequence *sequence,
                         enum vkm_read_what what, uint64_t iid) {
  const uint32_t *found =
      vkm_lookup_find(&reader->lookup, vkm_read_key(what, sequence->scope), iid);
  return found == NULL ? VKM_TIMELINE_NONE : *found;
}

/* The last meaning counts: writers whose file was full say some again. */
static enum vkm_status put(struct vkm_reader *reader, const struct vkm_read_sequence *sequence,
                           enum vkm_read_what what, uint64_t iid, uint32_t value) {
  uint32_t *place =
      vkm_lookup_put(&reader->lookup, vkm_read_key(what, sequence->scope), iid, value);
  if (place == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  *place = value;
  return VKM_OK;
}

/* InternedName, InternedString and GPU specifications alike: iid 1, text 2. */
static enum vkm_status read_text(struct vkm_reader *reader,
                                 const struct vkm_read_sequence *sequence, enum vkm_read_what what,
                                 const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  struct vkm_wire_field text = {.bytes = NULL};
  uint64_t iid = 0;
  while (vkm_wire_next(&wire, &part)) {
    iid = part.number == 1 ? part.value : iid;
    if (part.number == 2) {
      text = part;
    }
  }
  uint32_t name = 0;
  enum vkm_status status = vkm_read_name(reader, text.bytes, text.length_bytes, &name);
  if (status == VKM_OK) {
    status = put(reader, sequence, what, iid, name);
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

static enum vkm_status read_context(struct vkm_reader *reader,
                                    const struct vkm_read_sequence *sequence,
                                    const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  uint64_t iid = 0;
  uint64_t pid = 0;
  while (vkm_wire_next(&wire, &part)) {
    iid = part.number == 1 ? part.value : iid;
    pid = part.number == 2 ? part.value : pid;
  }
  enum vkm_status status = put(reader, sequence, VKM_READ_CONTEXT, iid, (uint32_t)pid);
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

enum vkm_status vkm_read_add_fact(struct vkm_reader *reader, const struct vkm_read_note *note) {
  struct vkm_timeline *to = reader->to;
  if (!vkm_room(&to->facts, &reader->room.facts, to->fact_count, sizeof *to->facts)) {
    return VKM_OUT_OF_MEMORY;
  }
  to->facts[to->fact_count] = note->fact;
  to->facts[to->fact_count++].name = to->names[note->name];
  return VKM_OK;
}

void vkm_read_tie_facts(struct vkm_reader *reader, uint32_t kernel, size_t first) {
  struct vkm_timeline *to = reader->to;
  if (kernel == VKM_TIMELINE_NONE || to->kernels[kernel].fact_count > 0) {
    to->fact_count = first;
    return;
  }
  struct vkm_timeline_kernel *item = &to->kernels[kernel];
  item->first_fact = first;
  item->fact_count = to->fact_count - first;
}

static enum vkm_status read_kernel_arg(struct vkm_reader *reader,
                                       const struct vkm_read_sequence *sequence,
                                       const struct vkm_wire_field *field,
                                       struct vkm_read_command *command) {
  struct vkm_read_note note;
  enum vkm_status status = vkm_read_one_note(reader, sequence, field, false, &note);
  if (status != VKM_OK || note.name == VKM_TIMELINE_NONE || !note.has_value ||
      vkm_read_command_note(reader, &note, command)) {
    return status;
  }
  return vkm_read_add_fact(reader, &note);
}

static enum vkm_status read_kernel(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                   const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  struct vkm_read_command command = {.identity = VKM_TIMELINE_NONE, .family = VKM_TIMELINE_NONE};
  size_t first = reader->to->fact_count;
  uint64_t iid = 0;
  uint32_t name = VKM_TIMELINE_NONE;
  uint32_t process = 0;
  uint32_t kernel = 0;
  enum vkm_status status = vkm_read_process_of(reader, sequence, NULL, &process);
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      iid = part.value;
    } else if (part.number == 2) {
      status = vkm_read_name(reader, part.bytes, part.length_bytes, &name);
    } else if (part.number == 5) {
      status = read_kernel_arg(reader, sequence, &part, &command);
    }
  }
  if (status == VKM_OK && name == VKM_TIMELINE_NONE) {
    status = vkm_read_name(reader, NULL, 0, &name);
  }
  if (status == VKM_OK) {
    status = vkm_read_kernel_of(reader, process, name, command.identity, command.family, &kernel);
  }
  if (status == VKM_OK) {
    vkm_read_tie_facts(reader, kernel, first);
    status = put(reader, sequence, VKM_READ_COMPUTE_KERNEL, iid, kernel);
  }
  return status == VKM_OK && wire.bad ? VKM_BAD_INPUT : status;
}

static enum vkm_status read_interned(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                     const struct vkm_wire_field *field) {
  switch (field->number) {
  case 1:
    return read_text(reader, sequence, VKM_READ_CATEGORY, field);
  case 2:
    return read_text(reader, sequence, VKM_READ_EVENT_NAME, field);
  case 3:
    return read_text(reader, sequence, VKM_READ_NOTE_NAME, field);
  case 23:
    return read_context(reader, sequence, field);
  case 24:
    return read_text(reader, sequence, VKM_READ_SPECIFICATION, field);
  case 29:
    return read_text(reader, sequence, VKM_READ_NOTE_TEXT, field);
  case 1001:
    return read_text(reader, sequence, VKM_READ_ARG_NAME, field);
  default:
    return VKM_OK;
  }
}

enum vkm_status vkm_read_interned(struct vkm_reader *reader, struct vkm_read_sequence *sequence,
                                  const struct vkm_wire_field *field) {
  enum vkm_status status = VKM_OK;
  struct vkm_wire_field part;
  struct vkm_wire wire = vkm_wire_in(field);
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    status = read_interned(reader, sequence, &part);
  }
  bool bad = wire.bad;
  /* Kernels at last: their arguments are named by what stands beside them in any order. */
  wire = vkm_wire_in(field);
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 1000) {
      status = read_kernel(reader, sequence, &part);
    }
  }
  return status == VKM_OK && bad ? VKM_BAD_INPUT : status;
}
