/* In: nothing. Out: the functions of libsqlite3. Next: sink_sqlite. */
#include "export/sqlite.h"

#include <dlfcn.h>
#include <string.h>

#include "message.h"

static const char LIBRARY[] = "libsqlite3.so.0";

/* A pointer to data becomes one to a function: what POSIX promises of dlsym. */
static bool find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

bool vkm_sqlite_load(struct vkm_sqlite *sqlite) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    vkm_error("sqlite needs %s, which cannot be loaded: %s; install it (Debian: libsqlite3-0), or "
              "export csv or ndjson",
              LIBRARY, dlerror());
    return false;
  }
  bool good = true;
#define VKM_SQLITE_FIND(name) good = good && find(library, "sqlite3_" #name, &sqlite->name);
  VKM_SQLITE_FUNCTIONS(VKM_SQLITE_FIND)
#undef VKM_SQLITE_FIND
  if (!good) {
    vkm_error("%s lacks a function: %s; install a newer one, or export csv or ndjson", LIBRARY,
              dlerror());
  }
  return good;
}
