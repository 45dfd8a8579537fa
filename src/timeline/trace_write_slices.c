/* Track events: begins, ends, instants, counters, with what is noted beside them. */
#include "timeline/trace_write_parts.h"

static Vkm__DebugAnnotation *note(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                                  struct vkm_trace_name *name) {
  if (notes->count >= VKM_TRACE_ANNOTATED || name == NULL) {
    return NULL;
  }
  Vkm__DebugAnnotation *to = &notes->each[notes->count];
  notes->list[notes->count++] = to;
  vkm__debug_annotation__init(to);
  to->has_name_iid = true;
  to->name_iid = vkm_trace_name_use(writer, name);
  return to;
}

static Vkm__DebugAnnotation *note_named(struct vkm_trace_writer *writer,
                                        struct vkm_trace_notes *notes, const char *name) {
  return note(writer, notes, vkm_trace_name(writer, VKM_TRACE_ANNOTATIONS, name));
}

void vkm_trace_note_u64(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                        const char *name, uint64_t value) {
  Vkm__DebugAnnotation *to = note_named(writer, notes, name);
  if (to != NULL) {
    to->has_uint_value = true;
    to->uint_value = value;
  }
}

void vkm_trace_note_i64(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                        const char *name, int64_t value) {
  Vkm__DebugAnnotation *to = note_named(writer, notes, name);
  if (to != NULL) {
    to->has_int_value = true;
    to->int_value = value;
  }
}

void vkm_trace_note_text(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                         const char *name, const char *value) {
  Vkm__DebugAnnotation *to = note_named(writer, notes, name);
  if (to != NULL) {
    to->string_value = (char *)(uintptr_t)value; /* read only */
  }
}

void vkm_trace_note_fact(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                         const struct vkm_trace_fact *fact) {
  Vkm__DebugAnnotation *to = note(writer, notes, fact->name);
  if (to == NULL) {
    return;
  }
  struct vkm_trace_value value = vkm_trace_fact_value(writer, fact);
  to->has_uint_value = value.is_uint;
  to->uint_value = value.u64;
  to->has_int_value = value.is_int;
  to->int_value = value.i64;
  to->has_double_value = value.is_double;
  to->double_value = value.f64;
  to->has_string_value_iid = value.is_text;
  to->string_value_iid = value.text_iid;
}

void vkm_trace_slice_init(Vkm__TrackEvent *slice, int type, uint64_t track) {
  vkm__track_event__init(slice);
  slice->has_type = true;
  slice->type = type;
  slice->has_track_uuid = true;
  slice->track_uuid = track;
}

void vkm_trace_slice_name(struct vkm_trace_writer *writer, Vkm__TrackEvent *slice,
                          struct vkm_trace_name *name, uint64_t *category,
                          enum vkm_trace_category of) {
  if (name != NULL) {
    slice->has_name_iid = true;
    slice->name_iid = vkm_trace_name_use(writer, name);
  } else {
    slice->name = (char *)(uintptr_t)"beyond the cap of names"; /* read only */
  }
  *category = vkm_trace_name_use(writer, &writer->words.categories[of]);
  slice->n_category_iids = 1;
  slice->category_iids = category;
}

void vkm_trace_slice_put(struct vkm_trace_writer *writer, Vkm__TrackEvent *slice,
                         struct vkm_trace_notes *notes, int64_t at_ns) {
  if (notes != NULL) {
    slice->n_debug_annotations = notes->count;
    slice->debug_annotations = notes->list;
  }
  Vkm__TracePacket packet;
  vkm_trace_packet_init(writer, &packet);
  vkm_trace_packet_at(&packet, at_ns);
  packet.track_event = slice;
  vkm_trace_packet_put(writer, &packet);
}

void vkm_trace_slice_end(struct vkm_trace_writer *writer, uint64_t track, int64_t at_ns) {
  Vkm__TrackEvent slice;
  vkm_trace_slice_init(&slice, VKM_SLICE_END, track);
  vkm_trace_slice_put(writer, &slice, NULL, at_ns);
}
