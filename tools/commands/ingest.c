/* vkmeter ingest. In: JSON lines of another program. Out: a document a run, which report, compare
 * and export take as they take profiles. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/foreign.h"

static bool write_run(const struct vkm_foreign_run *run, const char *source,
                      const char *directory) {
  char *file = vkm_foreign_file(run);
  char *path = NULL;
  if (file == NULL || asprintf(&path, "%s/%s", directory, file) < 0) {
    vkm_error("out of memory; give fewer rows at once");
    free(file);
    return false;
  }
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_foreign_write(run, source, &text);
  bool good = vkm_deliver(path, &text);
  vkm_text_finish(&text);
  free(file);
  free(path);
  return good;
}

/* The number of runs; what is wrong with a file keeps others from nothing. */
static bool ingest(const char *path, const char *directory, size_t *runs) {
  struct vkm_foreign_lines lines;
  bool good = vkm_foreign_lines_read(&lines, path);
  for (size_t i = 0; good && i < lines.run_count; i++) {
    good = write_run(&lines.runs[i], path, directory);
    *runs += good;
  }
  vkm_foreign_lines_finish(&lines);
  return good;
}

struct vkm_outcome vkm_command_ingest(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  if (args->file == NULL) {
    vkm_error("ingest writes a file a run: give a directory with --output");
    return outcome;
  }
  if (mkdir(args->file, 0777) != 0 && errno != EEXIST) {
    vkm_error("cannot make the directory '%s': %s; give one that can be made", args->file,
              strerror(errno));
    return outcome;
  }
  size_t runs = 0;
  bool good = true;
  for (size_t i = 0; i < args->operand_count; i++) {
    good = ingest(args->operands[i], args->file, &runs) && good;
  }
  if (runs > 0) {
    vkm_note("wrote %zu %s to '%s'", runs, runs == 1 ? "run" : "runs", args->file);
  }
  outcome.kind = good ? VKM_OUTCOME_DONE : VKM_OUTCOME_TROUBLE;
  return outcome;
}
