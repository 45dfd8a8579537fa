/* Bencher's metric format: one gpu-time in ns for each row. In: a report, or the new side of a
 * comparison. Out: one JSON object. Next: bencher, or another keeper of histories. */
#include <string.h>

#include "views/compare_words.h"
#include "views/members.h"
#include "views/tables.h"

#include "model/comparison.h"
#include "model/report.h"

/* A row's key: its name and groups, and where there are several tables, what tells them apart. */
static void open_metric(const char *id, const char *device, size_t ordinal, struct vkm_text *text) {
  struct vkm_text key;
  vkm_text_init(&key, SIZE_MAX);
  vkm_text_string(&key, id);
  if (device != NULL) {
    vkm_text_string(&key, "@");
    vkm_text_string(&key, device);
  }
  if (ordinal > 0) {
    vkm_text_string(&key, "#");
    vkm_text_u64(&key, ordinal + 1);
  }
  vkm_text_string(text, text->data[text->length_bytes - 1] == '{' ? "\n" : ",\n");
  vkm_text_json(text, key.length_bytes > 0 ? key.data : "");
  vkm_text_string(text, ":{");
  vkm_member_open(text, "gpu-time", "{");
  text->failed = text->failed || key.failed;
  vkm_text_finish(&key);
}

static void append_metric(double value, double low, double high, struct vkm_text *text) {
  vkm_member_number(text, "value", true, value);
  vkm_member_number(text, "lower_value", true, low);
  vkm_member_number(text, "upper_value", true, high);
  vkm_text_string(text, "}}");
}

static const char *device_name(const char *name) {
  return name != NULL ? name : "unnamed device";
}

static void append_report_row(const struct vkm_row *row, const char *device, size_t ordinal,
                              struct vkm_text *text) {
  struct vkm_compared_row named = {
      .name = row->name, .is_dispatch = row->is_dispatch, .has_groups = row->has_groups};
  memcpy(named.groups, row->groups, sizeof named.groups);
  struct vkm_text id;
  vkm_text_init(&id, SIZE_MAX);
  vkm_compare_id(&named, &id);
  open_metric(id.length_bytes > 0 ? id.data : "", device, ordinal, text);
  text->failed = text->failed || id.failed;
  vkm_text_finish(&id);
  append_metric(row->median_ns, row->min_ns, row->has_tail ? row->p95_ns : row->max_ns, text);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  vkm_text_string(text, "{");
  for (size_t i = 0; i < report->section_count; i++) {
    const struct vkm_section *section = &report->sections[i];
    const char *device = device_name(section->device->name);
    size_t ordinal = 0;
    for (size_t before = 0; before < i; before++) {
      ordinal += strcmp(device_name(report->sections[before].device->name), device) == 0;
    }
    for (size_t row = 0; row < section->row_count; row++) {
      if (section->rows[row].has_figures && (settings->top == 0 || row < settings->top)) {
        append_report_row(&section->rows[row], report->section_count > 1 ? device : NULL, ordinal,
                          text);
      }
    }
  }
  vkm_text_string(text, "\n}\n");
}

static void append_row(const struct vkm_compared_row *row, const char *device, size_t ordinal,
                       struct vkm_text *text) {
  const struct vkm_compared_side *side = &row->sides[VKM_NEW];
  double low = side->center_ns;
  double high = side->center_ns;
  for (size_t i = 0; i < side->run_count; i++) {
    low = side->run_ns[i] < low ? side->run_ns[i] : low;
    high = side->run_ns[i] > high ? side->run_ns[i] : high;
  }
  struct vkm_text id;
  vkm_text_init(&id, SIZE_MAX);
  vkm_compare_id(row, &id);
  open_metric(id.length_bytes > 0 ? id.data : "", device, ordinal, text);
  text->failed = text->failed || id.failed;
  vkm_text_finish(&id);
  append_metric(side->center_ns, low, high, text);
}

static void compare(const struct vkm_comparison *comparison,
                    const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "{");
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    const char *device = device_name(vkm_compare_device(panel));
    size_t ordinal = 0;
    for (size_t before = 0; before < i; before++) {
      ordinal += strcmp(device_name(vkm_compare_device(&comparison->panels[before])), device) == 0;
    }
    for (size_t row = 0; row < panel->row_count; row++) {
      if (panel->rows[row].sides[VKM_NEW].has_time && (settings->top == 0 || row < settings->top)) {
        append_row(&panel->rows[row], comparison->panel_count > 1 ? device : NULL, ordinal, text);
      }
    }
  }
  vkm_text_string(text, "\n}\n");
}

const struct vkm_view vkm_view_bmf = {
    "bmf",   "for bencher: median (of compare: of new), least and p95 (largest of the runs), ns",
    true,    report,
    compare, NULL};
