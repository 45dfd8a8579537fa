/* Where the time went, as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include "count.h"
#include "views/sheets.h"
#include "views/units.h"

enum { BAR_COLUMNS = 24 };

VKM_COLUMN_PRINT(print_id, struct vkm_breakdown_row, row->id)
VKM_COLUMN_VALUE(value_time_, struct vkm_breakdown_row, row->ns, row->known)
VKM_COLUMN_VALUE(value_share, struct vkm_breakdown_row, row->share, row->has_share)
VKM_COLUMN_VALUE(value_count, struct vkm_breakdown_row, row->count, row->has_count)
VKM_COLUMN_VALUE(value_bytes, struct vkm_breakdown_row, row->bytes, row->has_bytes)

static void print_name(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_breakdown_row *row = at;
  (void)column;
  vkm_text_string(text, row->inside && !settings->raw ? "  " : "");
  vkm_text_string(text, row->name);
}

static void print_bar(const void *at, const struct vkm_column *column,
                      const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_breakdown_row *row = at;
  (void)column;
  if (row->has_share && row->ns > 0) {
    vkm_format_bar(text, row->share, BAR_COLUMNS, settings->ascii);
  }
}

static bool has_bytes(const struct vkm_sheet *sheet) {
  const struct vkm_breakdown *breakdown = sheet->about;
  bool found = false;
  for (size_t i = 0; i < breakdown->row_count; i++) {
    found = found || breakdown->rows[i].has_bytes;
  }
  return found;
}

static const struct vkm_column NAME = {
    .id = "name", .header = "where", .kind = VKM_COLUMN_TEXT, .print = print_name};
static const struct vkm_column ID = {
    .id = "part", .header = "part", .kind = VKM_COLUMN_TEXT, .print = print_id};
static const struct vkm_column BAR = {.id = "bar",
                                      .header = "",
                                      .kind = VKM_COLUMN_TEXT,
                                      .print = print_bar,
                                      .about = "the share, drawn"};
static const struct vkm_column TIME_ = {
    .id = "ns", .header = "time", .kind = VKM_COLUMN_TOTAL, .width = 7, .value = value_time_};
static const struct vkm_column SHARE = {.id = "share",
                                        .header = "share",
                                        .kind = VKM_COLUMN_PERCENT,
                                        .width = 5,
                                        .value = value_share,
                                        .about = "of the wall time"};
static const struct vkm_column COUNT = {.id = "count",
                                        .header = "count",
                                        .kind = VKM_COLUMN_COUNT,
                                        .width = 6,
                                        .value = value_count,
                                        .about = "calls, or executions"};
static const struct vkm_column BYTES = {.id = "bytes",
                                        .header = "bytes",
                                        .kind = VKM_COLUMN_BYTES,
                                        .width = 7,
                                        .shown = has_bytes,
                                        .value = value_bytes};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME, &TIME_, &SHARE, &BAR, &COUNT, &BYTES};
static const struct vkm_column *const FOR_PROGRAMS[] = {&ID, &NAME, &TIME_, &SHARE, &COUNT, &BYTES};

struct vkm_sheet vkm_sheet_of_breakdown(const struct vkm_breakdown *breakdown) {
  return (struct vkm_sheet){
      .id = "breakdown",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = breakdown->rows,
      .stride = sizeof *breakdown->rows,
      .row_count = breakdown->row_count,
      .shown = breakdown->row_count,
      .about = breakdown,
  };
}
