/* In: a file. Out: which numbers it uses for sequences, tracks, flows and events, and which of its
 * sequences vkmeter wrote. Next: trace_merge_assign. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "timeline/trace_merge_parts.h"
#include "timeline/words.h"

static bool read_clock(const struct vkm_wire_field *field, struct vkm_merge_clocks *clocks) {
  enum { FIRST_OF_SEQUENCE = 64 };
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  uint64_t clock = 0;
  uint64_t ns = 0;
  while (vkm_wire_next(&wire, &part)) {
    clock = part.number == 1 ? part.value : clock;
    ns = part.number == 2 ? part.value : ns;
  }
  if (clock < VKM_MERGE_CLOCKS) {
    clocks->ns[clock] = ns;
    clocks->there[clock] = true;
  }
  clocks->shared = clocks->shared && clock < FIRST_OF_SEQUENCE;
  return !wire.bad;
}

bool vkm_merge_read_clocks(const struct vkm_wire_field *field, struct vkm_merge_clocks *clocks) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  bool good = true;
  *clocks = (struct vkm_merge_clocks){.shared = true};
  while (vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      good = read_clock(&part, clocks) && good;
    } else if (part.number == 2) {
      clocks->primary = part.value;
    }
  }
  return good && !wire.bad;
}

uint64_t vkm_merge_default(const struct vkm_merge_clocks *clocks, uint64_t before) {
  if (clocks->primary != 0) {
    return clocks->primary;
  }
  return clocks->there[VKM_MERGE_BOOTTIME] ? VKM_MERGE_BOOTTIME : before;
}

struct vkm_merge_sequence *vkm_merge_sequence_of(struct vkm_merge *merge, size_t file,
                                                 uint64_t id) {
  struct vkm_merge_file *of = &merge->files[file];
  uint32_t *found = vkm_lookup_put(&merge->lookup, vkm_merge_key(VKM_MERGE_SEQUENCE, file + 1), id,
                                   (uint32_t)of->sequence_count);
  if (found == NULL || !vkm_room(&of->sequences, &of->sequence_capacity, of->sequence_count,
                                 sizeof *of->sequences)) {
    return NULL;
  }
  if (*found == of->sequence_count) {
    of->sequences[of->sequence_count++] =
        (struct vkm_merge_sequence){.id = id, .new_id = id, .least = UINT64_MAX};
  }
  return &of->sequences[*found];
}

static bool is_word(const struct vkm_wire_field *field, const char *word) {
  size_t length = strlen(word);
  return field->length_bytes >= length && memcmp(field->bytes, word, length) == 0;
}

/* A category of vkmeter's: "vulkan", "vulkan.gpu", ..., "vkmeter". */
static bool is_ours(const struct vkm_wire_field *field) {
  static const char *const words[] = {VKM_WORD_CALL, VKM_WORD_GPU, VKM_WORD_LABEL, VKM_WORD_INSTANT,
                                      VKM_WORD_COUNTS};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (field->length_bytes == strlen(words[i]) && is_word(field, words[i])) {
      return true;
    }
  }
  return false;
}

static bool is_event_word(const struct vkm_wire_field *text) {
  return text->length_bytes == strlen(VKM_WORD_EVENT_ID) && is_word(text, VKM_WORD_EVENT_ID);
}

/* Names of categories (1) and of annotations (3). */
static void read_interned(struct vkm_merge_sequence *sequence, const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (vkm_wire_next(&wire, &part)) {
    struct vkm_wire inner = vkm_wire_in(&part);
    struct vkm_wire_field text;
    uint64_t iid = 0;
    bool event_word = false;
    while ((part.number == 1 || part.number == 3) && vkm_wire_next(&inner, &text)) {
      iid = text.number == 1 ? text.value : iid;
      event_word = event_word || (text.number == 2 && is_event_word(&text));
      sequence->ours = sequence->ours || (part.number == 1 && text.number == 2 && is_ours(&text));
    }
    sequence->event_note = part.number == 3 && event_word ? iid : sequence->event_note;
  }
}

void vkm_merge_read_state(struct vkm_merge_sequence *sequence,
                          const struct vkm_trace_parts *parts) {
  if (parts->cleared) {
    sequence->clock = 0;
    sequence->event_note = 0;
  }
  if (parts->defaults.number != 0) {
    struct vkm_trace_defaults defaults;
    (void)vkm_trace_defaults_in(&parts->defaults, &defaults); /* a viewer takes what it can, too */
    sequence->clock = defaults.clock;
  }
  if (parts->interned.number != 0) {
    read_interned(sequence, &parts->interned);
  }
}

bool vkm_merge_is_event_note(const struct vkm_merge_sequence *sequence,
                             const struct vkm_wire_field *annotation) {
  struct vkm_wire wire = vkm_wire_in(annotation);
  struct vkm_wire_field part;
  bool is = false;
  while (vkm_wire_next(&wire, &part)) {
    is = is || (part.number == 1 && part.value != 0 && part.value == sequence->event_note) ||
         (part.number == 10 && is_event_word(&part));
  }
  return is;
}

static void take_event_id(struct vkm_merge_sequence *sequence, uint64_t id) {
  sequence->has_events = true;
  sequence->least = id < sequence->least ? id : sequence->least;
  sequence->most = id > sequence->most ? id : sequence->most;
}

static void scan_ids(struct vkm_merge_sequence *sequence, const struct vkm_wire_field *field) {
  uint64_t id = 0;
  struct vkm_wire wire = vkm_wire_in(field);
  if (field->type == VKM_WIRE_VARINT) {
    take_event_id(sequence, field->value);
  }
  while (vkm_wire_varint(&wire, &id)) {
    take_event_id(sequence, id);
  }
}

/* Of correlations all, of an annotation its value. */
static void scan_ids_in(struct vkm_merge_sequence *sequence, const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field ids;
  while (vkm_wire_next(&wire, &ids)) {
    if (field->number == 3000 || ids.number == 3) {
      scan_ids(sequence, &ids);
    }
  }
}

/* Notes who has a number; tells whether another file had it before. */
static enum vkm_status claim(struct vkm_merge *merge, enum vkm_merge_what what, uint64_t number,
                             size_t file, bool *collides) {
  uint32_t *found =
      vkm_lookup_put(&merge->lookup, vkm_merge_key(what, 0), number, (uint32_t)file + 1);
  if (found == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  *collides = *found != file + 1;
  return VKM_OK;
}

static enum vkm_status scan_flow(struct vkm_merge *merge, size_t file,
                                 struct vkm_merge_sequence *sequence,
                                 const struct vkm_wire_field *field) {
  enum vkm_status status = VKM_OK;
  bool collides = false;
  uint64_t id = field->value;
  struct vkm_wire wire = vkm_wire_in(field);
  bool packed = field->type == VKM_WIRE_BYTES;
  while (status == VKM_OK && (!packed || vkm_wire_fixed64(&wire, &id))) {
    status = claim(merge, VKM_MERGE_FLOW, id, file, &collides);
    sequence->flows_collide = sequence->flows_collide || collides;
    if (!packed) {
      break;
    }
  }
  return status;
}

static enum vkm_status scan_event(struct vkm_merge *merge, size_t file,
                                  struct vkm_merge_sequence *sequence,
                                  const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    if (part.number == 22) {
      sequence->ours = sequence->ours || is_ours(&part);
    } else if (part.number == 47 || part.number == 48) {
      status = scan_flow(merge, file, sequence, &part);
    } else if (part.number == 3000 ||
               (part.number == 4 && vkm_merge_is_event_note(sequence, &part))) {
      scan_ids_in(sequence, &part);
    }
  }
  return status;
}

static void scan_stage(struct vkm_merge_sequence *sequence, const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      take_event_id(sequence, part.value);
    }
  }
}

static enum vkm_status scan_pid(struct vkm_merge *merge, size_t file,
                                const struct vkm_wire_field *process) {
  struct vkm_wire wire = vkm_wire_in(process);
  struct vkm_wire_field part;
  enum vkm_status status = VKM_OK;
  while (status == VKM_OK && vkm_wire_next(&wire, &part)) {
    bool collides = false;
    uint64_t own = vkm_merge_key(VKM_MERGE_PID, file + 1);
    if (part.number == 1 && vkm_lookup_find(&merge->lookup, own, part.value) == NULL) {
      status = claim(merge, VKM_MERGE_PID, part.value, file, &collides);
      merge->result->same_pid += collides;
      bool kept = vkm_lookup_put(&merge->lookup, own, part.value, 0) != NULL;
      status = kept ? status : VKM_OUT_OF_MEMORY;
    }
  }
  return status;
}

static enum vkm_status scan_descriptor(struct vkm_merge *merge, size_t file,
                                       struct vkm_merge_sequence *sequence,
                                       const struct vkm_wire_field *field) {
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  struct vkm_wire_field process = {.number = 0};
  uint64_t uuid = 0;
  while (vkm_wire_next(&wire, &part)) {
    uuid = part.number == 1 ? part.value : uuid;
    if (part.number == 3) {
      process = part;
    } else if (part.number == 14 && is_word(&part, VKM_WORD_PROCESS)) {
      sequence->ours = true;
    }
  }
  uint32_t index = (uint32_t)(sequence - merge->files[file].sequences);
  if (vkm_lookup_put(&merge->lookup, vkm_merge_key(VKM_MERGE_OWN_UUID, file + 1), uuid, index) ==
      NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  return sequence->ours && process.number != 0 ? scan_pid(merge, file, &process) : VKM_OK;
}

static void scan_clocks(struct vkm_merge_file *of, const struct vkm_merge_sequence *sequence,
                        const struct vkm_trace_parts *parts) {
  struct vkm_merge_clocks clocks;
  if (parts->snapshot.number != 0 && parts->machine == 0 &&
      vkm_merge_read_clocks(&parts->snapshot, &clocks)) {
    of->first = clocks.shared && !of->has_snapshot ? clocks : of->first;
    of->has_snapshot = of->has_snapshot || clocks.shared;
    of->default_clock = vkm_merge_default(&clocks, of->default_clock);
  } else if (parts->has_timestamp && parts->clock == 0 && sequence->clock == 0) {
    of->needs_default = true;
  }
}

static enum vkm_status scan_packet(struct vkm_merge *merge, size_t file,
                                   const struct vkm_trace_parts *parts) {
  struct vkm_merge_sequence *sequence = vkm_merge_sequence_of(merge, file, parts->sequence);
  if (sequence == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  enum vkm_status status = VKM_OK;
  vkm_merge_read_state(sequence, parts);
  scan_clocks(&merge->files[file], sequence, parts);
  if (parts->descriptor.number != 0) {
    status = scan_descriptor(merge, file, sequence, &parts->descriptor);
  }
  if (status == VKM_OK && parts->event.number != 0) {
    status = scan_event(merge, file, sequence, &parts->event);
  }
  if (parts->stage.number != 0) {
    scan_stage(sequence, &parts->stage);
  }
  return status;
}

static enum vkm_status refuse(struct vkm_merge_error *error, const char *cause,
                              const char *remedy) {
  snprintf(error->cause, sizeof error->cause, "%s", cause);
  error->remedy = remedy;
  return VKM_BAD_INPUT;
}

/* Their numbers could collide unseen. */
static enum vkm_status refuse_compressed(struct vkm_merge_error *error, uint64_t offset) {
  char cause[64];
  snprintf(cause, sizeof cause, "it has compressed packets, the first at byte %" PRIu64, offset);
  return refuse(error, cause, "decompress it first, with Perfetto's traceconv");
}

enum vkm_status vkm_merge_scan(struct vkm_merge *merge, size_t file,
                               struct vkm_merge_error *error) {
  struct vkm_merge_file *of = &merge->files[file];
  struct vkm_trace_parts parts;
  uint64_t packets = 0;
  enum vkm_status status = vkm_trace_file_next(&of->file, &of->packet);
  while (status == VKM_OK && of->packet.bytes != NULL) {
    packets++;
    if (vkm_trace_take_apart(&of->packet, &parts)) {
      status = parts.compressed ? refuse_compressed(error, of->packet.offset)
                                : scan_packet(merge, file, &parts);
    }
    status = status == VKM_OK ? vkm_trace_file_next(&of->file, &of->packet) : status;
  }
  of->cut = of->file.cut;
  if (status == VKM_OK && packets == 0) {
    status = refuse(error, "it is no Perfetto trace",
                    "give files that VKMETER_TRACE or vkmeter run --trace wrote, or Perfetto");
  }
  return status;
}
