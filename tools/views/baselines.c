/* Baselines as a sheet. In: their heads. Out: a table. Next: stdout. */
#include "views/baselines.h"

#include "count.h"
#include "views/sheet.h"
#include "views/units.h"

VKM_COLUMN_PRINT(print_name, struct vkm_baseline, row->name)
VKM_COLUMN_PRINT(print_device, struct vkm_baseline, row->device)
VKM_COLUMN_PRINT(print_driver, struct vkm_baseline, row->driver)
VKM_COLUMN_PRINT(print_mode, struct vkm_baseline, row->mode)
VKM_COLUMN_PRINT(print_version, struct vkm_baseline, row->vkmeter_version)
VKM_COLUMN_VALUE(value_runs, struct vkm_baseline, row->runs, true)

static void print_date(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_baseline *row = at;
  (void)column;
  (void)settings;
  vkm_format_date(text, row->recorded_unix_ns);
}

/* Enough of the key to tell environments of one device apart. */
static void print_segment(const void *at, const struct vkm_column *column,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_baseline *row = at;
  (void)column;
  (void)settings;
  for (size_t i = 0; i < 12 && row->segment_key[i]; i++) {
    vkm_text_append(text, &row->segment_key[i], 1);
  }
}

#define TEXT(name, identifier, function)                                                           \
  static const struct vkm_column name = {                                                          \
      .id = (identifier), .header = (identifier), .kind = VKM_COLUMN_TEXT, .print = (function)}
TEXT(NAME, "name", print_name);
TEXT(DEVICE, "device", print_device);
TEXT(DRIVER, "driver", print_driver);
TEXT(MODE, "mode", print_mode);
TEXT(DATE, "recorded", print_date);
TEXT(VERSION, "vkmeter", print_version);
TEXT(SEGMENT, "segment", print_segment);
static const struct vkm_column RUNS = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .value = value_runs};

static const struct vkm_column *const COLUMNS[] = {&NAME, &DEVICE,  &DRIVER, &MODE,
                                                   &RUNS, &VERSION, &DATE,   &SEGMENT};

void vkm_view_baselines(const struct vkm_baselines *baselines,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_sheet sheet = {
      .id = "baselines",
      .columns = COLUMNS,
      .column_count = VKM_COUNT(COLUMNS),
      .all = COLUMNS,
      .all_count = VKM_COUNT(COLUMNS),
      .rows = baselines->items,
      .stride = sizeof *baselines->items,
      .row_count = baselines->count,
      .shown = baselines->count,
  };
  if (baselines->count > 0) {
    vkm_sheet_table(&sheet, settings, text);
  }
}
