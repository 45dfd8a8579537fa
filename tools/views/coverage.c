/* What became of the executions of a section, as a sheet. In: judged rows. Out: columns. Next: the
 * formats. */
#include "count.h"
#include "views/sheets.h"

VKM_COLUMN_PRINT(print_name, struct vkm_outcome_row, row->outcome)
VKM_COLUMN_PRINT(print_reason, struct vkm_outcome_row, row->reason)
VKM_COLUMN_VALUE(value_count, struct vkm_outcome_row, row->count, true)
VKM_COLUMN_VALUE(value_share, struct vkm_outcome_row, row->share, row->has_share)
VKM_COLUMN_PRINT(print_meaning, struct vkm_outcome_row, row->meaning)

static const struct vkm_column NAME = {.id = "name",
                                       .header = "executions",
                                       .kind = VKM_COLUMN_TEXT,
                                       .print = print_name,
                                       .about = "what became of them"};
static const struct vkm_column REASON = {
    .id = "reason", .header = "reason", .kind = VKM_COLUMN_TEXT, .print = print_reason};
static const struct vkm_column COUNT = {
    .id = "count", .header = "count", .kind = VKM_COLUMN_COUNT, .width = 6, .value = value_count};
static const struct vkm_column SHARE = {.id = "share",
                                        .header = "share",
                                        .kind = VKM_COLUMN_PERCENT,
                                        .width = 5,
                                        .value = value_share,
                                        .about = "of what was executed"};
static const struct vkm_column MEANING = {
    .id = "meaning", .header = "meaning", .kind = VKM_COLUMN_TEXT, .print = print_meaning};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME, &REASON, &COUNT, &SHARE, &MEANING};
static const struct vkm_column *const FOR_PROGRAMS[] = {&NAME, &REASON, &COUNT, &SHARE, &MEANING};

struct vkm_sheet vkm_sheet_of_coverage(const struct vkm_section *section) {
  return (struct vkm_sheet){
      .id = "coverage",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = section->details.outcomes,
      .stride = sizeof *section->details.outcomes,
      .row_count = section->details.outcome_count,
      .shown = section->details.outcome_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}
