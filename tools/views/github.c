/* A comparison as annotations of GitHub Actions. In: a judged comparison. Out: workflow commands,
 * ten at most, which is as many as a step shows. Next: the log of the step. */
#include "views/github.h"
#include "model/side.h"
#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/tables.h"

enum { MOST = VKM_GITHUB_MOST };

/* Appends a text so that it stays within its command; a property ends at a colon or comma too. */
static void append_escaped(const struct vkm_text *part, bool property, struct vkm_text *text) {
  for (size_t i = 0; i < part->length_bytes; i++) {
    switch (part->data[i]) {
    case '%':
      vkm_text_string(text, "%25");
      break;
    case '\r':
      vkm_text_string(text, "%0D");
      break;
    case '\n':
      vkm_text_string(text, "%0A");
      break;
    case ':':
      vkm_text_string(text, property ? "%3A" : ":");
      break;
    case ',':
      vkm_text_string(text, property ? "%2C" : ",");
      break;
    default:
      vkm_text_append(text, part->data + i, 1);
    }
  }
  text->failed = text->failed || part->failed;
}

void vkm_github_command(const char *level, const struct vkm_text *title,
                        const struct vkm_text *message, struct vkm_text *text) {
  vkm_text_string(text, "::");
  vkm_text_string(text, level);
  vkm_text_string(text, " title=");
  append_escaped(title, true, text);
  vkm_text_string(text, "::");
  append_escaped(message, false, text);
  vkm_text_string(text, "\n");
}

static void annotate_row(const struct vkm_compared_row *row, bool gated,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text title;
  struct vkm_text message;
  vkm_text_init(&title, SIZE_MAX);
  vkm_text_init(&message, SIZE_MAX);
  vkm_text_string(&title, vkm_compare_verdict(row->verdict));
  vkm_text_string(&title, ": ");
  vkm_compare_heading_name(row, settings, &title);
  vkm_compare_heading_row(row, settings, &message);
  if (row->statistic_count > 0) {
    vkm_text_string(&message, "\n");
    vkm_compare_heading_statistics(row, settings, &message);
  }
  if (row->verdict == VKM_VERDICT_UNCLEAR) {
    vkm_text_string(&message, "\n");
    vkm_compare_heading_reason(row, &message);
  }
  vkm_github_command(gated ? "error" : "warning", &title, &message, text);
  vkm_text_finish(&title);
  vkm_text_finish(&message);
}

/* What is looked for when nobody asked for a gate. */
static bool alarms(enum vkm_verdict verdict) {
  return verdict == VKM_VERDICT_SLOWER || verdict == VKM_VERDICT_LIKELY_SLOWER ||
         verdict == VKM_VERDICT_GONE;
}

static size_t annotate_rows(const struct vkm_comparison *comparison, bool gated, size_t room,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    for (size_t at = 0; at < panel->row_count && room > 0; at++) {
      const struct vkm_compared_row *row = &panel->rows[at];
      bool trips = vkm_gate_trips(&comparison->gate, row);
      if (gated ? trips : !trips && alarms(row->verdict)) {
        annotate_row(row, gated, settings, text);
        room--;
      }
    }
  }
  return room;
}

static size_t annotate_errors(const struct vkm_comparison *comparison, size_t room,
                              const struct vkm_view_settings *settings, struct vkm_text *text) {
  for (int side = 0; side < VKM_SIDES; side++) {
    if (comparison->sides[side]->error_count > 0 && room > 0) {
      struct vkm_text title;
      struct vkm_text message;
      vkm_text_init(&title, SIZE_MAX);
      vkm_text_init(&message, SIZE_MAX);
      vkm_text_string(&title, side == VKM_BASE ? "runs of base failed" : "runs of new failed");
      vkm_compare_heading_errors(comparison->sides[side], settings, &message);
      vkm_github_command("error", &title, &message, text);
      vkm_text_finish(&title);
      vkm_text_finish(&message);
      room--;
    }
  }
  return room;
}

static void line(struct vkm_text *part) {
  if (part->length_bytes > 0 && part->data[part->length_bytes - 1] != '\n') {
    vkm_text_string(part, "\n");
  }
}

static void sum_up(const struct vkm_comparison *comparison,
                   const struct vkm_view_settings *settings, struct vkm_text *text) {
  bool tripped = comparison->gate.tripped != 0;
  struct vkm_text title;
  struct vkm_text message;
  vkm_text_init(&title, SIZE_MAX);
  vkm_text_init(&message, SIZE_MAX);
  vkm_text_string(&title, "vkmeter compare");
  vkm_compare_heading_verdicts(comparison->verdict_counts, &message);
  for (size_t i = 0; i < comparison->panel_count && i < MOST; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    line(&message);
    vkm_compare_heading_total(panel, settings, &message);
    line(&message);
    vkm_compare_heading_controls(panel, settings, &message);
    line(&message);
    vkm_text_string(&message, panel->incomparable_because ? panel->incomparable_because : "");
  }
  line(&message);
  vkm_compare_heading_gate(&comparison->gate, &message);
  while (message.length_bytes > 0 && message.data[message.length_bytes - 1] == '\n') {
    vkm_text_cut(&message, message.length_bytes - 1);
  }
  vkm_github_command(tripped ? "error" : "notice", &title, &message, text);
  vkm_text_finish(&title);
  vkm_text_finish(&message);
}

static void compare(const struct vkm_comparison *comparison,
                    const struct vkm_view_settings *settings, struct vkm_text *text) {
  size_t room = annotate_errors(comparison, MOST, settings, text);
  room = annotate_rows(comparison, true, room, settings, text);
  annotate_rows(comparison, false, room, settings, text);
  sum_up(comparison, settings, text);
}

const struct vkm_view vkm_view_github = {
    "github", "annotations of GitHub Actions, ten at most (compare)", false, NULL, compare, NULL};
