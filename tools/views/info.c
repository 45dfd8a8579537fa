/* Environment and data quality of a profile. In: a profile. Out: text. Next: stdout. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "count.h"
#include "measure/reasons.h"
#include "profile/profile_read.h"
#include "views/heading.h"
#include "views/term.h"
#include "views/units.h"
#include "views/view.h"

enum { LABEL = 15, TEXT_WIDTH = 98 };

struct sheet {
  const struct vkm_view_settings *settings;
  struct vkm_text *text;
};

static void title(struct sheet *sheet, const char *words) {
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_STRONG);
  vkm_term_name(sheet->text, words, 0, sheet->settings->ascii);
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_PLAIN);
  vkm_text_string(sheet->text, "\n");
}

static void label(struct sheet *sheet, const char *name) {
  vkm_text_string(sheet->text, "  ");
  vkm_term_name(sheet->text, name, 0, sheet->settings->ascii);
  for (size_t i = strlen(name); i < LABEL; i++) {
    vkm_text_string(sheet->text, " ");
  }
  vkm_text_string(sheet->text, " ");
}

static void word(struct sheet *sheet, const char *value) {
  vkm_term_name(sheet->text, value ? value : "unknown", 0, sheet->settings->ascii);
}

static void line(struct sheet *sheet, const char *name, const char *value) {
  label(sheet, name);
  word(sheet, value);
  vkm_text_string(sheet->text, "\n");
}

static void count_line(struct sheet *sheet, const char *name, uint64_t count) {
  label(sheet, name);
  vkm_format_count(sheet->text, count);
  vkm_text_string(sheet->text, "\n");
}

static void duration(struct sheet *sheet, double ns) {
  vkm_format_duration(sheet->text, ns, sheet->settings->ascii);
}

/* Words up to the given column, then the next line. */
static void wrapped(struct sheet *sheet, const char *words) {
  size_t column = 0;
  while (*words) {
    size_t length = strcspn(words, " ");
    if (column == 0 || column + 1 + length > TEXT_WIDTH) {
      vkm_text_string(sheet->text, column == 0 ? "  " : "\n  ");
      column = 2;
    } else {
      vkm_text_string(sheet->text, " ");
      column++;
    }
    vkm_text_append(sheet->text, words, length);
    column += length;
    words += length + strspn(words + length, " ");
  }
  vkm_text_string(sheet->text, "\n");
}

static void show_run(struct sheet *sheet, const struct vkm_read_profile *profile) {
  const struct vkm_read_run *run = &profile->run;
  line(sheet, "program", run->executable);
  if (run->application_name != NULL) {
    line(sheet, "application", run->application_name);
  }
  if (run->engine_name != NULL) {
    line(sheet, "engine", run->engine_name);
  }
  label(sheet, "process");
  vkm_text_i64(sheet->text, run->pid);
  vkm_text_string(sheet->text, "\n");
  label(sheet, "started");
  vkm_format_date(sheet->text, run->started_unix_ns);
  vkm_text_string(sheet->text, "\n");
  label(sheet, "duration");
  duration(sheet, (double)run->duration_ns);
  vkm_text_string(sheet->text, "\n");
  label(sheet, "complete");
  vkm_text_string(sheet->text, profile->complete ? "yes, " : "NO, ");
  word(sheet, profile->end_reason);
  vkm_text_string(sheet->text, "\n");
  line(sheet, "vkmeter", run->vkmeter_version);
  for (size_t i = 0; i < run->tags.count; i++) {
    label(sheet, i == 0 ? "tags" : "");
    word(sheet, run->tags.items[i].name);
    vkm_text_string(sheet->text, "=");
    word(sheet, run->tags.items[i].value);
    vkm_text_string(sheet->text, "\n");
  }
}

static void show_environment(struct sheet *sheet, const struct vkm_read_profile *profile) {
  title(sheet, "Environment");
  line(sheet, "system", profile->os);
  line(sheet, "kernel", profile->kernel);
  line(sheet, "architecture", profile->arch);
  line(sheet, "processor", profile->cpu);
  if (profile->workload_tag != NULL) {
    line(sheet, "workload", profile->workload_tag);
  }
  line(sheet, "segment", profile->segment_key);
}

static void show_capabilities(struct sheet *sheet, const struct vkm_read_device *device) {
  for (size_t i = 0; i < device->enabled_count; i++) {
    line(sheet, i == 0 ? "enabled by us" : "", device->enabled[i]);
  }
  for (size_t i = 0; i < device->capability_count; i++) {
    const struct vkm_read_capability *capability = &device->capabilities[i];
    label(sheet, i == 0 ? "capabilities" : "");
    word(sheet, capability->name);
    vkm_text_string(sheet->text, capability->available ? ": yes" : ": no");
    if (!capability->available && capability->reason != NULL) {
      vkm_text_string(sheet->text, ", ");
      word(sheet, capability->reason);
    }
    vkm_text_string(sheet->text, "\n");
  }
}

/* What the program asked of each heap, and of what it mapped. */
static void show_memory(struct sheet *sheet, const struct vkm_read_memory *memory) {
  for (size_t i = 0; i < memory->heap_count; i++) {
    const struct vkm_read_heap *heap = &memory->heaps[i];
    if (!heap->known) {
      continue;
    }
    label(sheet, i == 0 ? "memory" : "");
    vkm_format_bytes(sheet->text, heap->peak_bytes);
    vkm_text_string(sheet->text, " at most of ");
    vkm_format_bytes(sheet->text, heap->size_bytes);
    vkm_text_string(sheet->text, heap->device_local ? ", device-local" : "");
    if (heap->allocated_bytes > 0) {
      vkm_text_string(sheet->text, ", ");
      vkm_format_bytes(sheet->text, heap->allocated_bytes);
      vkm_text_string(sheet->text, " at the end");
    }
    vkm_text_string(sheet->text, "\n");
  }
  if (memory->allocations_total > 0) {
    label(sheet, "allocations");
    vkm_heading_plural(sheet->text, memory->allocations_total, "allocation", "allocations");
    vkm_text_string(sheet->text, ", ");
    vkm_format_count(sheet->text, memory->allocations_peak);
    vkm_text_string(sheet->text, " at a time, mapped ");
    vkm_format_bytes(sheet->text, memory->mapped_peak_bytes);
    vkm_text_string(sheet->text, " at most\n");
  }
}

static void show_device(struct sheet *sheet, const struct vkm_read_profile *profile, size_t index) {
  const struct vkm_read_device *device = &profile->devices[index];
  char heading[32];
  snprintf(heading, sizeof heading, "Device %zu", index);
  title(sheet, heading);
  line(sheet, "name", device->name);
  line(sheet, "type", device->type);
  if (device->software) {
    line(sheet, "", "SOFTWARE driver: times are not GPU times");
  }
  line(sheet, "driver", device->driver_name);
  line(sheet, "driver info", device->driver_info);
  line(sheet, "driver version", device->driver_version);
  if (!device->profiled) {
    line(sheet, "not profiled", device->not_profiled_reason);
  }
  line(sheet, "at the end", device->end);
  label(sheet, "tick");
  if (device->has_period) {
    duration(sheet, device->period_ns);
  } else {
    vkm_text_string(sheet->text, "unknown");
  }
  vkm_text_string(sheet->text, "\n");
  label(sheet, "clock");
  word(sheet, device->clock_source);
  vkm_text_string(sheet->text, device->clock_mismatch ? ", contradicts the host's clock\n" : "\n");
  show_capabilities(sheet, device);
  show_memory(sheet, &device->memory);
  for (size_t i = 0; i < profile->queue_count; i++) {
    const struct vkm_read_queue *queue = &profile->queues[i];
    if (queue->device != index) {
      continue;
    }
    label(sheet, "queue");
    vkm_text_u64(sheet->text, queue->family);
    vkm_text_string(sheet->text, ".");
    vkm_text_u64(sheet->text, queue->index);
    vkm_text_string(sheet->text, ": ");
    vkm_heading_plural(sheet->text, queue->submissions, "submission", "submissions");
    vkm_text_string(sheet->text, ", ");
    vkm_heading_plural(sheet->text, queue->command_buffers, "command buffer", "command buffers");
    if (queue->has_busy) {
      vkm_text_string(sheet->text, ", busy ");
      duration(sheet, (double)queue->busy_ns);
    }
    vkm_text_string(sheet->text, "\n");
  }
}

/* The sentence of a reason; NULL for one that this vkmeter does not know. */
static const char *sentence(const struct vkm_read_reason *reason) {
  static const struct {
    const char *outcome;
    const char *const *names, *const *texts;
    size_t count;
  } groups[] = {
      {"untimed", vkm_untimed_names, vkm_untimed_texts, VKM_UNTIMED_COUNT},
      {"missed", vkm_missed_names, vkm_missed_texts, VKM_MISSED_COUNT},
      {"rejected", vkm_rejected_names, vkm_rejected_texts, VKM_REJECTED_COUNT},
  };
  for (size_t group = 0; group < VKM_COUNT(groups); group++) {
    for (size_t i = 0;
         strcmp(groups[group].outcome, reason->outcome) == 0 && i < groups[group].count; i++) {
      if (strcmp(groups[group].names[i], reason->name) == 0) {
        return groups[group].texts[i];
      }
    }
  }
  return NULL;
}

static void show_coverage(struct sheet *sheet, const struct vkm_read_profile *profile) {
  const struct vkm_read_outcomes *dispatches = &profile->dispatches;
  title(sheet, "Dispatches");
  count_line(sheet, "recorded", profile->dispatches_recorded);
  count_line(sheet, "executed", dispatches->executed);
  count_line(sheet, "timed", dispatches->measured);
  if (dispatches->control > 0) {
    count_line(sheet, "control", dispatches->control);
  }
  for (size_t i = 0; i < dispatches->reason_count; i++) {
    const struct vkm_read_reason *reason = &dispatches->reasons[i];
    label(sheet, reason->outcome);
    vkm_format_count(sheet->text, reason->count);
    vkm_text_string(sheet->text, " ");
    word(sheet, reason->name);
    const char *words = sentence(reason);
    if (words != NULL) {
      vkm_text_string(sheet->text, ": ");
      vkm_text_string(sheet->text, words);
    }
    vkm_text_string(sheet->text, "\n");
  }
  if (profile->beyond_rows.executed > 0) {
    count_line(sheet, "in no row", profile->beyond_rows.executed);
  }
}

static void show_contract(struct sheet *sheet, const struct vkm_read_profile *profile) {
  title(sheet, "What the times are");
  line(sheet, "mode", profile->mode);
  for (size_t i = 0; i < profile->chosen.count; i++) {
    label(sheet, i == 0 ? "only" : "and only");
    word(sheet, profile->chosen.items[i].name);
    vkm_text_string(sheet->text, " ");
    word(sheet, profile->chosen.items[i].value);
    vkm_text_string(sheet->text, "\n");
  }
  if (profile->contract_text != NULL) {
    wrapped(sheet, profile->contract_text);
  }
}

static void show_settings(struct sheet *sheet, const struct vkm_read_run *run) {
  if (run->settings.count + run->rejected_count > 0) {
    title(sheet, "Settings");
  }
  for (size_t i = 0; i < run->settings.count; i++) {
    label(sheet, run->settings.items[i].name);
    word(sheet, run->settings.items[i].value);
    vkm_text_string(sheet->text, "\n");
  }
  for (size_t i = 0; i < run->rejected_count; i++) {
    const struct vkm_read_setting_rejected *rejected = &run->rejected[i];
    label(sheet, "NOT UNDERSTOOD");
    word(sheet, rejected->name);
    vkm_text_string(sheet->text, "=");
    word(sheet, rejected->value);
    vkm_text_string(sheet->text, "; accepted: ");
    word(sheet, rejected->accepted ? rejected->accepted : "no setting has this name");
    vkm_text_string(sheet->text, "\n");
  }
}

static void time_line(struct sheet *sheet, const char *name, int64_t ns) {
  label(sheet, name);
  if (ns == INT64_MIN) {
    vkm_text_string(sheet->text, "unknown");
  } else {
    duration(sheet, (double)ns);
  }
  vkm_text_string(sheet->text, "\n");
}

static void show_moves(struct sheet *sheet, const struct vkm_read_breakdown *breakdown) {
  for (size_t i = 0; i < VKM_READ_MOVES; i++) {
    const struct vkm_read_move *move = &breakdown->moves[i];
    if (move->executions == 0) {
      continue;
    }
    label(sheet, move->direction);
    vkm_heading_plural(sheet->text, move->executions, "command", "commands");
    vkm_text_string(sheet->text, ", ");
    if (move->has_bytes) {
      vkm_format_bytes(sheet->text, move->bytes);
    } else {
      vkm_text_string(sheet->text, "bytes unknown");
    }
    if (move->duration_ns != INT64_MIN) {
      vkm_text_string(sheet->text, ", ");
      duration(sheet, (double)move->duration_ns);
    }
    vkm_text_string(sheet->text, "\n");
  }
}

/* Parts overlap: they are no sum. */
static void show_breakdown(struct sheet *sheet, const struct vkm_read_breakdown *breakdown) {
  title(sheet, "Where the time went");
  time_line(sheet, "wall", breakdown->wall_ns);
  time_line(sheet, "building", breakdown->build_ns);
  time_line(sheet, "device working", breakdown->run_ns);
  time_line(sheet, "device moving", breakdown->transfer_ns);
  time_line(sheet, "device idle", breakdown->gpu_idle_ns);
  time_line(sheet, "submitting", breakdown->submit_ns);
  time_line(sheet, "waiting", breakdown->wait_ns);
  time_line(sheet, "unaccounted", breakdown->unaccounted_ns);
  show_moves(sheet, breakdown);
  if (breakdown->hitch_count > 0) {
    label(sheet, "hitches");
    vkm_heading_plural(sheet->text, breakdown->hitch_count, "pipeline", "pipelines");
    vkm_text_string(sheet->text, " made between submissions, ");
    duration(sheet, (double)breakdown->hitch_ns);
    vkm_text_string(sheet->text, "\n");
  }
  if (breakdown->has_resident) {
    label(sheet, "process memory");
    vkm_format_bytes(sheet->text, breakdown->resident_peak_bytes);
    vkm_text_string(sheet->text, " resident at most\n");
  }
}

static void cost(struct sheet *sheet, const char *name, uint64_t ns, uint64_t times,
                 const char *what) {
  label(sheet, name);
  duration(sheet, (double)ns);
  vkm_text_string(sheet->text, " in ");
  vkm_format_count(sheet->text, times);
  vkm_text_string(sheet->text, what);
}

static void show_ratio(struct sheet *sheet, const struct vkm_read_overhead *overhead) {
  char words[128];
  label(sheet, "disturbance");
  if (!overhead->has_ratio) {
    vkm_text_string(sheet->text, "unknown: ");
    word(sheet, overhead->ratio_reason ? overhead->ratio_reason : "no reason given");
    vkm_text_string(sheet->text, "\n");
    return;
  }
  (void)snprintf(words, sizeof words, "times %.3f with stamps", overhead->ratio);
  vkm_text_string(sheet->text, words);
  if (overhead->has_interval) {
    (void)snprintf(words, sizeof words, " (%.3f to %.3f)", overhead->ratio_low,
                   overhead->ratio_high);
    vkm_text_string(sheet->text, words);
  }
  vkm_text_string(sheet->text, ", ");
  vkm_heading_plural(sheet->text, overhead->control_pairs, "control pair", "control pairs");
  vkm_text_string(sheet->text, "\n");
}

static void show_overhead(struct sheet *sheet, const struct vkm_read_overhead *overhead) {
  title(sheet, "What measuring cost");
  label(sheet, "recording");
  if (overhead->has_record) {
    duration(sheet, overhead->record_ns_per_mark);
    vkm_text_string(sheet->text, " a command, ");
  }
  vkm_heading_plural(sheet->text, overhead->stamps_written, "time stamp", "time stamps");
  vkm_text_string(sheet->text, "\n");
  cost(sheet, "submitting", overhead->submit_ns, overhead->submits, " submit calls\n");
  cost(sheet, "reading", overhead->collect_ns, overhead->collects, " readings\n");
  label(sheet, "memory");
  vkm_format_bytes(sheet->text, overhead->peak_bytes);
  vkm_text_string(sheet->text, " at most\n");
  show_ratio(sheet, overhead);
}

void vkm_view_info(const struct vkm_read_profile *profile, const char *path,
                   const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct sheet sheet = {settings, text};
  title(&sheet, path);
  show_run(&sheet, profile);
  show_environment(&sheet, profile);
  for (size_t i = 0; i < profile->device_count; i++) {
    show_device(&sheet, profile, i);
  }
  show_coverage(&sheet, profile);
  show_breakdown(&sheet, &profile->breakdown);
  show_contract(&sheet, profile);
  show_settings(&sheet, &profile->run);
  show_overhead(&sheet, &profile->overhead);
}
