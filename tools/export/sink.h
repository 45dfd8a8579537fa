/* Where an export goes: rows in, one of the formats out, whole or not at all. Main thread. */
#ifndef VKM_TOOLS_EXPORT_SINK_H
#define VKM_TOOLS_EXPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "export/table.h"

enum vkm_export_format { VKM_EXPORT_NDJSON = 0, VKM_EXPORT_CSV, VKM_EXPORT_SQLITE };

struct vkm_sink_request {
  enum vkm_export_format format;
  const char *path; /* NULL: stdout, of ndjson, and of csv with one table */
  bool append;      /* of sqlite: rows are added to a file that is there */
  bool tables[VKM_EXPORT_TABLES];
  size_t table_count; /* of those that are true */
};

struct vkm_sink;
struct vkm_sink_methods {
  /* Drops what an earlier export wrote under the profile's id; NULL: nothing can be there. */
  bool (*replace)(struct vkm_sink *sink, const char *profile_id);
  /* One row, a cell a column. */
  bool (*row)(struct vkm_sink *sink, enum vkm_export_table_id table, const struct vkm_cell *cells);
  /* Puts everything in its place. */
  bool (*conclude)(struct vkm_sink *sink);
  /* Frees the sink; what was not concluded is gone. */
  void (*destroy)(struct vkm_sink *sink);
};
struct vkm_sink {
  const struct vkm_sink_methods *methods;
};

/* NULL: reported; `request` has to outlive the sink. Each method returns false after reporting. */
struct vkm_sink *vkm_sink_ndjson(const struct vkm_sink_request *request);
struct vkm_sink *vkm_sink_csv(const struct vkm_sink_request *request);
struct vkm_sink *vkm_sink_sqlite(const struct vkm_sink_request *request);

#endif
