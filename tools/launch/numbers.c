/* File names of numbered runs. In: what --profile says. Out: names. Next: environment, record. */
#include "launch/numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rank.h"
#include "base/text.h"
#include "count.h"
#include "launch/folder.h"
#include "launch/profiles.h"
#include "message.h"

/* Where `letter` is a placeholder of `name`, NULL nowhere. */
static const char *placeholder(const char *name, char letter) {
  while ((name = strchr(name, '%')) != NULL && name[1] != letter) {
    name += name[1] ? 2 : 1;
  }
  return name;
}

bool vkm_numbers_in(const char *name) {
  return placeholder(name, 'n') != NULL;
}

/* The text's memory, or NULL after a report. */
static char *taken(struct vkm_text *text) {
  if (text->failed) {
    vkm_text_finish(text);
    vkm_error("out of memory");
    return NULL;
  }
  return text->data;
}

/* `name` without the doubling of %. */
static char *plain(const char *name) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "");
  for (; *name; name++) {
    vkm_text_append(&text, name, 1);
    name += name[0] == '%' && name[1] == '%';
  }
  return taken(&text);
}

/* Whether the path names no placeholder, so that it is known now. */
static bool is_known(const char *name) {
  while ((name = strchr(name, '%')) != NULL && name[1] == '%') {
    name += 2;
  }
  return name == NULL;
}

/* False: reported. */
static bool make_folder(const char *output) {
  char *path = plain(output);
  bool made = path != NULL && (!is_known(output) || vkm_folder_make(path));
  if (path != NULL && !made) {
    vkm_error("cannot make the folder '%s': %s; give --profile a path that can be made", path,
              strerror(errno));
  }
  free(path);
  return made;
}

static bool is_folder(const char *output) {
  struct stat about;
  char *path = is_known(output) ? plain(output) : NULL;
  bool folder = path != NULL && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
  free(path);
  return folder;
}

char *vkm_numbers_pattern(const char *output, bool repeated) {
  size_t length = strlen(output);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  if (output[length - 1] == '/' || is_folder(output)) {
    if (!make_folder(output)) {
      return NULL;
    }
    vkm_text_string(&text, output);
    vkm_text_string(&text, output[length - 1] == '/' ? "run-%n.json" : "/run-%n.json");
  } else if (repeated && !vkm_numbers_in(output)) {
    size_t ending = vkm_output_ending(output);
    vkm_text_append(&text, output, ending);
    vkm_text_string(&text, "-%n");
    vkm_text_string(&text, output + ending);
  } else {
    vkm_text_string(&text, output);
  }
  return taken(&text);
}

char *vkm_numbers_name(const char *pattern, uint32_t number, const char *word) {
  size_t ending = word != NULL ? vkm_output_ending(pattern) : SIZE_MAX;
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  for (size_t i = 0; pattern[i]; i++) {
    if (i == ending) {
      vkm_text_string(&text, word);
    }
    if (pattern[i] != '%') {
      vkm_text_append(&text, pattern + i, 1);
    } else if (pattern[i + 1] == 'n') {
      vkm_text_u64(&text, number);
      i++;
    } else {
      vkm_text_append(&text, pattern + i, pattern[i + 1] ? 2 : 1);
      i += pattern[i + 1] != 0;
    }
  }
  if (ending == strlen(pattern)) {
    vkm_text_string(&text, word);
  }
  return taken(&text);
}

/* 1: a file has that name, 0: none has, -1: reported. */
static int is_taken(const char *pattern, uint32_t number, const char *word) {
  struct vkm_candidates found;
  char *name = vkm_numbers_name(pattern, number, word);
  if (name == NULL || !vkm_candidates_find(&found, name)) {
    free(name);
    return -1;
  }
  int some = found.count > 0;
  vkm_candidates_finish(&found);
  free(name);
  return some;
}

bool vkm_numbers_free(const char *pattern, uint32_t from, uint32_t *number) {
  static const char *const words[] = {NULL, ".error", ".control"};
  for (; from <= VKM_SEQUENCE_MAX; from++) {
    int taken = 0;
    for (size_t i = 0; i < VKM_COUNT(words) && taken == 0; i++) {
      taken = is_taken(pattern, from, words[i]);
    }
    if (taken < 0) {
      return false;
    }
    if (taken == 0) {
      *number = from;
      return true;
    }
  }
  vkm_error("'%s' has no number left; give --profile another path", pattern);
  return false;
}

char *vkm_numbers_expand(const char *name, const char *program, pid_t pid,
                         int64_t started_unix_ns) {
  const char *slash = strrchr(program, '/');
  char host[256] = "unknown";
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  for (; *name; name++) {
    if (*name != '%') {
      vkm_text_append(&text, name, 1);
      continue;
    }
    switch (*++name) {
    case 'e':
      vkm_text_string(&text, slash ? slash + 1 : program);
      break;
    case 'p':
      vkm_text_i64(&text, pid);
      break;
    case 't':
      vkm_text_i64(&text, started_unix_ns / 1000000000);
      break;
    case 'h':
      gethostname(host, sizeof host - 1);
      vkm_text_string(&text, host);
      break;
    case 'r':
      vkm_text_string(&text, vkm_rank());
      break;
    case '%':
      vkm_text_string(&text, "%");
      break;
    default:
      vkm_text_append(&text, name - 1, *name ? 2 : 1);
      name -= *name == 0;
    }
  }
  return taken(&text);
}
