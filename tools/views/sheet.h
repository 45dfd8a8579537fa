/* A sheet: rows of one kind, and what its columns are called, in which unit, where their values
 * come from. Columns are data over any row type, so that every format prints every sheet: a new
 * sheet is a table of columns, a new format one function over sheets. Views only read sheets. Main
 * thread. */
#ifndef VKM_TOOLS_VIEWS_SHEET_H
#define VKM_TOOLS_VIEWS_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "views/term.h"
#include "views/view.h"

enum vkm_column_kind {
  VKM_COLUMN_TEXT,
  VKM_COLUMN_COUNT,   /* value: a whole number from 0 */
  VKM_COLUMN_NUMBER,  /* value: any */
  VKM_COLUMN_RATIO,   /* value: shown with three decimals */
  VKM_COLUMN_PERCENT, /* value: a fraction */
  VKM_COLUMN_CHANGE,  /* value: a fraction, shown as percent with its sign */
  VKM_COLUMN_BYTES,   /* value: bytes; each column has its unit */
  VKM_COLUMN_TOTAL,   /* value: ns; sums share a unit */
  VKM_COLUMN_TIME,    /* value: ns; times of one execution share a unit */
  VKM_COLUMN_IMPACT,  /* value: ns with its sign; these share a unit */
};

struct vkm_sheet;

struct vkm_column {
  const char *id;             /* in machine formats, unit included */
  const char *header, *ascii; /* for people; ascii NULL: the same */
  size_t width;               /* least columns */
  /* Whether a sheet has something for it; NULL: always. Only of columns that nobody asked for. */
  bool (*shown)(const struct vkm_sheet *sheet);
  /* False: absent. The value of a number column. */
  bool (*value)(const void *row, const struct vkm_column *column, double *out);
  /* Of a text column: appends it; appends nothing when absent. settings->raw: as it is, for
   * programs; else nothing that drives a terminal. */
  void (*print)(const void *row, const struct vkm_column *column,
                const struct vkm_view_settings *settings, struct vkm_text *text);
  /* NULL: plain. */
  enum vkm_style (*style)(const void *row);
  const char *about; /* for `-c help`; NULL: the header says it */
  const void *key;   /* for value and print of columns that are made while running */
  /* In HTML, instead of what is printed: markup, in the first VKM_HTML_DRAWN rows. NULL: none. */
  void (*draw)(const void *row, const struct vkm_column *column,
               const struct vkm_view_settings *settings, struct vkm_text *text);
  enum vkm_column_kind kind;
  bool scales; /* its largest value settles the unit of its kind; where none does, all do */
  bool right;  /* of a text column: right-aligned */
  bool dash;   /* of a number column: a dash for people where the value is absent */
  bool wraps;  /* a text that may be long: HTML breaks its lines */
};
enum { VKM_HTML_DRAWN = 500 };

/* Defines `value` of a column: `number` and `present` are expressions in `row`. */
#define VKM_COLUMN_VALUE(function, type, number, present)                                          \
  static bool function(const void *at, const struct vkm_column *column, double *out) {             \
    const type *row = at;                                                                          \
    (void)column;                                                                                  \
    *out = (double)(number);                                                                       \
    return (present);                                                                              \
  }
/* Defines `print` of a text column: `string` is an expression in `row`, NULL is absent. Made safe
 * for a terminal unless raw. */
#define VKM_COLUMN_PRINT(function, type, string)                                                   \
  static void function(const void *at, const struct vkm_column *column,                            \
                       const struct vkm_view_settings *settings, struct vkm_text *text) {          \
    const type *row = at;                                                                          \
    (void)column;                                                                                  \
    vkm_sheet_name(string, settings, text);                                                        \
  }

struct vkm_sheet {
  const char *id;                          /* "kernels" */
  const char *title;                       /* for people, above it; NULL: none */
  const struct vkm_column *const *columns; /* for people, in order; the first is the name */
  size_t column_count;
  bool asked;                          /* somebody asked for these columns: none is left out */
  const struct vkm_column *const *all; /* for programs: everything that is known of a row */
  size_t all_count;
  const void *rows;          /* the first row */
  size_t stride;             /* bytes from one to the next */
  const void *const *picked; /* instead, the rows one by one; NULL: rows and stride */
  size_t row_count;
  size_t shown; /* rows that are printed: the first so many */
  /* NULL: plain. Of a whole line. */
  enum vkm_style (*style)(const void *row);
  /* One member that all rows share, in front, for programs ("device" and its name); NULL: none. */
  const char *scope_id, *scope;
  const void *about; /* what `shown` of the columns looks at; may be NULL */
};

const void *vkm_sheet_row(const struct vkm_sheet *sheet, size_t index);
/* Rows to print when at most `top` are asked for; 0: all. */
size_t vkm_sheet_top(size_t row_count, size_t top);
/* Whether the column is among those that the sheet has something for. */
bool vkm_sheet_has(const struct vkm_sheet *sheet, const struct vkm_column *column);

/* The unit in which the sheet shows the column; VKM_UNIT_AUTO for columns without. */
enum vkm_unit vkm_sheet_unit(const struct vkm_sheet *sheet, const struct vkm_column *column,
                             const struct vkm_view_settings *settings);
/* Its name, as it stands under the header; "" when it has none. Static. */
const char *vkm_column_unit(const struct vkm_column *column, enum vkm_unit unit,
                            const struct vkm_view_settings *settings);
const char *vkm_column_header(const struct vkm_column *column,
                              const struct vkm_view_settings *settings);
/* The cell for people; nothing is appended when the value is absent. */
void vkm_column_print(const struct vkm_column *column, const void *row, enum vkm_unit unit,
                      const struct vkm_view_settings *settings, struct vkm_text *text);
/* The number for programs: ns, bytes, fractions, always with '.'; nothing is appended when it is
 * absent. Not for text columns. */
void vkm_column_machine(const struct vkm_column *column, const void *row, struct vkm_text *text);
/* Appends a string of a profile as `settings` want it; nothing for NULL. */
void vkm_sheet_name(const char *string, const struct vkm_view_settings *settings,
                    struct vkm_text *text);

/* The formats. Each appends whole lines; the caller looks at text->failed. */

/* Labels, then rows, aligned; names are cut to settings->width. No title. */
void vkm_sheet_table(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                     struct vkm_text *text);
/* A pipe table in GitHub's form. */
void vkm_sheet_md(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                  struct vkm_text *text);
/* The same, but no row that would make `text` longer than `limit_bytes`; says how many there are.
 */
size_t vkm_sheet_md_within(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                           size_t limit_bytes, struct vkm_text *text);
/* How long a page may get by its rows; sentences come on top. */
size_t vkm_md_limit(const struct vkm_view_settings *settings);
/* That so many rows are not there; nothing for 0. */
void vkm_md_left_out(size_t count, struct vkm_text *text);
/* RFC 4180 with LF: the line of ids, and the rows. */
void vkm_sheet_csv_head(const struct vkm_sheet *sheet, struct vkm_text *text);
void vkm_sheet_csv_rows(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                        struct vkm_text *text);
/* The members of a JSON object, without braces: texts in order of the columns, then numbers;
 * absent is null. */
void vkm_sheet_json_members(const struct vkm_sheet *sheet, const void *row,
                            const struct vkm_view_settings *settings, struct vkm_text *text);
/* One object a line, with the members "sheet" and the scope in front. */
void vkm_sheet_ndjson(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                      struct vkm_text *text);
/* <thead> and <tbody>; numbers carry their exact value in data-value. */
void vkm_sheet_html(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                    struct vkm_text *text);

/* Appends bytes so that the format shows them as they are. */
void vkm_md_escaped(struct vkm_text *text, const char *bytes, size_t length);
void vkm_csv_field(struct vkm_text *text, const char *bytes);
void vkm_html_escaped(struct vkm_text *text, const char *bytes, size_t length);

#endif
