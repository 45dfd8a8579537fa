/* Plans of suites. In: workloads, a choice, devices that are there. Out: lanes. Next:
 * commands/suite. */
#include "model/suite_plan.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"

const char *vkm_suite_status_name(enum vkm_suite_status status) {
  static const char *const names[] = {"planned", "ok", "error", "skipped"};
  return names[status];
}

static bool is_among(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(name, list[i]) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_chosen(const struct vkm_suite_file *file, const struct vkm_suite_choice *choice,
                      const struct vkm_workload *workload) {
  if (choice->name_count > 0) {
    return is_among(workload->name, (const char *const *)choice->names, choice->name_count);
  }
  if (choice->category_count > 0 &&
      !is_among(workload->category, choice->categories, choice->category_count)) {
    return false;
  }
  return !is_among(workload->category, choice->excluded, choice->excluded_count) &&
         (choice->mode != VKM_SUITE_QUICK || !file->has_quick || workload->quick);
}

static bool is_kind(const char *backend) {
  return strcmp(backend, "cpu") == 0 || strcmp(backend, "gpu") == 0;
}

static bool is_any(const char *backend) {
  return strcmp(backend, "auto") == 0 || strcmp(backend, "all") == 0;
}

static bool fits(const struct vkm_suite_device *device, const char *backend) {
  return is_any(backend) || strcmp(is_kind(backend) ? device->kind : device->name, backend) == 0;
}

bool vkm_suite_touches(const struct vkm_suite_file *file, const struct vkm_suite_choice *choice,
                       size_t device) {
  for (size_t i = 0; i < file->workload_count; i++) {
    const struct vkm_workload *workload = &file->workloads[i];
    for (size_t j = 0; j < workload->device_count && is_chosen(file, choice, workload); j++) {
      if (workload->devices[j] == device && fits(&file->devices[device], choice->backend)) {
        return true;
      }
    }
  }
  return false;
}

/* Names in a file, looked up by index; NULL behind the last. */
typedef const char *names(const struct vkm_suite_file *file, size_t index);

static const char *workload_at(const struct vkm_suite_file *file, size_t index) {
  return index < file->workload_count ? file->workloads[index].name : NULL;
}
static const char *category_at(const struct vkm_suite_file *file, size_t index) {
  return index < file->workload_count ? file->workloads[index].category : NULL;
}
static const char *backend_at(const struct vkm_suite_file *file, size_t index) {
  static const char *const words[] = {"auto", "all", "cpu", "gpu"};
  enum { WORDS = sizeof words / sizeof *words };
  if (index < WORDS) {
    return words[index];
  }
  return index - WORDS < file->device_count ? file->devices[index - WORDS].name : NULL;
}

static bool is_known(const struct vkm_suite_file *file, const char *what, const char *name,
                     names *at) {
  const char *near = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; at(file, i) != NULL; i++) {
    if (strcmp(name, at(file, i)) == 0) {
      return true;
    }
    size_t edits = vkm_edits(name, at(file, i));
    if (edits < least && vkm_is_near(name, edits)) {
      near = at(file, i);
      least = edits;
    }
  }
  if (near != NULL) {
    vkm_error("'%s' has no %s '%s'; did you mean %s?", file->path, what, name, near);
  } else {
    vkm_error("'%s' has no %s '%s'; see what it holds", file->path, what, name);
  }
  return false;
}

bool vkm_suite_choice_check(const struct vkm_suite_file *file,
                            const struct vkm_suite_choice *choice) {
  for (size_t i = 0; i < choice->name_count; i++) {
    if (!is_known(file, "workload", choice->names[i], workload_at)) {
      return false;
    }
  }
  for (size_t i = 0; i < choice->category_count; i++) {
    if (!is_known(file, "category", choice->categories[i], category_at)) {
      return false;
    }
  }
  for (size_t i = 0; i < choice->excluded_count; i++) {
    if (!is_known(file, "category", choice->excluded[i], category_at)) {
      return false;
    }
  }
  return is_known(file, "device", choice->backend, backend_at);
}

static struct vkm_suite_planned *add(struct vkm_suite_plan *plan,
                                     const struct vkm_suite_choice *choice,
                                     const struct vkm_workload *workload,
                                     const struct vkm_suite_device *device) {
  struct vkm_suite_planned *lane = &plan->items[plan->count++];
  unsigned wanted = workload->repeats[choice->mode];
  *lane = (struct vkm_suite_planned){.workload = workload,
                                     .device = device,
                                     .require = workload->require,
                                     .warmups = workload->warmups[choice->mode],
                                     .repeats = choice->repeat > 0 ? choice->repeat : wanted};
  if (lane->require == NULL && device != NULL) {
    lane->require = device->require;
  }
  plan->fewer_repeats = plan->fewer_repeats || lane->repeats < wanted;
  return lane;
}

static void set_status(struct vkm_suite_planned *lane, enum vkm_suite_status status,
                       const char *format, const char *name, const char *why) {
  lane->status = status;
  snprintf(lane->reason, sizeof lane->reason, format, name, why);
}

/* Of a file without devices, or a workload that names none. */
static void plan_anywhere(struct vkm_suite_plan *plan, const struct vkm_suite_choice *choice,
                          const struct vkm_workload *workload) {
  struct vkm_suite_planned *lane = add(plan, choice, workload, NULL);
  if (is_kind(choice->backend) && lane->require == NULL) {
    lane->require = strcmp(choice->backend, "cpu") == 0 ? "software" : "gpu";
  } else if (!is_any(choice->backend) && !is_kind(choice->backend)) {
    set_status(lane, VKM_SUITE_SKIPPED, "it does not name the device %s%s", choice->backend, "");
  }
}

static const char NOT_THERE[] = "the device %s is not there: %s";

/* The first that is there; without any, the workload is skipped for want of the preferred one. */
static void plan_first(struct vkm_suite_plan *plan, const struct vkm_suite_file *file,
                       const struct vkm_suite_choice *choice, const struct vkm_suite_there *there,
                       const struct vkm_workload *workload) {
  size_t preferred = workload->devices[0];
  size_t i = 0;
  while (i < workload->device_count && !there[workload->devices[i]].there) {
    i++;
  }
  size_t taken = i < workload->device_count ? workload->devices[i] : preferred;
  struct vkm_suite_planned *lane = add(plan, choice, workload, &file->devices[taken]);
  if (i > 0) {
    set_status(lane, i < workload->device_count ? VKM_SUITE_PLANNED : VKM_SUITE_SKIPPED, NOT_THERE,
               file->devices[preferred].name, there[preferred].why);
  }
  if (i > 0 && i < workload->device_count) {
    lane->instead_of = file->devices[preferred].name;
    plan->fell_back = true;
  }
}

static void plan_workload(struct vkm_suite_plan *plan, const struct vkm_suite_file *file,
                          const struct vkm_suite_choice *choice,
                          const struct vkm_suite_there *there,
                          const struct vkm_workload *workload) {
  if (workload->device_count == 0) {
    plan_anywhere(plan, choice, workload);
    return;
  }
  if (strcmp(choice->backend, "auto") == 0) {
    plan_first(plan, file, choice, there, workload);
    return;
  }
  bool fitting = false;
  for (size_t i = 0; i < workload->device_count; i++) {
    size_t index = workload->devices[i];
    const struct vkm_suite_device *device = &file->devices[index];
    if (!fits(device, choice->backend)) {
      continue;
    }
    struct vkm_suite_planned *lane = add(plan, choice, workload, device);
    fitting = true;
    if (!there[index].there) {
      set_status(lane, is_any(choice->backend) ? VKM_SUITE_SKIPPED : VKM_SUITE_ERROR, NOT_THERE,
                 device->name, there[index].why);
    }
  }
  if (!fitting) {
    struct vkm_suite_planned *lane = add(plan, choice, workload, NULL);
    set_status(lane, VKM_SUITE_SKIPPED, "none of its devices is %s%s", choice->backend, "");
  }
}

/* The first lane of each group that is run. */
static void plan_cold(struct vkm_suite_plan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    struct vkm_suite_planned *lane = &plan->items[i];
    lane->cold = lane->workload->cold_group != NULL && lane->status == VKM_SUITE_PLANNED;
    for (size_t j = 0; j < i && lane->cold; j++) {
      const struct vkm_suite_planned *other = &plan->items[j];
      lane->cold = !other->cold || other->device != lane->device ||
                   strcmp(other->workload->cold_group, lane->workload->cold_group) != 0;
    }
  }
}

bool vkm_suite_plan_make(struct vkm_suite_plan *plan, const struct vkm_suite_file *file,
                         const struct vkm_suite_choice *choice,
                         const struct vkm_suite_there *there) {
  size_t room = file->workload_count * (file->device_count + 1);
  *plan = (struct vkm_suite_plan){.items = calloc(room, sizeof *plan->items)};
  if (plan->items == NULL) {
    vkm_error("out of memory; choose fewer workloads");
    return false;
  }
  for (size_t i = 0; i < file->workload_count; i++) {
    if (is_chosen(file, choice, &file->workloads[i])) {
      plan_workload(plan, file, choice, there, &file->workloads[i]);
    } else {
      plan->left_out++;
    }
  }
  if (choice->mode == VKM_SUITE_FULL) {
    plan_cold(plan);
  }
  if (plan->count == 0) {
    vkm_error("no workload of '%s' is left to run; choose others with --category", file->path);
    vkm_suite_plan_finish(plan);
    return false;
  }
  return true;
}

void vkm_suite_plan_finish(struct vkm_suite_plan *plan) {
  free(plan->items);
  *plan = (struct vkm_suite_plan){0};
}
