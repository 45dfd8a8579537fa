/* Reads documents. In: a path or bytes, never trusted. Out: a tree of values. Next: profile_read,
 * and the tool's readers. */
#include "profile/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "profile/json_check.h"
#include "profile/profile_read_place.h"

enum {
  LARGEST_BYTES = 1 << 30,     /* the parser needs about 20 times as much memory */
  FIRST_READ_BYTES = 64 << 10, /* grows by doubling */
};

static const char FREE_MEMORY[] = "free memory, or give a smaller file";

static enum vkm_status fail(struct vkm_read_error *error, enum vkm_status status,
                            const char *remedy, const char *cause) {
  snprintf(error->cause, sizeof error->cause, "%s", cause);
  error->remedy = remedy;
  return status;
}

static enum vkm_status fail_memory(struct vkm_read_error *error) {
  return fail(error, VKM_OUT_OF_MEMORY, FREE_MEMORY, "out of memory");
}

static enum vkm_status explain(const struct vkm_document *document,
                               const struct vkm_json_fault *fault, struct vkm_read_error *error) {
  if (fault->out_of_memory) {
    return fail_memory(error);
  }
  const struct vkm_parse *parse = &document->parse;
  char cause[256];
  snprintf(cause, sizeof cause, "%s, at byte %zu (line %zu)", fault->cause, fault->offset,
           vkm_place_line(parse->text, parse->text_bytes, fault->offset));
  /* What begins like a document of ours was one. */
  char first = parse->text[vkm_place_root(parse->text, parse->text_bytes)];
  bool damaged = fault->truncated || first == '{';
  return fail(error, VKM_BAD_INPUT, damaged ? document->kinds->again : document->kinds->give,
              cause);
}

static enum vkm_status find_kind(struct vkm_document *document, size_t kind_count,
                                 struct vkm_read_error *error) {
  const struct vkm_document_kind *kinds = document->kinds;
  const cJSON *schema = cJSON_GetObjectItemCaseSensitive(document->tree, "schema");
  char cause[256];
  if (!cJSON_IsObject((cJSON *)document->tree) || !cJSON_IsString(schema)) {
    snprintf(cause, sizeof cause, "it is JSON without a schema, so %s", kinds->foreign);
    return fail(error, VKM_BAD_INPUT, kinds->give, cause);
  }
  for (size_t i = 0; i < kind_count; i++) {
    if (strcmp(schema->valuestring, kinds[i].schema) == 0) {
      document->kind = i;
      return VKM_OK;
    }
  }
  size_t same = strcspn(kinds->schema, "/") + 1;
  if (strncmp(schema->valuestring, kinds->schema, same) == 0) {
    snprintf(cause, sizeof cause, "its schema is '%.60s', this vkmeter reads '%s'",
             schema->valuestring, kinds->schema);
    return fail(error, VKM_BAD_INPUT, "use the vkmeter that wrote it, or record it again", cause);
  }
  snprintf(cause, sizeof cause, "its schema is '%.60s', so it is %s", schema->valuestring,
           kinds->foreign);
  return fail(error, VKM_BAD_INPUT, kinds->give, cause);
}

/* Finds the arrays that are large. */
static void find_cuts(struct vkm_parse *parse, const char *const *names) {
  size_t root = vkm_place_root(parse->text, parse->text_bytes);
  for (; names != NULL && *names != NULL && parse->cut_count < VKM_CUTS; names++) {
    struct vkm_cut cut = {.name = *names};
    cut.open = vkm_place_member(parse->text, parse->text_bytes, root, *names);
    if (parse->text[root] != '{' || parse->text[cut.open] != '[') {
      continue;
    }
    cut.close = vkm_place_close(parse->text, parse->text_bytes, cut.open, &cut.count);
    size_t at = parse->cut_count++;
    for (; at > 0 && parse->cuts[at - 1].open > cut.open; at--) {
      parse->cuts[at] = parse->cuts[at - 1];
    }
    parse->cuts[at] = cut;
  }
}

/* The tree without what is between the brackets of cuts. NULL: out of memory. */
static cJSON *parse_around(const struct vkm_parse *parse) {
  char *rest = vkm_alloc(parse->text_bytes + 1);
  if (rest == NULL) {
    return NULL;
  }
  size_t used = 0;
  size_t from = 0;
  for (size_t i = 0; i <= parse->cut_count; i++) {
    size_t to = i < parse->cut_count ? parse->cuts[i].open + 1 : parse->text_bytes;
    memcpy(rest + used, parse->text + from, to - from);
    used += to - from;
    from = i < parse->cut_count ? parse->cuts[i].close : to;
  }
  rest[used] = 0;
  cJSON *tree = cJSON_ParseWithLengthOpts(rest, used + 1, NULL, 1);
  vkm_free(rest);
  return tree;
}

/* document->text ends in NUL, behind parse.text_bytes; it is taken over. */
static enum vkm_status read_text(struct vkm_document *document, size_t kind_count,
                                 struct vkm_read_error *error) {
  struct vkm_parse *parse = &document->parse;
  if (vkm_place_root(parse->text, parse->text_bytes) == parse->text_bytes) {
    return fail(error, VKM_BAD_INPUT, document->kinds->give, "it is empty");
  }
  struct vkm_json_fault fault;
  if (!vkm_json_check(parse->text, parse->text_bytes, &fault)) {
    return explain(document, &fault, error);
  }
  cJSON_Hooks hooks = {vkm_alloc, vkm_free};
  cJSON_InitHooks(&hooks);
  find_cuts(parse, document->kinds->large);
  document->tree = parse_around(parse);
  if (document->tree == NULL) { /* the parser takes whatever passed the check */
    return fail_memory(error);
  }
  document->root = (struct vkm_value){document->tree, NULL, NULL, 0};
  return find_kind(document, kind_count, error);
}

static enum vkm_status conclude_read(enum vkm_status status, struct vkm_document *document) {
  if (status != VKM_OK) {
    vkm_document_finish(document);
  }
  return status;
}

enum vkm_status vkm_document_read_bytes(const char *bytes, size_t length,
                                        const struct vkm_document_kind *kinds, size_t kind_count,
                                        struct vkm_document *document,
                                        struct vkm_read_error *error) {
  *document = (struct vkm_document){.kinds = kinds};
  if (length > LARGEST_BYTES) {
    return fail(error, VKM_BAD_INPUT, kinds->give, "larger than 1 GiB");
  }
  document->text = vkm_alloc(length + 1);
  if (document->text == NULL) {
    return fail_memory(error);
  }
  if (length > 0) {
    memcpy(document->text, bytes, length);
  }
  document->text[length] = 0;
  document->parse = (struct vkm_parse){.text = document->text, .text_bytes = length};
  return conclude_read(read_text(document, kind_count, error), document);
}

/* Reads to the end into owned memory that ends in NUL. */
static enum vkm_status slurp(int file, char **text, size_t *length) {
  size_t capacity = 0;
  for (;;) {
    if (*length + 1 >= capacity) {
      capacity = capacity ? 2 * capacity : FIRST_READ_BYTES;
      char *grown = vkm_realloc(*text, capacity);
      if (grown == NULL) {
        return VKM_OUT_OF_MEMORY;
      }
      *text = grown;
    }
    ssize_t got = read(file, *text + *length, capacity - *length - 1);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return VKM_IO;
    }
    *length += (size_t)got;
    (*text)[*length] = 0;
    if (got == 0) {
      return VKM_OK;
    }
    if (*length > LARGEST_BYTES) {
      return VKM_FULL;
    }
  }
}

enum vkm_status vkm_document_read(const char *path, const struct vkm_document_kind *kinds,
                                  size_t kind_count, struct vkm_document *document,
                                  struct vkm_read_error *error) {
  *document = (struct vkm_document){.kinds = kinds};
  bool standard_input = strcmp(path, "-") == 0;
  int file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return fail(error, VKM_IO, kinds->give, strerror(errno));
  }
  size_t length = 0;
  enum vkm_status status = slurp(file, &document->text, &length);
  int cause = errno;
  if (!standard_input) {
    (void)close(file);
  }
  document->parse = (struct vkm_parse){.text = document->text, .text_bytes = length};
  switch (status) {
  case VKM_OK:
    status = read_text(document, kind_count, error);
    break;
  case VKM_FULL:
    status = fail(error, VKM_BAD_INPUT, kinds->give, "larger than 1 GiB");
    break;
  case VKM_IO:
    status = fail(error, VKM_IO, kinds->give, strerror(cause));
    break;
  default:
    status = fail_memory(error);
    break;
  }
  return conclude_read(status, document);
}

enum vkm_status vkm_document_conclude(const struct vkm_document *document,
                                      struct vkm_read_error *error) {
  const struct vkm_parse *parse = &document->parse;
  if (!parse->failed) {
    return VKM_OK;
  }
  return parse->out_of_memory
             ? fail_memory(error)
             : fail(error, VKM_BAD_INPUT, document->kinds[document->kind].again, parse->error);
}

void vkm_document_finish(struct vkm_document *document) {
  cJSON_Delete(document->tree);
  vkm_free(document->text);
  *document = (struct vkm_document){0};
}
