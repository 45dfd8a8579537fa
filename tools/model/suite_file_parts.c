/* Values of a file of workloads. In: members of an object. Out: plain values. Next: suite_file. */
#include "model/suite_file_parts.h"

#include <stdint.h>
#include <string.h>

#include "model/require.h"
#include "model/sample.h"
#include "nearest.h"

enum { COUNT_MOST = 100000 };

static const cJSON *first_of(const struct vkm_value *at) {
  return at->item != NULL ? at->item->child : NULL;
}

static bool is_among(const char *name, const char *const *known) {
  for (; *known != NULL; known++) {
    if (strcmp(name, *known) == 0) {
      return true;
    }
  }
  return false;
}

static const char *nearest(const char *name, const char *const *known) {
  const char *found = NULL;
  size_t least = SIZE_MAX;
  for (; *known != NULL; known++) {
    size_t edits = vkm_edits(name, *known);
    if (edits < least && vkm_is_near(name, edits)) {
      least = edits;
      found = *known;
    }
  }
  return found;
}

void vkm_suite_members(struct vkm_parse *parse, const struct vkm_value *object,
                       const char *const *known) {
  for (const cJSON *item = first_of(object); item != NULL && !parse->failed; item = item->next) {
    if (!is_among(item->string, known)) {
      struct vkm_value at = {item, object, item->string, 0};
      const char *near = nearest(item->string, known);
      vkm_value_fail(parse, &at,
                     near != NULL ? "not known here; did you mean \"%s\"?" : "not known here%s",
                     near != NULL ? near : "");
    }
  }
}

void vkm_suite_name(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    const char **out) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  const char *text = NULL;
  vkm_value_text(parse, object, name, VKM_VALUE_NEEDED, &text);
  if (text == NULL) {
    return;
  }
  if (!*text || text[0] == '.' || text[strspn(text, allowed)] || strlen(text) > 100) {
    struct vkm_value at = vkm_value_member(parse, object, name, cJSON_String, VKM_VALUE_NEEDED);
    vkm_value_fail(parse, &at,
                   "no name; take letters, digits, '.', '_' and '-', at most 100, no dot first");
    return;
  }
  *out = text;
}

void vkm_suite_workload_name(struct vkm_parse *parse, const struct vkm_value *object,
                             const char **out) {
  static const char *const taken[] = {"results.json", "summary.md", "junit.xml", NULL};
  vkm_suite_name(parse, object, "name", out);
  if (*out != NULL && is_among(*out, taken)) {
    struct vkm_value at = vkm_value_member(parse, object, "name", cJSON_String, VKM_VALUE_NEEDED);
    vkm_value_fail(parse, &at, "'%s' is a file of the results, no folder in it can be called so",
                   *out);
  }
}

void vkm_suite_require(struct vkm_parse *parse, const struct vkm_value *object, const char **out) {
  char cause[128];
  const char *text = NULL;
  vkm_value_text(parse, object, "require", VKM_VALUE_OPTIONAL, &text);
  if (text != NULL && !vkm_requirement_check(text, cause, sizeof cause)) {
    struct vkm_value at =
        vkm_value_member(parse, object, "require", cJSON_String, VKM_VALUE_NEEDED);
    vkm_value_fail(parse, &at, "no extended regular expression: %s", cause);
    return;
  }
  *out = text != NULL ? text : *out;
}

void vkm_suite_words(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     enum vkm_value_need need, struct vkm_suite_words *out) {
  struct vkm_value list = vkm_value_member(parse, object, name, cJSON_Array, need);
  if (list.item == NULL) {
    return;
  }
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  if (count == 0) {
    vkm_value_fail(parse, &list, "it is empty");
  }
  out->items = vkm_value_array(parse, count + 1, sizeof *out->items);
  for (const cJSON *item = first_of(&list); item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, out->count, cJSON_String);
    if (!parse->failed) {
      out->items[out->count++] = vkm_value_keep(parse, at.item->valuestring);
    }
  }
}

void vkm_suite_pairs(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     struct vkm_read_pairs *out) {
  struct vkm_value pairs = vkm_value_member(parse, object, name, cJSON_Object, VKM_VALUE_OPTIONAL);
  size_t count = pairs.item != NULL ? (size_t)cJSON_GetArraySize(pairs.item) : 0;
  out->items = vkm_value_array(parse, count, sizeof *out->items);
  for (const cJSON *item = first_of(&pairs); item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_child(parse, &pairs, item, cJSON_String);
    if (!parse->failed && (!*item->string || strchr(item->string, '=') != NULL)) {
      vkm_value_fail(parse, &at, "no name of a variable");
    }
    if (!parse->failed) {
      out->items[out->count].name = vkm_value_keep(parse, item->string);
      out->items[out->count++].value = vkm_value_keep(parse, item->valuestring);
    }
  }
}

static void take_count(struct vkm_parse *parse, const struct vkm_value *at, unsigned least,
                       unsigned *out) {
  uint32_t count = 0;
  vkm_value_as_u32(parse, at, &count);
  if (!parse->failed && (count < least || count > COUNT_MOST)) {
    vkm_value_fail(parse, at, "expected a number from %u to %d", least, COUNT_MOST);
  }
  *out = parse->failed ? *out : count;
}

void vkm_suite_counts(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      unsigned least, unsigned out[VKM_SUITE_MODES]) {
  struct vkm_value counts =
      vkm_value_member(parse, object, name, cJSON_Object | cJSON_Number, VKM_VALUE_OPTIONAL);
  const char *known[VKM_SUITE_MODES + 1] = {NULL};
  for (int mode = 0; mode < VKM_SUITE_MODES && counts.item != NULL; mode++) {
    known[mode] = vkm_suite_mode_name((enum vkm_suite_mode)mode);
    if (cJSON_IsNumber(counts.item)) {
      take_count(parse, &counts, least, &out[mode]);
      continue;
    }
    struct vkm_value at =
        vkm_value_member(parse, &counts, known[mode], cJSON_Number, VKM_VALUE_OPTIONAL);
    if (at.item != NULL) {
      take_count(parse, &at, least, &out[mode]);
    }
  }
  if (counts.item != NULL && cJSON_IsObject(counts.item)) {
    vkm_suite_members(parse, &counts, known);
  }
}

static void check_range(struct vkm_parse *parse, const struct vkm_value *at, double least,
                        double most) {
  double value = at->item->valuedouble;
  if (!(value >= least && value <= most)) {
    vkm_value_fail(parse, at, "expected a number from %g to %g", least, most);
  }
}

void vkm_suite_number(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      double least, double most, double *out) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, VKM_VALUE_OPTIONAL);
  if (at.item == NULL) {
    return;
  }
  check_range(parse, &at, least, most);
  *out = parse->failed ? *out : at.item->valuedouble;
}

static void add_budget(struct vkm_parse *parse, struct vkm_workload *workload,
                       const struct vkm_value *at, struct vkm_suite_budget budget, double unit_ns) {
  if (!parse->failed) {
    check_range(parse, at, 0, 1e12);
    budget.limit_ns = at->item->valuedouble * unit_ns;
    workload->budgets[workload->budget_count++] = budget;
  }
}

/* One of "wall_ms" and "gpu_ms". */
static void read_whole(struct vkm_parse *parse, const struct vkm_value *budget, const char *name,
                       enum vkm_suite_budget_of of, struct vkm_workload *workload) {
  struct vkm_value at = vkm_value_member(parse, budget, name, cJSON_Number, VKM_VALUE_OPTIONAL);
  if (at.item != NULL) {
    add_budget(parse, workload, &at, (struct vkm_suite_budget){of, NULL, 0}, 1e6);
  }
}

/* One of "families_ms" and "kernels_us". */
static void read_parts(struct vkm_parse *parse, const struct vkm_value *parts,
                       enum vkm_suite_budget_of of, double unit_ns, struct vkm_workload *workload) {
  for (const cJSON *item = first_of(parts); item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_child(parse, parts, item, cJSON_Number);
    if (!parse->failed) {
      const char *name = vkm_value_keep(parse, item->string);
      add_budget(parse, workload, &at, (struct vkm_suite_budget){of, name, 0}, unit_ns);
    }
  }
}

void vkm_suite_budgets(struct vkm_parse *parse, const struct vkm_value *object,
                       struct vkm_workload *workload) {
  static const char *const known[] = {"wall_ms", "gpu_ms", "families_ms", "kernels_us", NULL};
  struct vkm_value budget =
      vkm_value_member(parse, object, "budget", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (budget.item == NULL) {
    return;
  }
  vkm_suite_members(parse, &budget, known);
  struct vkm_value families =
      vkm_value_member(parse, &budget, "families_ms", cJSON_Object, VKM_VALUE_OPTIONAL);
  struct vkm_value kernels =
      vkm_value_member(parse, &budget, "kernels_us", cJSON_Object, VKM_VALUE_OPTIONAL);
  size_t count = 2;
  count += families.item != NULL ? (size_t)cJSON_GetArraySize(families.item) : 0;
  count += kernels.item != NULL ? (size_t)cJSON_GetArraySize(kernels.item) : 0;
  workload->budgets = vkm_value_array(parse, count, sizeof *workload->budgets);
  read_whole(parse, &budget, "wall_ms", VKM_BUDGET_WALL, workload);
  read_whole(parse, &budget, "gpu_ms", VKM_BUDGET_GPU, workload);
  read_parts(parse, &families, VKM_BUDGET_FAMILY, 1e6, workload);
  read_parts(parse, &kernels, VKM_BUDGET_KERNEL, 1e3, workload);
}

/* Below the folder that it is looked for in, which is emptied before each run. */
static bool is_below(const char *path) {
  if (!*path || path[0] == '/') {
    return false;
  }
  for (const char *part = path; part != NULL; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0)) {
      return false;
    }
  }
  return true;
}

/* A name, or an object with it and how its numbers are rounded. */
static void read_output(struct vkm_parse *parse, const struct vkm_value *at, const char **name,
                        int *decimals) {
  static const char *const known[] = {"name", "decimals", NULL};
  enum { DECIMALS_MOST = 15 };
  *decimals = -1;
  if (!cJSON_IsObject(at->item)) {
    *name = vkm_value_keep(parse, at->item->valuestring);
    return;
  }
  vkm_suite_members(parse, at, known);
  vkm_value_text(parse, at, "name", VKM_VALUE_NEEDED, name);
  struct vkm_value number =
      vkm_value_member(parse, at, "decimals", cJSON_Number, VKM_VALUE_OPTIONAL);
  if (number.item != NULL) {
    uint32_t count = 0;
    vkm_value_as_u32(parse, &number, &count);
    *decimals = (int)count;
    if (!parse->failed && count > DECIMALS_MOST) {
      vkm_value_fail(parse, &number, "expected a number from 0 to %d", DECIMALS_MOST);
    }
  }
}

static void add_output(struct vkm_parse *parse, const struct vkm_value *at,
                       struct vkm_workload *workload) {
  const char *name = NULL;
  int decimals = -1;
  if (!parse->failed) {
    read_output(parse, at, &name, &decimals);
  }
  if (!parse->failed && !is_below(name)) {
    vkm_value_fail(parse, at, "'%.40s' is no path below the working directory of a run", name);
  }
  for (size_t i = 0; i < workload->outputs.count && !parse->failed; i++) {
    if (strcmp(workload->outputs.items[i], name) == 0) {
      vkm_value_fail(parse, at, "'%.40s' is named twice", name);
    }
  }
  if (!parse->failed) {
    workload->output_decimals[workload->outputs.count] = decimals;
    workload->outputs.items[workload->outputs.count++] = name;
  }
}

void vkm_suite_outputs(struct vkm_parse *parse, const struct vkm_value *object,
                       struct vkm_workload *workload) {
  struct vkm_value list =
      vkm_value_member(parse, object, "outputs", cJSON_Array, VKM_VALUE_OPTIONAL);
  if (list.item == NULL) {
    return;
  }
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  if (count == 0 || count > VKM_SAMPLE_OUTPUTS_MAX) {
    vkm_value_fail(parse, &list, "expected 1 to %d of them", VKM_SAMPLE_OUTPUTS_MAX);
  }
  workload->outputs.items = vkm_value_array(parse, count + 1, sizeof *workload->outputs.items);
  workload->output_decimals = vkm_value_array(parse, count, sizeof *workload->output_decimals);
  size_t index = 0;
  for (const cJSON *item = first_of(&list); item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at =
        vkm_value_element(parse, &list, item, index++, cJSON_String | cJSON_Object);
    add_output(parse, &at, workload);
  }
}

/* In units of the file; it is left alone where it is not there. */
static void read_limit(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                       double unit, double *out) {
  double value = -1;
  vkm_suite_number(parse, object, name, 0, 1e12, &value);
  *out = value < 0 ? -1 : value * unit;
}

void vkm_suite_tolerance(struct vkm_parse *parse, const struct vkm_value *object,
                         struct vkm_suite_tolerance *out) {
  static const char *const known[] = {"wall_percent", "wall_ms", "memory_percent", "memory_mib",
                                      NULL};
  *out = (struct vkm_suite_tolerance){-1, -1, -1, -1};
  struct vkm_value tolerance =
      vkm_value_member(parse, object, "tolerance", cJSON_Object, VKM_VALUE_OPTIONAL);
  if (tolerance.item == NULL) {
    return;
  }
  vkm_suite_members(parse, &tolerance, known);
  read_limit(parse, &tolerance, "wall_percent", 1e-2, &out->wall);
  read_limit(parse, &tolerance, "wall_ms", 1e6, &out->wall_ns);
  read_limit(parse, &tolerance, "memory_percent", 1e-2, &out->memory);
  read_limit(parse, &tolerance, "memory_mib", 1 << 20, &out->memory_bytes);
}
