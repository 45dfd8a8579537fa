/* Sentences around a table. In: a section. Out: text. Next: table, markdown. */
#include "views/heading.h"

#include <string.h>

#include "model/side.h"
#include "views/term.h"
#include "views/units.h"

void vkm_heading_plural(struct vkm_text *text, uint64_t count, const char *one, const char *many) {
  vkm_format_count(text, count);
  vkm_text_string(text, " ");
  vkm_text_string(text, count == 1 ? one : many);
}

static void separate(const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, settings->ascii ? " - " : " · ");
}

static void append_driver(const struct vkm_read_device *device,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "driver ");
  if (device->driver_name != NULL) {
    vkm_term_name(text, device->driver_name, 0, settings->ascii);
    vkm_text_string(text, " ");
  }
  bool has_info = device->driver_info != NULL && *device->driver_info;
  vkm_term_name(text, has_info ? device->driver_info : device->driver_version, 0, settings->ascii);
}

void vkm_heading_device(const struct vkm_section *section, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  const struct vkm_read_device *device = section->device;
  vkm_term_name(text, device->name ? device->name : "unnamed device", 0, settings->ascii);
  separate(settings, text);
  append_driver(device, settings, text);
  separate(settings, text);
  vkm_text_string(text, "vkmeter ");
  vkm_term_name(text, section->vkmeter_version ? section->vkmeter_version : "of unknown version", 0,
                settings->ascii);
  separate(settings, text);
  vkm_heading_plural(text, section->run_count, "run", "runs");
  if (section->device_count > section->run_count) {
    vkm_text_string(text, ", opened ");
    vkm_heading_plural(text, section->device_count, "time", "times");
  }
  separate(settings, text);
  if (section->queue_count == 0) {
    vkm_text_string(text, "nothing timed on any queue");
    return;
  }
  vkm_format_duration(text, (double)section->busy_ns, settings->ascii);
  vkm_text_string(text, device->software ? " driver time on " : " GPU time on ");
  vkm_heading_plural(text, section->queue_count, "queue", "queues");
}

/* Each cause once, in order of first sight. */
static void append_causes(const struct vkm_side *side, const struct vkm_view_settings *settings,
                          struct vkm_text *text) {
  for (size_t i = 0; i < side->error_count; i++) {
    bool again = false;
    for (size_t before = 0; before < i; before++) {
      again = again || strcmp(side->errors[before].cause, side->errors[i].cause) == 0;
    }
    if (!again) {
      vkm_text_string(text, i == 0 ? ": " : ", ");
      vkm_term_name(text, side->errors[i].cause, 0, settings->ascii);
    }
  }
}

void vkm_heading_failed(const struct vkm_report *report, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  const struct vkm_side *side = report->side;
  if (side == NULL || side->error_count == 0) {
    return;
  }
  vkm_format_count(text, side->error_count);
  vkm_text_string(text, " of ");
  vkm_heading_plural(text, side->run_count + side->error_count, "run", "runs");
  vkm_text_string(text, " failed");
  append_causes(side, settings, text);
}

static void append_reasons(const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  for (size_t i = 0; i < section->reason_count; i++) {
    const struct vkm_reason_count *reason = &section->reasons[i];
    vkm_text_string(text, i == 0 ? " (" : ", ");
    if (section->reason_count > 1) {
      vkm_format_count(text, reason->count);
      vkm_text_string(text, " ");
    }
    vkm_text_string(text, reason->outcome);
    vkm_text_string(text, ": ");
    vkm_term_name(text, reason->name, 0, settings->ascii);
  }
  vkm_text_string(text, section->reason_count > 0 ? ")" : "");
}

void vkm_heading_data(const struct vkm_section *section, const struct vkm_view_settings *settings,
                      struct vkm_text *text) {
  if (!section->device->profiled) {
    vkm_text_string(text, "not profiled: ");
    vkm_term_name(text,
                  section->device->not_profiled_reason ? section->device->not_profiled_reason
                                                       : "no reason given",
                  0, settings->ascii);
    return;
  }
  vkm_heading_plural(text, section->measured - section->other_measured, "dispatch", "dispatches");
  if (section->other_measured > 0) {
    vkm_text_string(text, " and ");
    vkm_heading_plural(text, section->other_measured, "other command", "other commands");
  }
  vkm_text_string(text, " timed, ");
  vkm_format_count(text, section->not_timed);
  vkm_text_string(text, " not timed");
  append_reasons(section, settings, text);
  if (section->control > 0) {
    vkm_text_string(text, ", ");
    vkm_format_count(text, section->control);
    vkm_text_string(text, " in control spans");
  }
  separate(settings, text);
  vkm_text_string(text, "tick ");
  if (section->device->has_period) {
    vkm_format_duration(text, section->device->period_ns, settings->ascii);
  } else {
    vkm_text_string(text, "unknown");
  }
  separate(settings, text);
  vkm_text_string(text, "measured ");
  vkm_term_name(text, section->mode ? section->mode : "in an unknown mode", 0, settings->ascii);
  for (size_t i = 0; i < section->chosen->count; i++) {
    vkm_text_string(text, ", only ");
    vkm_term_name(text, section->chosen->items[i].name, 0, settings->ascii);
    vkm_text_string(text, " ");
    vkm_term_name(text, section->chosen->items[i].value, 0, settings->ascii);
  }
}

void vkm_heading_software(const struct vkm_section *section, struct vkm_text *text) {
  if (section->device->software) {
    vkm_text_string(text, "software driver: times are not GPU times");
  }
}

static void append_share(const struct vkm_picked *picked, double share, struct vkm_text *text) {
  if (picked->has_share) {
    vkm_text_string(text, ", ");
    vkm_format_percent(text, share);
    vkm_text_string(text, " % of time");
  }
}

void vkm_heading_rest(const struct vkm_picked *picked, const struct vkm_view_settings *settings,
                      struct vkm_text *text) {
  if (picked->cut == 0) {
    return;
  }
  vkm_text_string(text, settings->ascii ? "... " : "… ");
  vkm_heading_plural(text, picked->cut, "more row", "more rows");
  append_share(picked, picked->cut_share, text);
  vkm_text_string(text, " (-n 0 shows all)");
}

void vkm_heading_filter(const struct vkm_picked *picked, struct vkm_text *text) {
  if (!picked->filtered) {
    return;
  }
  vkm_text_string(text, "filtered: ");
  vkm_heading_plural(text, picked->hidden, "row is", "rows are");
  vkm_text_string(text, " hidden");
  append_share(picked, picked->hidden_share, text);
}

void vkm_heading_breakdown(const struct vkm_breakdown *breakdown,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "where the time went: ");
  vkm_format_duration(text, (double)breakdown->wall_ns, settings->ascii);
  vkm_text_string(text, " from the first Vulkan call to the end");
  if (breakdown->process_count > 1) {
    vkm_text_string(text, ", of ");
    vkm_heading_plural(text, breakdown->process_count, "process", "processes");
    vkm_text_string(text, " together");
  }
}

void vkm_heading_overlaps(const struct vkm_breakdown *breakdown,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, "these overlap and do not add up");
  if (breakdown->overlap_ns > 0) {
    vkm_text_string(text, "; devices worked and moved bytes at once for ");
    vkm_format_duration(text, (double)breakdown->overlap_ns, settings->ascii);
  }
  if (breakdown->unsplit_ns > 0) {
    vkm_text_string(text, "; recordings timed as a whole did both in ");
    vkm_format_duration(text, (double)breakdown->unsplit_ns, settings->ascii);
  }
  if (breakdown->hitch_count > 0) {
    vkm_text_string(text, "; ");
    vkm_heading_plural(text, breakdown->hitch_count, "pipeline was", "pipelines were");
    vkm_text_string(text, " built between two submissions, which took ");
    vkm_format_duration(text, (double)breakdown->hitch_ns, settings->ascii);
  }
}

void vkm_heading_warmup(const struct vkm_section *section, struct vkm_text *text) {
  if (section->warmup_count == 0) {
    return;
  }
  vkm_heading_plural(text, section->warmup_count, "first use of a pipeline",
                     "first uses of pipelines");
  vkm_text_string(text, " set aside as warm-up (--warmup=0 keeps ");
  vkm_text_string(text, section->warmup_count == 1 ? "it)" : "them)");
}

void vkm_heading_first_use(const struct vkm_section *section, struct vkm_text *text) {
  if (section->only_first_use_count == 0) {
    return;
  }
  vkm_heading_plural(text, section->only_first_use_count, "row holds", "rows hold");
  vkm_text_string(text,
                  " nothing but the first use of a pipeline, which is slower than later ones: "
                  "marked 1st");
}
