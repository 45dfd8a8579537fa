/* What the driver's compiler said otherwise of the two shaders of a row. In: a pair. Out: the
 * figures that differ. Next: views. */
#include <stdlib.h>
#include <string.h>

#include "model/comparison_parts.h"

/* A figure of one side. */
struct figure {
  const char *executable, *name;
  size_t position; /* among all of its side */
  double value;
};

static const struct vkm_read_pipeline *described_pipeline(const struct vkm_side_row *row) {
  for (size_t i = 0; i < row->ref_count; i++) {
    if (row->refs[i].pipeline != NULL && row->refs[i].pipeline->has_executables) {
      return row->refs[i].pipeline;
    }
  }
  return NULL;
}

static int compare_names(const struct figure *left, const struct figure *right) {
  int order = strcmp(left->executable, right->executable);
  return order != 0 ? order : strcmp(left->name, right->name);
}

static int compare_figures(const void *a, const void *b) {
  const struct figure *left = a;
  const struct figure *right = b;
  int order = compare_names(left, right);
  return order != 0 ? order
                    : (left->position > right->position) - (left->position < right->position);
}

static size_t figure_room(const struct vkm_read_pipeline *pipeline) {
  size_t room = 1;
  for (size_t i = 0; i < pipeline->executable_count; i++) {
    room += pipeline->executables[i].statistic_count;
  }
  return room;
}

/* Sorted by name; their number. */
static size_t take_figures(const struct vkm_read_pipeline *pipeline, struct figure *figures) {
  size_t count = 0;
  for (size_t i = 0; i < pipeline->executable_count; i++) {
    const struct vkm_read_executable *executable = &pipeline->executables[i];
    for (size_t j = 0; j < executable->statistic_count; j++) {
      const struct vkm_read_statistic *statistic = &executable->statistics[j];
      if (statistic->has_value) {
        figures[count] =
            (struct figure){executable->name, statistic->name, count, statistic->value};
        count++;
      }
    }
  }
  if (count > 1) {
    qsort(figures, count, sizeof *figures, compare_figures);
  }
  return count;
}

static void join(struct vkm_compared_row *row, const struct figure *base, size_t base_count,
                 const struct figure *fresh, size_t fresh_count) {
  for (size_t i = 0, j = 0; i < base_count && j < fresh_count;) {
    int order = compare_names(&base[i], &fresh[j]);
    if (order == 0 && base[i].value != fresh[j].value) {
      row->statistics[row->statistic_count++] = (struct vkm_statistic_change){
          base[i].executable, base[i].name, base[i].value, fresh[j].value};
    }
    i += order <= 0;
    j += order >= 0;
  }
}

bool vkm_statistics_join(struct vkm_compared_row *row, const struct vkm_pair *pair) {
  const struct vkm_read_pipeline *pipelines[VKM_SIDES] = {NULL, NULL};
  for (int side = 0; side < VKM_SIDES; side++) {
    pipelines[side] = pair->of[side] != NULL ? described_pipeline(pair->of[side]) : NULL;
    if (pipelines[side] == NULL) {
      return true;
    }
  }
  size_t base_room = figure_room(pipelines[VKM_BASE]);
  struct figure *base = malloc(base_room * sizeof *base);
  struct figure *fresh = malloc(figure_room(pipelines[VKM_NEW]) * sizeof *fresh);
  row->statistics = calloc(base_room, sizeof *row->statistics);
  bool good = base != NULL && fresh != NULL && row->statistics != NULL;
  if (good) {
    size_t base_count = take_figures(pipelines[VKM_BASE], base);
    size_t fresh_count = take_figures(pipelines[VKM_NEW], fresh);
    join(row, base, base_count, fresh, fresh_count);
  }
  if (row->statistic_count == 0) {
    free(row->statistics);
    row->statistics = NULL;
  }
  free(base);
  free(fresh);
  return good;
}
