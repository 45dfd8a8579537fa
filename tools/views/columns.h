/* Columns are data: what they are called, in which unit, where their value comes from. Pure. */
#ifndef VKM_TOOLS_VIEWS_COLUMNS_H
#define VKM_TOOLS_VIEWS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/report.h"
#include "views/view.h"

enum vkm_column_kind {
  VKM_COLUMN_TEXT,
  VKM_COLUMN_COUNT,
  VKM_COLUMN_PERCENT, /* value: a fraction */
  VKM_COLUMN_TOTAL,   /* value: ns; sums share a unit */
  VKM_COLUMN_TIME,    /* value: ns; times of one execution share a unit */
};

struct vkm_column {
  const char *id;             /* in machine formats, unit included */
  const char *header, *ascii; /* for people */
  enum vkm_column_kind kind;
  size_t width; /* least columns */
  /* Whether a section has something for it; NULL: always. */
  bool (*shown)(const struct vkm_section *section);
  /* False: absent. The value of a number column. */
  bool (*value)(const struct vkm_row *row, double *out);
  /* Of a text column: appends it; appends nothing when absent. */
  void (*print)(const struct vkm_row *row, const struct vkm_view_settings *settings,
                struct vkm_text *text);
};

/* Of the table, in order; the first is the name. */
extern const struct vkm_column *const vkm_table_columns[];
extern const size_t vkm_table_column_count;
/* Of machine formats: everything that is known of a row. */
extern const struct vkm_column *const vkm_all_columns[];
extern const size_t vkm_all_column_count;

/* Units of one table. */
struct vkm_units {
  enum vkm_unit total, time;
};
struct vkm_units vkm_units_for(const struct vkm_section *section,
                               const struct vkm_view_settings *settings);

/* The cell for people; nothing is appended when the value is absent. */
void vkm_column_print(const struct vkm_column *column, const struct vkm_row *row,
                      const struct vkm_units *units, const struct vkm_view_settings *settings,
                      struct vkm_text *text);
/* The number for programs: ns, fractions, always with '.'; nothing is appended when it is absent.
 * Not for text columns. */
void vkm_column_machine(const struct vkm_column *column, const struct vkm_row *row,
                        struct vkm_text *text);
/* The unit under the header, "" when it has none. Static. */
const char *vkm_column_unit(const struct vkm_column *column, const struct vkm_units *units,
                            const struct vkm_view_settings *settings);

#endif
