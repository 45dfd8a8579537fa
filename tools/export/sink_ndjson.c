/* In: rows. Out: an object a line, its first member "table"; not known is null. Schema:
 * export.schema.json. */
#include "export/sink_lines.h"
#include "views/members.h"

static void append_cell(struct vkm_text *line, const struct vkm_cell *cell) {
  if (cell->kind == VKM_CELL_TEXT) {
    vkm_text_json(line, cell->as.text);
  } else if (!vkm_sink_lines_value(line, cell)) {
    vkm_text_string(line, "null");
  }
}

static bool add_row(struct vkm_sink *sink, enum vkm_export_table_id id,
                    const struct vkm_cell *cells) {
  struct vkm_sink_lines *ndjson = (struct vkm_sink_lines *)sink;
  const struct vkm_export_table *table = &vkm_export_tables[id];
  struct vkm_text *line = &ndjson->line;
  vkm_text_clear(line);
  vkm_text_string(line, "{");
  vkm_member_text(line, "table", table->name);
  for (size_t i = 0; i < table->column_count; i++) {
    vkm_member_key(line, table->columns[i].name);
    append_cell(line, &cells[i]);
  }
  vkm_text_string(line, "}\n");
  return vkm_sink_lines_put(ndjson, 0);
}

struct vkm_sink *vkm_sink_ndjson(const struct vkm_sink_request *request) {
  static const struct vkm_sink_methods methods = {NULL, add_row, vkm_sink_lines_conclude,
                                                  vkm_sink_lines_destroy};
  struct vkm_sink_lines *ndjson = vkm_sink_lines_new(request, &methods);
  if (ndjson != NULL && !vkm_export_open(&ndjson->files[0], request->path)) {
    vkm_sink_lines_destroy(&ndjson->sink);
    ndjson = NULL;
  }
  return ndjson != NULL ? &ndjson->sink : NULL;
}
