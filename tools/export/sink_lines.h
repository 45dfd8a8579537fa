/* What sinks of text have in common: files that are opened, written line by line, and put in their
 * places together. Main thread. */
#ifndef VKM_TOOLS_EXPORT_SINK_LINES_H
#define VKM_TOOLS_EXPORT_SINK_LINES_H

#include "base/text.h"
#include "export/file.h"
#include "export/sink.h"

struct vkm_sink_lines {
  struct vkm_sink sink; /* first */
  const struct vkm_sink_request *request;
  struct vkm_export_file files[VKM_EXPORT_TABLES]; /* by table, or the first one for all */
  char *paths[VKM_EXPORT_TABLES];                  /* owned; NULL: the request's */
  struct vkm_text line;                            /* its memory is used again */
};

/* No file is open yet. `methods`: two of them are those below. NULL: reported. */
struct vkm_sink_lines *vkm_sink_lines_new(const struct vkm_sink_request *request,
                                          const struct vkm_sink_methods *methods);
/* A number or a truth, as all formats write them. False: it is none, nothing is written. */
bool vkm_sink_lines_value(struct vkm_text *line, const struct vkm_cell *cell);
/* Writes the line, which has its end. False: reported. */
bool vkm_sink_lines_put(struct vkm_sink_lines *lines, size_t file)
    __attribute__((warn_unused_result));
/* As the methods of a sink: only the files that are open. */
bool vkm_sink_lines_conclude(struct vkm_sink *sink) __attribute__((warn_unused_result));
void vkm_sink_lines_destroy(struct vkm_sink *sink);

#endif
