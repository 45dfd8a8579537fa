/* Rows of a profile, or of a run that failed, into a sink. In: what was read. Next: sinks. Main
 * thread. */
#ifndef VKM_TOOLS_EXPORT_ROWS_H
#define VKM_TOOLS_EXPORT_ROWS_H

#include <stdbool.h>

#include "export/sink.h"
#include "model/row.h"
#include "model/segment.h"
#include "model/side.h"
#include "profile/profile_read.h"

enum { VKM_EXPORT_ID_BYTES = 33 };

/* What all rows of a profile begin with. */
struct vkm_export_key {
  char profile_id[VKM_EXPORT_ID_BYTES], segment_key[VKM_SEGMENT_KEY_BYTES];
  const char *run_id, *commit_tag;
  int64_t started_unix_ns;
};

enum { VKM_DRIVER_BYTES = 256 };
struct vkm_export_device {
  const struct vkm_read_device *read;
  size_t index;
  uint64_t executions;
  bool software_known; /* false: nobody said whether it runs on the CPU */
  char driver[VKM_DRIVER_BYTES];
};

/* A profile on its way into a sink. */
struct vkm_export {
  struct vkm_sink *sink;
  const bool *tables; /* wanted, by vkm_export_table_id */
  const struct vkm_read_profile *profile;
  const char *path;
  struct vkm_export_key key;
  struct vkm_export_device *devices; /* owned, one for each of the profile's */
};

/* The file's identity: equal for each state of one process's profile, and for nothing else. */
void vkm_export_profile_id(const struct vkm_read_profile *profile, char id[VKM_EXPORT_ID_BYTES]);
void vkm_export_error_id(const struct vkm_run_error *error, char id[VKM_EXPORT_ID_BYTES]);

/* All rows of the profile in all tables that are wanted. False: reported. */
bool vkm_export_profile(struct vkm_sink *sink, const bool *tables,
                        const struct vkm_read_profile *profile, const char *path)
    __attribute__((warn_unused_result));
/* The row of a run that failed. */
bool vkm_export_error(struct vkm_sink *sink, const bool *tables, const struct vkm_run_error *error)
    __attribute__((warn_unused_result));
/* The row that says what the export is. */
bool vkm_export_head(struct vkm_sink *sink, const bool *tables) __attribute__((warn_unused_result));

/* A row of a table, where it is wanted. */
bool vkm_export_add(const struct vkm_export *export, enum vkm_export_table_id table,
                    const struct vkm_cell *cells) __attribute__((warn_unused_result));
/* Parts of it, each the rows of the tables that it is called by. */
bool vkm_export_rows_of_run(const struct vkm_export *export) __attribute__((warn_unused_result));
bool vkm_export_rows_of_devices(const struct vkm_export *export)
    __attribute__((warn_unused_result));
bool vkm_export_rows_of_pipelines(const struct vkm_export *export)
    __attribute__((warn_unused_result));
bool vkm_export_rows_of_kernels(const struct vkm_export *export)
    __attribute__((warn_unused_result));
bool vkm_export_rows_of_plans(const struct vkm_export *export) __attribute__((warn_unused_result));

#endif
