/* In: lines. Out: files, whole or not at all. */
#include "export/sink_lines.h"

#include <errno.h>
#include <stdlib.h>

#include "message.h"

bool vkm_sink_lines_conclude(struct vkm_sink *sink) {
  struct vkm_sink_lines *lines = (struct vkm_sink_lines *)sink;
  bool good = true;
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    good = (lines->files[i].stream == NULL || vkm_export_conclude(&lines->files[i])) && good;
  }
  return good;
}

void vkm_sink_lines_destroy(struct vkm_sink *sink) {
  struct vkm_sink_lines *lines = (struct vkm_sink_lines *)sink;
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    vkm_export_discard(&lines->files[i]);
    free(lines->paths[i]);
  }
  vkm_text_finish(&lines->line);
  free(lines);
}

struct vkm_sink_lines *vkm_sink_lines_new(const struct vkm_sink_request *request,
                                          const struct vkm_sink_methods *methods) {
  struct vkm_sink_lines *lines = calloc(1, sizeof *lines);
  if (lines == NULL) {
    vkm_error("out of memory; end other programs");
    return NULL;
  }
  lines->sink.methods = methods;
  lines->request = request;
  vkm_text_init(&lines->line, SIZE_MAX);
  return lines;
}

bool vkm_sink_lines_value(struct vkm_text *line, const struct vkm_cell *cell) {
  switch (cell->kind) {
  case VKM_CELL_INTEGER:
    vkm_text_i64(line, cell->as.integer);
    return true;
  case VKM_CELL_REAL:
    vkm_text_double_exact(line, cell->as.real);
    return true;
  case VKM_CELL_BOOL:
    vkm_text_string(line, cell->as.truth ? "true" : "false");
    return true;
  default:
    return false;
  }
}

bool vkm_sink_lines_put(struct vkm_sink_lines *lines, size_t file) {
  const struct vkm_export_file *to = &lines->files[file];
  const struct vkm_text *line = &lines->line;
  if (line->failed) {
    errno = ENOMEM;
  }
  return (!line->failed &&
          fwrite(line->data, 1, line->length_bytes, to->stream) == line->length_bytes) ||
         vkm_export_cannot_write(to->path);
}
