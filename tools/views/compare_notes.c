/* Footnotes. In: rows that something is to be said of. Out: numbers and lines. Next: compare_table.
 */
#include "views/compare_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "views/compare_heading.h"
#include "views/units.h"

/* The note of that text, made when it is new; NULL: out of memory. There is room. */
static struct vkm_compare_note *note_of(struct vkm_compare_notes *notes, const char *text) {
  for (size_t i = 0; i < notes->count; i++) {
    if (strcmp(notes->items[i].text, text) == 0) {
      return &notes->items[i];
    }
  }
  struct vkm_compare_note *note = &notes->items[notes->count];
  note->text = strdup(text);
  notes->count += note->text != NULL;
  return note->text != NULL ? note : NULL;
}

static void add_runs(struct vkm_compare_note *note, size_t runs) {
  if (runs > 0) {
    note->least_runs = note->least_runs == 0 || runs < note->least_runs ? runs : note->least_runs;
    note->most_runs = runs > note->most_runs ? runs : note->most_runs;
  }
}

/* What a row that is not clear needs is said once for all of them: rows would differ in nothing but
 * the number. That sides cannot be compared stands above the table. */
static void describe(const struct vkm_compared_row *row, const struct vkm_view_settings *settings,
                     struct vkm_text *text) {
  vkm_compare_heading_facts(row, settings, text);
  if (row->verdict == VKM_VERDICT_UNCLEAR && row->reason != NULL) {
    vkm_text_string(text, text->length_bytes > 0 ? "; " : "");
    vkm_compare_heading_why(row, text);
  }
  if (row->beyond_gating) {
    vkm_text_string(text, text->length_bytes > 0 ? "; " : "");
    vkm_text_string(text, "its noise alone exceeds the threshold");
  }
}

bool vkm_compare_notes_init(struct vkm_compare_notes *notes, const struct vkm_panel *panel,
                            size_t row_count, const struct vkm_view_settings *settings) {
  *notes = (struct vkm_compare_notes){calloc(row_count + 1, sizeof *notes->numbers),
                                      calloc(row_count + 1, sizeof *notes->items), 0};
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  bool good = notes->numbers != NULL && notes->items != NULL;
  for (size_t i = 0; good && i < row_count; i++) {
    vkm_text_clear(&text);
    describe(&panel->rows[i], settings, &text);
    if (text.length_bytes > 0) {
      struct vkm_compare_note *note = note_of(notes, text.data);
      good = note != NULL && !text.failed;
      if (good) {
        add_runs(note, panel->rows[i].runs_needed);
        notes->numbers[i] = (size_t)(note - notes->items) + 1;
      }
    }
  }
  vkm_text_finish(&text);
  return good;
}

void vkm_compare_notes_finish(struct vkm_compare_notes *notes) {
  for (size_t i = 0; notes->items != NULL && i < notes->count; i++) {
    free(notes->items[i].text);
  }
  free(notes->items);
  free(notes->numbers);
}

static void append_number(size_t number, const struct vkm_view_settings *settings,
                          struct vkm_text *text) {
  static const char *const high[] = {
      "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹",
  };
  char digits[24];
  snprintf(digits, sizeof digits, settings->ascii ? "[%zu]" : "%zu", number);
  for (const char *digit = digits; *digit; digit++) {
    if (settings->ascii) {
      vkm_text_append(text, digit, 1);
    } else {
      vkm_text_string(text, high[*digit - '0']);
    }
  }
}

void vkm_compare_notes_mark(size_t number, const struct vkm_view_settings *settings,
                            struct vkm_text *text) {
  if (number > 0) {
    vkm_text_string(text, " ");
    append_number(number, settings, text);
  }
}

static void append_runs(const struct vkm_compare_note *note, struct vkm_text *text) {
  if (note->most_runs > 0) {
    vkm_text_string(text, "; about ");
    vkm_format_count(text, note->least_runs);
    if (note->most_runs > note->least_runs) {
      vkm_text_string(text, " to ");
      vkm_format_count(text, note->most_runs);
    }
    vkm_text_string(text, " runs a side would settle it (or steady the machine)");
  }
}

void vkm_compare_notes_print(const struct vkm_compare_notes *notes,
                             const struct vkm_view_settings *settings, struct vkm_text *text) {
  for (size_t i = 0; i < notes->count; i++) {
    append_number(i + 1, settings, text);
    vkm_text_string(text, " ");
    vkm_text_string(text, notes->items[i].text);
    append_runs(&notes->items[i], text);
    vkm_text_string(text, "\n");
  }
}
