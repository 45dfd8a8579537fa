/* Which sheets a report shows. In: a report, what was asked for. Out: sheets, picked. Next: views.
 */
#include "views/shown.h"

#include <string.h>

#include "message.h"

const char *const vkm_sheet_ids[VKM_SHEET_COUNT] = {
    [VKM_SHEET_KERNELS] = "kernels",     [VKM_SHEET_PIPELINES] = "pipelines",
    [VKM_SHEET_FAMILIES] = "families",   [VKM_SHEET_PHASES] = "phases",
    [VKM_SHEET_PLANS] = "plans",         [VKM_SHEET_QUEUES] = "queues",
    [VKM_SHEET_MEMORY] = "memory",       [VKM_SHEET_COVERAGE] = "coverage",
    [VKM_SHEET_BREAKDOWN] = "breakdown",
};

enum { ROWS_ASIDE = 6 };
static const double LEAST_SHARE = 0.001; /* what reads as 0.1 % */

static unsigned bit(enum vkm_sheet_id id) {
  return 1u << id;
}

/* Only rows of work are picked: what is left of memory or of the time would mislead. */
static bool is_picked(enum vkm_sheet_id id) {
  return id != VKM_SHEET_MEMORY && id != VKM_SHEET_COVERAGE && id != VKM_SHEET_BREAKDOWN;
}

/* One part says no more than the heading. */
static bool says_something(const struct vkm_parts *parts, const char *nothing) {
  size_t known = 0;
  for (size_t i = 0; i < parts->count; i++) {
    known += strcmp(parts->items[i].name, nothing) != 0 && parts->items[i].has_time;
  }
  return known > 0 && parts->count > 1;
}

static unsigned aside_of(const struct vkm_section *section) {
  const struct vkm_details *details = &section->details;
  unsigned sheets =
      says_something(&details->families, "unclassified") ? bit(VKM_SHEET_FAMILIES) : 0;
  return sheets | (says_something(&details->phases, "unlabelled") ? bit(VKM_SHEET_PHASES) : 0);
}

/* Bits of what is shown; *aside: those that nobody asked for. */
static unsigned choose(const struct vkm_report *report, const struct vkm_section *section,
                       const struct vkm_pick *pick, bool every, unsigned *aside) {
  *aside = 0;
  if (every) {
    return bit(VKM_SHEET_COUNT) - 1;
  }
  if (pick->sheets != 0) {
    return pick->sheets;
  }
  unsigned sheets = bit((enum vkm_sheet_id)pick->group);
  bool plain = pick->group == VKM_SHEET_KERNELS && pick->filter_count == 0 && pick->columns == NULL;
  if (plain && section != NULL) {
    *aside = aside_of(section);
  } else if (plain && report->breakdown.wall_ns > 0) {
    *aside = bit(VKM_SHEET_BREAKDOWN);
  }
  return sheets | *aside;
}

static bool take(struct vkm_shown *shown, const struct vkm_section *section,
                 const struct vkm_report *report, enum vkm_sheet_id id, struct vkm_sheet *sheet) {
  static struct vkm_sheet (*const plain[VKM_SHEET_COUNT])(const struct vkm_section *section) = {
      [VKM_SHEET_KERNELS] = vkm_sheet_of_kernels,   [VKM_SHEET_FAMILIES] = vkm_sheet_of_families,
      [VKM_SHEET_PHASES] = vkm_sheet_of_phases,     [VKM_SHEET_PLANS] = vkm_sheet_of_plans,
      [VKM_SHEET_QUEUES] = vkm_sheet_of_queues,     [VKM_SHEET_MEMORY] = vkm_sheet_of_memory,
      [VKM_SHEET_COVERAGE] = vkm_sheet_of_coverage,
  };
  if (id == VKM_SHEET_BREAKDOWN) {
    *sheet = vkm_sheet_of_breakdown(&report->breakdown);
    return true;
  }
  if (id == VKM_SHEET_PIPELINES) {
    return vkm_sheet_of_pipelines(report, section, sheet, &shown->made);
  }
  *sheet = plain[id](section);
  return true;
}

/* At a glance, what took next to no time or is not known is left out, and so are counts. */
static void keep_times(struct vkm_picked *picked) {
  size_t kept = 0;
  for (size_t i = 0; i < picked->sheet.row_count; i++) {
    const struct vkm_breakdown_row *row = picked->rows[i];
    if (row->has_share && row->share >= LEAST_SHARE) {
      picked->rows[kept++] = row;
    }
  }
  picked->sheet.row_count = picked->sheet.shown = kept;
  picked->sheet.column_count = VKM_BREAKDOWN_GLANCE;
}

static bool add(struct vkm_shown *shown, const struct vkm_sheet *sheet, enum vkm_sheet_id id,
                const struct vkm_view_settings *settings, bool aside) {
  struct vkm_view_settings how = *settings;
  if (!is_picked(id)) {
    how.pick.filter_count = 0;
    how.pick.sort = NULL;
    how.top = 0;
  } else if (aside && !settings->top_given) {
    how.top = ROWS_ASIDE;
  }
  shown->ids[shown->count] = id;
  shown->aside[shown->count] = aside;
  struct vkm_picked *picked = &shown->items[shown->count++];
  bool good = vkm_pick(sheet, &how, picked);
  if (good && aside && id == VKM_SHEET_BREAKDOWN) {
    keep_times(picked);
  }
  return good;
}

bool vkm_shown_init(struct vkm_shown *shown, const struct vkm_report *report,
                    const struct vkm_section *section, const struct vkm_view_settings *settings,
                    bool every) {
  *shown = (struct vkm_shown){0};
  struct vkm_view_settings how = *settings;
  how.pick.columns = every ? NULL : settings->pick.columns;
  unsigned aside = 0;
  unsigned sheets = choose(report, section, &settings->pick, every, &aside);
  for (int i = 0; i < VKM_SHEET_COUNT; i++) {
    enum vkm_sheet_id id = (enum vkm_sheet_id)i;
    bool here = (id == VKM_SHEET_BREAKDOWN) == (section == NULL);
    struct vkm_sheet sheet;
    if ((sheets & bit(id)) == 0 || !here) {
      continue;
    }
    if (!take(shown, section, report, id, &sheet) ||
        !add(shown, &sheet, id, &how, (aside & bit(id)) != 0)) {
      return false;
    }
  }
  return true;
}

void vkm_shown_finish(struct vkm_shown *shown) {
  for (size_t i = 0; i < shown->count; i++) {
    vkm_picked_finish(&shown->items[i]);
  }
  vkm_made_columns_finish(&shown->made);
}

/* The sheets that are shown, before anything is picked; of the first section that there is. */
static bool gather(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   bool every, struct vkm_sheet *sheets, size_t *count, struct vkm_shown *shown) {
  const struct vkm_read_device device = {0};
  const struct vkm_section nothing = {.device = &device};
  unsigned aside = 0;
  *shown = (struct vkm_shown){0};
  *count = 0;
  const struct vkm_section *section = report->section_count > 0 ? &report->sections[0] : &nothing;
  unsigned chosen = choose(report, section, &settings->pick, every, &aside) & ~aside;
  for (int i = 0; i < VKM_SHEET_COUNT; i++) {
    if ((chosen & bit((enum vkm_sheet_id)i)) != 0 &&
        !take(shown, section, report, (enum vkm_sheet_id)i, &sheets[(*count)++])) {
      return false;
    }
  }
  return true;
}

bool vkm_shown_check(const struct vkm_report *report, const struct vkm_view_settings *settings) {
  struct vkm_sheet sheets[VKM_SHEET_COUNT];
  struct vkm_shown shown;
  size_t count = 0;
  bool good = gather(report, settings, false, sheets, &count, &shown);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
  }
  good = good && vkm_pick_check(&settings->pick, sheets, count);
  vkm_made_columns_finish(&shown.made);
  return good;
}

void vkm_shown_help(const struct vkm_report *report, const struct vkm_view_settings *settings,
                    struct vkm_text *text) {
  struct vkm_sheet sheets[VKM_SHEET_COUNT];
  struct vkm_shown shown;
  size_t count = 0;
  text->failed = !gather(report, settings, true, sheets, &count, &shown) || text->failed;
  if (!text->failed) {
    vkm_pick_help(sheets, count, settings, text);
  }
  vkm_made_columns_finish(&shown.made);
}
