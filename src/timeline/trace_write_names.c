/* In: keys and texts. Out: things found again, names with numbers, each written before it is used.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "kernel/identity.h"
#include "timeline/trace_write_parts.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) vkm_alloc(size)
#define uthash_free(memory, size) vkm_free(memory)
#include <uthash.h>

struct vkm_trace_thing {
  struct vkm_trace_key key;
  UT_hash_handle hh;
  /* What it is stands behind, for anything from memory. */
  _Alignas(max_align_t) unsigned char what[];
};

static const size_t caps[VKM_THING_TYPES] = {
    [VKM_THING_NAME] = 65536, [VKM_THING_THREAD] = 4096,  [VKM_THING_QUEUE] = VKM_TRACE_QUEUES,
    [VKM_THING_HEAP] = 1024,  [VKM_THING_KERNEL] = 16384, [VKM_THING_PHASE] = 65536,
};

static struct vkm_trace_thing *make(struct vkm_trace_writer *writer, struct vkm_trace_key key,
                                    size_t size_bytes) {
  struct vkm_trace_thing *thing = vkm_calloc(1, sizeof *thing + size_bytes);
  if (thing == NULL) {
    return NULL;
  }
  thing->key = key;
  HASH_ADD(hh, writer->things, key, sizeof thing->key, thing);
  if (thing->hh.tbl == NULL) { /* uthash had no memory and took it out again */
    vkm_free(thing);
    return NULL;
  }
  writer->thing_counts[key.type]++;
  return thing;
}

void *vkm_trace_thing(struct vkm_trace_writer *writer, struct vkm_trace_key key, size_t size_bytes,
                      bool *made) {
  struct vkm_trace_thing *thing = NULL;
  HASH_FIND(hh, writer->things, &key, sizeof key, thing);
  *made = false;
  if (thing == NULL && writer->thing_counts[key.type] < caps[key.type]) {
    thing = make(writer, key, size_bytes);
    writer->batch.failed |= thing == NULL;
    *made = thing != NULL;
  }
  return thing != NULL ? thing->what : NULL;
}

void vkm_trace_things_finish(struct vkm_trace_writer *writer) {
  struct vkm_trace_thing *thing = writer->things;
  HASH_CLEAR(hh, writer->things);
  while (thing != NULL) {
    struct vkm_trace_thing *next = thing->hh.next;
    vkm_free(thing);
    thing = next;
  }
}

/* ---- names ---- */

static void init_word(struct vkm_trace_writer *writer, struct vkm_trace_name *name,
                      enum vkm_trace_table table, const char *text) {
  *name = (struct vkm_trace_name){.table = table, .iid = ++writer->last_iid[table], .text = text};
}

void vkm_trace_words_init(struct vkm_trace_writer *writer) {
  static const char *const categories[] = {VKM_WORD_CALL, VKM_WORD_GPU, VKM_WORD_LABEL,
                                           VKM_WORD_INSTANT, VKM_WORD_COUNTS};
  struct vkm_trace_words *words = &writer->words;
  for (size_t i = 0; i < sizeof words->categories / sizeof words->categories[0]; i++) {
    init_word(writer, &words->categories[i], VKM_TRACE_CATEGORIES, categories[i]);
  }
  for (size_t i = 0; i < VKM_CALL_COUNT; i++) {
    init_word(writer, &words->calls[i], VKM_TRACE_EVENTS, vkm_call_name((enum vkm_call)i));
  }
  for (size_t i = 0; i <= VKM_KIND_COUNT; i++) {
    const char *text = i < VKM_KIND_COUNT ? vkm_kind_names[i] : VKM_WORD_WHOLE;
    init_word(writer, &words->kinds[i], VKM_TRACE_EVENTS, text);
    init_word(writer, &words->stages[i], VKM_TRACE_STAGES, text);
  }
}

struct vkm_trace_name *vkm_trace_name(struct vkm_trace_writer *writer, enum vkm_trace_table table,
                                      const char *text) {
  char clean[VKM_TRACE_TEXT * 3];
  size_t length = vkm_text_clean(clean, sizeof clean, text);
  struct vkm_hash hash = vkm_hash_bytes(clean, length);
  struct vkm_trace_key key = {VKM_THING_NAME, hash.high + table, hash.low};
  bool made = false;
  struct vkm_trace_name *name =
      vkm_trace_thing(writer, key, sizeof(struct vkm_trace_name) + length + 1, &made);
  if (made) {
    char *kept = (char *)(name + 1);
    memcpy(kept, clean, length + 1);
    *name = (struct vkm_trace_name){.table = table, .iid = ++writer->last_iid[table], .text = kept};
  }
  return name;
}

static void put_text(struct vkm_trace_writer *writer, Vkm__InternedData *data,
                     const struct vkm_trace_name *name) {
  Vkm__InternedString text;
  Vkm__InternedString *texts[] = {&text};
  vkm__interned_string__init(&text);
  text.has_iid = true;
  text.iid = name->iid;
  text.has_str = true;
  text.str.len = strlen(name->text);
  text.str.data = (uint8_t *)(uintptr_t)name->text; /* read only */
  data->n_debug_annotation_string_values = 1;
  data->debug_annotation_string_values = texts;
  vkm_trace_data_put(writer, data);
}

/* Commands that run shaders for computing, those that draw, others. */
static int32_t stage_category(const struct vkm_trace_writer *writer,
                              const struct vkm_trace_name *name) {
  enum { OTHER = 0, GRAPHICS, COMPUTE };
  size_t kind = (size_t)(name - writer->words.stages);
  if (kind == VKM_KIND_RENDER_PASS) {
    return GRAPHICS;
  }
  return kind < VKM_KIND_COUNT && vkm_kind_is_dispatch((uint32_t)kind) ? COMPUTE : OTHER;
}

static void put_stage(struct vkm_trace_writer *writer, Vkm__InternedData *data,
                      const struct vkm_trace_name *name) {
  Vkm__InternedGpuRenderStageSpecification stage;
  Vkm__InternedGpuRenderStageSpecification *stages[] = {&stage};
  vkm__interned_gpu_render_stage_specification__init(&stage);
  stage.has_iid = true;
  stage.iid = name->iid;
  stage.name = (char *)(uintptr_t)name->text;
  stage.has_category = true;
  stage.category = stage_category(writer, name);
  data->n_gpu_specifications = 1;
  data->gpu_specifications = stages;
  vkm_trace_data_put(writer, data);
}

static void put_name(struct vkm_trace_writer *writer, Vkm__InternedData *data,
                     const struct vkm_trace_name *interned) {
  Vkm__InternedName name;
  Vkm__InternedName *names[] = {&name};
  vkm__interned_name__init(&name);
  name.has_iid = true;
  name.iid = interned->iid;
  name.name = (char *)(uintptr_t)interned->text;
  switch (interned->table) {
  case VKM_TRACE_CATEGORIES:
    data->n_event_categories = 1;
    data->event_categories = names;
    break;
  case VKM_TRACE_EVENTS:
    data->n_event_names = 1;
    data->event_names = names;
    break;
  case VKM_TRACE_ANNOTATIONS:
    data->n_debug_annotation_names = 1;
    data->debug_annotation_names = names;
    break;
  default:
    data->n_compute_arg_names = 1;
    data->compute_arg_names = names;
    break;
  }
  vkm_trace_data_put(writer, data);
}

uint64_t vkm_trace_name_use(struct vkm_trace_writer *writer, struct vkm_trace_name *name) {
  if (name == NULL) {
    return 0;
  }
  if (vkm_trace_mark_fresh(writer, &name->mark)) {
    Vkm__InternedData data;
    vkm__interned_data__init(&data);
    if (name->table == VKM_TRACE_STRINGS) {
      put_text(writer, &data, name);
    } else if (name->table == VKM_TRACE_STAGES) {
      put_stage(writer, &data, name);
    } else {
      put_name(writer, &data, name);
    }
  }
  return name->iid;
}
