/* vkmeter export. In: profiles, one at a time. Out: rows of flat tables in one of three formats.
 * What cannot be read is named and left out, the rest is exported. */
#include <signal.h>
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "export/ids.h"
#include "export/rows.h"
#include "message.h"
#include "model/directory.h"
#include "model/recorded.h"
#include "model/sample_file.h"

struct exporting {
  const struct vkm_sink_request *request;
  struct vkm_sink *sink;
  void *ids;
  size_t profiles, failed_runs, bad;
  bool stopped; /* it cannot be written: the rest is not read */
};

static struct vkm_sink *open_sink(const struct vkm_sink_request *request) {
  switch (request->format) {
  case VKM_EXPORT_CSV:
    return vkm_sink_csv(request);
  case VKM_EXPORT_SQLITE:
    return vkm_sink_sqlite(request);
  default:
    return vkm_sink_ndjson(request);
  }
}

static bool is_new(struct exporting *exporting, const struct vkm_recorded *recorded,
                   const char *path) {
  char id[VKM_EXPORT_ID_BYTES];
  if (recorded->failed) {
    vkm_export_error_id(&recorded->error, id);
  } else {
    vkm_export_profile_id(&recorded->profile, id);
  }
  const char *before = vkm_export_ids_add(&exporting->ids, id, path);
  if (before != NULL && *before) {
    vkm_error("'%s' and '%s' are of the same process; the second is left out: give each run once",
              before, path);
  } else if (before != NULL) {
    vkm_error("out of memory; '%s' is left out", path);
  }
  return before == NULL;
}

static void export_file(struct exporting *exporting, const char *path) {
  struct vkm_recorded recorded;
  if (exporting->stopped || vkm_sample_file_is(path)) {
    return;
  }
  if (!vkm_recorded_read(&recorded, path)) {
    exporting->bad++;
    return;
  }
  const bool *tables = exporting->request->tables;
  if (!is_new(exporting, &recorded, path)) {
    exporting->bad++;
  } else if (recorded.failed) {
    exporting->failed_runs++;
    exporting->stopped = !vkm_export_error(exporting->sink, tables, &recorded.error);
  } else {
    exporting->profiles++;
    exporting->stopped = !vkm_export_profile(exporting->sink, tables, &recorded.profile, path);
    vkm_progress("exported %zu profiles", exporting->profiles);
  }
  vkm_recorded_finish(&recorded);
}

static void export_directory(struct exporting *exporting, const char *path) {
  struct vkm_directory directory;
  if (!vkm_directory_list(&directory, path, ".json")) {
    exporting->bad++;
    return;
  }
  if (directory.count == 0) {
    vkm_error("'%s' holds no profile: no file in it is called *.json; give the directory that runs "
              "were recorded into",
              path);
    exporting->bad++;
  }
  for (size_t i = 0; i < directory.count; i++) {
    if (!vkm_recorded_beside(directory.paths[i])) {
      export_file(exporting, directory.paths[i]);
    }
  }
  vkm_directory_finish(&directory);
}

static void export_operand(struct exporting *exporting, const char *operand) {
  switch (strcmp(operand, "-") == 0 ? VKM_PATH_FILE : vkm_path_kind(operand)) {
  case VKM_PATH_DIRECTORY:
    export_directory(exporting, operand);
    break;
  case VKM_PATH_FILE:
    export_file(exporting, operand);
    break;
  default:
    vkm_path_explain_missing(operand);
    exporting->bad++;
  }
}

static void tell(const struct exporting *exporting) {
  size_t all = exporting->profiles + exporting->failed_runs;
  if (all == 0) {
    vkm_note("nothing was written: there is no profile among what was given");
  } else if (exporting->bad > 0) {
    vkm_warning("%zu of what was given %s left out, as said above; the rest is exported",
                exporting->bad, exporting->bad == 1 ? "is" : "are");
  }
  if (all > 0 && exporting->request->path != NULL) {
    vkm_note("exported %zu %s%s to '%s'", exporting->profiles,
             exporting->profiles == 1 ? "profile" : "profiles",
             exporting->failed_runs > 0 ? " and what is known of runs that failed" : "",
             exporting->request->path);
  }
}

struct vkm_outcome vkm_command_export(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_sink_request request = args->export;
  request.path = args->file;
  struct exporting exporting = {.request = &request};
  (void)signal(SIGXFSZ, SIG_IGN); /* a limit of a file's size is an error like a full disk */
  exporting.sink = open_sink(&request);
  if (exporting.sink == NULL) {
    return outcome;
  }
  exporting.stopped = !vkm_export_head(exporting.sink, request.tables);
  for (size_t i = 0; i < args->operand_count; i++) {
    export_operand(&exporting, args->operands[i]);
  }
  vkm_progress_end();
  bool some = exporting.profiles + exporting.failed_runs > 0;
  bool good = !exporting.stopped && (!some || exporting.sink->methods->conclude(exporting.sink));
  exporting.sink->methods->destroy(exporting.sink);
  vkm_export_ids_finish(&exporting.ids);
  if (good) {
    tell(&exporting);
  }
  if (good && exporting.bad == 0) {
    outcome.kind = exporting.failed_runs > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
  }
  return outcome;
}
