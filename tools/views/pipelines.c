/* The pipelines of a section as a sheet: what they were made with, and the driver's statistics. In:
 * judged rows. Out: columns. Next: the formats. */
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "views/sheets.h"

static uint32_t subgroup_of(const struct vkm_pipeline_row *row) {
  const struct vkm_read_pipeline *pipeline = row->pipeline;
  if (row->executable != NULL && row->executable->subgroup_size > 0) {
    return row->executable->subgroup_size;
  }
  return pipeline->subgroup_reported > 0 ? pipeline->subgroup_reported
                                         : pipeline->subgroup_required;
}

VKM_COLUMN_PRINT(print_name, struct vkm_pipeline_row, row->name)
VKM_COLUMN_PRINT(print_identity, struct vkm_pipeline_row, row->pipeline->identity)
VKM_COLUMN_PRINT(print_kind, struct vkm_pipeline_row, row->pipeline->kind)
VKM_COLUMN_PRINT(print_family, struct vkm_pipeline_row, row->pipeline->family)
VKM_COLUMN_PRINT(print_executable, struct vkm_pipeline_row,
                 row->executable != NULL ? row->executable->name : NULL)
VKM_COLUMN_VALUE(value_local_x, struct vkm_pipeline_row, row->pipeline->local_size[0],
                 row->pipeline->has_local_size)
VKM_COLUMN_VALUE(value_local_y, struct vkm_pipeline_row, row->pipeline->local_size[1],
                 row->pipeline->has_local_size)
VKM_COLUMN_VALUE(value_local_z, struct vkm_pipeline_row, row->pipeline->local_size[2],
                 row->pipeline->has_local_size)
VKM_COLUMN_VALUE(value_subgroup, struct vkm_pipeline_row, subgroup_of(row), subgroup_of(row) > 0)
VKM_COLUMN_VALUE(value_required, struct vkm_pipeline_row, row->pipeline->subgroup_required,
                 row->pipeline->subgroup_required > 0)
VKM_COLUMN_VALUE(value_shared, struct vkm_pipeline_row, row->pipeline->shared_memory_bytes,
                 row->pipeline->has_shared_memory)
VKM_COLUMN_VALUE(value_push, struct vkm_pipeline_row, row->pipeline->push_constant_bytes,
                 row->pipeline->has_push_constants)
VKM_COLUMN_VALUE(value_created, struct vkm_pipeline_row, row->created, true)
VKM_COLUMN_VALUE(value_create, struct vkm_pipeline_row, row->create_ns, row->has_create)
VKM_COLUMN_VALUE(value_hits, struct vkm_pipeline_row, row->cache_hits, row->cache_known > 0)
VKM_COLUMN_VALUE(value_executions, struct vkm_pipeline_row, row->part.executions, row->first)
VKM_COLUMN_VALUE(value_total, struct vkm_pipeline_row, row->part.total_ns,
                 row->first && row->part.has_time)
VKM_COLUMN_VALUE(value_share, struct vkm_pipeline_row, row->part.share,
                 row->first && row->part.has_share)

static void print_local(const void *at, const struct vkm_column *column,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_pipeline *pipeline = ((const struct vkm_pipeline_row *)at)->pipeline;
  (void)column;
  for (int axis = 0; pipeline->has_local_size && axis < 3; axis++) {
    vkm_text_string(text, axis == 0 ? "" : settings->ascii || settings->raw ? "x" : "×");
    vkm_text_u64(text, pipeline->local_size[axis]);
  }
}

static void print_constants(const void *at, const struct vkm_column *column,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_pairs *constants =
      &((const struct vkm_pipeline_row *)at)->pipeline->specialization;
  (void)column;
  for (size_t i = 0; i < constants->count; i++) {
    vkm_text_string(text, i > 0 ? " " : "");
    vkm_sheet_name(constants->items[i].name, settings, text);
    vkm_text_string(text, "=");
    vkm_sheet_name(constants->items[i].value, settings, text);
  }
}

static void print_cache(const void *at, const struct vkm_column *column,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_pipeline_row *row = at;
  (void)column;
  (void)settings;
  if (row->cache_known == 0) {
    return;
  }
  if (row->cache_hits == 0 || row->cache_hits == row->cache_known) {
    vkm_text_string(text, row->cache_hits > 0 ? "hit" : "miss");
    return;
  }
  vkm_text_u64(text, row->cache_hits);
  vkm_text_string(text, " of ");
  vkm_text_u64(text, row->cache_known);
  vkm_text_string(text, " hit");
}

static const struct vkm_read_statistic *statistic_of(const struct vkm_pipeline_row *row,
                                                     const char *name) {
  for (size_t i = 0; row->executable != NULL && i < row->executable->statistic_count; i++) {
    if (strcmp(row->executable->statistics[i].name, name) == 0) {
      return &row->executable->statistics[i];
    }
  }
  return NULL;
}

static bool value_statistic(const void *at, const struct vkm_column *column, double *out) {
  const struct vkm_read_statistic *found = statistic_of(at, column->key);
  *out = found != NULL ? found->value : 0;
  return found != NULL && found->has_value;
}

/* Whether any row of the sheet is so. */
#define ANY(function, condition)                                                                   \
  static bool function(const struct vkm_sheet *sheet) {                                            \
    const struct vkm_details *details = &((const struct vkm_section *)sheet->about)->details;      \
    for (size_t i = 0; i < details->pipeline_count; i++) {                                         \
      const struct vkm_pipeline_row *row = &details->pipelines[i];                                 \
      if (condition) {                                                                             \
        return true;                                                                               \
      }                                                                                            \
    }                                                                                              \
    return false;                                                                                  \
  }
ANY(has_several, row->pipeline->executable_count > 1)
ANY(has_constants, row->pipeline->specialization.count > 0)
ANY(has_cache, row->cache_known > 0)

static const struct vkm_column NAME = {
    .id = "name", .header = "pipeline", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column IDENTITY = {
    .id = "identity", .header = "identity", .kind = VKM_COLUMN_TEXT, .print = print_identity};
static const struct vkm_column KIND = {
    .id = "kind", .header = "kind", .kind = VKM_COLUMN_TEXT, .print = print_kind};
static const struct vkm_column FAMILY = {
    .id = "family", .header = "family", .kind = VKM_COLUMN_TEXT, .print = print_family};
static const struct vkm_column EXECUTABLE = {.id = "executable",
                                             .header = "executable",
                                             .kind = VKM_COLUMN_TEXT,
                                             .shown = has_several,
                                             .print = print_executable};
static const struct vkm_column LOCAL = {
    .id = "local_size", .header = "local", .kind = VKM_COLUMN_TEXT, .print = print_local};
static const struct vkm_column LOCAL_X = {
    .id = "local_x", .header = "local x", .kind = VKM_COLUMN_COUNT, .value = value_local_x};
static const struct vkm_column LOCAL_Y = {
    .id = "local_y", .header = "local y", .kind = VKM_COLUMN_COUNT, .value = value_local_y};
static const struct vkm_column LOCAL_Z = {
    .id = "local_z", .header = "local z", .kind = VKM_COLUMN_COUNT, .value = value_local_z};
static const struct vkm_column CONSTANTS = {.id = "specialization",
                                            .header = "constants",
                                            .kind = VKM_COLUMN_TEXT,
                                            .shown = has_constants,
                                            .print = print_constants};
static const struct vkm_column CACHE = {.id = "cache",
                                        .header = "cache",
                                        .kind = VKM_COLUMN_TEXT,
                                        .shown = has_cache,
                                        .print = print_cache,
                                        .about = "whether the program's pipeline cache had it"};
static const struct vkm_column SUBGROUP = {.id = "subgroup_size",
                                           .header = "subgroup",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_subgroup,
                                           .about = "by the driver, else as the program requires"};
static const struct vkm_column REQUIRED = {.id = "subgroup_required",
                                           .header = "required",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_required};
static const struct vkm_column SHARED = {.id = "shared_memory_bytes",
                                         .header = "shared",
                                         .kind = VKM_COLUMN_BYTES,
                                         .width = 7,
                                         .value = value_shared,
                                         .about = "memory of a workgroup, by the shader"};
static const struct vkm_column PUSH = {.id = "push_constant_bytes",
                                       .header = "push",
                                       .kind = VKM_COLUMN_BYTES,
                                       .width = 7,
                                       .value = value_push};
static const struct vkm_column CREATED = {.id = "created",
                                          .header = "created",
                                          .kind = VKM_COLUMN_COUNT,
                                          .width = 6,
                                          .value = value_created};
static const struct vkm_column CREATE = {.id = "create_ns",
                                         .header = "creation",
                                         .kind = VKM_COLUMN_TIME,
                                         .width = 7,
                                         .value = value_create,
                                         .about = "of its first creation"};
static const struct vkm_column HITS = {.id = "cache_hits",
                                       .header = "hits",
                                       .kind = VKM_COLUMN_COUNT,
                                       .width = 6,
                                       .value = value_hits};
static const struct vkm_column EXECUTIONS = {.id = "executions",
                                             .header = "executed",
                                             .kind = VKM_COLUMN_COUNT,
                                             .width = 6,
                                             .value = value_executions};
static const struct vkm_column TOTAL = {.id = "total_ns",
                                        .header = "total",
                                        .kind = VKM_COLUMN_TOTAL,
                                        .width = 7,
                                        .value = value_total};
static const struct vkm_column SHARE = {
    .id = "share", .header = "share", .kind = VKM_COLUMN_PERCENT, .width = 5, .value = value_share};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME,     &EXECUTABLE, &SHARE, &LOCAL,
                                                      &SUBGROUP, &CREATE,     &CACHE};
static const struct vkm_column *const FOR_PROGRAMS[] = {
    &NAME,    &IDENTITY,  &KIND,       &FAMILY,   &EXECUTABLE, &LOCAL_X, &LOCAL_Y,
    &LOCAL_Z, &CONSTANTS, &SUBGROUP,   &REQUIRED, &SHARED,     &PUSH,    &CREATED,
    &CREATE,  &HITS,      &EXECUTIONS, &TOTAL,    &SHARE};

/* Statistics that people look at first, by a part of their name in lower case; drivers agree on few
 * of them. */
static const char *const FIRST[] = {
    "vgpr",   "sgpr",    "register",  "spill",       "lds",
    "shared", "scratch", "code size", "binary size", "instruction count"};
enum { MOST_FIRST = 8, MOST_STATISTICS = 256 };

static bool is_among_first(const char *name) {
  for (size_t i = 0; i < VKM_COUNT(FIRST); i++) {
    if (strcasestr(name, FIRST[i]) != NULL) {
      return true;
    }
  }
  return false;
}

static size_t statistics_of(const struct vkm_details *details) {
  size_t count = 0;
  for (size_t i = 0; i < details->pipeline_count; i++) {
    const struct vkm_read_executable *executable = details->pipelines[i].executable;
    count += executable != NULL ? executable->statistic_count : 0;
  }
  return count;
}

static size_t statistics_at_most(const struct vkm_report *report) {
  size_t most = 0;
  for (size_t i = 0; i < report->section_count; i++) {
    most += statistics_of(&report->sections[i].details);
  }
  return most < MOST_STATISTICS ? most : MOST_STATISTICS;
}

static bool has_column(const struct vkm_made_columns *made, const char *name) {
  for (size_t i = 0; i < made->count; i++) {
    if (strcmp(made->items[i].id, name) == 0) {
      return true;
    }
  }
  return false;
}

/* A column for each name that a driver gave, in order of first sight. */
static void make_columns(const struct vkm_details *details, size_t most,
                         struct vkm_made_columns *made) {
  for (size_t i = 0; i < details->pipeline_count; i++) {
    const struct vkm_read_executable *executable = details->pipelines[i].executable;
    for (size_t j = 0; executable != NULL && j < executable->statistic_count; j++) {
      const char *name = executable->statistics[j].name;
      if (made->count < most && !has_column(made, name)) {
        made->items[made->count++] = (struct vkm_column){.id = name,
                                                         .header = name,
                                                         .kind = VKM_COLUMN_NUMBER,
                                                         .value = value_statistic,
                                                         .key = name};
      }
    }
  }
}

static bool is_in_section(const struct vkm_details *details, const char *name) {
  for (size_t i = 0; i < details->pipeline_count; i++) {
    const struct vkm_read_statistic *found = statistic_of(&details->pipelines[i], name);
    if (found != NULL && found->has_value) {
      return true;
    }
  }
  return false;
}

static void list_columns(const struct vkm_details *details, struct vkm_sheet *sheet,
                         struct vkm_made_columns *made) {
  const size_t most = VKM_COUNT(FOR_PEOPLE) + MOST_FIRST;
  memcpy((void *)made->all, FOR_PROGRAMS, sizeof FOR_PROGRAMS);
  memcpy((void *)made->people, FOR_PEOPLE, sizeof FOR_PEOPLE);
  sheet->column_count = VKM_COUNT(FOR_PEOPLE);
  for (size_t i = 0; i < made->count; i++) {
    const char *name = made->items[i].id;
    made->all[VKM_COUNT(FOR_PROGRAMS) + i] = &made->items[i];
    if (sheet->column_count < most && is_among_first(name) && is_in_section(details, name)) {
      made->people[sheet->column_count++] = &made->items[i];
    }
  }
  sheet->columns = made->people;
  sheet->all = made->all;
  sheet->all_count = VKM_COUNT(FOR_PROGRAMS) + made->count;
}

bool vkm_sheet_of_pipelines(const struct vkm_report *report, const struct vkm_section *section,
                            struct vkm_sheet *sheet, struct vkm_made_columns *made) {
  const struct vkm_details *details = &section->details;
  size_t most = statistics_at_most(report);
  *sheet = (struct vkm_sheet){
      .id = "pipelines",
      .rows = details->pipelines,
      .stride = sizeof *details->pipelines,
      .row_count = details->pipeline_count,
      .shown = details->pipeline_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
  *made = (struct vkm_made_columns){
      .items = calloc(most + 1, sizeof *made->items),
      .all = calloc(most + VKM_COUNT(FOR_PROGRAMS), sizeof *made->all),
      .people = calloc(MOST_FIRST + VKM_COUNT(FOR_PEOPLE), sizeof *made->people),
  };
  if (made->items == NULL || made->all == NULL || made->people == NULL) {
    return false;
  }
  for (size_t i = 0; i < report->section_count; i++) {
    make_columns(&report->sections[i].details, most, made);
  }
  list_columns(details, sheet, made);
  return true;
}

void vkm_made_columns_finish(struct vkm_made_columns *made) {
  free(made->items);
  free((void *)made->all);
  free((void *)made->people);
  *made = (struct vkm_made_columns){0};
}
