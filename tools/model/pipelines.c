/* Pipelines and what the driver's compiler made of them. In: pipelines of all profiles. Out: a row
 * for each executable of an identity. Next: report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "model/details_build.h"

/* A pipeline of a profile. */
struct use {
  const struct vkm_read_pipeline *pipeline;
  size_t position; /* in the order that files were named */
};

static int by_identity(const void *a, const void *b) {
  const struct use *left = a;
  const struct use *right = b;
  int order = strcmp(left->pipeline->identity, right->pipeline->identity);
  return order != 0 ? order
                    : (left->position > right->position) - (left->position < right->position);
}

static int by_time(const void *a, const void *b) {
  const struct vkm_pipeline_row *left = a;
  const struct vkm_pipeline_row *right = b;
  int order = vkm_by_total(left->part.total_ns, right->part.total_ns);
  order = order != 0 ? order : strcmp(left->name, right->name);
  /* Executables of one pipeline lie behind each other in its array. */
  return order != 0
             ? order
             : (left->executable > right->executable) - (left->executable < right->executable);
}

static const char *own_name(const struct vkm_read_pipeline *pipeline) {
  const char *const names[] = {pipeline->name, pipeline->module_name, pipeline->entry_point};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i] != NULL && *names[i]) {
      return names[i];
    }
  }
  return "(unnamed)";
}

/* That of the kernels; a pipeline that never ran has some digits of its identity behind its name,
 * because that name may be another's, too. */
static char *name_of(const struct vkm_read_pipeline *pipeline, const struct vkm_names *names,
                     bool executed) {
  char *name = NULL;
  if (executed) {
    return vkm_names_of(names, pipeline->identity);
  }
  return asprintf(&name, "%s#%.6s", own_name(pipeline), pipeline->identity) < 0 ? NULL : name;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct vkm_part *)a)->name, ((const struct vkm_part *)b)->name);
}

/* NULL: it was never executed. */
static const struct vkm_part *part_of(const struct vkm_parts *shaders, const char *identity) {
  struct vkm_part key = {.name = identity};
  return bsearch(&key, shaders->items, shaders->count, sizeof *shaders->items, by_name);
}

/* uses[0..count) are of one identity. */
static void fold(struct vkm_pipeline_row *row, const struct use *uses, size_t count,
                 double *times) {
  size_t time_count = 0;
  row->pipeline = uses[0].pipeline;
  for (size_t i = 0; i < count; i++) {
    const struct vkm_read_pipeline *pipeline = uses[i].pipeline;
    row->created += pipeline->created;
    row->cache_known += pipeline->has_feedback;
    row->cache_hits += pipeline->has_feedback && pipeline->cache_hit;
    if (pipeline->has_create) {
      times[time_count++] = (double)pipeline->create_ns;
    }
  }
  row->has_create = time_count > 0;
  row->create_ns = row->has_create ? vkm_median(times, time_count) : 0;
}

static size_t row_count_of(const struct vkm_read_pipeline *pipeline) {
  return pipeline->executable_count > 0 ? pipeline->executable_count : 1;
}

/* Appends the rows of one identity. */
static bool append(struct vkm_details *details, const struct use *uses, size_t count,
                   const struct vkm_names *names, double *times) {
  struct vkm_pipeline_row folded = {0};
  fold(&folded, uses, count, times);
  const struct vkm_part *part = part_of(&details->shaders, folded.pipeline->identity);
  folded.has_part = part != NULL;
  folded.part = part != NULL ? *part : (struct vkm_part){0};
  for (size_t i = 0; i < row_count_of(folded.pipeline); i++) {
    struct vkm_pipeline_row *row = &details->pipelines[details->pipeline_count];
    *row = folded;
    row->first = i == 0;
    row->executable =
        folded.pipeline->executable_count > 0 ? &folded.pipeline->executables[i] : NULL;
    row->name = name_of(folded.pipeline, names, folded.has_part);
    details->pipeline_count++;
    if (row->name == NULL) {
      return false;
    }
  }
  return true;
}

static size_t collect(const struct vkm_inputs *inputs, size_t section, struct use *uses,
                      size_t *row_count) {
  size_t used = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    const struct vkm_read_profile *profile = &inputs->profiles[i];
    for (size_t j = 0; j < profile->pipeline_count; j++) {
      const struct vkm_read_pipeline *pipeline = &profile->pipelines[j];
      if (inputs->sections[i][pipeline->device] == section) {
        *row_count += row_count_of(pipeline);
        if (uses != NULL) {
          uses[used] = (struct use){pipeline, used};
        }
        used++;
      }
    }
  }
  return used;
}

static bool build(struct vkm_details *details, struct use *uses, size_t count,
                  const struct vkm_names *names, double *times) {
  qsort(uses, count, sizeof *uses, by_identity);
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count &&
           strcmp(uses[begin].pipeline->identity, uses[end].pipeline->identity) == 0) {
      end++;
    }
    if (!append(details, uses + begin, end - begin, names, times)) {
      return false;
    }
    begin = end;
  }
  qsort(details->pipelines, details->pipeline_count, sizeof *details->pipelines, by_time);
  return true;
}

bool vkm_details_pipelines(struct vkm_details *details, const struct vkm_inputs *inputs,
                           size_t section, const struct vkm_names *names) {
  size_t row_count = 0;
  size_t count = collect(inputs, section, NULL, &row_count);
  if (count == 0) {
    return true;
  }
  struct use *uses = calloc(count, sizeof *uses);
  double *times = calloc(count, sizeof *times);
  details->pipelines = calloc(row_count, sizeof *details->pipelines);
  bool good = uses != NULL && times != NULL && details->pipelines != NULL;
  if (good) {
    collect(inputs, section, uses, &row_count);
    good = build(details, uses, count, names, times);
  }
  free(uses);
  free(times);
  return good;
}
