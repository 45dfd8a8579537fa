/* SQLite, loaded when it is first needed: every other command starts without it. Main thread. */
#ifndef VKM_TOOLS_EXPORT_SQLITE_H
#define VKM_TOOLS_EXPORT_SQLITE_H

#include <stdbool.h>

#include <sqlite3.h>

/* The functions of libsqlite3 that are used, by their own names without sqlite3_. */
#define VKM_SQLITE_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(open_v2)                                                                                \
  FUNCTION(close)                                                                                  \
  FUNCTION(busy_timeout)                                                                           \
  FUNCTION(exec)                                                                                   \
  FUNCTION(errmsg)                                                                                 \
  FUNCTION(prepare_v2)                                                                             \
  FUNCTION(step)                                                                                   \
  FUNCTION(reset)                                                                                  \
  FUNCTION(finalize)                                                                               \
  FUNCTION(column_int64)                                                                           \
  FUNCTION(bind_text)                                                                              \
  FUNCTION(bind_int64)                                                                             \
  FUNCTION(bind_double)                                                                            \
  FUNCTION(bind_null)

struct vkm_sqlite {
#define VKM_SQLITE_MEMBER(name) __typeof__(sqlite3_##name) *(name);
  VKM_SQLITE_FUNCTIONS(VKM_SQLITE_MEMBER)
#undef VKM_SQLITE_MEMBER
};

/* False: it is not installed; reported. It stays loaded. */
bool vkm_sqlite_load(struct vkm_sqlite *sqlite) __attribute__((warn_unused_result));

#endif
