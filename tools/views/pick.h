/* Which rows and columns of a sheet are shown, and in which order: --columns, --sort, --filter,
 * --top. Main thread. */
#ifndef VKM_TOOLS_VIEWS_PICK_H
#define VKM_TOOLS_VIEWS_PICK_H

#include "views/sheet.h"

/* A sheet as it was asked for. What it points to is owned by `picked`, or the original's. */
struct vkm_picked {
  struct vkm_sheet sheet;
  size_t hidden, cut;             /* rows that a filter hides; that are beyond --top */
  bool has_share;                 /* the sheet has a column "share" */
  double hidden_share, cut_share; /* of these rows, 0..1 */
  bool filtered;                  /* a filter speaks of this sheet */
  const void **rows;              /* owned, as the next */
  const struct vkm_column **columns;
};

/* Applies what `settings->pick` asks for, as far as the sheet has the columns it names, and
 * settings->top. False: out of memory; finish is needed in any case. */
bool vkm_pick(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
              struct vkm_picked *picked) __attribute__((warn_unused_result));
void vkm_picked_finish(struct vkm_picked *picked);

/* Whether everything that `pick` names is known to one of the sheets. False: reported with what
 * there is. */
bool vkm_pick_check(const struct vkm_pick *pick, const struct vkm_sheet *sheets, size_t count)
    __attribute__((warn_unused_result));
/* `-c help`: what there is of each sheet. */
void vkm_pick_help(const struct vkm_sheet *sheets, size_t count,
                   const struct vkm_view_settings *settings, struct vkm_text *text);

/* The column of that id, id without unit, header, or alias ("label": phase); NULL: there is none.
 */
const struct vkm_column *vkm_pick_column(const struct vkm_sheet *sheet, const char *name,
                                         size_t length);

#endif
