/* The queues of a section as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include "count.h"
#include "views/sheets.h"

VKM_COLUMN_PRINT(print_name, struct vkm_queue_row, row->name)
VKM_COLUMN_VALUE(value_family, struct vkm_queue_row, row->family, true)
VKM_COLUMN_VALUE(value_index, struct vkm_queue_row, row->index, true)
VKM_COLUMN_VALUE(value_busy, struct vkm_queue_row, row->busy_ns, row->has_busy)
VKM_COLUMN_VALUE(value_share, struct vkm_queue_row, row->share, row->has_share)
VKM_COLUMN_VALUE(value_submissions, struct vkm_queue_row, row->submissions, true)
VKM_COLUMN_VALUE(value_buffers, struct vkm_queue_row, row->command_buffers, true)

static const struct vkm_column NAME = {.id = "name",
                                       .header = "queue",
                                       .kind = VKM_COLUMN_TEXT,
                                       .print = print_name,
                                       .about = "family and index"};
static const struct vkm_column FAMILY = {.id = "family",
                                         .header = "family",
                                         .kind = VKM_COLUMN_COUNT,
                                         .width = 6,
                                         .value = value_family};
static const struct vkm_column INDEX = {
    .id = "index", .header = "index", .kind = VKM_COLUMN_COUNT, .width = 6, .value = value_index};
static const struct vkm_column BUSY = {.id = "busy_ns",
                                       .header = "busy",
                                       .kind = VKM_COLUMN_TOTAL,
                                       .width = 7,
                                       .value = value_busy,
                                       .about = "something timed was running there"};
static const struct vkm_column SHARE = {
    .id = "share", .header = "share", .kind = VKM_COLUMN_PERCENT, .width = 5, .value = value_share};
static const struct vkm_column SUBMISSIONS = {.id = "submissions",
                                              .header = "submissions",
                                              .kind = VKM_COLUMN_COUNT,
                                              .width = 6,
                                              .value = value_submissions};
static const struct vkm_column BUFFERS = {.id = "command_buffers",
                                          .header = "command buffers",
                                          .kind = VKM_COLUMN_COUNT,
                                          .width = 6,
                                          .value = value_buffers};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME, &BUSY, &SHARE, &SUBMISSIONS, &BUFFERS};
static const struct vkm_column *const FOR_PROGRAMS[] = {&NAME,  &FAMILY,      &INDEX,  &BUSY,
                                                        &SHARE, &SUBMISSIONS, &BUFFERS};

struct vkm_sheet vkm_sheet_of_queues(const struct vkm_section *section) {
  return (struct vkm_sheet){
      .id = "queues",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = section->details.queues,
      .stride = sizeof *section->details.queues,
      .row_count = section->details.queue_count,
      .shown = section->details.queue_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}
