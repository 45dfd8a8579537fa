/* The memory of a section as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include "count.h"
#include "views/sheets.h"

VKM_COLUMN_PRINT(print_name, struct vkm_heap_row, row->name)
VKM_COLUMN_PRINT(print_place, struct vkm_heap_row, row->device_local ? "device" : "host")
VKM_COLUMN_VALUE(value_size, struct vkm_heap_row, row->size_bytes, true)
VKM_COLUMN_VALUE(value_peak, struct vkm_heap_row, row->peak_bytes, row->known)
VKM_COLUMN_VALUE(value_peak_share, struct vkm_heap_row, row->peak_share, row->known)
VKM_COLUMN_VALUE(value_allocated, struct vkm_heap_row, row->allocated_bytes, row->known)
VKM_COLUMN_VALUE(value_budget, struct vkm_heap_row, row->budget_bytes, row->has_budget)
VKM_COLUMN_VALUE(value_usage, struct vkm_heap_row, row->usage_peak_bytes, row->has_budget)

static bool has_budget(const struct vkm_sheet *sheet) {
  const struct vkm_details *details = &((const struct vkm_section *)sheet->about)->details;
  bool found = false;
  for (size_t i = 0; i < details->heap_count; i++) {
    found = found || details->heaps[i].has_budget;
  }
  return found;
}

static const struct vkm_column NAME = {
    .id = "name", .header = "heap", .kind = VKM_COLUMN_TEXT, .print = print_name};
static const struct vkm_column PLACE = {
    .id = "place", .header = "memory", .kind = VKM_COLUMN_TEXT, .print = print_place};
static const struct vkm_column SIZE = {.id = "size_bytes",
                                       .header = "size",
                                       .kind = VKM_COLUMN_BYTES,
                                       .width = 7,
                                       .value = value_size};
static const struct vkm_column PEAK = {.id = "peak_bytes",
                                       .header = "peak",
                                       .kind = VKM_COLUMN_BYTES,
                                       .width = 7,
                                       .value = value_peak,
                                       .about = "the most that the program had allocated at once"};
static const struct vkm_column PEAK_SHARE = {.id = "peak_share",
                                             .header = "of size",
                                             .kind = VKM_COLUMN_PERCENT,
                                             .width = 5,
                                             .value = value_peak_share,
                                             .about = "the peak, of the size"};
static const struct vkm_column ALLOCATED = {.id = "allocated_bytes",
                                            .header = "at the end",
                                            .kind = VKM_COLUMN_BYTES,
                                            .width = 7,
                                            .value = value_allocated};
static const struct vkm_column BUDGET = {.id = "budget_bytes",
                                         .header = "budget",
                                         .kind = VKM_COLUMN_BYTES,
                                         .width = 7,
                                         .shown = has_budget,
                                         .value = value_budget,
                                         .about = "what the driver lets the process use"};
static const struct vkm_column USAGE = {.id = "usage_peak_bytes",
                                        .header = "used",
                                        .kind = VKM_COLUMN_BYTES,
                                        .width = 7,
                                        .shown = has_budget,
                                        .value = value_usage,
                                        .about = "the peak by the driver's count"};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME,       &PLACE,     &SIZE,   &PEAK,
                                                      &PEAK_SHARE, &ALLOCATED, &BUDGET, &USAGE};
static const struct vkm_column *const FOR_PROGRAMS[] = {&NAME,       &PLACE,     &SIZE,   &PEAK,
                                                        &PEAK_SHARE, &ALLOCATED, &BUDGET, &USAGE};

struct vkm_sheet vkm_sheet_of_memory(const struct vkm_section *section) {
  return (struct vkm_sheet){
      .id = "memory",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = section->details.heaps,
      .stride = sizeof *section->details.heaps,
      .row_count = section->details.heap_count,
      .shown = section->details.heap_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}
