/* results.json. In: results of a suite. Out: JSON, schema suite.schema.json. Next: a file. */
#include "views/members.h"
#include "views/suite.h"

static void member_figures(struct vkm_text *text, const char *name,
                           const struct vkm_suite_figures *figures) {
  vkm_member_open(text, name, "{");
  vkm_member_count(text, "n", figures->count);
  vkm_member_number(text, "min", figures->count > 0, figures->min);
  vkm_member_number(text, "median", figures->count > 0, figures->median);
  vkm_member_number(text, "p90", figures->count > 0, figures->p90);
  vkm_member_number(text, "max", figures->count > 0, figures->max);
  vkm_text_string(text, "}");
}

static void member_texts(struct vkm_text *text, const char *name, const char *const *items,
                         size_t count) {
  vkm_member_open(text, name, "[");
  for (size_t i = 0; i < count; i++) {
    vkm_member_next(text);
    vkm_text_json(text, items[i]);
  }
  vkm_text_string(text, "]");
}

static void member_outcomes(struct vkm_text *text, const char *name, bool known, uint64_t executed,
                            uint64_t measured, uint64_t control) {
  if (!known) {
    vkm_member_text(text, name, NULL);
    return;
  }
  vkm_member_open(text, name, "{");
  vkm_member_count(text, "executed", executed);
  vkm_member_count(text, "measured", measured);
  vkm_member_count(text, "control", control);
  vkm_text_string(text, "}");
}

/* Of one run, by the names of the workload. */
static void member_digests(struct vkm_text *text, const struct vkm_workload *workload,
                           const struct vkm_sample *run) {
  vkm_member_open(text, "outputs", "[");
  for (size_t i = 0; i < workload->outputs.count && run->good; i++) {
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "name", workload->outputs.items[i]);
    vkm_member_count(text, "bytes", run->outputs[i].bytes);
    vkm_member_text(text, "sha256", run->outputs[i].sha256);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_sample(struct vkm_text *text, const struct vkm_workload *workload,
                          const struct vkm_suite_sample *sample) {
  const struct vkm_sample *run = &sample->run;
  vkm_member_open(text, NULL, "{");
  vkm_member_count(text, "sequence", run->sequence);
  vkm_member_text(text, "outcome", run->good ? "success" : "error");
  vkm_member_text(text, "cause", run->good ? NULL : run->cause);
  vkm_member_text(text, "last_line", *run->last_line ? run->last_line : NULL);
  vkm_member_text(text, "profile", sample->profile);
  vkm_member_number(text, "wall_ns", run->wall_ns > 0, (double)run->wall_ns);
  vkm_member_number(text, "gpu_ns", sample->has_gpu, sample->gpu_ns);
  vkm_member_number(text, "resident_peak_bytes", run->resident_peak_bytes > 0,
                    (double)run->resident_peak_bytes);
  vkm_member_number(text, "device_memory_peak_bytes", sample->has_memory,
                    (double)sample->device_peak_bytes);
  member_outcomes(text, "dispatches", sample->has_profile, sample->executed, sample->measured,
                  sample->control);
  member_digests(text, workload, run);
  vkm_text_string(text, "}");
}

static void append_kernel(struct vkm_text *text, const struct vkm_suite_kernel *kernel) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "name", kernel->name);
  vkm_member_text(text, "family", kernel->family);
  vkm_member_text(text, "phase", kernel->phase);
  if (kernel->has_groups) {
    vkm_member_open(text, "groups", "[");
    for (int axis = 0; axis < 3; axis++) {
      vkm_member_next(text);
      vkm_text_u64(text, kernel->groups[axis]);
    }
    vkm_text_string(text, "]");
  } else {
    vkm_member_text(text, "groups", NULL);
  }
  vkm_member_count(text, "calls", kernel->calls);
  vkm_member_number(text, "total_ns", kernel->has_figures, (double)kernel->total_ns);
  vkm_member_number(text, "median_ns", kernel->has_figures, kernel->median_ns);
  vkm_member_number(text, "share", kernel->has_share, kernel->share);
  vkm_text_string(text, "}");
}

static void member_overhead(struct vkm_text *text, const struct vkm_overhead *overhead) {
  if (overhead->count == 0) {
    vkm_member_text(text, "overhead", NULL);
    return;
  }
  vkm_member_open(text, "overhead", "{");
  vkm_member_count(text, "pairs", overhead->count);
  vkm_member_number(text, "profiled_median_ns", true, (double)overhead->profiled_median_ns);
  vkm_member_number(text, "plain_median_ns", true, (double)overhead->plain_median_ns);
  vkm_member_number(text, "ratio", true, overhead->ratio);
  vkm_text_string(text, "}");
}

static void member_untimed(struct vkm_text *text, const struct vkm_suite_pass *pass) {
  vkm_member_open(text, "not_measured", "[");
  for (size_t i = 0; i < pass->untimed_count; i++) {
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "outcome", pass->untimed[i].outcome);
    vkm_member_text(text, "reason", pass->untimed[i].name);
    vkm_member_count(text, "count", pass->untimed[i].count);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_pass(struct vkm_text *text, const struct vkm_workload *workload,
                        const struct vkm_suite_pass *pass) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "phase", vkm_suite_phase_name(pass->phase));
  vkm_member_text(text, "folder", pass->folder);
  vkm_member_count(text, "warmups", pass->warmups);
  vkm_member_count(text, "repeats", pass->repeats);
  vkm_member_text(text, "device", pass->device);
  vkm_member_text(text, "driver", pass->driver);
  if (pass->device != NULL) {
    vkm_member_bool(text, "software", pass->software);
  } else {
    vkm_member_text(text, "software", NULL);
  }
  vkm_member_open(text, "samples", "[");
  for (size_t i = 0; i < pass->sample_count; i++) {
    append_sample(text, workload, &pass->samples[i]);
  }
  vkm_text_string(text, "]");
  member_figures(text, "wall_ns", &pass->wall);
  member_figures(text, "gpu_ns", &pass->gpu);
  member_figures(text, "resident_peak_bytes", &pass->resident);
  member_figures(text, "device_memory_peak_bytes", &pass->device_memory);
  member_outcomes(text, "commands", pass->good_count > 0, pass->executed, pass->measured,
                  pass->control);
  member_untimed(text, pass);
  member_overhead(text, &pass->overhead);
  vkm_member_count(text, "kernel_rows", pass->kernel_rows);
  vkm_member_open(text, "kernels", "[");
  for (size_t i = 0; i < pass->kernel_count; i++) {
    append_kernel(text, &pass->kernels[i]);
  }
  vkm_text_string(text, "]}");
}

static void append_change(struct vkm_text *text, const struct vkm_suite_change *change) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "name", change->name);
  vkm_member_text(text, "verdict", vkm_verdict_name(change->verdict));
  vkm_member_number(text, "base_ns", change->has_ns[VKM_BASE], change->center_ns[VKM_BASE]);
  vkm_member_number(text, "new_ns", change->has_ns[VKM_NEW], change->center_ns[VKM_NEW]);
  vkm_member_number(text, "change", change->has_change, change->change);
  vkm_member_number(text, "low", change->has_interval, change->low);
  vkm_member_number(text, "high", change->has_interval, change->high);
  vkm_text_string(text, "}");
}

static void append_measure(struct vkm_text *text, enum vkm_measure_of of,
                           const struct vkm_measure *measure) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "of", vkm_measure_name(of));
  vkm_member_text(text, "verdict", vkm_verdict_name(measure->verdict));
  vkm_member_text(text, "reason", measure->reason);
  vkm_member_count(text, "base_runs", measure->run_count[VKM_BASE]);
  vkm_member_count(text, "new_runs", measure->run_count[VKM_NEW]);
  vkm_member_number(text, "base", true, measure->center[VKM_BASE]);
  vkm_member_number(text, "new", true, measure->center[VKM_NEW]);
  vkm_member_number(text, "change", measure->has_change, measure->change);
  vkm_member_number(text, "low", measure->has_interval, measure->low);
  vkm_member_number(text, "high", measure->has_interval, measure->high);
  vkm_text_string(text, "}");
}

static void member_outputs(struct vkm_text *text, const struct vkm_suite_lane *lane) {
  vkm_member_open(text, "outputs", "[");
  for (size_t i = 0; i < lane->planned.workload->outputs.count; i++) {
    const struct vkm_suite_output *output = &lane->outputs[i];
    bool known = output->run_count > 0;
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "name", lane->planned.workload->outputs.items[i]);
    int decimals = lane->planned.workload->output_decimals[i];
    vkm_member_number(text, "decimals", decimals >= 0, decimals);
    vkm_member_number(text, "bytes", known, (double)output->digest.bytes);
    vkm_member_text(text, "sha256", known ? output->digest.sha256 : NULL);
    vkm_member_count(text, "runs", output->run_count);
    vkm_member_count(text, "variants", output->variants);
    vkm_member_text(text, "comparison", vkm_output_verdict_name(output->verdict));
    vkm_member_text(text, "base_sha256", output->base_runs > 0 ? output->base : NULL);
    vkm_member_count(text, "base_variants", output->base_variants);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void member_comparison(struct vkm_text *text, const struct vkm_suite_compared *compared) {
  if (compared->verdict == VKM_SUITE_NOT_COMPARED) {
    vkm_member_text(text, "comparison", NULL);
    return;
  }
  vkm_member_open(text, "comparison", "{");
  vkm_member_text(text, "status", vkm_suite_verdict_name(compared->verdict));
  vkm_member_text(text, "incomparable_because", compared->because);
  vkm_member_count(text, "base_runs", compared->base_runs);
  vkm_member_count(text, "new_runs", compared->new_runs);
  vkm_member_bool(text, "drifted", compared->drifted);
  vkm_member_open(text, "verdicts", "{");
  for (int verdict = 0; verdict < VKM_VERDICT_COUNT; verdict++) {
    vkm_member_count(text, vkm_verdict_name((enum vkm_verdict)verdict),
                     compared->verdict_counts[verdict]);
  }
  vkm_text_string(text, "}");
  vkm_member_number(text, "total_change", compared->has_total, compared->total_change);
  vkm_member_number(text, "total_low", compared->has_total_interval, compared->total_low);
  vkm_member_number(text, "total_high", compared->has_total_interval, compared->total_high);
  vkm_member_open(text, "measures", "[");
  for (int of = 0; of < VKM_MEASURES; of++) {
    if (compared->measures[of].reason != NULL) {
      append_measure(text, (enum vkm_measure_of)of, &compared->measures[of]);
    }
  }
  vkm_text_string(text, "]");
  vkm_member_count(text, "changed_rows", compared->changed_rows);
  vkm_member_open(text, "changes", "[");
  for (size_t i = 0; i < compared->change_count; i++) {
    append_change(text, &compared->changes[i]);
  }
  vkm_text_string(text, "]}");
}

static void member_budgets(struct vkm_text *text, const struct vkm_suite_lane *lane) {
  static const char *const names[] = {"wall", "gpu", "family", "kernel"};
  vkm_member_open(text, "budgets", "[");
  for (size_t i = 0; i < lane->planned.workload->budget_count; i++) {
    const struct vkm_suite_budget *budget = &lane->planned.workload->budgets[i];
    double spent_ns = 0;
    enum vkm_suite_budget_state state = vkm_suite_budget_of(lane, i, &spent_ns);
    bool known = state != VKM_BUDGET_UNKNOWN;
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "of", names[budget->of]);
    vkm_member_text(text, "name", budget->name);
    vkm_member_number(text, "limit_ns", true, budget->limit_ns);
    vkm_member_number(text, "spent_ns", known, spent_ns);
    if (known) {
      vkm_member_bool(text, "exceeded", state == VKM_BUDGET_EXCEEDED);
    } else {
      vkm_member_text(text, "exceeded", NULL);
    }
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_lane(struct vkm_text *text, const struct vkm_suite_lane *lane) {
  const struct vkm_suite_planned *planned = &lane->planned;
  vkm_member_open(text, NULL, "\n{");
  vkm_member_text(text, "workload", planned->workload->name);
  vkm_member_text(text, "category", planned->workload->category);
  vkm_member_text(text, "device", planned->device != NULL ? planned->device->name : NULL);
  vkm_member_text(text, "require", planned->require);
  vkm_member_text(text, "status", vkm_suite_status_name(planned->status));
  vkm_member_text(text, "reason", *planned->reason ? planned->reason : NULL);
  vkm_member_text(text, "instead_of", planned->instead_of);
  vkm_member_open(text, "passes", "[");
  for (size_t i = 0; i < lane->pass_count; i++) {
    append_pass(text, planned->workload, &lane->passes[i]);
  }
  vkm_text_string(text, "]");
  member_comparison(text, &lane->compared);
  member_budgets(text, lane);
  member_outputs(text, lane);
  vkm_text_string(text, "}");
}

static void member_choice(struct vkm_text *text, const struct vkm_suite_choice *choice) {
  vkm_member_open(text, "choice", "{");
  member_texts(text, "workloads", (const char *const *)choice->names, choice->name_count);
  member_texts(text, "categories", choice->categories, choice->category_count);
  member_texts(text, "excluded_categories", choice->excluded, choice->excluded_count);
  vkm_member_text(text, "backend", choice->backend);
  vkm_member_number(text, "repeat", choice->repeat > 0, (double)choice->repeat);
  vkm_text_string(text, "}");
}

static void member_counts(struct vkm_text *text, const struct vkm_suite_results *results) {
  vkm_member_open(text, "counts", "{");
  vkm_member_count(text, "ok", results->ok_count);
  vkm_member_count(text, "error", results->error_count);
  vkm_member_count(text, "skipped", results->skipped_count);
  vkm_member_count(text, "planned", results->planned_count);
  vkm_member_count(text, "left_out", results->left_out);
  vkm_member_count(text, "error_samples", results->error_samples);
  vkm_member_count(text, "warnings", results->warning_count);
  vkm_text_string(text, "}");
}

static void member_tripped(struct vkm_text *text, const struct vkm_suite_results *results) {
  vkm_member_open(text, "tripped", "[");
  for (size_t gate = 0; gate < VKM_SUITE_GATE_COUNT; gate++) {
    if ((results->tripped & 1U << gate) != 0) {
      vkm_member_next(text);
      vkm_text_json(text, vkm_suite_gate_name(gate));
    }
  }
  vkm_text_string(text, "]");
}

void vkm_view_suite_json(const struct vkm_suite_results *results, struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "schema", "vkmeter.suite/1");
  vkm_member_text(text, "vkmeter_version", VKM_VERSION);
  vkm_member_text(text, "mode", vkm_suite_mode_name(results->choice->mode));
  vkm_member_text(text, "label", vkm_suite_label_name(results->label));
  member_texts(text, "partial_because", results->partial_because, results->partial_count);
  vkm_member_bool(text, "complete", results->complete);
  vkm_member_text(text, "workloads_file", results->file->path);
  member_choice(text, results->choice);
  vkm_member_text(text, "baseline", results->baseline);
  member_texts(text, "vanished_workloads", (const char *const *)results->vanished,
               results->vanished_count);
  vkm_member_count(text, "started_unix_ns", (uint64_t)results->started_unix_ns);
  vkm_member_count(text, "duration_ns", (uint64_t)results->duration_ns);
  member_counts(text, results);
  member_tripped(text, results);
  vkm_member_open(text, "results", "[");
  for (size_t i = 0; i < results->lane_count; i++) {
    append_lane(text, &results->lanes[i]);
  }
  vkm_text_string(text, "]}\n");
}
