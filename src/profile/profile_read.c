/* Reads profiles. In: a path or bytes, never trusted. Out: plain structures. Next room: the tool's
 * model. */
#include "profile/profile_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "profile/profile.h"
#include "profile/profile_read_place.h"
#include "profile/profile_read_sections.h"

enum {
  DEEPEST = 64,                /* levels; the writer uses 6 */
  LARGEST_BYTES = 1 << 30,     /* cJSON needs about 20 times as much memory */
  FIRST_READ_BYTES = 64 << 10, /* grows by doubling */
};

static const char GIVE_PROFILE[] = "give the path of a profile written by vkmeter";
static const char RECORD_AGAIN[] = "the file is damaged: record the profile again";
static const char FREE_MEMORY[] = "free memory, or give a smaller profile";

static enum vkm_status fail(struct vkm_read_error *error, enum vkm_status status,
                            const char *remedy, const char *cause) {
  snprintf(error->cause, sizeof error->cause, "%s", cause);
  error->remedy = remedy;
  return status;
}

/* cJSON cannot tell a document that is no JSON from memory that is short. */
static bool memory_was_short;

static void *allocate(size_t size_bytes) {
  void *memory = vkm_alloc(size_bytes);
  memory_was_short = memory_was_short || memory == NULL;
  return memory;
}

static const cJSON *parse_json(const char *text, size_t text_bytes, const char **stop) {
  cJSON_Hooks hooks = {allocate, vkm_free};
  cJSON_InitHooks(&hooks);
  memory_was_short = false;
  return cJSON_ParseWithLengthOpts(text, text_bytes + 1, stop, 1);
}

static void read_root(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile) {
  vkm_value_bool(parse, root, "complete", VKM_VALUE_NEEDED, &profile->complete);
  vkm_value_text(parse, root, "end_reason", VKM_VALUE_NULLABLE, &profile->end_reason);
  vkm_read_run(parse, root, profile);
  vkm_read_environment(parse, root, profile);
  vkm_read_devices(parse, root, profile);
  vkm_read_pipelines(parse, root, profile);
  vkm_read_kernels(parse, root, profile);
  vkm_read_groups(parse, root, profile);
  vkm_read_queues(parse, root, profile);
  vkm_read_coverage(parse, root, profile);
  vkm_read_overhead(parse, root, profile);
  vkm_read_breakdown(parse, root, profile);
}

/* A first look at the text, for the two things that the parser would not name. */
static enum vkm_status look(const struct vkm_parse *parse, struct vkm_read_error *error) {
  struct vkm_place_scan scan;
  vkm_place_scan(parse->text, parse->text_bytes, &scan);
  if (vkm_place_root(parse->text, parse->text_bytes) == parse->text_bytes) {
    return fail(error, VKM_BAD_INPUT, GIVE_PROFILE, "it is empty");
  }
  if (scan.deepest > DEEPEST) {
    char cause[128];
    snprintf(cause, sizeof cause, "nested deeper than %d levels, at byte %zu (line %zu)", DEEPEST,
             scan.deepest_at, vkm_place_line(parse->text, parse->text_bytes, scan.deepest_at));
    return fail(error, VKM_BAD_INPUT, GIVE_PROFILE, cause);
  }
  return VKM_OK;
}

static enum vkm_status explain_syntax(const struct vkm_parse *parse, const char *stop,
                                      struct vkm_read_error *error) {
  struct vkm_place_scan scan;
  vkm_place_scan(parse->text, parse->text_bytes, &scan);
  size_t offset = stop != NULL ? (size_t)(stop - parse->text) : parse->text_bytes;
  char first = parse->text[vkm_place_root(parse->text, parse->text_bytes)];
  bool truncated = scan.open_at_end && (first == '{' || first == '[');
  if (truncated) {
    offset = parse->text_bytes;
  }
  char cause[128];
  snprintf(cause, sizeof cause, "%s, at byte %zu (line %zu)",
           truncated ? "truncated: the document breaks off" : "no JSON: the parser stopped", offset,
           vkm_place_line(parse->text, parse->text_bytes, offset));
  return fail(error, VKM_BAD_INPUT, truncated ? RECORD_AGAIN : GIVE_PROFILE, cause);
}

static enum vkm_status check_schema(const struct vkm_value *root, struct vkm_read_error *error) {
  const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root->item, "schema");
  if (!cJSON_IsObject(root->item) || !cJSON_IsString(schema)) {
    return fail(error, VKM_BAD_INPUT, GIVE_PROFILE,
                "it is JSON without a schema, so no profile of vkmeter");
  }
  if (strcmp(schema->valuestring, VKM_PROFILE_SCHEMA) != 0) {
    char cause[160];
    snprintf(cause, sizeof cause, "its schema is '%.60s', this vkmeter reads '%s'",
             schema->valuestring, VKM_PROFILE_SCHEMA);
    return fail(error, VKM_BAD_INPUT, "use the vkmeter that wrote it, or record it again", cause);
  }
  return VKM_OK;
}

/* `text` ends in NUL, behind text_bytes. */
static enum vkm_status read_text(const char *text, size_t text_bytes,
                                 struct vkm_read_profile *profile, struct vkm_read_error *error) {
  struct vkm_parse parse = {.text = text, .text_bytes = text_bytes};
  *profile = (struct vkm_read_profile){0};
  enum vkm_status status = look(&parse, error);
  if (status != VKM_OK) {
    return status;
  }
  const char *stop = NULL;
  struct vkm_value root = {parse_json(text, text_bytes, &stop), NULL, NULL, 0};
  if (root.item == NULL && memory_was_short) {
    return fail(error, VKM_OUT_OF_MEMORY, FREE_MEMORY, "out of memory");
  }
  if (root.item == NULL) {
    return explain_syntax(&parse, stop, error);
  }
  profile->document = (void *)root.item;
  status = check_schema(&root, error);
  if (status == VKM_OK) {
    read_root(&parse, &root, profile);
  }
  if (status == VKM_OK && parse.failed) {
    status = parse.out_of_memory ? fail(error, VKM_OUT_OF_MEMORY, FREE_MEMORY, "out of memory")
                                 : fail(error, VKM_BAD_INPUT, RECORD_AGAIN, parse.error);
  }
  if (status != VKM_OK) {
    vkm_profile_read_finish(profile);
  }
  return status;
}

enum vkm_status vkm_profile_read_bytes(const char *bytes, size_t length,
                                       struct vkm_read_profile *profile,
                                       struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){0};
  if (length > LARGEST_BYTES) {
    return fail(error, VKM_BAD_INPUT, GIVE_PROFILE, "larger than 1 GiB");
  }
  char *text = vkm_alloc(length + 1);
  if (text == NULL) {
    return fail(error, VKM_OUT_OF_MEMORY, FREE_MEMORY, "out of memory");
  }
  if (length > 0) {
    memcpy(text, bytes, length);
  }
  text[length] = 0;
  enum vkm_status status = read_text(text, length, profile, error);
  vkm_free(text);
  return status;
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

enum vkm_status vkm_profile_read(const char *path, struct vkm_read_profile *profile,
                                 struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){0};
  bool standard_input = strcmp(path, "-") == 0;
  int file = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return fail(error, VKM_IO, GIVE_PROFILE, strerror(errno));
  }
  char *text = NULL;
  size_t length = 0;
  enum vkm_status status = slurp(file, &text, &length);
  int cause = errno;
  if (!standard_input) {
    (void)close(file);
  }
  switch (status) {
  case VKM_OK:
    status = read_text(text, length, profile, error);
    break;
  case VKM_FULL:
    status = fail(error, VKM_BAD_INPUT, GIVE_PROFILE, "larger than 1 GiB");
    break;
  case VKM_IO:
    status = fail(error, VKM_IO, GIVE_PROFILE, strerror(cause));
    break;
  default:
    status = fail(error, status, FREE_MEMORY, "out of memory");
    break;
  }
  vkm_free(text);
  return status;
}

static void finish_device(struct vkm_read_device *device) {
  vkm_free((void *)device->enabled);
  vkm_free(device->capabilities);
  vkm_free(device->memory.heaps);
}

void vkm_profile_read_finish(struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->device_count; i++) {
    finish_device(&profile->devices[i]);
  }
  for (size_t i = 0; i < profile->pipeline_count; i++) {
    vkm_read_executables_finish(&profile->pipelines[i]);
  }
  for (size_t i = 0; i < profile->kernel_count; i++) {
    vkm_free(profile->kernels[i].samples_ns);
    vkm_free(profile->kernels[i].begins_ns);
    vkm_free(profile->kernels[i].outcomes.reasons);
  }
  vkm_free(profile->devices);
  vkm_free(profile->pipelines);
  vkm_free(profile->kernels);
  vkm_free(profile->queues);
  vkm_free(profile->families.items);
  vkm_free(profile->phases.items);
  vkm_free(profile->run.tags.items);
  vkm_free(profile->run.settings.items);
  vkm_free(profile->chosen.items);
  vkm_free(profile->run.rejected);
  vkm_free(profile->dispatches.reasons);
  vkm_free(profile->beyond_rows.reasons);
  cJSON_Delete(profile->document);
  *profile = (struct vkm_read_profile){0};
}
