/* Options of suite. In: a word of the command line. Out: a field of struct vkm_args. Next:
 * commands/suite. */
#include "options_suite.h"

#include "message.h"
#include "model/baseline.h"

bool vkm_set_workloads(struct vkm_args *args, const char *value) {
  args->workloads = value;
  return true;
}

static bool add(const char *option, const char **list, size_t *count, const char *value) {
  if (*count == VKM_CATEGORIES_MAX) {
    vkm_error("more than %d categories; give fewer --%s options", VKM_CATEGORIES_MAX, option);
    return false;
  }
  list[(*count)++] = value;
  return true;
}

bool vkm_set_category(struct vkm_args *args, const char *value) {
  return add("category", args->categories, &args->category_count, value);
}

bool vkm_set_exclude_category(struct vkm_args *args, const char *value) {
  return add("exclude-category", args->excluded, &args->excluded_count, value);
}

bool vkm_set_backend(struct vkm_args *args, const char *value) {
  args->backend = value;
  return true;
}

/* With or without the sign that compare wants. */
bool vkm_set_baseline(struct vkm_args *args, const char *value) {
  args->baseline = value + (value[0] == '@');
  return vkm_baseline_name_check(args->baseline);
}
