/* Expansion of variables. In: a text. Out: a text, or what is missing. */
#include "launch/expand.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static const char *value_of(const char *name, const char *directory) {
  return strcmp(name, "SUITE_DIR") == 0 ? directory : getenv(name);
}

/* The variable at `text`, behind its opening brace; NULL: it is not set. */
static const char *look_up(const char *text, size_t length, const char *directory, char *missing,
                           size_t missing_size) {
  snprintf(missing, missing_size, "%.*s", (int)length, text);
  return value_of(missing, directory);
}

/* Bytes of the name in ${NAME} at `text`; 0: there is none. */
static size_t name_length(const char *text) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  if (strncmp(text, "${", 2) != 0) {
    return 0;
  }
  size_t length = strspn(text + 2, allowed);
  return text[2 + length] == '}' ? length : 0;
}

enum vkm_expanded vkm_expand(const char *text, const char *directory, char **out, char *missing,
                             size_t missing_size) {
  struct vkm_text expanded;
  vkm_text_init(&expanded, SIZE_MAX);
  vkm_text_string(&expanded, "");
  *out = NULL;
  while (*text) {
    size_t length = name_length(text);
    if (strncmp(text, "$${", 3) == 0) {
      vkm_text_string(&expanded, "${");
      text += 3;
    } else if (length > 0) {
      const char *value = look_up(text + 2, length, directory, missing, missing_size);
      if (value == NULL) {
        vkm_text_finish(&expanded);
        return VKM_EXPAND_MISSING;
      }
      vkm_text_string(&expanded, value);
      text += length + 3;
    } else {
      vkm_text_append(&expanded, text++, 1);
    }
  }
  if (expanded.failed) {
    vkm_text_finish(&expanded);
    return VKM_EXPAND_NO_MEMORY;
  }
  *out = expanded.data;
  return VKM_EXPANDED;
}

char *vkm_program_path(const char *word, const char *directory) {
  char *path = NULL;
  if (word[0] == '/' || strchr(word, '/') == NULL) {
    return strdup(word);
  }
  return asprintf(&path, "%s/%s", directory, word) < 0 ? NULL : path;
}

static bool is_in_path(const char *word) {
  const char *at = getenv("PATH");
  while (at != NULL && *at) {
    size_t length = strcspn(at, ":");
    char path[PATH_MAX];
    int used = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, word);
    if (used > 0 && (size_t)used < sizeof path && access(path, X_OK) == 0) {
      return true;
    }
    at += length + (at[length] == ':');
  }
  return false;
}

bool vkm_is_there(const char *word, const char *directory) {
  if (strchr(word, '/') == NULL) {
    return is_in_path(word);
  }
  char *path = vkm_program_path(word, directory);
  bool there = path != NULL && access(path, F_OK) == 0;
  free(path);
  return there;
}
