/* The tables. In: tables.def and tables/. Out: their description. Next: rows, sinks, help. */
#include "export/table.h"

#include <math.h>
#include <string.h>

#include "count.h"

#define VKM_TEXT(name, value, about) {#name, about, VKM_CELL_TEXT},
#define VKM_INTEGER(name, known, value, about) {#name, about, VKM_CELL_INTEGER},
#define VKM_AMOUNT(name, known, value, about) {#name, about, VKM_CELL_INTEGER},
#define VKM_REAL(name, known, value, about) {#name, about, VKM_CELL_REAL},
#define VKM_BOOL(name, known, value, about) {#name, about, VKM_CELL_BOOL},
static const struct vkm_export_column export_info_columns[] = {
#include "export/tables/export_info.def"
};
static const struct vkm_export_column runs_columns[] = {
#include "export/tables/runs.def"
};
static const struct vkm_export_column tags_columns[] = {
#include "export/tables/tags.def"
};
static const struct vkm_export_column settings_columns[] = {
#include "export/tables/settings.def"
};
static const struct vkm_export_column devices_columns[] = {
#include "export/tables/devices.def"
};
static const struct vkm_export_column heaps_columns[] = {
#include "export/tables/heaps.def"
};
static const struct vkm_export_column capabilities_columns[] = {
#include "export/tables/capabilities.def"
};
static const struct vkm_export_column queues_columns[] = {
#include "export/tables/queues.def"
};
static const struct vkm_export_column pipelines_columns[] = {
#include "export/tables/pipelines.def"
};
static const struct vkm_export_column statistics_columns[] = {
#include "export/tables/statistics.def"
};
static const struct vkm_export_column kernels_columns[] = {
#include "export/tables/kernels.def"
};
static const struct vkm_export_column samples_columns[] = {
#include "export/tables/samples.def"
};
static const struct vkm_export_column coverage_columns[] = {
#include "export/tables/coverage.def"
};
static const struct vkm_export_column plans_columns[] = {
#include "export/tables/plans.def"
};
static const struct vkm_export_column plan_families_columns[] = {
#include "export/tables/plan_families.def"
};
static const struct vkm_export_column families_columns[] = {
#include "export/tables/families.def"
};
static const struct vkm_export_column phases_columns[] = {
#include "export/tables/phases.def"
};
static const struct vkm_export_column moves_columns[] = {
#include "export/tables/moves.def"
};
static const struct vkm_export_column calls_columns[] = {
#include "export/tables/calls.def"
};
static const struct vkm_export_column metrics_columns[] = {
#include "export/tables/metrics.def"
};
static const struct vkm_export_column failed_runs_columns[] = {
#include "export/tables/failed_runs.def"
};

const struct vkm_export_table vkm_export_tables[VKM_EXPORT_TABLES] = {
#define VKM_TABLE(id, about) {#id, about, id##_columns, VKM_COUNT(id##_columns)},
#include "export/tables.def"
};

enum vkm_export_table_id vkm_export_table_find(const char *name, size_t length) {
  size_t at = 0;
  while (at < VKM_EXPORT_TABLES && (strncmp(vkm_export_tables[at].name, name, length) != 0 ||
                                    vkm_export_tables[at].name[length] != 0)) {
    at++;
  }
  return (enum vkm_export_table_id)at;
}

const char *vkm_cell_kind_name(enum vkm_cell_kind kind) {
  static const char *const names[] = {"", "text", "integer", "real", "boolean"};
  return names[kind];
}

struct vkm_cell vkm_cell_text(const char *text) {
  return (struct vkm_cell){text != NULL ? VKM_CELL_TEXT : VKM_CELL_UNKNOWN, {.text = text}};
}

struct vkm_cell vkm_cell_integer(bool known, int64_t value) {
  return (struct vkm_cell){known ? VKM_CELL_INTEGER : VKM_CELL_UNKNOWN, {.integer = value}};
}

struct vkm_cell vkm_cell_count(bool known, uint64_t value) {
  return vkm_cell_integer(known && value <= INT64_MAX, (int64_t)value);
}

struct vkm_cell vkm_cell_real(bool known, double value) {
  known = known && isfinite(value);
  return (struct vkm_cell){known ? VKM_CELL_REAL : VKM_CELL_UNKNOWN, {.real = known ? value : 0}};
}

struct vkm_cell vkm_cell_bool(bool known, bool value) {
  return (struct vkm_cell){known ? VKM_CELL_BOOL : VKM_CELL_UNKNOWN, {.truth = value}};
}
