/* Names for people. In: kernels and their pipelines. Out: a unique name a shader. Next: report. */
#include "model/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/row.h"

enum { FIRST_DIGITS = 6 };

static bool is_given(const char *name) {
  return name != NULL && *name;
}

int vkm_name_rank(const struct vkm_kernel_ref *ref, const char **name) {
  const struct vkm_read_pipeline *pipeline = ref->pipeline;
  if (pipeline == NULL) {
    *name = vkm_is_dispatch(ref->kernel) ? "(no pipeline)" : ref->kernel->kind;
    return 0;
  }
  if (is_given(pipeline->name)) {
    *name = pipeline->name;
    return 3;
  }
  if (is_given(pipeline->module_name)) {
    *name = pipeline->module_name;
    return 2;
  }
  *name = is_given(pipeline->entry_point) ? pipeline->entry_point : "(unnamed)";
  return 1;
}

static void collect(struct vkm_names *names, const struct vkm_kernel_ref *refs, size_t count) {
  int best = -1;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(vkm_shader_key(&refs[i]), vkm_shader_key(&refs[i - 1])) != 0) {
      names->items[names->count++] = (struct vkm_shader_name){vkm_shader_key(&refs[i]), "", 0};
      best = -1;
    }
    const char *name = NULL;
    int rank = vkm_name_rank(&refs[i], &name);
    if (rank > best) {
      best = rank;
      names->items[names->count - 1].name = name;
    }
  }
}

static int by_name(const void *a, const void *b) {
  const struct vkm_shader_name *left = a;
  const struct vkm_shader_name *right = b;
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : strcmp(left->identity, right->identity);
}

static int by_identity(const void *a, const void *b) {
  return strcmp(((const struct vkm_shader_name *)a)->identity,
                ((const struct vkm_shader_name *)b)->identity);
}

static size_t common_digits(const char *left, const char *right) {
  size_t common = 0;
  while (left[common] && left[common] == right[common]) {
    common++;
  }
  return common;
}

/* Items are sorted by name, then identity: the nearest of the same name are the neighbours. */
static void tell_apart(struct vkm_names *names) {
  for (size_t i = 0; i + 1 < names->count; i++) {
    struct vkm_shader_name *here = &names->items[i];
    struct vkm_shader_name *next = &names->items[i + 1];
    if (strcmp(here->name, next->name) != 0) {
      continue;
    }
    size_t digits = common_digits(here->identity, next->identity) + 1;
    digits = digits < FIRST_DIGITS ? FIRST_DIGITS : digits;
    here->digits = here->digits < digits ? digits : here->digits;
    next->digits = digits;
  }
}

bool vkm_names_init(struct vkm_names *names, const struct vkm_kernel_ref *refs, size_t count) {
  *names = (struct vkm_names){calloc(count ? count : 1, sizeof *names->items), 0};
  if (names->items == NULL) {
    return false;
  }
  collect(names, refs, count);
  if (names->count > 1) {
    qsort(names->items, names->count, sizeof *names->items, by_name);
    tell_apart(names);
    qsort(names->items, names->count, sizeof *names->items, by_identity);
  }
  return true;
}

void vkm_names_finish(struct vkm_names *names) {
  free(names->items);
  *names = (struct vkm_names){NULL, 0};
}

char *vkm_names_of(const struct vkm_names *names, const char *identity) {
  struct vkm_shader_name key = {identity ? identity : "", "", 0};
  const struct vkm_shader_name *found =
      bsearch(&key, names->items, names->count, sizeof *names->items, by_identity);
  char *name = NULL;
  if (found == NULL) {
    return NULL;
  }
  if (found->digits == 0) {
    return strdup(found->name);
  }
  return asprintf(&name, "%s#%.*s", found->name, (int)found->digits, found->identity) < 0 ? NULL
                                                                                          : name;
}
