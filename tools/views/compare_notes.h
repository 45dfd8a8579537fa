/* Footnotes of a table of compared rows. Main thread. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_NOTES_H
#define VKM_TOOLS_VIEWS_COMPARE_NOTES_H

#include "model/comparison.h"
#include "views/view.h"

struct vkm_compare_note {
  char *text;                   /* owned */
  size_t least_runs, most_runs; /* a side, that would settle its rows; 0: not known */
};

/* Rows with the same note share its number, from 1 in order of the rows. */
struct vkm_compare_notes {
  size_t *numbers; /* of each row; 0: none. Owned, as the next one */
  struct vkm_compare_note *items;
  size_t count;
};

/* Of the first `row_count` rows of the panel. False: out of memory; finish is needed in any case.
 */
bool vkm_compare_notes_init(struct vkm_compare_notes *notes, const struct vkm_panel *panel,
                            size_t row_count, const struct vkm_view_settings *settings)
    __attribute__((warn_unused_result));
void vkm_compare_notes_finish(struct vkm_compare_notes *notes);

/* " ¹", in ASCII " [1]"; nothing for 0. */
void vkm_compare_notes_mark(size_t number, const struct vkm_view_settings *settings,
                            struct vkm_text *text);
/* A line each. */
void vkm_compare_notes_print(const struct vkm_compare_notes *notes,
                             const struct vkm_view_settings *settings, struct vkm_text *text);

#endif
