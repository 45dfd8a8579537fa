/* Baselines, read back. In: a directory and a name. Out: a side; heads. Next: comparison,
 * commands/baseline. */
#include "model/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/directory.h"
#include "model/sample_file.h"
#include "model/slurp.h"
#include "nearest.h"
#include "profile/document.h"

static const char SUFFIX[] = ".ndjson";
static const char REMEDY[] = "promote it again with vkmeter baseline update";

const char *vkm_baseline_directory(const char *given) {
  const char *directory = given != NULL ? given : getenv("VKMETER_BASELINES");
  return directory != NULL && *directory ? directory : VKM_BASELINE_DIRECTORY;
}

bool vkm_baseline_name_check(const char *name) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  if (!*name || name[0] == '.' || name[strspn(name, allowed)] || strlen(name) > 100) {
    vkm_error(
        "'%s' cannot name a baseline; give letters, digits, '.', '_' and '-', at most 100, no "
        "dot first",
        name);
    return false;
  }
  return true;
}

static char *path_of(const char *directory, const char *name) {
  size_t size = strlen(directory) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) {
    snprintf(path, size, "%s/%s", directory, name);
  } else {
    vkm_error("out of memory; give fewer files at once");
  }
  return path;
}

static void finish_head(struct vkm_baseline *head) {
  free(head->path);
  free(head->name);
  free(head->segment_key);
  free(head->device);
  free(head->driver);
  free(head->mode);
  free(head->vkmeter_version);
  *head = (struct vkm_baseline){0};
}

static const struct vkm_document_kind kind = {
    VKM_BASELINE_SCHEMA, "no baseline of vkmeter", "promote it again with vkmeter baseline update",
    "the file is damaged: promote it again with vkmeter baseline update", NULL};

static char *read_text(struct vkm_document *document, const char *name, enum vkm_value_need need) {
  const char *text = NULL;
  vkm_value_text(&document->parse, &document->root, name, need, &text);
  char *copy = text != NULL ? strdup(text) : NULL;
  if (text != NULL && copy == NULL) {
    document->parse.failed = document->parse.out_of_memory = true;
  }
  return copy;
}

static bool read_head(struct vkm_baseline *head, const char *path, const char *line,
                      size_t length) {
  struct vkm_document document;
  struct vkm_read_error error;
  enum vkm_status status = vkm_document_read_bytes(line, length, &kind, 1, &document, &error);
  *head = (struct vkm_baseline){.path = strdup(path)};
  if (status == VKM_OK) {
    struct vkm_parse *parse = &document.parse;
    head->name = read_text(&document, "name", VKM_VALUE_NEEDED);
    head->segment_key = read_text(&document, "segment_key", VKM_VALUE_NEEDED);
    head->device = read_text(&document, "device", VKM_VALUE_NULLABLE);
    head->driver = read_text(&document, "driver", VKM_VALUE_NULLABLE);
    head->mode = read_text(&document, "mode", VKM_VALUE_NULLABLE);
    head->vkmeter_version = read_text(&document, "vkmeter_version", VKM_VALUE_NULLABLE);
    vkm_value_u64(parse, &document.root, "runs", VKM_VALUE_NEEDED, &head->runs);
    vkm_value_u64(parse, &document.root, "profiles", VKM_VALUE_NEEDED, &head->profiles);
    vkm_value_u64(parse, &document.root, "samples", VKM_VALUE_OPTIONAL, &head->samples);
    vkm_value_i64(parse, &document.root, "recorded_unix_ns", VKM_VALUE_NEEDED,
                  &head->recorded_unix_ns);
    parse->out_of_memory = parse->out_of_memory || head->path == NULL;
    parse->failed = parse->failed || head->path == NULL;
    status = vkm_document_conclude(&document, &error);
    vkm_document_finish(&document);
  }
  if (status != VKM_OK) {
    vkm_error("cannot read the baseline '%s': %s; %s", path, error.cause, error.remedy);
    finish_head(head);
  }
  return status == VKM_OK;
}

static bool slurp(const char *path, char **text, size_t *length) {
  if (vkm_slurp(path, text, length) == VKM_OK) {
    return true;
  }
  vkm_error("cannot read the baseline '%s': %s; %s", path, strerror(errno), REMEDY);
  return false;
}

static size_t line_length(const char *text, size_t length) {
  const char *end = memchr(text, '\n', length);
  return end != NULL ? (size_t)(end - text) : length;
}

/* One line behind the head: a profile, or behind all of these a sample. */
static bool add_line(struct vkm_side *side, const struct vkm_baseline *head, uint64_t index,
                     const char *line, size_t length) {
  struct vkm_read_profile profile;
  struct vkm_side_sample sample;
  struct vkm_read_error error;
  bool is_profile = index < head->profiles;
  enum vkm_status status =
      is_profile ? vkm_profile_read_bytes(line, length, &profile, &error)
                 : vkm_sample_file_read_bytes(&sample, head->path, line, length, &error);
  if (status != VKM_OK) {
    vkm_error("cannot read the baseline '%s', line %zu: %s; %s", head->path, (size_t)index + 2,
              error.cause, REMEDY);
    return false;
  }
  return is_profile ? vkm_side_add(side, &profile, head->path) : vkm_side_add_sample(side, &sample);
}

/* What stands behind the head; text[0..length) begins with the first profile. */
static bool add_lines(struct vkm_side *side, const struct vkm_baseline *head, const char *text,
                      size_t length) {
  uint64_t count = 0;
  uint64_t told = head->profiles + head->samples;
  for (size_t at = 0; at < length; count++) {
    size_t line = line_length(text + at, length - at);
    if (!add_line(side, head, count, text + at, line)) {
      return false;
    }
    at += line + 1;
  }
  if (count != told) {
    vkm_error("cannot read the baseline '%s': its head tells of %zu documents, %zu are there; %s",
              head->path, (size_t)told, (size_t)count, REMEDY);
    return false;
  }
  return true;
}

static bool load_file(struct vkm_side *side, const char *path) {
  char *text = NULL;
  size_t length = 0;
  struct vkm_baseline head = {0};
  if (!slurp(path, &text, &length)) {
    return false;
  }
  size_t first = line_length(text, length);
  bool good = read_head(&head, path, text, first);
  if (good) {
    size_t begin = first < length ? first + 1 : length;
    good = add_lines(side, &head, text + begin, length - begin);
  }
  finish_head(&head);
  free(text);
  return good;
}

bool vkm_baseline_load(struct vkm_side *side, const char *directory, const char *name) {
  if (!vkm_baseline_name_check(name)) {
    return false;
  }
  side->baseline = true;
  char *path = path_of(directory, name);
  if (path == NULL || vkm_path_kind(path) == VKM_PATH_MISSING) {
    side->never_promoted = path != NULL;
    free(path);
    return side->never_promoted;
  }
  struct vkm_directory files;
  bool good = vkm_directory_list(&files, path, SUFFIX);
  side->never_promoted = good && files.count == 0;
  for (size_t i = 0; good && i < files.count; i++) {
    good = load_file(side, files.paths[i]);
  }
  vkm_directory_finish(&files);
  free(path);
  return good;
}

static bool list_file(struct vkm_baselines *baselines, const char *path) {
  char *text = NULL;
  size_t length = 0;
  if (!slurp(path, &text, &length)) {
    return false;
  }
  size_t size = (baselines->count + 1) * sizeof *baselines->items;
  struct vkm_baseline *grown = realloc(baselines->items, size);
  bool good = grown != NULL;
  if (good) {
    baselines->items = grown;
    good = read_head(&grown[baselines->count], path, text, line_length(text, length));
    baselines->count += good;
  } else {
    vkm_error("out of memory; give fewer files at once");
  }
  free(text);
  return good;
}

bool vkm_baselines_list(struct vkm_baselines *baselines, const char *directory) {
  *baselines = (struct vkm_baselines){NULL, 0};
  if (vkm_path_kind(directory) == VKM_PATH_MISSING) {
    return true;
  }
  struct vkm_directory names;
  bool good = vkm_directory_list(&names, directory, "");
  for (size_t i = 0; good && i < names.count; i++) {
    struct vkm_directory files = {NULL, 0};
    good = vkm_path_kind(names.paths[i]) != VKM_PATH_DIRECTORY ||
           vkm_directory_list(&files, names.paths[i], SUFFIX);
    for (size_t j = 0; good && j < files.count; j++) {
      good = list_file(baselines, files.paths[j]);
    }
    vkm_directory_finish(&files);
  }
  vkm_directory_finish(&names);
  if (!good) {
    vkm_baselines_finish(baselines);
  }
  return good;
}

const char *vkm_baselines_nearest(const struct vkm_baselines *baselines, const char *name) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < baselines->count; i++) {
    size_t edits = vkm_edits(name, baselines->items[i].name);
    if (edits < least && vkm_is_near(name, edits)) {
      nearest = baselines->items[i].name;
      least = edits;
    }
  }
  return nearest;
}

void vkm_baselines_finish(struct vkm_baselines *baselines) {
  for (size_t i = 0; i < baselines->count; i++) {
    finish_head(&baselines->items[i]);
  }
  free(baselines->items);
  *baselines = (struct vkm_baselines){NULL, 0};
}
