/* JSON lines of another program. In: a file. Out: runs with rows. Next: ingest. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/foreign_line.h"
#include "profile/keep.h"

enum { FAULTS_SHOWN = 20 };

/* Rows that name no run are of one that is called like their file. */
static char *run_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return strcmp(path, "-") == 0
             ? strdup("ingested")
             : strndup(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

static bool is_blank(const char *line, size_t length) {
  return strspn(line, " \t\r\n") >= length;
}

static void read_line(struct vkm_foreign_lines *lines, const char *path, const char *run,
                      size_t number, const char *line, size_t length) {
  char cause[512];
  if (is_blank(line, length) ||
      vkm_foreign_line_add(lines, run, line, length, cause, sizeof cause)) {
    return;
  }
  lines->faults++;
  if (lines->faults <= FAULTS_SHOWN) {
    vkm_error("%s:%zu: %s", path, number, cause);
  }
}

static bool read_stream(struct vkm_foreign_lines *lines, const char *path, FILE *stream) {
  char *run = run_of(path);
  char *line = NULL;
  size_t room = 0;
  lines->keep = vkm_keep_new();
  bool good = run != NULL && lines->keep != NULL;
  if (!good) {
    vkm_error("out of memory; give fewer rows at once");
  }
  ssize_t length = 0;
  for (size_t number = 1; good && (length = getline(&line, &room, stream)) >= 0; number++) {
    read_line(lines, path, run, number, line, (size_t)length);
  }
  if (good && ferror(stream)) {
    vkm_error("cannot read '%s': %s; give a file that can be read", path, strerror(errno));
    good = false;
  }
  if (lines->faults > 0) {
    vkm_error("'%s' has %zu wrong %s: nothing of it is taken", path, lines->faults,
              lines->faults == 1 ? "line" : "lines");
  } else if (good && lines->run_count == 0) {
    vkm_error("'%s' holds no row; give JSON lines, see vkmeter help ingest", path);
  }
  free(line);
  free(run);
  return good && lines->faults == 0 && lines->run_count > 0;
}

bool vkm_foreign_lines_read(struct vkm_foreign_lines *lines, const char *path) {
  *lines = (struct vkm_foreign_lines){0};
  if (strcmp(path, "-") == 0) {
    return read_stream(lines, path, stdin);
  }
  FILE *stream = fopen(path, "re");
  if (stream == NULL) {
    vkm_error("cannot read '%s': %s; give a file of JSON lines", path, strerror(errno));
    return false;
  }
  bool good = read_stream(lines, path, stream);
  (void)fclose(stream);
  return good;
}

void vkm_foreign_lines_finish(struct vkm_foreign_lines *lines) {
  for (size_t i = 0; i < lines->run_count; i++) {
    struct vkm_foreign_run *run = &lines->runs[i];
    for (size_t k = 0; k < run->row_count; k++) {
      free(run->rows[k].samples_ns);
    }
    free(run->tags);
    free(run->rows);
    free(run->metrics);
  }
  free(lines->runs);
  vkm_keep_finish(lines->keep);
  *lines = (struct vkm_foreign_lines){0};
}
