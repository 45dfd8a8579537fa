/* In: rows. Out: a file a table (RFC 4180, LF, a line of names first) in a directory, or one table
 * as one file. Not known is an empty field, a text that is empty "". */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "export/file.h"
#include "export/sink.h"
#include "message.h"
#include "views/sheet.h"

struct csv {
  struct vkm_sink sink; /* first */
  const struct vkm_sink_request *request;
  struct vkm_export_file files[VKM_EXPORT_TABLES];
  char *paths[VKM_EXPORT_TABLES]; /* owned; NULL: the request's */
  struct vkm_text line;
};

static bool is_folder(const struct vkm_sink_request *request) {
  struct stat found;
  return request->path != NULL &&
         (request->table_count > 1 || (stat(request->path, &found) == 0 && S_ISDIR(found.st_mode)));
}

static bool write_line(struct csv *csv, enum vkm_export_table_id table) {
  struct vkm_export_file *file = &csv->files[table];
  struct vkm_text *line = &csv->line;
  vkm_text_string(line, "\n");
  if (line->failed) {
    errno = ENOMEM;
  }
  return (!line->failed &&
          fwrite(line->data, 1, line->length_bytes, file->stream) == line->length_bytes) ||
         vkm_export_cannot_write(file->path);
}

static void append_cell(struct vkm_text *line, const struct vkm_cell *cell) {
  switch (cell->kind) {
  case VKM_CELL_TEXT:
    vkm_csv_field(line, *cell->as.text ? cell->as.text : "");
    vkm_text_string(line, *cell->as.text ? "" : "\"\"");
    break;
  case VKM_CELL_INTEGER:
    vkm_text_i64(line, cell->as.integer);
    break;
  case VKM_CELL_REAL:
    vkm_text_double_exact(line, cell->as.real);
    break;
  case VKM_CELL_BOOL:
    vkm_text_string(line, cell->as.truth ? "true" : "false");
    break;
  default:
    break;
  }
}

static bool add_row(struct vkm_sink *sink, enum vkm_export_table_id table,
                    const struct vkm_cell *cells) {
  struct csv *csv = (struct csv *)sink;
  vkm_text_clear(&csv->line);
  for (size_t i = 0; i < vkm_export_tables[table].column_count; i++) {
    vkm_text_string(&csv->line, i > 0 ? "," : "");
    append_cell(&csv->line, &cells[i]);
  }
  return write_line(csv, table);
}

static bool begin_table(struct csv *csv, enum vkm_export_table_id table) {
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

static bool conclude(struct vkm_sink *sink) {
  struct csv *csv = (struct csv *)sink;
  bool good = true;
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    good = (csv->files[i].stream == NULL || vkm_export_conclude(&csv->files[i])) && good;
  }
  return good;
}

static void destroy(struct vkm_sink *sink) {
  struct csv *csv = (struct csv *)sink;
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    vkm_export_discard(&csv->files[i]);
    free(csv->paths[i]);
  }
  vkm_text_finish(&csv->line);
  free(csv);
}

static bool begin(struct csv *csv) {
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
  static const struct vkm_sink_methods methods = {NULL, add_row, conclude, destroy};
  if (request->path == NULL && request->table_count != 1) {
    vkm_error("csv has a file for each table: give a directory with --output, or one table with "
              "--table");
    return NULL;
  }
  struct csv *csv = calloc(1, sizeof *csv);
  if (csv == NULL) {
    vkm_error("out of memory; end other programs");
    return NULL;
  }
  csv->sink.methods = &methods;
  csv->request = request;
  vkm_text_init(&csv->line, SIZE_MAX);
  if (!begin(csv)) {
    destroy(&csv->sink);
    return NULL;
  }
  return &csv->sink;
}
