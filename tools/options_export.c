/* Options of export. In: a word of the command line. Out: what is to be written, in which format.
 * Next: commands/export. */
#include "options_export.h"

#include <string.h>

#include "message.h"
#include "options.h"

void vkm_export_defaults(struct vkm_sink_request *request) {
  *request = (struct vkm_sink_request){.format = VKM_EXPORT_NDJSON};
  for (int i = 0; i < VKM_EXPORT_TABLES; i++) {
    request->tables[i] = i != VKM_EXPORT_samples;
    request->table_count += request->tables[i];
  }
}

bool vkm_set_export_format(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"ndjson", "csv", "sqlite", NULL};
  int index = vkm_option_choose("format", value, words);
  args->export.format = (enum vkm_export_format)(index < 0 ? 0 : index);
  return index >= 0;
}

bool vkm_set_export_tables(struct vkm_args *args, const char *value) {
  struct vkm_sink_request *request = &args->export;
  memset(request->tables, 0, sizeof request->tables);
  request->table_count = 0;
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    enum vkm_export_table_id table = vkm_export_table_find(at, length);
    if (table == VKM_EXPORT_TABLES) {
      vkm_error("--table has no '%.*s'; vkmeter help tables lists them", (int)length, at);
      return false;
    }
    request->table_count += !request->tables[table];
    request->tables[table] = true;
    at += length;
    if (!*at) {
      return true;
    }
  }
}

bool vkm_set_export_append(struct vkm_args *args, const char *value) {
  (void)value;
  args->export.append = true;
  return true;
}
