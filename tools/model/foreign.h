/* Times and figures that another program took: rows of JSON lines, one document a run, and that
 * document as a profile, so that report, compare and export take it. What only vkmeter's layer
 * knows (breakdown, coverage, overhead) is not known of it. Main thread. */
#ifndef VKM_TOOLS_MODEL_FOREIGN_H
#define VKM_TOOLS_MODEL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/document.h"
#include "profile/profile_read.h"

#define VKM_FOREIGN_SCHEMA "vkmeter.foreign/1"

/* Strings live in `keep` of the lines that they are of; NULL: not said. */
struct vkm_foreign_row {
  const char *name, *phase;
  int64_t *samples_ns; /* in order of lines; owned */
  size_t sample_count;
};
struct vkm_foreign_run {
  const char *run;
  int64_t sequence, started_unix_ns; /* started 0: not said */
  const char *workload, *device, *driver;
  bool has_software, software;
  struct vkm_read_pair *tags; /* owned, as the next two */
  size_t tag_count;
  struct vkm_foreign_row *rows;
  size_t row_count;
  struct vkm_read_metric *metrics;
  size_t metric_count;
};
struct vkm_foreign_lines {
  struct vkm_foreign_run *runs; /* in order of first sight; owned */
  size_t run_count;
  size_t faults; /* lines that are wrong */
  struct vkm_keep *keep;
};

/* Reads the JSON lines of `path` ("-": standard input). Each line that is wrong is reported with
 * its number, up to 20 of them. False: reported, there was one, or it cannot be read; finish is
 * needed in any case. */
bool vkm_foreign_lines_read(struct vkm_foreign_lines *lines, const char *path)
    __attribute__((warn_unused_result));
void vkm_foreign_lines_finish(struct vkm_foreign_lines *lines);

/* Appends the document of a run. */
void vkm_foreign_write(const struct vkm_foreign_run *run, const char *source,
                       struct vkm_text *text);
/* Name of a file for it, to be freed; NULL: out of memory. */
char *vkm_foreign_file(const struct vkm_foreign_run *run) __attribute__((warn_unused_result));

/* Takes what such a document says as a profile, and finishes the document. */
VKM_MUST_CHECK enum vkm_status vkm_foreign_read(struct vkm_document *document,
                                                struct vkm_read_profile *profile,
                                                struct vkm_read_error *error);

#endif
