/* A matrix in the formats that it has. Each appends the whole text. Main thread. */
#ifndef VKM_TOOLS_VIEWS_MATRIX_VIEWS_H
#define VKM_TOOLS_VIEWS_MATRIX_VIEWS_H

#include "model/matrix.h"
#include "views/pick.h"

void vkm_matrix_table(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                      struct vkm_text *text);
void vkm_matrix_md(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                   struct vkm_text *text);
void vkm_matrix_csv(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                    struct vkm_text *text);
/* Schema vkmeter.matrix/1: matrix.schema.json. */
void vkm_matrix_json(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                     struct vkm_text *text);

/* The matrix as a sheet: its columns are made for it. */
struct vkm_matrix_sheet {
  struct vkm_sheet sheet;
  struct vkm_column *items; /* owned, as everything below */
  const struct vkm_column **all, **people;
  size_t *indices; /* of the matrix's columns */
  char **texts;    /* headers and ids */
  size_t text_count;
};
/* False: out of memory; finish is needed in any case. */
bool vkm_matrix_sheet_init(struct vkm_matrix_sheet *made, const struct vkm_matrix *matrix)
    __attribute__((warn_unused_result));
void vkm_matrix_sheet_finish(struct vkm_matrix_sheet *made);

/* Whether --columns, --sort and --filter name what the matrix has. False: reported. */
bool vkm_matrix_check(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings)
    __attribute__((warn_unused_result));

#endif
