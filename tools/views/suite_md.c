/* summary.md, and the table on the terminal. In: results of a suite. Out: text. */
#include "model/suite_why.h"
#include "views/sheet.h"
#include "views/suite.h"
#include "views/suite_sheet.h"
#include "views/units.h"

static void escaped(struct vkm_text *part, struct vkm_text *text) {
  text->failed = text->failed || part->failed;
  if (part->length_bytes > 0) {
    vkm_md_escaped(text, part->data, part->length_bytes);
  }
  vkm_text_clear(part);
}

static void named(const char *name, struct vkm_text *part, struct vkm_text *text) {
  vkm_term_name(part, name, 0, false);
  escaped(part, text);
}

static void append_budgets(const struct vkm_suite_lane *lane, struct vkm_text *part,
                           struct vkm_text *text) {
  static const char *const names[] = {"wall time", "GPU time", "family ", "kernel "};
  for (size_t i = 0; i < lane->planned.workload->budget_count; i++) {
    const struct vkm_suite_budget *budget = &lane->planned.workload->budgets[i];
    double spent_ns = 0;
    enum vkm_suite_budget_state state = vkm_suite_budget_of(lane, i, &spent_ns);
    if (state == VKM_BUDGET_KEPT) {
      continue;
    }
    vkm_text_string(text, "\n**Budget of ");
    vkm_text_string(part, names[budget->of]);
    vkm_text_string(part, budget->name != NULL ? budget->name : "");
    escaped(part, text);
    vkm_text_string(text, state == VKM_BUDGET_UNKNOWN ? " is not known to be kept:** limit "
                                                      : " exceeded:** limit ");
    vkm_format_duration(text, budget->limit_ns, false);
    if (state == VKM_BUDGET_EXCEEDED) {
      vkm_text_string(text, ", median over runs ");
      vkm_format_duration(text, spent_ns, false);
    } else {
      vkm_text_string(text, ", nothing of it was timed");
    }
    vkm_text_string(text, "\n");
  }
}

/* Raw words as a paragraph. */
static void paragraph(struct vkm_text *words, struct vkm_text *part, struct vkm_text *text) {
  vkm_text_string(text, "\n");
  text->failed = text->failed || words->failed;
  named(words->failed ? "" : words->data, part, text);
  vkm_text_string(text, "\n");
  vkm_text_clear(words);
}

static void append_process(const struct vkm_suite_lane *lane, struct vkm_text *part,
                           struct vkm_text *text) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  for (int of = 0; of < VKM_MEASURES; of++) {
    if (vkm_suite_measure_told(lane, (enum vkm_measure_of)of)) {
      vkm_suite_measure_words(lane, (enum vkm_measure_of)of, &words);
      paragraph(&words, part, text);
    }
  }
  for (size_t i = 0; i < lane->planned.workload->outputs.count; i++) {
    if (vkm_suite_output_told(&lane->outputs[i])) {
      vkm_suite_output_words(&lane->outputs[i], &words);
      paragraph(&words, part, text);
    }
  }
  vkm_text_finish(&words);
}

static void append_errors(const struct vkm_suite_lane *lane, struct vkm_text *part,
                          struct vkm_text *text) {
  for (size_t i = 0; i < lane->pass_count; i++) {
    const struct vkm_suite_pass *pass = &lane->passes[i];
    for (size_t j = 0; j < pass->sample_count; j++) {
      const struct vkm_sample *run = &pass->samples[j].run;
      if (run->good) {
        continue;
      }
      vkm_text_string(text, "\n**Run ");
      vkm_text_u64(text, run->sequence);
      vkm_text_string(text, " of ");
      vkm_text_string(text, vkm_suite_phase_name(pass->phase));
      vkm_text_string(text, " failed:** ");
      named(run->cause, part, text);
      if (*run->last_line) {
        vkm_text_string(text, "; last words: ");
        named(run->last_line, part, text);
      }
      vkm_text_string(text, " (");
      named(pass->folder != NULL ? pass->folder : "", part, text);
      vkm_text_string(text, ")\n");
    }
  }
}

static void append_untimed(const struct vkm_suite_lane *lane, struct vkm_text *part,
                           struct vkm_text *text) {
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  for (size_t i = 0; timing != NULL && i < timing->untimed_count; i++) {
    const struct vkm_suite_untimed *untimed = &timing->untimed[i];
    vkm_text_string(text, i == 0 ? "\nNot timed: " : ", ");
    vkm_format_count(text, untimed->count);
    vkm_text_string(text, " ");
    vkm_text_string(part, untimed->outcome);
    vkm_text_string(part, ".");
    vkm_text_string(part, untimed->name);
    escaped(part, text);
  }
  vkm_text_string(text, timing != NULL && timing->untimed_count > 0 ? "\n" : "");
}

/* The modes side by side. */
static void append_why(const struct vkm_suite_lane *lane, const struct vkm_view_settings *settings,
                       struct vkm_text *text) {
  struct vkm_sheet passes = vkm_suite_passes_sheet(lane);
  struct vkm_suite_why why;
  vkm_text_string(text, "\n");
  vkm_sheet_md(&passes, settings, text);
  if (!vkm_suite_why_make(&why, lane)) {
    text->failed = true;
    return;
  }
  if (why.count > 0) {
    struct vkm_sheet sheet = vkm_suite_why_sheet(&why);
    vkm_text_string(text, "\nAs the program runs it, and alone on the device: well above 1 it "
                          "shares the device or waits.\n\n");
    vkm_sheet_md(&sheet, settings, text);
  }
  if (why.has_submit) {
    vkm_text_string(text, "\nGPU time of a run by submissions: ");
    vkm_format_duration(text, why.submit_ns, false);
    vkm_text_string(text, ", by commands: ");
    vkm_format_duration(text, why.gpu_ns, false);
    vkm_text_string(text, ". Where the first is more, the difference is gaps between commands.\n");
  }
  vkm_suite_why_finish(&why);
}

static bool process_told(const struct vkm_suite_lane *lane) {
  bool told = false;
  for (int of = 0; of < VKM_MEASURES; of++) {
    told = told || vkm_suite_measure_told(lane, (enum vkm_measure_of)of);
  }
  for (size_t i = 0; i < lane->planned.workload->outputs.count; i++) {
    told = told || vkm_suite_output_told(&lane->outputs[i]);
  }
  return told;
}

static bool says_something(const struct vkm_suite_lane *lane, const struct vkm_text *details) {
  return lane->error_count > 0 || lane->over_budget > 0 || details->length_bytes > 0 ||
         process_told(lane);
}

static void append_lane(const struct vkm_suite_results *results, const struct vkm_suite_lane *lane,
                        const struct vkm_text *details, const struct vkm_view_settings *settings,
                        struct vkm_text *part, struct vkm_text *text) {
  vkm_text_string(text, "\n## ");
  named(lane->planned.workload->name, part, text);
  if (lane->planned.device != NULL) {
    vkm_text_string(text, " on ");
    named(lane->planned.device->name, part, text);
  }
  vkm_text_string(text, "\n");
  append_errors(lane, part, text);
  append_process(lane, part, text);
  append_budgets(lane, part, text);
  append_untimed(lane, part, text);
  if (results->choice->mode == VKM_SUITE_DIAGNOSE && lane->pass_count > 0) {
    append_why(lane, settings, text);
  }
  text->failed = text->failed || details->failed;
  if (details->length_bytes > 0) {
    vkm_text_string(text, "\n");
    vkm_text_append(text, details->data, details->length_bytes);
  }
}

static void append_heading(const struct vkm_suite_results *results, struct vkm_text *part,
                           struct vkm_text *text) {
  vkm_text_string(text, "# vkmeter ");
  vkm_suite_title(results, part);
  escaped(part, text);
  vkm_text_string(text, "\n\n");
  vkm_suite_tally(results, text);
  vkm_text_string(text, ". Workloads: ");
  named(results->file->path, part, text);
  if (results->baseline != NULL) {
    vkm_text_string(text, ", baseline: ");
    named(results->baseline, part, text);
  }
  vkm_text_string(text, ", vkmeter " VKM_VERSION "\n");
  for (size_t i = 0; i < results->vanished_count; i++) {
    vkm_text_string(text, i == 0 ? "\n**Workloads that the baseline alone has:** " : ", ");
    named(results->vanished[i], part, text);
  }
  vkm_text_string(text, results->vanished_count > 0 ? "\n" : "");
  if (!results->complete) {
    vkm_text_string(text, "\n**It is not over, or was killed.**\n");
  }
  vkm_text_string(text, "\n");
}

/* Their times say how the work compares with itself, nothing of a GPU. */
static void append_software(const struct vkm_suite_results *results, struct vkm_text *part,
                            struct vkm_text *text) {
  const char *said = NULL;
  for (size_t i = 0; i < results->lane_count; i++) {
    const char *device = vkm_suite_software(results, i);
    if (device != NULL) {
      vkm_text_string(text,
                      said == NULL ? "\n**SOFTWARE driver, times are not GPU times:** " : "; ");
      said = device;
      named(device, part, text);
    }
  }
  vkm_text_string(text, said != NULL ? "\n" : "");
}

void vkm_view_suite_md(const struct vkm_suite_results *results, const struct vkm_text *details,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  struct vkm_sheet sheet = vkm_suite_lanes_sheet(results);
  vkm_text_init(&part, SIZE_MAX);
  append_heading(results, &part, text);
  vkm_sheet_md(&sheet, settings, text);
  append_software(results, &part, text);
  for (size_t i = 0; i < results->lane_count; i++) {
    if (says_something(&results->lanes[i], &details[i])) {
      append_lane(results, &results->lanes[i], &details[i], settings, &part, text);
    }
  }
  vkm_text_finish(&part);
}

void vkm_view_suite_table(const struct vkm_suite_results *results,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_sheet sheet = vkm_suite_lanes_sheet(results);
  vkm_suite_title(results, text);
  vkm_text_string(text, "\n");
  vkm_suite_tally(results, text);
  vkm_text_string(text, "\n\n");
  vkm_sheet_table(&sheet, settings, text);
}
