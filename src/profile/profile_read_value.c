/* Typed getters with errors. In: a cJSON tree. Out: plain values. Next: profile_read. */
#include "profile/profile_read_value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/keep.h"
#include "profile/profile_read.h"
#include "profile/profile_read_place.h"

/* Appends the way to `at`, as in kernels[3].duration, outermost first. */
static size_t path_of(const struct vkm_value *at, char *to, size_t size) {
  if (at == NULL || at->parent == NULL) {
    return 0;
  }
  size_t used = path_of(at->parent, to, size);
  int more = 0;
  if (at->name != NULL) {
    more = snprintf(to + used, size - used, "%s%s", used ? "." : "", at->name);
  } else {
    more = snprintf(to + used, size - used, "[%zu]", at->index);
  }
  used += more > 0 ? (size_t)more : 0;
  return used < size ? used : size - 1;
}

/* Byte where the value of `at` stands (that of its parent when it is not there). */
static size_t offset_of(const struct vkm_parse *parse, const struct vkm_value *at) {
  if (at == NULL || at->parent == NULL) {
    return vkm_place_root(parse->text, parse->text_bytes);
  }
  size_t parent = offset_of(parse, at->parent);
  if (at->item == NULL) {
    return parent;
  }
  return at->name != NULL ? vkm_place_member(parse->text, parse->text_bytes, parent, at->name)
                          : vkm_place_element(parse->text, parse->text_bytes, parent, at->index);
}

void vkm_value_fail(struct vkm_parse *parse, const struct vkm_value *at, const char *format, ...) {
  if (parse->failed) {
    return;
  }
  parse->failed = true;
  char path[160] = "";
  path_of(at, path, sizeof path);
  char cause[200];
  va_list values;
  va_start(values, format);
  vsnprintf(cause, sizeof cause, format, values);
  va_end(values);
  size_t offset = offset_of(parse, at);
  size_t line = vkm_place_line(parse->text, parse->text_bytes, offset);
  bool there = at != NULL && at->item != NULL;
  snprintf(parse->error, sizeof parse->error, "%s%s%s, %s byte %zu (line %zu)", path,
           path[0] ? ": " : "", cause, there ? "at" : "in the object at", offset, line);
}

static const char *type_name(int type) {
  switch (type & 0xff) {
  case cJSON_False:
  case cJSON_True:
    return "true or false";
  case cJSON_NULL:
    return "null";
  case cJSON_Number:
    return "a number";
  case cJSON_String:
    return "text";
  case cJSON_Array:
    return "an array";
  case cJSON_Object:
    return "an object";
  default:
    return "something unknown";
  }
}

static bool has_type(const cJSON *item, int type) {
  return (item->type & 0xff & type) != 0;
}

static struct vkm_value checked(struct vkm_parse *parse, struct vkm_value at, int type) {
  if (!parse->failed && !has_type(at.item, type)) {
    vkm_value_fail(parse, &at, "expected %s, found %s", type_name(type & -type),
                   type_name(at.item->type));
  }
  if (parse->failed) {
    at.item = NULL;
  }
  return at;
}

struct vkm_value vkm_value_member(struct vkm_parse *parse, const struct vkm_value *object,
                                  const char *name, int type, enum vkm_value_need need) {
  struct vkm_value at = {NULL, object, name, 0};
  if (parse->failed || object->item == NULL) {
    return at;
  }
  at.item = cJSON_GetObjectItemCaseSensitive(object->item, name);
  if (at.item == NULL) {
    if (need != VKM_VALUE_OPTIONAL) {
      vkm_value_fail(parse, &at, "missing");
    }
    return at;
  }
  if (cJSON_IsNull(at.item) && need != VKM_VALUE_NEEDED) {
    at.item = NULL;
    return at;
  }
  return checked(parse, at, type);
}

struct vkm_value vkm_value_element(struct vkm_parse *parse, const struct vkm_value *array,
                                   const cJSON *item, size_t index, int type) {
  return checked(parse, (struct vkm_value){item, array, NULL, index}, type);
}

struct vkm_value vkm_value_child(struct vkm_parse *parse, const struct vkm_value *object,
                                 const cJSON *item, int type) {
  return checked(parse, (struct vkm_value){item, object, item->string, 0}, type);
}

static void fail_memory(struct vkm_parse *parse) {
  parse->failed = true;
  parse->out_of_memory = true;
  snprintf(parse->error, sizeof parse->error, "out of memory");
}

const char *vkm_value_keep(struct vkm_parse *parse, const char *string) {
  if (parse->keep == NULL) {
    return string;
  }
  const char *kept = vkm_keep_text(parse->keep, string);
  if (kept == NULL && !parse->failed) {
    fail_memory(parse);
  }
  return kept != NULL ? kept : "";
}

void vkm_value_text(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, const char **out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_String, need);
  if (at.item != NULL) {
    *out = vkm_value_keep(parse, at.item->valuestring);
  }
}

void vkm_value_bool(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, bool *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_True | cJSON_False, need);
  if (at.item != NULL) {
    *out = cJSON_IsTrue(at.item);
  }
}

/* A whole number from `least` to below `beyond`. Doubles hold each one up to 2^53; larger ones are
 * rounded. */
static bool whole(struct vkm_parse *parse, const struct vkm_value *at, double least,
                  double beyond) {
  double value = at->item->valuedouble;
  if (!isfinite(value) || value < least || value >= beyond) {
    vkm_value_fail(parse, at, "the number is out of range");
    return false;
  }
  if (value != floor(value)) {
    vkm_value_fail(parse, at, "expected a whole number");
    return false;
  }
  return true;
}

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0
#define TWO_TO_32 4294967296.0

void vkm_value_i64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, int64_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, need);
  if (at.item != NULL && whole(parse, &at, -TWO_TO_63, TWO_TO_63)) {
    *out = (int64_t)at.item->valuedouble;
  }
}

void vkm_value_as_u64(struct vkm_parse *parse, const struct vkm_value *at, uint64_t *out) {
  if (!parse->failed && at->item != NULL && whole(parse, at, 0, TWO_TO_64)) {
    *out = (uint64_t)at->item->valuedouble;
  }
}

void vkm_value_u64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, uint64_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, need);
  vkm_value_as_u64(parse, &at, out);
}

void vkm_value_as_u32(struct vkm_parse *parse, const struct vkm_value *at, uint32_t *out) {
  if (!parse->failed && at->item != NULL && whole(parse, at, 0, TWO_TO_32)) {
    *out = (uint32_t)at->item->valuedouble;
  }
}

void vkm_value_u32(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, uint32_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, need);
  vkm_value_as_u32(parse, &at, out);
}

void vkm_value_as_time(struct vkm_parse *parse, const struct vkm_value *at, int64_t *out) {
  double most = (double)VKM_READ_TIME_MAX;
  if (!parse->failed && at->item != NULL && whole(parse, at, -most, most)) {
    *out = (int64_t)at->item->valuedouble;
  }
}

void vkm_value_time(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, int64_t *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, need);
  vkm_value_as_time(parse, &at, out);
}

void vkm_value_double(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      enum vkm_value_need need, double *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, need);
  if (at.item == NULL) {
    return;
  }
  if (!isfinite(at.item->valuedouble)) {
    vkm_value_fail(parse, &at, "the number is out of range");
    return;
  }
  *out = at.item->valuedouble;
}

void *vkm_value_array(struct vkm_parse *parse, size_t count, size_t element_bytes) {
  if (parse->failed || count == 0) {
    return NULL;
  }
  void *memory = vkm_calloc(count, element_bytes);
  if (memory == NULL) {
    fail_memory(parse);
  }
  return memory;
}

size_t vkm_elements_begin(struct vkm_parse *parse, const struct vkm_value *root, const char *name,
                          struct vkm_elements *elements) {
  *elements = (struct vkm_elements){0};
  elements->list = vkm_value_member(parse, root, name, cJSON_Array, VKM_VALUE_NEEDED);
  for (size_t i = 0; i < parse->cut_count; i++) {
    if (strcmp(parse->cuts[i].name, name) == 0) {
      elements->cut = &parse->cuts[i];
      elements->at = elements->cut->open + 1;
      return parse->failed ? 0 : elements->cut->count;
    }
  }
  elements->item = elements->list.item != NULL ? elements->list.item->child : NULL;
  return (size_t)cJSON_GetArraySize(elements->list.item);
}

/* The next element of a cut array, parsed; NULL at the end. */
static const cJSON *parse_next(struct vkm_parse *parse, struct vkm_elements *elements) {
  if (elements->index == elements->cut->count) {
    return NULL;
  }
  const char *end = NULL;
  elements->owned = cJSON_ParseWithLengthOpts(parse->text + elements->at,
                                              parse->text_bytes - elements->at, &end, 0);
  if (elements->owned == NULL) { /* the text was checked */
    fail_memory(parse);
    return NULL;
  }
  elements->at = vkm_place_behind(parse->text, parse->text_bytes, (size_t)(end - parse->text));
  return elements->owned;
}

bool vkm_elements_next(struct vkm_parse *parse, struct vkm_elements *elements, int type,
                       struct vkm_value *element) {
  cJSON_Delete(elements->owned);
  elements->owned = NULL;
  if (parse->failed) {
    return false;
  }
  const cJSON *item = elements->item;
  if (elements->cut != NULL) {
    item = parse_next(parse, elements);
  } else if (item != NULL) {
    elements->item = item->next;
  }
  if (item == NULL) {
    return false;
  }
  *element = vkm_value_element(parse, &elements->list, item, elements->index++, type);
  return true;
}
