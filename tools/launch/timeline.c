/* The environment of a timeline. In: --trace. Out: environment variables. Next: child. */
#include "launch/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args.h"
#include "launch/environment.h"
#include "launch/numbers.h"
#include "message.h"

static bool set(const char *name, const char *value) {
  if (setenv(name, value, 1) != 0) {
    vkm_error("cannot set %s: %s", name, strerror(errno));
    return false;
  }
  return true;
}

static bool is_folder(const char *path) {
  struct stat about;
  return path[strlen(path) - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

bool vkm_timeline_ask(const struct vkm_args *args, bool numbered, uint32_t number) {
  if (args->trace_style != NULL && !set("VKMETER_TRACE_STYLE", args->trace_style)) {
    return false;
  }
  if (args->trace == NULL) {
    return true;
  }
  if (is_folder(args->trace)) {
    vkm_error("--trace=%s is a folder; give the path of a file", args->trace);
    return false;
  }
  char *path = vkm_environment_output(args->trace);
  char *pattern = path != NULL ? vkm_numbers_pattern(path, numbered) : NULL;
  char *name = pattern != NULL && numbered ? vkm_numbers_name(pattern, number, NULL) : NULL;
  const char *answer = numbered ? name : pattern;
  bool good = answer != NULL && set("VKMETER_TRACE", answer);
  free(path);
  free(pattern);
  free(name);
  return good;
}
