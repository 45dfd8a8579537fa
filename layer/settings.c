/* What each setting accepts and does, and the environment, see settings.h. Files and the
 * application: settings_sources.c. secure_getenv everywhere: under AT_SECURE nothing is read. */
#include "settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/text.h"

extern char **environ;

/* Every setting: its name, what it accepts, what holds without it. */
enum setting {
  OUTPUT,
  RUN,
  TAGS,
  MODE,
  SAMPLES,
  SAMPLE_TIMES,
  MAX_QUERIES,
  ENABLE_FEATURES,
  DUMP_SPIRV
};
static const struct {
  const char *name, *accepted, *otherwise;
} known[VKM_SETTING_COUNT] = {
    [OUTPUT] = {"OUTPUT",
                "a path; %e executable, %p process, %t time, %h host, %r rank, %% a percent sign",
                "vkmeter-%e-%p.json"},
    [RUN] = {"RUN", "a text that is the same in all processes of one run", ""},
    [TAGS] = {"TAGS", "key=value,key=value; a comma in a value is written \\,", ""},
    [MODE] = {"MODE", "inline", "inline"},
    [SAMPLES] = {"SAMPLES", "a number of samples a kernel, 1 to 1000000", "4096"},
    [SAMPLE_TIMES] = {"SAMPLE_TIMES", "0 or 1", "0"},
    [MAX_QUERIES] = {"MAX_QUERIES", "a number of timestamp queries a device, 256 to 1048576",
                     "1048576"},
    [ENABLE_FEATURES] = {"ENABLE_FEATURES", "0 or 1", "1"},
    [DUMP_SPIRV] = {"DUMP_SPIRV", "a folder that exists; nothing: no code is written", ""},
};
static const char prefix[] = "VKMETER_";
static const char accepted_names[] = "OUTPUT, RUN, TAGS, MODE, SAMPLES, SAMPLE_TIMES, MAX_QUERIES, "
                                     "ENABLE_FEATURES, DUMP_SPIRV";

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

/* A relative folder is that of the moment: the program may change its directory later. NULL: not a
 * folder. */
static const char *absolute_folder(const char *value) {
  char resolved[PATH_MAX];
  struct stat status;
  if (!*value) {
    return value;
  }
  if (!realpath(value, resolved) || stat(resolved, &status) != 0 || !S_ISDIR(status.st_mode)) {
    return NULL;
  }
  return vkm_strdup(resolved);
}

/* False when the value is not understood. */
static bool apply(struct vkm_settings *settings, enum setting setting, const char *value) {
  uint64_t number;
  char *at;
  switch (setting) {
  case OUTPUT:
    settings->output = value; /* as every value in force, it is never freed */
    return *value != '\0';
  case RUN:
    settings->run = value;
    return true;
  case TAGS:
    settings->tag_count = 0;
    at = *value ? vkm_strdup(value) : NULL; /* kept: the tags point into it */
    if (*value && !at) {
      return false;
    }
    while (at) {
      at = parse_tag(settings, at);
    }
    return true;
  case MODE:
    return strcmp(value, "inline") == 0;
  case SAMPLES:
    return parse_number(value, 1, 1000000, &settings->samples);
  case SAMPLE_TIMES:
    number = 0;
    settings->sample_times = parse_number(value, 0, 1, &number) && number;
    return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
  case MAX_QUERIES:
    return parse_number(value, 256, 1048576, &settings->query_cap);
  case ENABLE_FEATURES:
    number = 1;
    settings->enable_features = !parse_number(value, 0, 1, &number) || number;
    return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
  case DUMP_SPIRV:
    settings->dump_spirv = absolute_folder(value);
    return settings->dump_spirv != NULL;
  }
  return false;
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
    const char *given = secure_getenv(name);
    char *value = given ? vkm_strdup(given) : NULL;
    if (value) {
      offer(settings, (enum setting)i, value);
    } else if (given) {
      lose(settings, (enum setting)i);
    }
  }
  reject_unknown(settings);
}
