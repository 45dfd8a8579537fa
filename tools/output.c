/* In: a model, what was asked for. Out: texts on stdout and in files. */
#include "output.h"

#include <unistd.h>

#include "deliver.h"
#include "message.h"
#include "views/term.h"

/* All but one are NULL. */
struct models {
  const struct vkm_report *report;
  const struct vkm_comparison *comparison;
  const struct vkm_matrix *matrix;
};

static bool print(const struct models *models, const struct vkm_view_settings *asked,
                  const struct vkm_output_request *request) {
  struct vkm_view_settings settings = *asked;
  vkm_term_resolve(&settings, request->path == NULL ? STDOUT_FILENO : -1);
  if (request->view->machine && !settings.top_given) {
    settings.top = 0;
  }
  settings.bytes_before = vkm_deliver_before(request->path);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  if (models->report != NULL) {
    request->view->report(models->report, &settings, &text);
  } else if (models->matrix != NULL) {
    request->view->matrix(models->matrix, &settings, &text);
  } else {
    request->view->compare(models->comparison, &settings, &text);
  }
  bool good = vkm_deliver(request->path, &text);
  vkm_text_finish(&text);
  return good;
}

static bool print_all(const struct models *models, const struct vkm_args *args) {
  if (args->output_count == 0) {
    struct vkm_output_request table = {.view = vkm_views[0]};
    return print(models, &args->view, &table);
  }
  bool good = true;
  for (size_t i = 0; i < args->output_count; i++) {
    good = print(models, &args->view, &args->outputs[i]) && good;
  }
  return good;
}

bool vkm_output_report(const struct vkm_args *args, const struct vkm_report *report) {
  struct models models = {.report = report};
  return print_all(&models, args);
}

bool vkm_output_comparison(const struct vkm_args *args, const struct vkm_comparison *comparison) {
  struct models models = {.comparison = comparison};
  return print_all(&models, args);
}

bool vkm_output_matrix(const struct vkm_args *args, const struct vkm_matrix *matrix) {
  struct models models = {.matrix = matrix};
  for (size_t i = 0; i < args->output_count; i++) {
    if (args->outputs[i].view->matrix == NULL) {
      vkm_error("there is no matrix as %s; give table, md, csv or json",
                args->outputs[i].view->name);
      return false;
    }
  }
  return print_all(&models, args);
}
