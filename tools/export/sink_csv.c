/* In: rows. Out: a file a table (RFC 4180, LF, a line of names first) in a directory, or one table
 * as one file. Not known is an empty field, a text that is empty "". */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "export/sink_lines.h"
#include "message.h"
#include "views/sheet.h"

static bool is_folder(const struct vkm_sink_request *request) {
  struct stat found;
  return request->path != NULL &&
         (request->table_count > 1 || (stat(request->path, &found) == 0 && S_ISDIR(found.st_mode)));
}

static bool write_line(struct vkm_sink_lines *csv, enum vkm_export_table_id table) {
  vkm_text_string(&csv->line, "\n");
  return vkm_sink_lines_put(csv, table);
}

static void append_cell(struct vkm_text *line, const struct vkm_cell *cell) {
  if (cell->kind == VKM_CELL_TEXT) {
    vkm_csv_field(line, *cell->as.text ? cell->as.text : "");
    vkm_text_string(line, *cell->as.text ? "" : "\"\"");
  } else {
    (void)vkm_sink_lines_value(line, cell);
  }
}

static bool add_row(struct vkm_sink *sink, enum vkm_export_table_id table,
                    const struct vkm_cell *cells) {
  struct vkm_sink_lines *csv = (struct vkm_sink_lines *)sink;
  vkm_text_clear(&csv->line);
  for (size_t i = 0; i < vkm_export_tables[table].column_count; i++) {
    vkm_text_string(&csv->line, i > 0 ? "," : "");
    append_cell(&csv->line, &cells[i]);
  }
  return write_line(csv, table);
}

static bool begin_table(struct vkm_sink_lines *csv, enum vkm_export_table_id table) {
  const struct vkm_export_table *known = &vkm_export_tables[table];
  const char *path = csv->request->path;
  if (is_folder(csv->request)) {
    if (asprintf(&csv->paths[table], "%s/%s.csv", path, known->name) < 0) {
      csv->paths[table] = NULL;
      vkm_error("out of memory; end other programs");
      return false;
    }
    path = csv->paths[table];
  }
  if (!vkm_export_open(&csv->files[table], path)) {
    return false;
  }
  vkm_text_clear(&csv->line);
  for (size_t i = 0; i < known->column_count; i++) {
    vkm_text_string(&csv->line, i > 0 ? "," : "");
    vkm_text_string(&csv->line, known->columns[i].name);
  }
  return write_line(csv, table);
}

static bool begin(struct vkm_sink_lines *csv) {
  const struct vkm_sink_request *request = csv->request;
  if (request->table_count > 1 && mkdir(request->path, 0777) != 0 && errno != EEXIST) {
    return vkm_export_cannot_write(request->path);
  }
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    if (request->tables[i] && !begin_table(csv, (enum vkm_export_table_id)i)) {
      return false;
    }
  }
  return true;
}

struct vkm_sink *vkm_sink_csv(const struct vkm_sink_request *request) {
  static const struct vkm_sink_methods methods = {NULL, add_row, vkm_sink_lines_conclude,
                                                  vkm_sink_lines_destroy};
  if (request->path == NULL && request->table_count != 1) {
    vkm_error("csv has a file for each table: give a directory with --output, or one table with "
              "--table");
    return NULL;
  }
  struct vkm_sink_lines *csv = vkm_sink_lines_new(request, &methods);
  if (csv != NULL && !begin(csv)) {
    vkm_sink_lines_destroy(&csv->sink);
    csv = NULL;
  }
  return csv != NULL ? &csv->sink : NULL;
}
