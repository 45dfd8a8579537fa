/* Noise of rows. In: runs of one build. Out: a deviation a row, and the way back to it. Next:
 * comparison_judge, commands/noise. */
#include "model/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/welch.h"
#include "message.h"
#include "model/comparison_parts.h"

static int compare_texts(const char *left, const char *right) {
  if (left == NULL || right == NULL) {
    return (left != NULL) - (right != NULL);
  }
  return strcmp(left, right);
}

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

/* Segment, device and groups. */
static int compare_places(const struct vkm_noise_key *left, const struct vkm_noise_key *right) {
  int order = compare_texts(left->segment, right->segment);
  order = order != 0 ? order : compare_texts(left->device, right->device);
  order = order != 0 ? order : compare_numbers(left->has_groups, right->has_groups);
  for (int axis = 0; order == 0 && axis < 3 && left->has_groups; axis++) {
    order = compare_numbers(left->groups[axis], right->groups[axis]);
  }
  return order;
}

static int compare_by_code(const void *a, const void *b) {
  const struct vkm_noise_row *left = a;
  const struct vkm_noise_row *right = b;
  int order = compare_places(&left->key, &right->key);
  order = order != 0 ? order : compare_texts(left->key.identity, right->key.identity);
  return order != 0 ? order : compare_texts(left->key.name, right->key.name);
}

static int compare_names(const struct vkm_noise_key *left, const struct vkm_noise_key *right) {
  int order = compare_places(left, right);
  return order != 0 ? order : compare_texts(left->name, right->name);
}

static int compare_by_name(const void *a, const void *b, void *context) {
  const struct vkm_noise_row *rows = context;
  size_t left = *(const size_t *)a;
  size_t right = *(const size_t *)b;
  int order = compare_names(&rows[left].key, &rows[right].key);
  return order != 0 ? order : compare_numbers(left, right);
}

bool vkm_noise_sort(struct vkm_noise *noise) {
  free(noise->by_name);
  noise->by_name = calloc(noise->row_count + 1, sizeof *noise->by_name);
  if (noise->by_name == NULL) {
    return false;
  }
  for (size_t i = 0; i < noise->row_count; i++) {
    noise->by_name[i] = i;
  }
  if (noise->row_count > 1) {
    qsort(noise->rows, noise->row_count, sizeof *noise->rows, compare_by_code);
    qsort_r(noise->by_name, noise->row_count, sizeof *noise->by_name, compare_by_name, noise->rows);
  }
  return true;
}

/* The first row that is not before the key. */
static size_t lower_bound(const struct vkm_noise *noise, const struct vkm_noise_key *key,
                          bool by_name) {
  struct vkm_noise_row wanted = {.key = *key};
  wanted.key.name = by_name ? key->name : NULL;
  size_t low = 0;
  size_t high = noise->row_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct vkm_noise_row *row = &noise->rows[by_name ? noise->by_name[middle] : middle];
    int order = by_name ? compare_names(&row->key, key) : compare_by_code(row, &wanted);
    low = order < 0 ? middle + 1 : low;
    high = order < 0 ? high : middle;
  }
  return low;
}

const struct vkm_noise_row *vkm_noise_find(const struct vkm_noise *noise,
                                           const struct vkm_noise_key *key) {
  size_t at = lower_bound(noise, key, false);
  if (at < noise->row_count && compare_places(&noise->rows[at].key, key) == 0 &&
      compare_texts(noise->rows[at].key.identity, key->identity) == 0) {
    return &noise->rows[at];
  }
  at = lower_bound(noise, key, true);
  bool found =
      at < noise->row_count && compare_names(&noise->rows[noise->by_name[at]].key, key) == 0;
  bool again = found && at + 1 < noise->row_count &&
               compare_names(&noise->rows[noise->by_name[at + 1]].key, key) == 0;
  return found && !again ? &noise->rows[noise->by_name[at]] : NULL;
}

/* Copies `text` to *at, which moves on; NULL stays NULL. */
static const char *keep(char **at, const char *text) {
  if (text == NULL) {
    return NULL;
  }
  char *kept = *at;
  *at = stpcpy(kept, text) + 1;
  return kept;
}

static size_t bytes_of(const char *text) {
  return text != NULL ? strlen(text) + 1 : 0;
}

bool vkm_noise_add(struct vkm_noise *noise, const struct vkm_noise_row *row) {
  if (noise->row_count == noise->room) {
    size_t room = noise->room < 16 ? 16 : 2 * noise->room;
    struct vkm_noise_row *grown = realloc(noise->rows, room * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    noise->rows = grown;
    noise->room = room;
  }
  const struct vkm_noise_key *key = &row->key;
  struct vkm_noise_row *added = &noise->rows[noise->row_count];
  *added = *row;
  added->texts = malloc(1 + bytes_of(key->segment) + bytes_of(key->device) +
                        bytes_of(key->identity) + bytes_of(key->name));
  if (added->texts == NULL) {
    return false;
  }
  char *at = added->texts;
  added->key.segment = keep(&at, key->segment);
  added->key.device = keep(&at, key->device);
  added->key.identity = keep(&at, key->identity);
  added->key.name = keep(&at, key->name);
  noise->row_count++;
  return true;
}

struct vkm_noise_key vkm_noise_key_of(const struct vkm_weighing *weighing, int which,
                                      const struct vkm_side_row *row) {
  const struct vkm_read_kernel *kernel = row->refs[0].kernel;
  size_t number = row->refs[0].section;
  const struct vkm_read_device *device = weighing->sides[which].device;
  struct vkm_noise_key key = {
      .segment = weighing->sides[which].segment,
      .device = number > 0 ? weighing->devices[number] : device->name,
      .identity = vkm_shader_key(row->refs),
      .name = row->name,
      .has_groups = kernel->has_groups,
  };
  for (int axis = 0; axis < 3 && key.has_groups; axis++) {
    key.groups[axis] = kernel->groups[axis];
  }
  return key;
}

static bool add_row(struct vkm_noise *noise, const struct vkm_weighing *weighing,
                    const struct vkm_side_row *row) {
  const struct vkm_compared_side *figures = &row->figures;
  bool known = figures->run_count >= VKM_NOISE_RUNS_NEEDED && !figures->only_first_use &&
               (noise->stat != VKM_STAT_P99 || figures->sample_count >= VKM_TAIL_SAMPLES_NEEDED);
  for (size_t i = 0; i < figures->run_count; i++) {
    known = known && figures->run_ns[i] > 0;
  }
  if (!known) {
    noise->too_few_count++;
    return true;
  }
  double *logs = weighing->logs[VKM_BASE];
  for (size_t i = 0; i < figures->run_count; i++) {
    logs[i] = log(figures->run_ns[i]);
  }
  struct vkm_noise_row added = {.key = vkm_noise_key_of(weighing, VKM_BASE, row),
                                .deviation = sqrt(vkm_variance(logs, figures->run_count)),
                                .center_ns = figures->center_ns,
                                .run_count = figures->run_count};
  return vkm_noise_add(noise, &added);
}

static bool add_segment(struct vkm_noise *noise, const struct vkm_side *side,
                        const struct vkm_segment_pair *segment, unsigned warmup) {
  struct vkm_compare_settings settings = {.stat = noise->stat, .warmup = warmup};
  struct vkm_weighing weighing = {
      .settings = &settings,
      .devices = calloc(1, sizeof *weighing.devices),
      .device_count = 1,
  };
  struct vkm_panel_side *from = &weighing.sides[VKM_BASE];
  from->side = side;
  from->profiles = segment->profiles[VKM_BASE];
  from->profile_count = segment->counts[VKM_BASE];
  memcpy(from->segment, segment->keys[VKM_BASE], sizeof from->segment);
  bool good = weighing.devices != NULL && vkm_panel_side_fill(&weighing, VKM_BASE);
  double *logs = calloc(from->run_count + 1, sizeof *logs);
  weighing.logs[VKM_BASE] = logs;
  good = good && logs != NULL;
  for (size_t i = 0; good && i < from->row_count; i++) {
    good = add_row(noise, &weighing, &from->rows[i]);
  }
  vkm_panel_side_finish(from);
  free(logs);
  free(weighing.devices);
  return good;
}

bool vkm_noise_build(struct vkm_noise *noise, const struct vkm_side *side, enum vkm_stat stat,
                     unsigned warmup) {
  static const struct vkm_side empty = {.profile_count = 0};
  const struct vkm_side *const sides[VKM_SIDES] = {side, &empty};
  struct vkm_segment_pairs segments;
  *noise = (struct vkm_noise){.stat = stat};
  bool good = vkm_segments_pair(&segments, sides);
  for (size_t i = 0; good && i < segments.count; i++) {
    good = add_segment(noise, side, &segments.items[i], warmup);
  }
  vkm_segments_finish(&segments);
  good = good && vkm_noise_sort(noise);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
    vkm_noise_finish(noise);
  }
  return good;
}

void vkm_noise_finish(struct vkm_noise *noise) {
  for (size_t i = 0; i < noise->row_count; i++) {
    free(noise->rows[i].texts);
  }
  free(noise->rows);
  free(noise->by_name);
  *noise = (struct vkm_noise){.stat = noise->stat};
}
