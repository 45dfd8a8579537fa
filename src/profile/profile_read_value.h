/* Strict access to a parsed JSON document: every miss is an error that names the place. Part of
 * profile_read; main thread. The first error wins; after it every getter leaves its output alone,
 * so that a caller reads freely and looks once at the end. */
#ifndef VKM_PROFILE_PROFILE_READ_VALUE_H
#define VKM_PROFILE_PROFILE_READ_VALUE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array that is not in the tree, but parsed an element at a time: its values would take 20 times
 * the memory of the text. */
struct vkm_cut {
  const char *name;   /* of the member of the outermost object */
  size_t open, close; /* bytes of its brackets */
  size_t count;       /* of elements */
};
enum { VKM_CUTS = 2 };

struct vkm_keep;
struct vkm_parse {
  bool failed;
  bool out_of_memory;
  const char *text; /* the document, for the place of an error */
  size_t text_bytes;
  struct vkm_cut cuts[VKM_CUTS]; /* as they stand in the text */
  size_t cut_count;
  struct vkm_keep *keep; /* where strings go; NULL: they are borrowed from the tree */
  char error[512];
};

/* A value and the way to it. On the caller's stack; the parent has to outlive it. */
struct vkm_value {
  const cJSON *item; /* NULL: not there */
  const struct vkm_value *parent;
  const char *name; /* in an object */
  size_t index;     /* in an array, when name is NULL */
};

enum vkm_value_need {
  VKM_VALUE_NEEDED,   /* absent or null is an error */
  VKM_VALUE_NULLABLE, /* has to be there, may be null */
  VKM_VALUE_OPTIONAL, /* may be absent or null: the output is left alone */
};

/* Fails `parse` with printf-like cause at the place of `at`. */
void vkm_value_fail(struct vkm_parse *parse, const struct vkm_value *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The member, of JSON type `type` (cJSON_Object or cJSON_Array); item NULL when absent, null or
 * failed. */
struct vkm_value vkm_value_member(struct vkm_parse *parse, const struct vkm_value *object,
                                  const char *name, int type, enum vkm_value_need need);
/* Strings are borrowed from the document, or live as long as parse->keep. */
void vkm_value_text(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, const char **out);
void vkm_value_bool(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, bool *out);
/* Numbers outside what the type holds are errors, as are fractions for the whole ones. */
void vkm_value_i64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, int64_t *out);
void vkm_value_u64(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, uint64_t *out);
void vkm_value_u32(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                   enum vkm_value_need need, uint32_t *out);
void vkm_value_double(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      enum vkm_value_need need, double *out);

/* A time: at most VKM_READ_TIME_MAX away from 0. */
void vkm_value_time(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    enum vkm_value_need need, int64_t *out);

/* `string` (of a cJSON item, not NULL) as vkm_value_text would give it; "" when memory is short. */
const char *vkm_value_keep(struct vkm_parse *parse, const char *string);

/* The element `item` of an array, number `index`; of JSON type `type`. */
struct vkm_value vkm_value_element(struct vkm_parse *parse, const struct vkm_value *array,
                                   const cJSON *item, size_t index, int type);
/* The member `item` of an object, under its own name. */
struct vkm_value vkm_value_child(struct vkm_parse *parse, const struct vkm_value *object,
                                 const cJSON *item, int type);
/* The number `at` itself. */
void vkm_value_as_u64(struct vkm_parse *parse, const struct vkm_value *at, uint64_t *out);
void vkm_value_as_u32(struct vkm_parse *parse, const struct vkm_value *at, uint32_t *out);
void vkm_value_as_time(struct vkm_parse *parse, const struct vkm_value *at, int64_t *out);

/* Elements of an array of the outermost object, wherever it is. Begin, then next until it says
 * false, each time; an element is gone with the next one. */
struct vkm_elements {
  struct vkm_value list; /* private, all of it */
  const struct vkm_cut *cut;
  const cJSON *item;
  cJSON *owned;
  size_t at, index;
};
/* The number of elements, 0 where it failed. */
size_t vkm_elements_begin(struct vkm_parse *parse, const struct vkm_value *root, const char *name,
                          struct vkm_elements *elements);
/* False: there is no more, or it failed. */
bool vkm_elements_next(struct vkm_parse *parse, struct vkm_elements *elements, int type,
                       struct vkm_value *element);

/* Zeroed memory for `count` elements; NULL for none, or with parse->failed. Free with vkm_free. */
void *vkm_value_array(struct vkm_parse *parse, size_t count, size_t element_bytes);

#endif
