/* Names of a panel's rows for people. In: pairs. Out: a name a row, which device and group counts
 * make unique. Next: views. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/comparison_parts.h"

enum { FIRST_DIGITS = 6 };

struct item {
  const struct vkm_side_row *row; /* the one that is shown: the new one where there is one */
  size_t index;                   /* of the row of the panel */
  size_t digits; /* of the identity, to tell it from others of that name; 0: none */
  size_t again;  /* how many before it have the very same name and identity */
};

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

static int compare_shown(const struct item *left, const struct item *right) {
  const struct vkm_kernel_ref *one = left->row->refs;
  const struct vkm_kernel_ref *other = right->row->refs;
  int order = strcmp(left->row->name, right->row->name);
  order = order != 0 ? order : compare_numbers(one->section, other->section);
  order = order != 0 ? order : compare_numbers(one->kernel->has_groups, other->kernel->has_groups);
  for (int axis = 0; order == 0 && axis < 3 && one->kernel->has_groups; axis++) {
    order = compare_numbers(one->kernel->groups[axis], other->kernel->groups[axis]);
  }
  return order;
}

static int compare_items(const void *a, const void *b) {
  const struct item *left = a;
  const struct item *right = b;
  int order = compare_shown(left, right);
  if (order == 0) {
    order = strcmp(vkm_shader_key(left->row->refs), vkm_shader_key(right->row->refs));
  }
  return order != 0 ? order : compare_numbers(left->index, right->index);
}

/* The nearest of the same name are neighbours. */
static void tell_apart(struct item *items, size_t count) {
  for (size_t i = 0; i + 1 < count; i++) {
    if (compare_shown(&items[i], &items[i + 1]) != 0) {
      continue;
    }
    const char *here = vkm_shader_key(items[i].row->refs);
    const char *next = vkm_shader_key(items[i + 1].row->refs);
    size_t digits = FIRST_DIGITS;
    if (strcmp(here, next) == 0) {
      items[i + 1].again = items[i].again + 1;
    } else {
      size_t common = 0;
      while (here[common] && here[common] == next[common]) {
        common++;
      }
      digits = common + 1 > digits ? common + 1 : digits;
    }
    items[i].digits = items[i].digits < digits ? digits : items[i].digits;
    items[i + 1].digits = digits;
  }
}

static char *spell(const struct item *item) {
  char *name = NULL;
  const char *shader = vkm_shader_key(item->row->refs);
  if (item->digits == 0) {
    return strdup(item->row->name);
  }
  int length = item->again == 0
                   ? asprintf(&name, "%s#%.*s", item->row->name, (int)item->digits, shader)
                   : asprintf(&name, "%s#%.*s/%zu", item->row->name, (int)item->digits, shader,
                              item->again + 1);
  return length < 0 ? NULL : name;
}

bool vkm_rows_name(struct vkm_weighing *weighing) {
  size_t count = weighing->pair_count;
  struct item *items = calloc(count + 1, sizeof *items);
  bool good = items != NULL;
  for (size_t i = 0; good && i < count; i++) {
    const struct vkm_pair *pair = &weighing->pairs[i];
    items[i].row = pair->of[VKM_NEW] != NULL ? pair->of[VKM_NEW] : pair->of[VKM_BASE];
    items[i].index = i;
  }
  if (good && count > 1) {
    qsort(items, count, sizeof *items, compare_items);
    tell_apart(items, count);
  }
  for (size_t i = 0; good && i < count; i++) {
    char *name = spell(&items[i]);
    weighing->panel->rows[items[i].index].name = name;
    good = name != NULL;
  }
  free(items);
  return good;
}
