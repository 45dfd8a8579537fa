/* Which row of the base is which of the new side. In: rows of both. Out: pairs, and single rows.
 * Next: comparison_judge. Each pass sorts what is left over by what has to be equal, and pairs
 * within the groups of equals. */
#include <stdlib.h>
#include <string.h>

#include "model/comparison_parts.h"

/* Kinds of what has to be equal. */
enum { BY_NAME = 1, BY_CODE = 2, BY_GROUPS = 4 };

struct pass {
  unsigned by;
  int least_rank; /* of both names */
  bool in_order;  /* several of a group are paired as they come; else a group has to be one pair */
  bool uneven;    /* and those for which none is left stay single */
  enum vkm_matched_by label;
};

/* What a row is sorted by in a pass. */
struct item {
  struct vkm_side_row *row;
  int side;
  const char *name, *code; /* "" where the pass does not look at it */
  bool has_groups;
  uint32_t groups[3];
};

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

static int compare_groups(const struct item *left, const struct item *right) {
  int order = compare_numbers(left->row->refs[0].section, right->row->refs[0].section);
  if (order == 0) {
    order = strcmp(left->name, right->name);
  }
  if (order == 0) {
    order = strcmp(left->code, right->code);
  }
  if (order == 0) {
    order = compare_numbers(left->has_groups, right->has_groups);
  }
  for (int axis = 0; order == 0 && axis < 3; axis++) {
    order = compare_numbers(left->groups[axis], right->groups[axis]);
  }
  return order;
}

static int compare_items(const void *a, const void *b) {
  const struct item *left = a;
  const struct item *right = b;
  int order = compare_groups(left, right);
  if (order == 0) {
    order = left->side - right->side;
  }
  return order != 0 ? order : compare_numbers(left->row->position, right->row->position);
}

static enum vkm_matched_by label_of(const struct pass *pass, const struct item *base,
                                    const struct item *fresh, size_t in_group) {
  if (pass->label == VKM_MATCHED_ORDER && in_group == 1 && pass->by != 0) {
    return base->row->key != base->row->name ? VKM_MATCHED_RENAME : VKM_MATCHED_NAME;
  }
  if (pass->label != VKM_MATCHED_NAME) {
    return pass->label;
  }
  if (base->row->key != base->row->name) {
    return VKM_MATCHED_RENAME;
  }
  /* "main" names nothing: such rows were found by their code. */
  bool named = base->row->name_rank > 1 || fresh->row->name_rank > 1;
  bool by_code = (pass->by & BY_CODE) != 0 && base->row->figures.identity != NULL;
  return named || !by_code ? VKM_MATCHED_NAME : VKM_MATCHED_CODE;
}

/* items[0..bases) are of the base, the others new, all equal in what counts. */
static void pair_group(struct vkm_weighing *weighing, const struct pass *pass, struct item *items,
                       size_t bases, size_t count) {
  size_t news = count - bases;
  size_t pairs = bases < news ? bases : news;
  bool even = bases == news && (pass->in_order || bases == 1);
  if (pairs == 0 || !(even || pass->uneven)) {
    return;
  }
  for (size_t i = 0; i < pairs; i++) {
    struct item *base = &items[i];
    struct item *fresh = &items[bases + i];
    base->row->matched = true;
    fresh->row->matched = true;
    weighing->pairs[weighing->pair_count++] =
        (struct vkm_pair){{base->row, fresh->row}, label_of(pass, base, fresh, pairs)};
  }
}

static size_t collect(struct vkm_weighing *weighing, const struct pass *pass, struct item *items) {
  size_t count = 0;
  for (int side = 0; side < VKM_SIDES; side++) {
    struct vkm_panel_side *from = &weighing->sides[side];
    for (size_t i = 0; i < from->row_count; i++) {
      struct vkm_side_row *row = &from->rows[i];
      if (row->matched || row->name_rank < pass->least_rank) {
        continue;
      }
      const struct vkm_read_kernel *kernel = row->refs[0].kernel;
      struct item *item = &items[count++];
      *item = (struct item){.row = row,
                            .side = side,
                            .name = (pass->by & BY_NAME) != 0 ? row->key : "",
                            .code = (pass->by & BY_CODE) != 0 ? vkm_shader_key(row->refs) : ""};
      item->has_groups = (pass->by & BY_GROUPS) != 0 && kernel->has_groups;
      for (int axis = 0; axis < 3 && item->has_groups; axis++) {
        item->groups[axis] = kernel->groups[axis];
      }
    }
  }
  return count;
}

static void run_pass(struct vkm_weighing *weighing, const struct pass *pass, struct item *items) {
  size_t count = collect(weighing, pass, items);
  if (count > 1) {
    qsort(items, count, sizeof *items, compare_items);
  }
  for (size_t begin = 0; begin < count;) {
    size_t end = begin;
    size_t bases = 0;
    while (end < count && compare_groups(&items[begin], &items[end]) == 0) {
      bases += items[end++].side == VKM_BASE;
    }
    pair_group(weighing, pass, items + begin, bases, end - begin);
    begin = end;
  }
}

static const struct pass passes[][4] = {
    [VKM_MATCH_AUTO] = {{BY_NAME | BY_CODE | BY_GROUPS, 0, false, false, VKM_MATCHED_NAME},
                        {BY_NAME | BY_GROUPS, 2, false, false, VKM_MATCHED_NAME},
                        {BY_CODE | BY_GROUPS, 0, false, false, VKM_MATCHED_CODE},
                        {BY_NAME | BY_GROUPS, 0, true, false, VKM_MATCHED_ORDER}},
    [VKM_MATCH_NAME] = {{BY_NAME | BY_CODE | BY_GROUPS, 0, false, false, VKM_MATCHED_NAME},
                        {BY_NAME | BY_GROUPS, 0, true, false, VKM_MATCHED_ORDER}},
    [VKM_MATCH_CODE] = {{BY_CODE | BY_GROUPS, 0, false, false, VKM_MATCHED_CODE}},
    [VKM_MATCH_NAME_CODE] = {{BY_NAME | BY_CODE | BY_GROUPS, 0, false, false,
                              VKM_MATCHED_NAME_CODE}},
    [VKM_MATCH_ORDER] = {{0, 0, true, true, VKM_MATCHED_ORDER}},
};

/* Whether the user means the row: by its name, or with digits of its identity, as rows of equal
 * names are shown: main#1a2b3c. */
static bool is_called(const struct vkm_side_row *row, const char *text) {
  size_t length = strlen(row->name);
  if (strncmp(row->name, text, length) != 0) {
    return false;
  }
  const char *digits = text + length + 1;
  return text[length] == '\0' ||
         (text[length] == '#' && *digits != '\0' && row->figures.identity != NULL &&
          strncmp(row->figures.identity, digits, strlen(digits)) == 0);
}

/* Rows that are to be looked for under another name. Such a name was given by the user, so it is as
 * good as one of its own. */
static void rename_rows(struct vkm_weighing *weighing) {
  const struct vkm_compare_settings *settings = weighing->settings;
  for (size_t i = 0; i < settings->rename_count; i++) {
    const struct vkm_rename *rename = &settings->renames[i];
    const char *const called[VKM_SIDES] = {rename->from, rename->to};
    for (int side = 0; side < VKM_SIDES; side++) {
      struct vkm_panel_side *from = &weighing->sides[side];
      for (size_t j = 0; j < from->row_count; j++) {
        struct vkm_side_row *row = &from->rows[j];
        if (is_called(row, called[side])) {
          row->key = rename->to;
          row->name_rank = 3;
        }
      }
    }
  }
}

/* What has no partner; of the base first. */
static void add_single(struct vkm_weighing *weighing) {
  for (int side = 0; side < VKM_SIDES; side++) {
    struct vkm_panel_side *from = &weighing->sides[side];
    for (size_t i = 0; i < from->row_count; i++) {
      if (!from->rows[i].matched) {
        struct vkm_pair *pair = &weighing->pairs[weighing->pair_count++];
        *pair = (struct vkm_pair){{NULL, NULL}, VKM_MATCHED_NOT};
        pair->of[side] = &from->rows[i];
      }
    }
  }
}

bool vkm_pairs_match(struct vkm_weighing *weighing) {
  size_t rows = weighing->sides[VKM_BASE].row_count + weighing->sides[VKM_NEW].row_count;
  struct item *items = calloc(rows + 1, sizeof *items);
  weighing->pairs = calloc(rows + 1, sizeof *weighing->pairs);
  bool good = items != NULL && weighing->pairs != NULL;
  const struct pass *todo = passes[weighing->settings->match];
  rename_rows(weighing);
  for (size_t i = 0; good && i < sizeof passes[0] / sizeof passes[0][0]; i++) {
    if (todo[i].label != VKM_MATCHED_NOT) {
      run_pass(weighing, &todo[i], items);
    }
  }
  if (good) {
    add_single(weighing);
  }
  free(items);
  return good;
}

bool vkm_pair_is_control(const struct vkm_pair *pair) {
  const struct vkm_side_row *base = pair->of[VKM_BASE];
  const struct vkm_side_row *fresh = pair->of[VKM_NEW];
  if (base == NULL || fresh == NULL || base->figures.identity == NULL ||
      fresh->figures.identity == NULL ||
      strcmp(base->figures.identity, fresh->figures.identity) != 0) {
    return false;
  }
  const struct vkm_read_kernel *left = base->refs[0].kernel;
  const struct vkm_read_kernel *right = fresh->refs[0].kernel;
  bool same_kind =
      base->kind != NULL && fresh->kind != NULL && strcmp(base->kind, fresh->kind) == 0;
  return same_kind && left->has_groups && right->has_groups &&
         left->groups[0] == right->groups[0] && left->groups[1] == right->groups[1] &&
         left->groups[2] == right->groups[2];
}
