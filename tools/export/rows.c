/* In: a profile. Out: its rows, table by table. Next: sinks. */
#include "export/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/fill.h"
#include "kernel/identity.h"
#include "message.h"
#include "model/require.h"

static bool out_of_memory(void) {
  vkm_error("out of memory; export fewer tables, or smaller profiles");
  return false;
}

static void hash_into(const struct vkm_text *text, char id[VKM_EXPORT_ID_BYTES]) {
  vkm_hash_text(vkm_hash_bytes(text->data, text->length_bytes), id);
}

/* A text that cannot grow still gives a key, of what fitted; nothing else works then, either. */
void vkm_export_profile_id(const struct vkm_read_profile *profile, char id[VKM_EXPORT_ID_BYTES]) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_json(&text, profile->run.id);
  const int64_t numbers[] = {profile->run.sequence, profile->run.pid, profile->run.started_unix_ns};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    vkm_text_string(&text, " ");
    vkm_text_i64(&text, numbers[i]);
  }
  hash_into(&text, id);
  vkm_text_finish(&text);
}

void vkm_export_error_id(const struct vkm_run_error *error, char id[VKM_EXPORT_ID_BYTES]) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "failed ");
  vkm_text_json(&text, error->run);
  vkm_text_string(&text, " ");
  vkm_text_i64(&text, error->sequence);
  hash_into(&text, id);
  vkm_text_finish(&text);
}

bool vkm_export_add(const struct vkm_export *export, enum vkm_export_table_id table,
                    const struct vkm_cell *cells) {
  return !export->tables[table] || export->sink->methods->row(export->sink, table, cells);
}

static const char *tag_of(const struct vkm_read_profile *profile, const char *name) {
  for (size_t i = 0; i < profile->run.tags.count; i++) {
    if (strcmp(profile->run.tags.items[i].name, name) == 0) {
      return profile->run.tags.items[i].value;
    }
  }
  return NULL;
}

static bool prepare(struct vkm_export *export) {
  const struct vkm_read_profile *profile = export->profile;
  export->devices = calloc(profile->device_count + 1, sizeof *export->devices);
  if (export->devices == NULL || !vkm_segment_key(profile, export->key.segment_key)) {
    return out_of_memory();
  }
  vkm_export_profile_id(profile, export->key.profile_id);
  export->key.run_id = profile->run.id;
  export->key.started_unix_ns = profile->run.started_unix_ns;
  export->key.commit_tag = tag_of(profile, "commit");
  for (size_t i = 0; i < profile->device_count; i++) {
    struct vkm_export_device *device = &export->devices[i];
    device->read = &profile->devices[i];
    device->index = i;
    device->software_known = strcmp(device->read->type, "unknown") != 0;
    device->executions = vkm_executed_on(profile, i);
    vkm_driver_text(device->read, device->driver, sizeof device->driver);
  }
  return true;
}

bool vkm_export_profile(struct vkm_sink *sink, const bool *tables,
                        const struct vkm_read_profile *profile, const char *path) {
  struct vkm_export export = {.sink = sink, .tables = tables, .profile = profile, .path = path};
  bool good =
      prepare(&export) &&
      (sink->methods->replace == NULL || sink->methods->replace(sink, export.key.profile_id)) &&
      vkm_export_rows_of_run(&export) && vkm_export_rows_of_devices(&export) &&
      vkm_export_rows_of_pipelines(&export) && vkm_export_rows_of_kernels(&export) &&
      vkm_export_rows_of_plans(&export);
  free(export.devices);
  return good;
}

struct failed_run {
  const struct vkm_run_error *error;
  char id[VKM_EXPORT_ID_BYTES];
};

bool vkm_export_error(struct vkm_sink *sink, const bool *tables,
                      const struct vkm_run_error *error) {
  struct failed_run run = {.error = error};
  const struct failed_run *failed = &run;
  vkm_export_error_id(error, run.id);
  const char *run_id = *error->run ? error->run : NULL;
  if (sink->methods->replace != NULL && !sink->methods->replace(sink, run.id)) {
    return false;
  }
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/failed_runs.def"
  return !tables[VKM_EXPORT_failed_runs] || sink->methods->row(sink, VKM_EXPORT_failed_runs, cells);
}

bool vkm_export_head(struct vkm_sink *sink, const bool *tables) {
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/export_info.def"
  return !tables[VKM_EXPORT_export_info] || sink->methods->row(sink, VKM_EXPORT_export_info, cells);
}
