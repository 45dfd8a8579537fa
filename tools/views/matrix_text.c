/* The matrix as a table, Markdown and CSV. In: a matrix. Out: text. Next: stdout or a file. */
#include "views/heading.h"
#include "views/matrix_views.h"
#include "views/term.h"

/* The line of a column: its number, its label, its runs. */
static void append_column(const struct vkm_matrix *matrix, size_t index,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_matrix_column *column = &matrix->columns[index];
  vkm_text_u64(text, index + 1);
  vkm_text_string(text, "  ");
  vkm_term_name(text, column->label, 0, settings->ascii);
  vkm_text_string(text, settings->ascii ? " - " : " · ");
  vkm_heading_plural(text, column->run_count, "run", "runs");
  vkm_text_string(text, column->device->software ? ", on the CPU: no GPU times" : "");
}

static void append_head(const struct vkm_matrix *matrix, struct vkm_text *text) {
  vkm_heading_plural(text, matrix->row_count, "kernel", "kernels");
  vkm_text_string(text, " in ");
  vkm_heading_plural(text, matrix->column_count, "place", "places");
  vkm_text_string(text, ": median of one execution over n runs");
}

static void append_failed(const struct vkm_matrix *matrix, struct vkm_text *text) {
  if (matrix->side->error_count > 0) {
    vkm_heading_plural(text, matrix->side->error_count, "run", "runs");
    vkm_text_string(text, " failed, and stand in no column");
  }
}

/* Everything of a sheet that people get; `md` escapes and puts each line into a paragraph. */
struct writer {
  const struct vkm_view_settings *settings;
  struct vkm_text part;
  struct vkm_text *text;
  bool md;
};

static void end_line(struct writer *writer, enum vkm_style style, const char *before) {
  struct vkm_text *part = &writer->part;
  if (part->length_bytes > 0 && writer->md) {
    vkm_text_string(writer->text, before);
    vkm_md_escaped(writer->text, part->data, part->length_bytes);
    vkm_text_string(writer->text, "\n");
  } else if (part->length_bytes > 0) {
    vkm_term_style(writer->text, writer->settings, style);
    vkm_text_append(writer->text, part->data, part->length_bytes);
    vkm_term_style(writer->text, writer->settings, VKM_STYLE_PLAIN);
    vkm_text_string(writer->text, "\n");
  }
  writer->text->failed = writer->text->failed || part->failed;
  vkm_text_clear(part);
}

static void append_rows(const struct vkm_picked *picked, struct writer *writer) {
  vkm_text_string(writer->text, "\n");
  vkm_heading_filter(picked, &writer->part);
  end_line(writer, VKM_STYLE_WARN, "");
  if (picked->sheet.shown > 0 && writer->md) {
    size_t shown = vkm_sheet_md_within(&picked->sheet, writer->settings,
                                       vkm_md_limit(writer->settings), writer->text);
    vkm_md_left_out(picked->sheet.shown - shown, &writer->part);
    end_line(writer, VKM_STYLE_WARN, "\n");
  } else if (picked->sheet.shown > 0) {
    vkm_sheet_table(&picked->sheet, writer->settings, writer->text);
  }
  vkm_heading_rest(picked, writer->settings, &writer->part);
  end_line(writer, VKM_STYLE_FAINT, "\n");
}

static void append_all(const struct vkm_matrix *matrix, struct writer *writer) {
  append_failed(matrix, &writer->part);
  end_line(writer, VKM_STYLE_WARN, "");
  append_head(matrix, &writer->part);
  end_line(writer, VKM_STYLE_STRONG, "### ");
  vkm_text_string(writer->text, "\n");
  for (size_t i = 0; i < matrix->column_count; i++) {
    append_column(matrix, i, writer->settings, &writer->part);
    end_line(writer, VKM_STYLE_PLAIN, "* ");
  }
  struct vkm_matrix_sheet made;
  struct vkm_picked picked = {0};
  bool good =
      vkm_matrix_sheet_init(&made, matrix) && vkm_pick(&made.sheet, writer->settings, &picked);
  writer->text->failed = writer->text->failed || !good;
  if (good) {
    append_rows(&picked, writer);
  }
  vkm_picked_finish(&picked);
  vkm_matrix_sheet_finish(&made);
}

static void print(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                  struct vkm_text *text, bool md) {
  struct writer writer = {.settings = settings, .text = text, .md = md};
  vkm_text_init(&writer.part, SIZE_MAX);
  append_all(matrix, &writer);
  vkm_text_finish(&writer.part);
}

void vkm_matrix_table(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                      struct vkm_text *text) {
  print(matrix, settings, text, false);
}

void vkm_matrix_md(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  print(matrix, settings, text, true);
}

void vkm_matrix_csv(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                    struct vkm_text *text) {
  struct vkm_matrix_sheet made;
  struct vkm_picked picked = {0};
  bool good = vkm_matrix_sheet_init(&made, matrix) && vkm_pick(&made.sheet, settings, &picked);
  text->failed = text->failed || !good;
  if (good) {
    vkm_sheet_csv_head(&picked.sheet, text);
    vkm_sheet_csv_rows(&picked.sheet, settings, text);
  }
  vkm_picked_finish(&picked);
  vkm_matrix_sheet_finish(&made);
}
