/* Cells of a sheet. In: rows, columns. Out: cells as text, units. Next: grid and the formats. */
#include "views/sheet.h"

#include <math.h>

#include "views/units.h"

const void *vkm_sheet_row(const struct vkm_sheet *sheet, size_t index) {
  if (sheet->picked != NULL) {
    return sheet->picked[index];
  }
  return &((const char *)sheet->rows)[index * sheet->stride];
}

size_t vkm_sheet_top(size_t row_count, size_t top) {
  return top == 0 || top > row_count ? row_count : top;
}

bool vkm_sheet_has(const struct vkm_sheet *sheet, const struct vkm_column *column) {
  return sheet->asked || column->shown == NULL || column->shown(sheet);
}

void vkm_sheet_name(const char *string, const struct vkm_view_settings *settings,
                    struct vkm_text *text) {
  if (string == NULL) {
    return;
  }
  if (settings->raw) {
    vkm_text_string(text, string);
  } else {
    vkm_term_name(text, string, 0, settings->ascii);
  }
}

static double largest_of(const struct vkm_sheet *sheet, const struct vkm_column *column) {
  double largest = 0;
  for (size_t i = 0; i < sheet->row_count; i++) {
    double value = 0;
    if (column->value(vkm_sheet_row(sheet, i), column, &value)) {
      largest = fmax(largest, fabs(value));
    }
  }
  return largest;
}

/* Over the columns of a kind: those that settle the unit, or all of them. */
static bool largest_of_kind(const struct vkm_sheet *sheet, enum vkm_column_kind kind, bool settling,
                            double *largest) {
  bool found = false;
  for (size_t i = 0; i < sheet->column_count; i++) {
    const struct vkm_column *column = sheet->columns[i];
    if (column->kind == kind && (column->scales || !settling)) {
      found = true;
      *largest = fmax(*largest, largest_of(sheet, column));
    }
  }
  return found;
}

enum vkm_unit vkm_sheet_unit(const struct vkm_sheet *sheet, const struct vkm_column *column,
                             const struct vkm_view_settings *settings) {
  double largest = 0;
  switch (column->kind) {
  case VKM_COLUMN_BYTES:
    return vkm_bytes_unit_for(largest_of(sheet, column));
  case VKM_COLUMN_TOTAL:
  case VKM_COLUMN_TIME:
  case VKM_COLUMN_IMPACT:
    if (settings->unit != VKM_UNIT_AUTO) {
      return settings->unit;
    }
    if (!largest_of_kind(sheet, column->kind, true, &largest)) {
      largest_of_kind(sheet, column->kind, false, &largest);
    }
    return vkm_unit_for(largest);
  default:
    return VKM_UNIT_AUTO;
  }
}

const char *vkm_column_unit(const struct vkm_column *column, enum vkm_unit unit,
                            const struct vkm_view_settings *settings) {
  switch (column->kind) {
  case VKM_COLUMN_PERCENT:
  case VKM_COLUMN_CHANGE:
    return "%";
  case VKM_COLUMN_BYTES:
  case VKM_COLUMN_TOTAL:
  case VKM_COLUMN_TIME:
  case VKM_COLUMN_IMPACT:
    return vkm_unit_name(unit, settings->ascii);
  default:
    return "";
  }
}

const char *vkm_column_header(const struct vkm_column *column,
                              const struct vkm_view_settings *settings) {
  return settings->ascii && column->ascii != NULL ? column->ascii : column->header;
}

void vkm_column_print(const struct vkm_column *column, const void *row, enum vkm_unit unit,
                      const struct vkm_view_settings *settings, struct vkm_text *text) {
  double value = 0;
  if (column->kind == VKM_COLUMN_TEXT) {
    column->print(row, column, settings, text);
    return;
  }
  if (!column->value(row, column, &value)) {
    vkm_text_string(text, !column->dash ? "" : settings->ascii ? "-" : "–");
    return;
  }
  switch (column->kind) {
  case VKM_COLUMN_COUNT:
  case VKM_COLUMN_NUMBER:
    vkm_format_number(text, value);
    break;
  case VKM_COLUMN_RATIO:
    vkm_format_ratio(text, value);
    break;
  case VKM_COLUMN_PERCENT:
    vkm_format_percent(text, value);
    break;
  case VKM_COLUMN_CHANGE:
    vkm_format_change(text, value, settings->ascii);
    break;
  case VKM_COLUMN_IMPACT:
    vkm_format_impact(text, value, unit, settings->ascii);
    break;
  default:
    vkm_format_time(text, value, unit);
    break;
  }
}

void vkm_column_machine(const struct vkm_column *column, const void *row, struct vkm_text *text) {
  double value = 0;
  if (column->value(row, column, &value)) {
    vkm_format_exact(text, value);
  }
}
