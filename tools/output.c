/* In: a model, what was asked for. Out: texts on stdout and in files. */
#include "output.h"

#include <unistd.h>

#include "deliver.h"
#include "views/term.h"

/* One of the two is NULL. */
struct models {
  const struct vkm_report *report;
  const struct vkm_comparison *comparison;
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
  struct models models = {report, NULL};
  return print_all(&models, args);
}

bool vkm_output_comparison(const struct vkm_args *args, const struct vkm_comparison *comparison) {
  struct models models = {NULL, comparison};
  return print_all(&models, args);
}
