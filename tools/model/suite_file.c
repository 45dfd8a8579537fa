/* Files of workloads. In: a path. Out: devices and workloads. Next: suite_plan. */
#include "model/suite_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "message.h"
#include "model/require.h"
#include "model/suite_file_parts.h"
#include "profile/document.h"
#include "profile/keep.h"

static const char *const modes[] = {"quick", "full", "diagnose"};

const char *vkm_suite_mode_name(enum vkm_suite_mode mode) {
  return modes[mode];
}

static const struct vkm_document_kind kind = {
    "vkmeter.workloads/1", "no file of workloads",
    "give a file of workloads, whose \"schema\" is \"vkmeter.workloads/1\"",
    "correct it there; tools/model/workloads.schema.json says what it may hold", NULL};

static const char *const file_members[] = {"schema",    "about",   "devices",
                                           "workloads", "$schema", NULL};
static const char *const device_members[] = {"name",        "about", "kind", "require",
                                             "environment", "needs", NULL};
static const char *const workload_members[] = {
    "name",     "about",      "category", "command",   "environment", "devices",  "require",
    "needs",    "quick",      "warmups",  "repeats",   "timeout_s",   "floor_us", "budget",
    "validate", "cold_group", "outputs",  "tolerance", NULL};

static void read_device(struct vkm_parse *parse, const struct vkm_value *at,
                        struct vkm_suite_device *device) {
  static const char *const kinds[] = {"gpu", "cpu", NULL};
  const char *said = NULL;
  vkm_suite_members(parse, at, device_members);
  vkm_suite_name(parse, at, "name", &device->name);
  vkm_value_text(parse, at, "kind", VKM_VALUE_NEEDED, &said);
  for (size_t i = 0; said != NULL && kinds[i] != NULL; i++) {
    device->kind = strcmp(said, kinds[i]) == 0 ? kinds[i] : device->kind;
  }
  if (said != NULL && device->kind == NULL) {
    vkm_value_fail(parse, at, "kind '%.20s' is neither gpu nor cpu", said);
  }
  vkm_suite_require(parse, at, &device->require);
  if (device->require == NULL && device->kind != NULL) {
    device->require = strcmp(device->kind, "cpu") == 0 ? "software" : "gpu";
  }
  vkm_suite_pairs(parse, at, "environment", &device->environment);
  vkm_suite_words(parse, at, "needs", VKM_VALUE_OPTIONAL, &device->needs);
}

static void find_device(struct vkm_parse *parse, const struct vkm_value *at,
                        const struct vkm_suite_file *file, struct vkm_workload *workload) {
  for (size_t i = 0; !parse->failed && i < workload->device_count; i++) {
    if (strcmp(file->devices[workload->devices[i]].name, at->item->valuestring) == 0) {
      vkm_value_fail(parse, at, "'%.40s' is named twice", at->item->valuestring);
    }
  }
  for (size_t i = 0; !parse->failed && i < file->device_count; i++) {
    if (strcmp(file->devices[i].name, at->item->valuestring) == 0) {
      workload->devices[workload->device_count++] = i;
      return;
    }
  }
  if (!parse->failed) {
    vkm_value_fail(parse, at, "no device of the file is called '%.40s'", at->item->valuestring);
  }
}

/* Without a list: all that the file has. */
static void read_devices(struct vkm_parse *parse, const struct vkm_value *at,
                         const struct vkm_suite_file *file, struct vkm_workload *workload) {
  struct vkm_value list = vkm_value_member(parse, at, "devices", cJSON_Array, VKM_VALUE_OPTIONAL);
  size_t named = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  size_t room = named > file->device_count ? named : file->device_count;
  workload->devices = vkm_value_array(parse, room, sizeof *workload->devices);
  size_t index = 0;
  const cJSON *first = list.item != NULL ? list.item->child : NULL;
  for (const cJSON *item = first; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value name = vkm_value_element(parse, &list, item, index++, cJSON_String);
    find_device(parse, &name, file, workload);
  }
  for (size_t i = 0; list.item == NULL && !parse->failed && i < file->device_count; i++) {
    workload->devices[workload->device_count++] = i;
  }
}

static void read_workload(struct vkm_parse *parse, const struct vkm_value *at,
                          const struct vkm_suite_file *file, struct vkm_workload *workload) {
  static const unsigned warmups[] = {1, 2, 1};
  static const unsigned repeats[] = {3, 10, 5};
  double timeout_s = 600;
  double floor_us = -1;
  workload->category = "uncategorized";
  vkm_suite_members(parse, at, workload_members);
  vkm_suite_workload_name(parse, at, &workload->name);
  vkm_value_text(parse, at, "category", VKM_VALUE_OPTIONAL, &workload->category);
  vkm_suite_words(parse, at, "command", VKM_VALUE_NEEDED, &workload->command);
  vkm_suite_words(parse, at, "needs", VKM_VALUE_OPTIONAL, &workload->needs);
  vkm_suite_words(parse, at, "validate", VKM_VALUE_OPTIONAL, &workload->validate);
  vkm_suite_pairs(parse, at, "environment", &workload->environment);
  read_devices(parse, at, file, workload);
  vkm_suite_require(parse, at, &workload->require);
  vkm_value_text(parse, at, "cold_group", VKM_VALUE_OPTIONAL, &workload->cold_group);
  vkm_value_bool(parse, at, "quick", VKM_VALUE_OPTIONAL, &workload->quick);
  memcpy(workload->warmups, warmups, sizeof warmups);
  memcpy(workload->repeats, repeats, sizeof repeats);
  vkm_suite_counts(parse, at, "warmups", 0, workload->warmups);
  vkm_suite_counts(parse, at, "repeats", 1, workload->repeats);
  vkm_suite_number(parse, at, "timeout_s", 1e-3, 1e6, &timeout_s);
  vkm_suite_number(parse, at, "floor_us", 0, 1e12, &floor_us);
  workload->timeout_ns = (int64_t)(timeout_s * 1e9);
  workload->floor_ns = floor_us < 0 ? -1 : floor_us * 1e3;
  vkm_suite_budgets(parse, at, workload);
  vkm_suite_outputs(parse, at, workload);
  vkm_suite_tolerance(parse, at, &workload->tolerance);
}

static void read_all_devices(struct vkm_document *document, struct vkm_suite_file *file) {
  struct vkm_parse *parse = &document->parse;
  struct vkm_value list =
      vkm_value_member(parse, &document->root, "devices", cJSON_Array, VKM_VALUE_OPTIONAL);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  file->devices = vkm_value_array(parse, count, sizeof *file->devices);
  const cJSON *item = list.item != NULL ? list.item->child : NULL;
  for (size_t i = 0; i < count && !parse->failed; i++, item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, i, cJSON_Object);
    file->device_count++;
    read_device(parse, &at, &file->devices[i]);
    for (size_t j = 0; j < i && !parse->failed; j++) {
      if (strcmp(file->devices[i].name, file->devices[j].name) == 0) {
        vkm_value_fail(parse, &at, "a second device '%.40s'", file->devices[i].name);
      }
    }
  }
}

static void read_all_workloads(struct vkm_document *document, struct vkm_suite_file *file) {
  struct vkm_parse *parse = &document->parse;
  struct vkm_value list =
      vkm_value_member(parse, &document->root, "workloads", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  if (list.item != NULL && count == 0) {
    vkm_value_fail(parse, &list, "there is no workload");
  }
  file->workloads = vkm_value_array(parse, count, sizeof *file->workloads);
  const cJSON *item = list.item != NULL ? list.item->child : NULL;
  for (size_t i = 0; i < count && !parse->failed; i++, item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, i, cJSON_Object);
    file->workload_count++;
    read_workload(parse, &at, file, &file->workloads[i]);
    file->has_quick = file->has_quick || file->workloads[i].quick;
    for (size_t j = 0; j < i && !parse->failed; j++) {
      if (strcmp(file->workloads[i].name, file->workloads[j].name) == 0) {
        vkm_value_fail(parse, &at, "a second workload '%.40s'", file->workloads[i].name);
      }
    }
  }
}

/* The folder of the file, absolute: programs run elsewhere. */
static char *folder_of(const char *path) {
  char *whole = realpath(path, NULL);
  char *slash = whole != NULL ? strrchr(whole, '/') : NULL;
  if (slash != NULL) {
    slash[slash == whole] = 0;
  }
  return whole;
}

bool vkm_suite_file_read(struct vkm_suite_file *file, const char *path) {
  *file = (struct vkm_suite_file){.path = strdup(path), .keep = vkm_keep_new()};
  struct vkm_document document;
  struct vkm_read_error error;
  bool room = file->path != NULL && file->keep != NULL;
  enum vkm_status status = room ? vkm_document_read(path, &kind, 1, &document, &error) : VKM_IO;
  if (!room) {
    error = (struct vkm_read_error){"out of memory", "free some"};
  } else if (status == VKM_OK) {
    document.parse.keep = file->keep;
    vkm_suite_members(&document.parse, &document.root, file_members);
    read_all_devices(&document, file);
    read_all_workloads(&document, file);
    status = vkm_document_conclude(&document, &error);
    vkm_document_finish(&document);
  }
  file->directory = status == VKM_OK ? folder_of(path) : NULL;
  if (status == VKM_OK && file->directory == NULL) {
    error = (struct vkm_read_error){"it has no folder", "give the path of a file"};
    status = VKM_IO;
  }
  if (status != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
    vkm_suite_file_finish(file);
  }
  return status == VKM_OK;
}

void vkm_suite_file_finish(struct vkm_suite_file *file) {
  for (size_t i = 0; i < file->device_count; i++) {
    vkm_free(file->devices[i].environment.items);
    vkm_free((void *)file->devices[i].needs.items);
  }
  for (size_t i = 0; i < file->workload_count; i++) {
    struct vkm_workload *workload = &file->workloads[i];
    vkm_free((void *)workload->command.items);
    vkm_free((void *)workload->needs.items);
    vkm_free((void *)workload->validate.items);
    vkm_free((void *)workload->outputs.items);
    vkm_free(workload->output_decimals);
    vkm_free(workload->environment.items);
    vkm_free(workload->devices);
    vkm_free(workload->budgets);
  }
  free(file->path);
  free(file->directory);
  vkm_free(file->devices);
  vkm_free(file->workloads);
  vkm_keep_finish(file->keep);
  *file = (struct vkm_suite_file){0};
}
