/* One line. In: a JSON object. Out: a sample or a figure of a run. Next: foreign_lines. */
#include "model/foreign_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "profile/json_check.h"
#include "profile/keep.h"

static const char KNOWN[] =
    "name, run, sequence, workload, device, driver, software, started_unix_ns, phase, tags, "
    "duration_ns, duration_ms, durations_ns, value, unit";

struct line {
  struct vkm_foreign_lines *lines;
  struct vkm_parse parse;
  struct vkm_value root;
  const char *name, *phase, *unit;
  struct vkm_foreign_run said; /* what the line says of its run; owns nothing */
  double value;
  bool is_metric;
  int64_t *samples_ns; /* owned */
  size_t sample_count;
};

static bool is_known(const char *name) {
  size_t length = strlen(name);
  const char *at = strstr(KNOWN, name);
  while (at != NULL && !((at == KNOWN || at[-1] == ' ') && (at[length] == ',' || !at[length]))) {
    at = strstr(at + 1, name);
  }
  return at != NULL && length > 0;
}

static void check_members(struct line *line) {
  for (const cJSON *item = line->root.item->child; item != NULL; item = item->next) {
    if (!is_known(item->string)) {
      struct vkm_value at = vkm_value_child(&line->parse, &line->root, item, item->type);
      vkm_value_fail(&line->parse, &at, "is not known; a row has %s", KNOWN);
    }
  }
}

static void read_run(struct line *line, const char *default_run) {
  struct vkm_parse *parse = &line->parse;
  struct vkm_foreign_run *said = &line->said;
  said->run = default_run;
  vkm_value_text(parse, &line->root, "run", VKM_VALUE_OPTIONAL, &said->run);
  vkm_value_i64(parse, &line->root, "sequence", VKM_VALUE_OPTIONAL, &said->sequence);
  vkm_value_i64(parse, &line->root, "started_unix_ns", VKM_VALUE_OPTIONAL, &said->started_unix_ns);
  vkm_value_text(parse, &line->root, "workload", VKM_VALUE_OPTIONAL, &said->workload);
  vkm_value_text(parse, &line->root, "device", VKM_VALUE_OPTIONAL, &said->device);
  vkm_value_text(parse, &line->root, "driver", VKM_VALUE_OPTIONAL, &said->driver);
  const cJSON *software = cJSON_GetObjectItemCaseSensitive(line->root.item, "software");
  said->has_software = software != NULL && !cJSON_IsNull(software);
  vkm_value_bool(parse, &line->root, "software", VKM_VALUE_OPTIONAL, &said->software);
  if (!parse->failed && (said->sequence < 0 || said->run[0] == 0)) {
    vkm_value_fail(parse, &line->root, "%s",
                   said->sequence < 0 ? "sequence is less than 0" : "run is empty");
  }
}

/* A time of `unit_ns` a unit. */
static void add_sample(struct line *line, const struct vkm_value *at, double unit_ns) {
  double ns = at->item != NULL ? at->item->valuedouble * unit_ns : 0;
  if (!line->parse.failed && !(ns >= 0 && ns <= (double)VKM_READ_TIME_MAX)) {
    vkm_value_fail(&line->parse, at, "is no time from 0 to 104 days");
  }
  if (!line->parse.failed) {
    line->samples_ns[line->sample_count++] = llround(ns);
  }
}

static bool room_for(struct line *line, size_t count) {
  line->samples_ns = calloc(count + 1, sizeof *line->samples_ns);
  if (line->samples_ns == NULL) {
    line->parse.failed = line->parse.out_of_memory = true;
  }
  return line->samples_ns != NULL;
}

static void read_samples(struct line *line, const char *name) {
  struct vkm_value list =
      vkm_value_member(&line->parse, &line->root, name, cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  if (!line->parse.failed && count == 0) {
    vkm_value_fail(&line->parse, &list, "is empty");
  }
  if (line->parse.failed || list.item == NULL || !room_for(line, count)) {
    return;
  }
  size_t index = 0;
  for (const cJSON *item = list.item->child; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(&line->parse, &list, item, index++, cJSON_Number);
    add_sample(line, &at, 1);
  }
}

/* Exactly one of the four. */
static void read_value(struct line *line) {
  static const char *const names[] = {"duration_ns", "duration_ms", "durations_ns", "value"};
  static const double units_ns[] = {1, 1e6, 1, 0};
  size_t found = VKM_COUNT(names);
  size_t count = 0;
  for (size_t i = 0; i < VKM_COUNT(names); i++) {
    if (cJSON_GetObjectItemCaseSensitive(line->root.item, names[i]) != NULL) {
      found = i;
      count++;
    }
  }
  if (count != 1) {
    vkm_value_fail(&line->parse, &line->root,
                   "needs one of duration_ns, duration_ms, durations_ns and value, has %zu", count);
    return;
  }
  line->is_metric = found == 3;
  if (found == 2) {
    read_samples(line, names[found]);
  } else if (line->is_metric) {
    vkm_value_double(&line->parse, &line->root, names[found], VKM_VALUE_NEEDED, &line->value);
    vkm_value_text(&line->parse, &line->root, "unit", VKM_VALUE_OPTIONAL, &line->unit);
  } else if (room_for(line, 1)) {
    struct vkm_value at =
        vkm_value_member(&line->parse, &line->root, names[found], cJSON_Number, VKM_VALUE_NEEDED);
    add_sample(line, &at, units_ns[found]);
  }
}

/* Room for one element more; arrays grow by doubling, at powers of two. */
static bool grow(struct line *line, void **items, size_t count, size_t element_bytes) {
  if ((count & (count - 1)) != 0) {
    return true;
  }
  void *grown = realloc(*items, (count > 0 ? 2 * count : 1) * element_bytes);
  if (grown == NULL) {
    line->parse.failed = line->parse.out_of_memory = true;
    return false;
  }
  *items = grown;
  return true;
}

static bool same_text(const char *left, const char *right) {
  return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static struct vkm_foreign_run *find_run(struct line *line) {
  struct vkm_foreign_lines *lines = line->lines;
  for (size_t i = lines->run_count; i-- > 0;) {
    struct vkm_foreign_run *run = &lines->runs[i];
    if (run->sequence == line->said.sequence && strcmp(run->run, line->said.run) == 0) {
      return run;
    }
  }
  if (!grow(line, (void **)&lines->runs, lines->run_count, sizeof *lines->runs)) {
    return NULL;
  }
  lines->runs[lines->run_count] =
      (struct vkm_foreign_run){.run = line->said.run, .sequence = line->said.sequence};
  return &lines->runs[lines->run_count++];
}

/* A run was in one place: what lines say of it may not differ. */
static void settle(struct line *line, const char *what, const char **known, const char *said) {
  if (said != NULL && *known != NULL && strcmp(*known, said) != 0) {
    vkm_value_fail(&line->parse, &line->root,
                   "%s is '%.60s', but '%.60s' in an earlier row of run "
                   "'%.60s'",
                   what, said, *known, line->said.run);
  } else if (said != NULL) {
    *known = said;
  }
}

static void settle_tag(struct line *line, struct vkm_foreign_run *run, const char *name,
                       const char *value) {
  for (size_t i = 0; i < run->tag_count; i++) {
    if (strcmp(run->tags[i].name, name) == 0) {
      settle(line, name, &run->tags[i].value, value);
      return;
    }
  }
  if (grow(line, (void **)&run->tags, run->tag_count, sizeof *run->tags)) {
    run->tags[run->tag_count++] = (struct vkm_read_pair){name, value};
  }
}

static void add_tags(struct line *line, struct vkm_foreign_run *run) {
  struct vkm_value tags =
      vkm_value_member(&line->parse, &line->root, "tags", cJSON_Object, VKM_VALUE_OPTIONAL);
  for (const cJSON *item = tags.item ? tags.item->child : NULL; item != NULL && !line->parse.failed;
       item = item->next) {
    struct vkm_value at = vkm_value_child(&line->parse, &tags, item, cJSON_String);
    if (at.item != NULL) {
      settle_tag(line, run, vkm_value_keep(&line->parse, item->string),
                 vkm_value_keep(&line->parse, item->valuestring));
    }
  }
}

static void settle_run(struct line *line, struct vkm_foreign_run *run) {
  const struct vkm_foreign_run *said = &line->said;
  settle(line, "workload", &run->workload, said->workload);
  settle(line, "device", &run->device, said->device);
  settle(line, "driver", &run->driver, said->driver);
  if (said->has_software && run->has_software && said->software != run->software) {
    vkm_value_fail(&line->parse, &line->root, "software is not that of an earlier row of the run");
  } else if (said->has_software) {
    run->has_software = true;
    run->software = said->software;
  }
  if (said->started_unix_ns != 0 &&
      (run->started_unix_ns == 0 || said->started_unix_ns < run->started_unix_ns)) {
    run->started_unix_ns = said->started_unix_ns;
  }
  add_tags(line, run);
}

static void add_metric(struct line *line, struct vkm_foreign_run *run) {
  if (grow(line, (void **)&run->metrics, run->metric_count, sizeof *run->metrics)) {
    run->metrics[run->metric_count++] =
        (struct vkm_read_metric){line->name, line->unit, line->value};
  }
}

static void add_samples(struct line *line, struct vkm_foreign_run *run) {
  struct vkm_foreign_row *row = NULL;
  for (size_t i = run->row_count; row == NULL && i-- > 0;) {
    bool same =
        strcmp(run->rows[i].name, line->name) == 0 && same_text(run->rows[i].phase, line->phase);
    row = same ? &run->rows[i] : NULL;
  }
  if (row == NULL) {
    if (!grow(line, (void **)&run->rows, run->row_count, sizeof *run->rows)) {
      return;
    }
    row = &run->rows[run->row_count++];
    *row = (struct vkm_foreign_row){.name = line->name, .phase = line->phase};
  }
  for (size_t i = 0; i < line->sample_count; i++) {
    if (!grow(line, (void **)&row->samples_ns, row->sample_count, sizeof *row->samples_ns)) {
      return;
    }
    row->samples_ns[row->sample_count++] = line->samples_ns[i];
  }
}

static void take(struct line *line, const char *default_run) {
  check_members(line);
  read_run(line, default_run);
  vkm_value_text(&line->parse, &line->root, "name", VKM_VALUE_NEEDED, &line->name);
  vkm_value_text(&line->parse, &line->root, "phase", VKM_VALUE_OPTIONAL, &line->phase);
  read_value(line);
  struct vkm_foreign_run *run = line->parse.failed ? NULL : find_run(line);
  if (run != NULL) {
    settle_run(line, run);
  }
  if (run != NULL && !line->parse.failed && line->is_metric) {
    add_metric(line, run);
  } else if (run != NULL && !line->parse.failed) {
    add_samples(line, run);
  }
}

/* The place is a byte of the line, whose number the caller knows. */
static void explain(const struct line *line, char *cause, size_t cause_size) {
  const struct vkm_parse *parse = &line->parse;
  const char *end = strstr(parse->error, " (line ");
  int length = end != NULL ? (int)(end - parse->error) : (int)strlen(parse->error);
  snprintf(cause, cause_size, "%.*s",
           parse->out_of_memory ? (int)sizeof "out of memory" - 1 : length,
           parse->out_of_memory ? "out of memory" : parse->error);
}

bool vkm_foreign_line_add(struct vkm_foreign_lines *lines, const char *default_run,
                          const char *text, size_t length, char *cause, size_t cause_size) {
  struct vkm_json_fault fault;
  if (!vkm_json_check(text, length, &fault)) {
    snprintf(cause, cause_size, "%s, at byte %zu", *fault.cause ? fault.cause : "out of memory",
             fault.offset);
    return false;
  }
  cJSON *tree = cJSON_ParseWithLength(text, length);
  const char *run = vkm_keep_text(lines->keep, default_run);
  struct line line = {.lines = lines,
                      .parse = {.text = text, .text_bytes = length, .keep = lines->keep},
                      .root = {tree, NULL, NULL, 0}};
  if (tree == NULL || run == NULL) {
    line.parse.failed = line.parse.out_of_memory = true;
  } else if (!cJSON_IsObject(tree)) {
    vkm_value_fail(&line.parse, &line.root, "expected an object");
  } else {
    take(&line, run);
  }
  if (line.parse.failed) {
    explain(&line, cause, cause_size);
  }
  free(line.samples_ns);
  cJSON_Delete(tree);
  return !line.parse.failed;
}
