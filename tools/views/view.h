/* A view turns a judged model into one text. Columns, units and terminal rules are shared by all of
 * them. Views format: they add, divide and decide nothing. Main thread. */
#ifndef VKM_TOOLS_VIEWS_VIEW_H
#define VKM_TOOLS_VIEWS_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct vkm_comparison;
struct vkm_report;
struct vkm_matrix;
struct vkm_read_profile;
struct vkm_diagnosis;

enum vkm_color { VKM_COLOR_AUTO = 0, VKM_COLOR_ALWAYS, VKM_COLOR_NEVER };
enum vkm_unit {
  VKM_UNIT_AUTO = 0,
  VKM_UNIT_NS,
  VKM_UNIT_US,
  VKM_UNIT_MS,
  VKM_UNIT_S,
  VKM_UNIT_B, /* from here on of sizes */
  VKM_UNIT_KIB,
  VKM_UNIT_MIB,
  VKM_UNIT_GIB
};

enum { VKM_FILTERS_MAX = 16 };

/* Rows and columns as asked for; strings are borrowed. */
struct vkm_pick {
  const char *columns, *sort; /* NULL: as it suits */
  const char *filters[VKM_FILTERS_MAX];
  size_t filter_count;
  unsigned sheets; /* of a report: bits by enum vkm_sheet_id; 0: as it suits */
  int group;       /* of a report, enum vkm_sheet_id: what its rows are */
};

struct vkm_view_settings {
  enum vkm_color color;
  enum vkm_unit unit;
  bool ascii;
  size_t width; /* columns; 0: as wide as it gets */
  bool width_given;
  bool raw;   /* names as they are, for programs */
  size_t top; /* rows shown of a section; 0: all */
  bool top_given;
  size_t bytes_before; /* that stand already in the file which the text is appended to */
  struct vkm_pick pick;
  bool verbose;            /* compare: rows that are the same, too */
  bool explain;            /* compare: the numbers behind verdicts */
  const char *explain_row; /* only of rows of this name; NULL: of all that need attention */
};

struct vkm_view {
  const char *name;
  const char *summary; /* one line for `help formats` */
  bool machine;        /* for programs: every row unless --top was given, always ns */
  /* Appends the whole text; the caller looks at text->failed. NULL: not in this format. */
  void (*report)(const struct vkm_report *report, const struct vkm_view_settings *settings,
                 struct vkm_text *text);
  /* The same of a comparison. */
  void (*compare)(const struct vkm_comparison *comparison, const struct vkm_view_settings *settings,
                  struct vkm_text *text);
  /* The same of a matrix. */
  void (*matrix)(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                 struct vkm_text *text);
};

extern const struct vkm_view *const vkm_views[];
extern const size_t vkm_view_count;
/* NULL when there is none. */
const struct vkm_view *vkm_view_find(const char *name, size_t name_length);

/* Environment and data quality of one profile. */
void vkm_view_info(const struct vkm_read_profile *profile, const char *path,
                   const struct vkm_view_settings *settings, struct vkm_text *text);

/* What vkmeter doctor found. */
void vkm_view_doctor(const struct vkm_diagnosis *diagnosis,
                     const struct vkm_view_settings *settings, struct vkm_text *text);
/* The same for programs: schema vkmeter.doctor/1. */
void vkm_view_doctor_json(const struct vkm_diagnosis *diagnosis, struct vkm_text *text);

#endif
