/* Promotes profiles. In: a side that was found good. Out: a file for each segment. Next: the next
 * comparison. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "message.h"
#include "model/baseline.h"
#include "model/process.h"
#include "model/sample_file.h"
#include "model/segment.h"
#include "model/slurp.h"
#include "profile/profile_write.h"

enum { SLUG_MOST = 40, KEY_DIGITS = 12 };

static bool make_directory(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) {
      return false;
    }
  }
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* The device's name as a part of a file's: letters and digits, all else one dash. */
static void append_slug(struct vkm_text *text, const char *name) {
  size_t begin = text->length_bytes;
  bool dash = false;
  for (; *name && text->length_bytes - begin < SLUG_MOST; name++) {
    if (!isalnum((unsigned char)*name)) {
      dash = text->length_bytes > begin;
      continue;
    }
    char lower = (char)tolower((unsigned char)*name);
    vkm_text_append(text, "-", dash);
    vkm_text_append(text, &lower, 1);
    dash = false;
  }
  if (text->length_bytes == begin) {
    vkm_text_string(text, "device");
  }
}

static void append_member(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, ",\"");
  vkm_text_string(text, name);
  vkm_text_string(text, "\":");
  if (value != NULL) {
    vkm_text_json(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void append_number(struct vkm_text *text, const char *name, int64_t value) {
  vkm_text_string(text, ",\"");
  vkm_text_string(text, name);
  vkm_text_string(text, "\":");
  vkm_text_i64(text, value);
}

/* The profiles of one segment: those at indices[0..count). */
struct segment {
  const struct vkm_side *side;
  size_t *indices; /* owned */
  size_t count, runs;
  char key[VKM_SEGMENT_KEY_BYTES];
};

/* Whether the sample is of a run of the segment. */
static bool holds_sample(const struct segment *segment, const struct vkm_side_sample *sample) {
  size_t profile = vkm_sample_profile(segment->side, sample);
  for (size_t i = 0; i < segment->count; i++) {
    if (segment->indices[i] == profile) {
      return true;
    }
  }
  return false;
}

static const struct vkm_read_profile *profile_at(const struct segment *segment, size_t place) {
  return &segment->side->profiles[segment->indices[place]];
}

static void append_head(struct vkm_text *text, const char *name, const struct segment *segment) {
  const struct vkm_read_profile *first = profile_at(segment, 0);
  const struct vkm_read_device *device = vkm_segment_device(first);
  char driver[512];
  int64_t recorded = first->run.started_unix_ns;
  for (size_t i = 1; i < segment->count; i++) {
    int64_t started = profile_at(segment, i)->run.started_unix_ns;
    recorded = started > recorded ? started : recorded;
  }
  if (device != NULL) {
    vkm_driver_text(device, driver, sizeof driver);
  }
  vkm_text_string(text, "{\"schema\":\"" VKM_BASELINE_SCHEMA "\"");
  append_member(text, "name", name);
  append_member(text, "segment_key", segment->key);
  append_member(text, "device", device != NULL ? device->name : NULL);
  append_member(text, "driver", device != NULL ? driver : NULL);
  append_member(text, "mode", first->mode);
  append_member(text, "vkmeter_version", first->run.vkmeter_version);
  append_number(text, "runs", (int64_t)segment->runs);
  append_number(text, "profiles", (int64_t)segment->count);
  int64_t samples = 0;
  for (size_t i = 0; i < segment->side->sample_count; i++) {
    samples += holds_sample(segment, &segment->side->samples[i]);
  }
  append_number(text, "samples", samples);
  append_number(text, "recorded_unix_ns", recorded);
  vkm_text_string(text, "}\n");
}

/* A document as it was recorded, on one line: an end of line in JSON is white space. */
static bool append_document(struct vkm_text *text, const char *path) {
  char *bytes = NULL;
  size_t length = 0;
  if (vkm_slurp(path, &bytes, &length) != VKM_OK) {
    vkm_error("cannot read '%s': %s; give the path of a profile written by vkmeter", path,
              strerror(errno));
    return false;
  }
  while (length > 0 && isspace((unsigned char)bytes[length - 1])) {
    length--;
  }
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (char)(bytes[i] == '\n' || bytes[i] == '\r' ? ' ' : bytes[i]);
  }
  vkm_text_append(text, bytes, length);
  vkm_text_string(text, "\n");
  free(bytes);
  return true;
}

static void append_path(struct vkm_text *text, const char *directory, const char *name,
                        const struct segment *segment) {
  const struct vkm_read_device *device = vkm_segment_device(profile_at(segment, 0));
  vkm_text_string(text, directory);
  vkm_text_string(text, "/");
  vkm_text_string(text, name);
  vkm_text_string(text, "/");
  append_slug(text, device != NULL && device->name != NULL ? device->name : "");
  vkm_text_string(text, "-");
  vkm_text_append(text, segment->key, KEY_DIGITS);
  vkm_text_string(text, ".ndjson");
}

static bool put(const char *path, const struct vkm_text *content) {
  if (vkm_file_replace(path, content->data, content->length_bytes) == VKM_OK) {
    return true;
  }
  vkm_error("cannot write '%s': %s; give --baseline-dir=DIR that can be written to", path,
            strerror(errno));
  return false;
}

static bool write_segment(const struct segment *segment, const char *directory, const char *name) {
  struct vkm_text path;
  struct vkm_text content;
  vkm_text_init(&path, SIZE_MAX);
  vkm_text_init(&content, SIZE_MAX);
  append_path(&path, directory, name, segment);
  append_head(&content, name, segment);
  bool good = true;
  for (size_t i = 0; good && i < segment->count; i++) {
    good = append_document(&content, segment->side->paths[segment->indices[i]]);
  }
  for (size_t i = 0; good && i < segment->side->sample_count; i++) {
    const struct vkm_side_sample *sample = &segment->side->samples[i];
    good = !holds_sample(segment, sample) || append_document(&content, sample->path);
  }
  if (good && (path.failed || content.failed)) {
    vkm_error("out of memory; give fewer files at once");
    good = false;
  }
  good = good && put(path.data, &content);
  if (good) {
    const struct vkm_read_device *device = vkm_segment_device(profile_at(segment, 0));
    vkm_note("promoted %zu %s on %s to '%s'", segment->runs, segment->runs == 1 ? "run" : "runs",
             device != NULL && device->name != NULL ? device->name : "an unnamed device",
             path.data);
  }
  vkm_text_finish(&path);
  vkm_text_finish(&content);
  return good;
}

/* Collects the profiles from `first` on that share its segment; false when an earlier one does. */
static bool collect(struct segment *segment, const struct vkm_side *side, size_t first) {
  for (size_t i = 0; i < first; i++) {
    if (vkm_segment_same(&side->profiles[i], &side->profiles[first])) {
      return false;
    }
  }
  segment->count = 0;
  segment->runs = 0;
  for (size_t i = first; i < side->profile_count; i++) {
    if (i == first || vkm_segment_same(&side->profiles[i], &side->profiles[first])) {
      segment->indices[segment->count++] = i;
      segment->runs += side->runs[i] == i;
    }
  }
  return true;
}

static bool write_all(struct segment *segment, const char *directory, const char *name) {
  const struct vkm_side *side = segment->side;
  for (size_t i = 0; i < side->profile_count; i++) {
    if (!collect(segment, side, i)) {
      continue;
    }
    if (!vkm_segment_key(&side->profiles[i], segment->key)) {
      vkm_error("out of memory; give fewer files at once");
      return false;
    }
    if (!write_segment(segment, directory, name)) {
      return false;
    }
  }
  return true;
}

bool vkm_baseline_write(const struct vkm_side *side, const char *directory, const char *name) {
  struct vkm_text path;
  vkm_text_init(&path, SIZE_MAX);
  vkm_text_string(&path, directory);
  vkm_text_string(&path, "/");
  vkm_text_string(&path, name);
  struct segment segment = {.side = side,
                            .indices = calloc(side->profile_count + 1, sizeof(size_t))};
  bool good = !path.failed && segment.indices != NULL;
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
  } else if (!make_directory(path.data)) {
    vkm_error("cannot make the directory '%s': %s; give --baseline-dir=DIR that can be written to",
              path.data, strerror(errno));
    good = false;
  }
  good = good && write_all(&segment, directory, name);
  free(segment.indices);
  vkm_text_finish(&path);
  return good;
}
