/* In: rows. Out: an object a line, its first member "table"; not known is null. Schema:
 * export.schema.json. */
#include <errno.h>
#include <stdlib.h>

#include "base/text.h"
#include "export/file.h"
#include "export/sink.h"
#include "message.h"
#include "views/members.h"

struct ndjson {
  struct vkm_sink sink; /* first */
  struct vkm_export_file file;
  struct vkm_text line; /* its memory is used again */
};

static void append_cell(struct vkm_text *line, const struct vkm_cell *cell) {
  switch (cell->kind) {
  case VKM_CELL_TEXT:
    vkm_text_json(line, cell->as.text);
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
    vkm_text_string(line, "null");
  }
}

static bool add_row(struct vkm_sink *sink, enum vkm_export_table_id id,
                    const struct vkm_cell *cells) {
  struct ndjson *ndjson = (struct ndjson *)sink;
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
  if (line->failed) {
    errno = ENOMEM;
  }
  return (!line->failed &&
          fwrite(line->data, 1, line->length_bytes, ndjson->file.stream) == line->length_bytes) ||
         vkm_export_cannot_write(ndjson->file.path);
}

static bool conclude(struct vkm_sink *sink) {
  return vkm_export_conclude(&((struct ndjson *)sink)->file);
}

static void destroy(struct vkm_sink *sink) {
  struct ndjson *ndjson = (struct ndjson *)sink;
  vkm_export_discard(&ndjson->file);
  vkm_text_finish(&ndjson->line);
  free(ndjson);
}

struct vkm_sink *vkm_sink_ndjson(const struct vkm_sink_request *request) {
  static const struct vkm_sink_methods methods = {NULL, add_row, conclude, destroy};
  struct ndjson *ndjson = calloc(1, sizeof *ndjson);
  if (ndjson == NULL) {
    vkm_error("out of memory; end other programs");
    return NULL;
  }
  ndjson->sink.methods = &methods;
  vkm_text_init(&ndjson->line, SIZE_MAX);
  if (!vkm_export_open(&ndjson->file, request->path)) {
    destroy(&ndjson->sink);
    return NULL;
  }
  return &ndjson->sink;
}
