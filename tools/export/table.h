/* The tables of an export: flat, typed, with stable names. One file tables/NAME.def a table, a line
 * a column; the description, the filling of rows, `help tables` and every format come from it.
 * Main thread. */
#ifndef VKM_TOOLS_EXPORT_TABLE_H
#define VKM_TOOLS_EXPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VKM_EXPORT_SCHEMA "vkmeter.export/1"
enum { VKM_EXPORT_VERSION = 1, VKM_EXPORT_COLUMNS_MAX = 64 };

enum vkm_cell_kind {
  VKM_CELL_UNKNOWN = 0, /* of a cell only: NULL, an empty field */
  VKM_CELL_TEXT,
  VKM_CELL_INTEGER,
  VKM_CELL_REAL,
  VKM_CELL_BOOL,
};

struct vkm_cell {
  enum vkm_cell_kind kind; /* that of its column, or UNKNOWN */
  union {
    const char *text; /* any bytes but NUL; borrowed until the row was written */
    int64_t integer;
    double real;
    bool truth;
  } as;
};

struct vkm_export_column {
  const char *name;  /* with its unit */
  const char *about; /* one line */
  enum vkm_cell_kind kind;
};

struct vkm_export_table {
  const char *name, *about;
  const struct vkm_export_column *columns;
  size_t column_count; /* at most VKM_EXPORT_COLUMNS_MAX */
};

enum vkm_export_table_id {
#define VKM_TABLE(id, about) VKM_EXPORT_##id,
#include "export/tables.def"
#undef VKM_TABLE
  VKM_EXPORT_TABLES
};
extern const struct vkm_export_table vkm_export_tables[VKM_EXPORT_TABLES];

/* VKM_EXPORT_TABLES: there is none of that name. */
enum vkm_export_table_id vkm_export_table_find(const char *name, size_t length);
/* "text", "integer", "real", "boolean"; static. */
const char *vkm_cell_kind_name(enum vkm_cell_kind kind);

/* Cells; what is not known, not finite or beyond the type becomes UNKNOWN. */
struct vkm_cell vkm_cell_text(const char *text); /* NULL: not known */
struct vkm_cell vkm_cell_integer(bool known, int64_t value);
struct vkm_cell vkm_cell_count(bool known, uint64_t value);
struct vkm_cell vkm_cell_real(bool known, double value);
struct vkm_cell vkm_cell_bool(bool known, bool value);

#endif
