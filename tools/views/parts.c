/* Families and phases of a section as sheets. In: judged rows. Out: columns. Next: the formats. */
#include "count.h"
#include "views/sheets.h"

VKM_COLUMN_PRINT(print_name, struct vkm_part, row->name)
VKM_COLUMN_VALUE(value_total, struct vkm_part, row->total_ns, row->has_time)
VKM_COLUMN_VALUE(value_share, struct vkm_part, row->share, row->has_share)
VKM_COLUMN_VALUE(value_calls, struct vkm_part, row->calls, true)
VKM_COLUMN_VALUE(value_kernels, struct vkm_part, row->kernels, true)
VKM_COLUMN_VALUE(value_executions, struct vkm_part, row->executions, true)
VKM_COLUMN_VALUE(value_measured, struct vkm_part, row->measured, true)
VKM_COLUMN_VALUE(value_warmup, struct vkm_part, row->warmup_count, true)
VKM_COLUMN_VALUE(value_runs, struct vkm_part, row->run_count, true)

static const struct vkm_column FAMILY = {
    .id = "name", .header = "family", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column PHASE = {
    .id = "name", .header = "phase", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column TOTAL = {.id = "total_ns",
                                        .header = "total",
                                        .kind = VKM_COLUMN_TOTAL,
                                        .width = 7,
                                        .value = value_total};
static const struct vkm_column SHARE = {
    .id = "share", .header = "share", .kind = VKM_COLUMN_PERCENT, .width = 5, .value = value_share};
static const struct vkm_column CALLS = {
    .id = "calls", .header = "calls", .kind = VKM_COLUMN_COUNT, .width = 6, .value = value_calls};
static const struct vkm_column KERNELS = {.id = "kernels",
                                          .header = "kernels",
                                          .kind = VKM_COLUMN_COUNT,
                                          .width = 6,
                                          .value = value_kernels,
                                          .about = "rows of the kernels with something in it"};
static const struct vkm_column EXECUTIONS = {.id = "executions",
                                             .header = "executed",
                                             .kind = VKM_COLUMN_COUNT,
                                             .width = 6,
                                             .value = value_executions};
static const struct vkm_column MEASURED = {.id = "measured",
                                           .header = "timed",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_measured};
static const struct vkm_column WARMUP = {.id = "warmup",
                                         .header = "warm-up",
                                         .kind = VKM_COLUMN_COUNT,
                                         .width = 6,
                                         .value = value_warmup};
static const struct vkm_column RUNS = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .width = 4, .value = value_runs};

#define NUMBERS &TOTAL, &SHARE, &CALLS, &KERNELS
#define MORE_NUMBERS &EXECUTIONS, &MEASURED, &WARMUP, &RUNS
static const struct vkm_column *const FAMILIES[] = {&FAMILY, NUMBERS, MORE_NUMBERS};
static const struct vkm_column *const PHASES[] = {&PHASE, NUMBERS, MORE_NUMBERS};
enum { FOR_PEOPLE = 5 };

static struct vkm_sheet sheet_of(const struct vkm_section *section, const struct vkm_parts *parts) {
  return (struct vkm_sheet){
      .column_count = FOR_PEOPLE,
      .all_count = VKM_COUNT(FAMILIES),
      .rows = parts->items,
      .stride = sizeof *parts->items,
      .row_count = parts->count,
      .shown = parts->count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}

struct vkm_sheet vkm_sheet_of_families(const struct vkm_section *section) {
  struct vkm_sheet sheet = sheet_of(section, &section->details.families);
  sheet.id = "families";
  sheet.columns = sheet.all = FAMILIES;
  return sheet;
}

struct vkm_sheet vkm_sheet_of_phases(const struct vkm_section *section) {
  struct vkm_sheet sheet = sheet_of(section, &section->details.phases);
  sheet.id = "phases";
  sheet.columns = sheet.all = PHASES;
  return sheet;
}
