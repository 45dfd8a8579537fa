/* What each setting accepts and does, and the environment, see settings.h. Files and the
 * application: settings_sources.c. vkm_os_variable everywhere: elevated processes read nothing. */
#include "settings.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "kernel/rules.h"
#include "os/os.h"

extern char **environ;

/* See settings.def. CHOICE: `field` becomes the place among `choices`, words with a bar between.
 * RANGE and SECONDS: struct vkm_range, of seconds in nanoseconds. */
enum form {
  PATH,
  TEXT,
  TAG_LIST,
  CHOICE,
  NUMBER,
  SWITCH,
  FOLDER,
  FILE_PATH,
  RANGE,
  SECONDS,
  REGEX
};
enum setting {
#define VKM_SETTING(name, form, field, low, high, choices, otherwise, accepted) name,
#include "settings.def"
#undef VKM_SETTING
};
static const struct {
  const char *name, *accepted, *otherwise, *choices;
  size_t field;
  uint64_t low, high;
  enum form form;
} known[VKM_SETTING_COUNT] = {
#define VKM_SETTING(name, form, field, low, high, choices, otherwise, accepted)                    \
  {#name, accepted, otherwise, choices, offsetof(struct vkm_settings, field), low, high, form},
#include "settings.def"
#undef VKM_SETTING
};
static const char prefix[] = "VKMETER_";
static const char names_after_commas[] =
#define VKM_SETTING(name, form, field, low, high, choices, otherwise, accepted) ", " #name
#include "settings.def"
#undef VKM_SETTING
    ;
static const char *const accepted_names = names_after_commas + 2;

const char *const vkm_mode_names[] = {"inline", "submit", "isolated"};

static const char no_memory[] = "(no memory was left to keep it)";

static void reject(struct vkm_settings *settings, const char *name, const char *value,
                   const char *accepted) {
  if (settings->rejected_count < VKM_REJECTED_CAP) {
    settings->rejected[settings->rejected_count++] =
        (struct vkm_setting_rejected){name, value, accepted};
  }
}

/* Digits only, within [low, high]. */
static bool parse_number(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
  uint64_t parsed = 0;
  if (!*text) {
    return false;
  }
  for (; *text; text++) {
    if (*text < '0' || *text > '9' || parsed > high) {
      return false;
    }
    parsed = parsed * 10 + (uint64_t)(*text - '0');
  }
  *value = parsed;
  return parsed >= low && parsed <= high;
}

/* A whole number, or one of seconds with up to nine digits behind the point, in nanoseconds. */
static bool parse_end(const char **at, bool seconds, uint64_t high, uint64_t *value) {
  const char *digits = *at;
  uint64_t parsed = 0;
  for (; **at >= '0' && **at <= '9' && parsed <= high; ++*at) {
    parsed = parsed * 10 + (uint64_t)(**at - '0');
  }
  bool good = *at != digits && parsed <= high;
  if (seconds) {
    int left = 9;
    bool point = **at == '.';
    *at += point;
    for (; point && **at >= '0' && **at <= '9' && left; ++*at, left--) {
      parsed = parsed * 10 + (uint64_t)(**at - '0');
    }
    good = good && !(point && left == 9);
    for (; left; left--) {
      parsed *= 10;
    }
  }
  *value = parsed;
  return good;
}

/* FIRST-LAST, or FIRST- without an end; of whole numbers also N alone. Nothing: everything. */
static bool parse_range(const char *text, bool seconds, uint64_t low, uint64_t high,
                        struct vkm_range *range) {
  *range = (struct vkm_range){0, UINT64_MAX};
  if (!*text) {
    return true;
  }
  if (!parse_end(&text, seconds, high, &range->first) || range->first < low) {
    return false;
  }
  if (!*text && !seconds) {
    range->last = range->first;
    return true;
  }
  if (*text++ != '-') {
    return false;
  }
  return !*text || (parse_end(&text, seconds, high, &range->last) && !*text &&
                    range->last >= range->first + (seconds ? 1 : 0));
}

/* How many times what stands before `at` is compiled because of what stands there: {n,m} copies it,
 * and so does a + behind another repetition, which is compiled as two of them. */
static uint64_t copies(const char *first, const char *at) {
  uint64_t most = 1;
  if (*at == '+' && at > first && strchr("+*?})", at[-1])) {
    return 2;
  }
  for (const char *in = at + 1; *at == '{' && *in && !strchr("{}", *in); in++) {
    uint64_t count = strtoul(in, NULL, 10);
    most = count > most ? count : most;
  }
  return most;
}

/* Compiling recurses with parentheses, and copies what is repeated: (a{1000}){1000} takes all
 * memory there is, and so does a+++...+. */
static bool is_modest(const char *text) {
  enum { LENGTH = 1024, DEPTH = 32, SIZE = 65536 };
  const char *first = text;
  uint64_t size = strlen(text);
  int depth = 0;
  if (size > LENGTH) {
    return false;
  }
  for (; *text && depth <= DEPTH && size <= SIZE; text++) {
    uint64_t times = copies(first, text);
    depth += *text == '(';
    depth -= *text == ')' && depth > 0;
    size *= times < SIZE ? times : SIZE;
  }
  return depth <= DEPTH && size <= SIZE;
}

static bool is_regex(const char *text) {
  struct vkm_os_regex expression;
  if (!is_modest(text) || !vkm_os_regex(&expression, text)) {
    return false;
  }
  vkm_os_regex_free(&expression);
  return true;
}

/* Cuts one key=value out of `at` (writable), unescaping; returns where the next begins, NULL at the
 * end. */
static char *parse_tag(struct vkm_settings *settings, char *at) {
  char *key = at, *value = NULL, *write = at;
  char *next = NULL;
  for (; *at; at++) {
    if (*at == '\\' && at[1]) {
      *write++ = *++at;
    } else if (*at == ',') {
      next = at + 1;
      break;
    } else if (*at == '=' && !value) {
      *write++ = '\0';
      value = write;
    } else {
      *write++ = *at;
    }
  }
  *write = '\0';
  if (value && *key && settings->tag_count < VKM_TAG_CAP) {
    settings->tags[settings->tag_count++] = (struct vkm_named_text){key, value};
  } else {
    reject(settings, "VKMETER_TAGS", key, known[TAGS].accepted);
  }
  return next;
}

/* A relative path is that of the moment: the program may change its directory later. NULL: not a
 * folder, or not a file of a size that rules may have. */
static const char *absolute(const char *value, bool folder) {
  struct stat status;
  if (!*value) {
    return value;
  }
  char *resolved = vkm_os_resolve(value);
  if (!resolved) {
    return NULL;
  }
  bool known = stat(resolved, &status) == 0;
  bool fits = known && S_ISREG(status.st_mode) && status.st_size <= VKM_RULE_FILE_CAP &&
              access(resolved, R_OK) == 0;
  if (!known || (folder ? !S_ISDIR(status.st_mode) : !fits)) {
    vkm_free(resolved);
    return NULL;
  }
  return resolved;
}

/* The place of `value` among words with bars between; -1: none of them. */
static int choice_of(const char *choices, const char *value) {
  size_t length = strlen(value);
  for (int place = 0;; place++) {
    size_t word = strcspn(choices, "|");
    if (word == length && strncmp(choices, value, length) == 0) {
      return place;
    }
    if (!choices[word]) {
      return -1;
    }
    choices += word + 1;
  }
}

static bool apply_tags(struct vkm_settings *settings, const char *value) {
  settings->tag_count = 0;
  char *at = *value ? vkm_strdup(value) : NULL; /* kept: the tags point into it */
  if (*value && !at) {
    return false;
  }
  while (at) {
    at = parse_tag(settings, at);
  }
  return true;
}

/* False when the value is not understood. Texts in force are never freed. */
static bool apply(struct vkm_settings *settings, enum setting setting, const char *value) {
  void *field = (char *)settings + known[setting].field;
  const char *text = value;
  uint64_t number = 0;
  int place = 0;
  switch (known[setting].form) {
  case TAG_LIST:
    return apply_tags(settings, value);
  case CHOICE:
    place = choice_of(known[setting].choices, value);
    if (place >= 0) {
      *(int *)field = place;
    }
    return place >= 0;
  case NUMBER:
    if (!parse_number(value, known[setting].low, known[setting].high, &number)) {
      return false;
    }
    *(uint64_t *)field = number;
    return true;
  case SWITCH:
    *(bool *)field = strcmp(value, "1") == 0;
    return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
  case FOLDER:
  case FILE_PATH:
    text = absolute(value, known[setting].form == FOLDER);
    break;
  case RANGE:
  case SECONDS:
    return parse_range(value, known[setting].form == SECONDS, known[setting].low,
                       known[setting].high, field);
  case REGEX:
    text = !*value || is_regex(value) ? value : NULL; /* none needs no memory, nor a library */
    break;
  case PATH:
  case TEXT:
    break;
  }
  memcpy(field, &text, sizeof text);
  return text && (known[setting].form != PATH || *text);
}

static bool is_known(const char *name, size_t length) {
  for (int i = 0; i < VKM_SETTING_COUNT; i++) {
    if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0) {
      return true;
    }
  }
  return false;
}

/* A name of ours that we do not know: most likely a spelling mistake. */
static void reject_unknown(struct vkm_settings *settings) {
  for (char **at = environ; at && *at; at++) {
    const char *equals = strchr(*at, '=');
    if (strncmp(*at, prefix, sizeof prefix - 1) != 0 || !equals) {
      continue;
    }
    const char *name = *at + sizeof prefix - 1;
    if (!is_known(name, (size_t)(equals - name))) {
      char *copy = vkm_strdup(*at);
      if (copy) {
        copy[equals - *at] = '\0';
      }
      reject(settings, copy ? copy : prefix, copy ? copy + (equals - *at) + 1 : no_memory,
             accepted_names);
    }
  }
}

/* Without memory for its value. A profile must not go where nobody asked for it: it goes nowhere.
 */
static void lose(struct vkm_settings *settings, enum setting setting) {
  reject(settings, known[setting].name, no_memory, known[setting].accepted);
  if (setting == OUTPUT) {
    settings->output = NULL;
  }
}

/* A better value than the one in force, if it is understood; else what was in force stays. Takes
 * over `value`. */
static void offer(struct vkm_settings *settings, enum setting setting, const char *value) {
  if (apply(settings, setting, value)) {
    settings->in_force[setting].value = value;
    return;
  }
  reject(settings, known[setting].name, value, known[setting].accepted);
  (void)apply(settings, setting, settings->in_force[setting].value);
}

void vkm_settings_offer(struct vkm_settings *settings, const char *name, const char *value) {
  char *copy = vkm_strdup(value);
  for (int i = 0; i < VKM_SETTING_COUNT; i++) {
    if (strcasecmp(known[i].name, name) == 0 && copy) {
      offer(settings, (enum setting)i, copy);
      return;
    }
    if (strcasecmp(known[i].name, name) == 0) {
      lose(settings, (enum setting)i);
      return;
    }
  }
  const char *kept = copy ? vkm_strdup(name) : NULL;
  if (kept) {
    reject(settings, kept, copy, accepted_names);
  } else {
    reject(settings, "(a name that was not kept)", no_memory, accepted_names);
    vkm_free(copy);
  }
}

void vkm_settings_start(struct vkm_settings *settings) {
  *settings = (struct vkm_settings){.in_force_count = VKM_SETTING_COUNT};
  for (int i = 0; i < VKM_SETTING_COUNT; i++) {
    settings->in_force[i] = (struct vkm_named_text){known[i].name, known[i].otherwise};
    (void)apply(settings, (enum setting)i, known[i].otherwise);
  }
}

void vkm_settings_environment(struct vkm_settings *settings) {
  for (int i = 0; i < VKM_SETTING_COUNT; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, known[i].name);
    const char *given = vkm_os_variable(name);
    char *value = given ? vkm_strdup(given) : NULL;
    if (value) {
      offer(settings, (enum setting)i, value);
    } else if (given) {
      lose(settings, (enum setting)i);
    }
  }
  reject_unknown(settings);
}
