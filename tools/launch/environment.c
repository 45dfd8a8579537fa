/* The environment of a profiled program. In: output and tags. Out: environment variables. Next:
 * child. */
#include "launch/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launch/manifest.h"
#include "message.h"

static bool set(const char *name, const char *value) {
  if (setenv(name, value, 1) == 0) {
    return true;
  }
  vkm_error("cannot set %s: %s", name, strerror(errno));
  return false;
}

static bool prepend(const char *name, const char *directory, const char *rest) {
  char *value = NULL;
  if (asprintf(&value, "%s:%s", directory, rest) < 0) {
    vkm_error("out of memory");
    return false;
  }
  bool good = set(name, value);
  free(value);
  return good;
}

/* Lets the loader find the layer. Only XDG_DATA_DIRS is obeyed by every loader in use; without the
 * defaults behind ours, the drivers' manifests would vanish. */
static bool show_layer(const struct vkm_manifest *manifest) {
  if (manifest->data_dir == NULL) {
    if (manifest->system && !manifest->build_tree) {
      return true;
    }
    vkm_error("cannot find the layer's manifest share/vulkan/implicit_layer.d/VkLayer_vkmeter.json "
              "beside this program%s; build or install the layer too",
              manifest->build_tree ? "" : " nor on the system");
    return false;
  }
  const char *replaced = getenv("VK_IMPLICIT_LAYER_PATH");
  if (replaced != NULL && *replaced) { /* newer loaders then look nowhere else */
    char *directory = NULL;
    if (asprintf(&directory, "%s/vulkan/implicit_layer.d", manifest->data_dir) < 0) {
      vkm_error("out of memory");
      return false;
    }
    bool good = prepend("VK_IMPLICIT_LAYER_PATH", directory, replaced);
    free(directory);
    if (!good) {
      return false;
    }
  }
  if (manifest->system && !manifest->build_tree) {
    return true;
  }
  const char *rest = getenv("XDG_DATA_DIRS");
  return prepend("XDG_DATA_DIRS", manifest->data_dir,
                 rest != NULL && *rest ? rest : "/usr/local/share:/usr/share");
}

/* k=v,k2=v2 with a backslash before each comma and backslash of a key or value. */
static bool set_tags(const char *const *tags, size_t tag_count) {
  if (tag_count == 0) {
    return true;
  }
  size_t size = 1;
  for (size_t i = 0; i < tag_count; i++) {
    size += 2 * strlen(tags[i]) + 1;
  }
  char *value = malloc(size);
  if (value == NULL) {
    vkm_error("out of memory");
    return false;
  }
  char *to = value;
  for (size_t i = 0; i < tag_count; i++) {
    if (i > 0) {
      *to++ = ',';
    }
    for (const char *from = tags[i]; *from; from++) {
      if (*from == ',' || *from == '\\') {
        *to++ = '\\';
      }
      *to++ = *from;
    }
  }
  *to = 0;
  bool good = set("VKMETER_TAGS", value);
  free(value);
  return good;
}

const char *vkm_environment_run(void) {
  const char *given = getenv("VKMETER_RUN");
  if (given != NULL && *given) {
    return given;
  }
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_REALTIME, &now);
  char id[64];
  snprintf(id, sizeof id, "%llx-%lx-%x", (unsigned long long)now.tv_sec, (unsigned long)now.tv_nsec,
           (unsigned)getpid());
  return set("VKMETER_RUN", id) ? getenv("VKMETER_RUN") : NULL;
}

const char *vkm_environment_number(const char *run, uint32_t number, const char *output) {
  char *id = NULL;
  char sequence[16];
  snprintf(sequence, sizeof sequence, "%u", (unsigned)number);
  if (asprintf(&id, "%s-%u", run, (unsigned)number) < 0) {
    vkm_error("out of memory");
    return NULL;
  }
  bool good =
      set("VKMETER_RUN", id) && set("VKMETER_SEQUENCE", sequence) && set("VKMETER_OUTPUT", output);
  free(id);
  return good ? getenv("VKMETER_RUN") : NULL;
}

static bool is_of(const char *entry, const char *name) {
  size_t length = strlen(name);
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

char **vkm_environment_plain(void) {
  size_t count = 0;
  while (environ[count] != NULL) {
    count++;
  }
  char **plain = calloc(count + 2, sizeof *plain);
  if (plain == NULL) {
    vkm_error("out of memory");
    return NULL;
  }
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_of(environ[i], "VKMETER") && !is_of(environ[i], "DISABLE_VKMETER")) {
      plain[kept++] = environ[i];
    }
  }
  static char disabled[] = "DISABLE_VKMETER=1";
  plain[kept] = disabled;
  return plain;
}

static void free_all(char **entries) {
  for (size_t i = 0; entries[i] != NULL; i++) {
    free(entries[i]);
  }
  free(entries);
}

char **vkm_environment_save(void) {
  size_t count = 0;
  while (environ[count] != NULL) {
    count++;
  }
  char **saved = calloc(count + 1, sizeof *saved);
  bool good = saved != NULL;
  for (size_t i = 0; good && i < count; i++) {
    saved[i] = strdup(environ[i]);
    good = saved[i] != NULL;
  }
  if (!good) {
    vkm_error("out of memory");
    if (saved != NULL) {
      free_all(saved);
    }
    return NULL;
  }
  return saved;
}

bool vkm_environment_restore(char **saved) {
  bool good = clearenv() == 0;
  for (size_t i = 0; saved[i] != NULL; i++) {
    char *equals = strchr(saved[i], '=');
    if (equals != NULL) {
      *equals = 0;
      good = setenv(saved[i], equals + 1, 1) == 0 && good;
    }
  }
  free_all(saved);
  if (!good) {
    vkm_error("out of memory");
  }
  return good;
}

bool vkm_environment_prepare(const char *output, const char *const *tags, size_t tag_count) {
  struct vkm_manifest manifest;
  bool found = vkm_manifest_find(&manifest);
  if (!found) {
    vkm_error("out of memory");
  }
  bool good = found && show_layer(&manifest) && set("VKMETER", "1") &&
              set("VKMETER_OUTPUT", output) && set_tags(tags, tag_count);
  unsetenv("DISABLE_VKMETER");
  vkm_manifest_finish(&manifest);
  return good;
}

/* The working directory with % doubled: it holds no placeholders. */
static char *working_directory(void) {
  char *plain = get_current_dir_name();
  char *doubled = plain ? malloc(2 * strlen(plain) + 1) : NULL;
  if (doubled != NULL) {
    char *to = doubled;
    for (const char *from = plain; *from; from++) {
      if (*from == '%') {
        *to++ = '%';
      }
      *to++ = *from;
    }
    *to = 0;
  }
  free(plain);
  return doubled;
}

char *vkm_environment_output(const char *asked) {
  const char *name = asked != NULL ? asked : getenv("VKMETER_OUTPUT");
  if (name == NULL || !*name) {
    name = "vkmeter-%e-%p.json";
  }
  char *output = NULL;
  if (name[0] == '/') {
    output = strdup(name);
  } else {
    char *directory = working_directory();
    if (directory == NULL || asprintf(&output, "%s/%s", directory, name) < 0) {
      output = NULL;
    }
    free(directory);
  }
  if (output == NULL) {
    vkm_error("cannot tell the working directory: %s; give --profile an absolute path",
              strerror(errno));
  }
  return output;
}
