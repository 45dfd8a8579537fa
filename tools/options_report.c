/* What a report shows. In: a word of the command line. Out: a field of struct vkm_args. Next:
 * commands/report. */
#include "options_report.h"

#include <string.h>

#include "message.h"
#include "options.h"
#include "views/shown.h"

bool vkm_set_group(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"identity", "pipeline", "family", "phase",
                                      "label",    "plan",     "queue",  NULL};
  static const enum vkm_sheet_id groups[] = {
      VKM_SHEET_KERNELS, VKM_SHEET_PIPELINES, VKM_SHEET_FAMILIES, VKM_SHEET_PHASES,
      VKM_SHEET_PHASES,  VKM_SHEET_PLANS,     VKM_SHEET_QUEUES};
  int index = vkm_option_choose("group", value, words);
  args->view.pick.group = index < 0 ? VKM_SHEET_KERNELS : (int)groups[index];
  return index >= 0;
}

/* The bit of a sheet; 0 after reporting. */
static unsigned sheet_bit(const char *name, size_t length) {
  if (length == strlen("all") && strncmp(name, "all", length) == 0) {
    return (1u << VKM_SHEET_COUNT) - 1;
  }
  for (int i = 0; i < VKM_SHEET_COUNT; i++) {
    if (strlen(vkm_sheet_ids[i]) == length && strncmp(name, vkm_sheet_ids[i], length) == 0) {
      return 1u << i;
    }
  }
  vkm_error("--show has no '%.*s'; give some of kernels, pipelines, families, phases, plans, "
            "queues, memory, coverage, breakdown, or all",
            (int)length, name);
  return 0;
}

bool vkm_set_show(struct vkm_args *args, const char *value) {
  args->view.pick.sheets = 0;
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    unsigned bit = sheet_bit(at, length);
    if (bit == 0) {
      return false;
    }
    args->view.pick.sheets |= bit;
    at += length;
    if (!*at) {
      return true;
    }
  }
}

bool vkm_set_columns(struct vkm_args *args, const char *value) {
  if (value[strspn(value, ", ")] == 0) {
    vkm_error("--columns names none; --columns=help lists them");
    return false;
  }
  args->view.pick.columns = value;
  return true;
}

bool vkm_set_sort(struct vkm_args *args, const char *value) {
  args->view.pick.sort = value;
  return true;
}

bool vkm_set_trace(struct vkm_args *args, const char *value) {
  if (*value == 0) {
    vkm_error("--trace names no file; give one");
    return false;
  }
  args->trace = value;
  return true;
}

bool vkm_set_matrix(struct vkm_args *args, const char *value) {
  args->matrix = value != NULL ? value : "commit";
  return true;
}

bool vkm_set_filter(struct vkm_args *args, const char *value) {
  struct vkm_pick *pick = &args->view.pick;
  if (pick->filter_count == VKM_FILTERS_MAX) {
    vkm_error("more than %d filters; give fewer --filter options", VKM_FILTERS_MAX);
    return false;
  }
  pick->filters[pick->filter_count++] = value;
  return true;
}

bool vkm_wants_columns(const struct vkm_args *args) {
  const char *columns = args->view.pick.columns;
  return columns != NULL && strcmp(columns, "help") == 0;
}
