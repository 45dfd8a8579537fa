/* Outputs of lanes. In: checksums of runs. Out: variants, verdicts. Next: suite_results, views. */
#include "model/suite_outputs.h"

#include <stdio.h>
#include <string.h>

#include "model/sample_file.h"
#include "model/side.h"
#include "model/suite_results.h"

const char *vkm_output_verdict_name(enum vkm_output_verdict verdict) {
  static const char *const names[] = {NULL, "new", "same", "changed", "unsettled"};
  return names[verdict];
}

/* What was rounded otherwise is something else. */
static const char *base_of(const struct vkm_side *base, size_t sample,
                           const struct vkm_suite_output *output) {
  const struct vkm_side_sample *of = &base->samples[sample];
  if (vkm_sample_profile(base, of) >= base->profile_count) {
    return NULL; /* of a run that is not compared */
  }
  for (size_t i = 0; i < of->output_count; i++) {
    if (strcmp(of->outputs[i].name, output->name) == 0 &&
        of->outputs[i].decimals == output->decimals) {
      return of->outputs[i].sha256;
    }
  }
  return NULL;
}

static bool is_known(const struct vkm_side *base, size_t before,
                     const struct vkm_suite_output *output, const char *sha256) {
  for (size_t i = 0; i < before; i++) {
    const char *other = base_of(base, i, output);
    if (other != NULL && strcmp(other, sha256) == 0) {
      return true;
    }
  }
  return false;
}

static void name_output(struct vkm_suite_output *output, const struct vkm_workload *workload,
                        size_t index) {
  output->name = workload->outputs.items[index];
  output->decimals = workload->output_decimals[index];
}

void vkm_suite_outputs_base(struct vkm_suite_lane *lane, const struct vkm_side *base) {
  const struct vkm_workload *workload = lane->planned.workload;
  for (size_t i = 0; i < workload->outputs.count; i++) {
    struct vkm_suite_output *output = &lane->outputs[i];
    name_output(output, workload, i);
    output->verdict = VKM_OUTPUT_NEW;
    for (size_t j = 0; j < base->sample_count; j++) {
      const char *sha256 = base_of(base, j, output);
      if (sha256 == NULL) {
        continue;
      }
      if (output->base_runs++ == 0) {
        snprintf(output->base, sizeof output->base, "%s", sha256);
      }
      output->base_variants += !is_known(base, j, output, sha256);
    }
  }
}

/* The digest of an output in good run number `at` of the lane, counted over all its passes; NULL:
 * there are fewer. */
static const struct vkm_output_digest *digest_at(const struct vkm_suite_lane *lane, size_t at,
                                                 size_t output) {
  for (size_t i = 0; i < lane->pass_count; i++) {
    const struct vkm_suite_pass *pass = &lane->passes[i];
    for (size_t j = 0; j < pass->sample_count; j++) {
      const struct vkm_output_digest *digest = &pass->samples[j].run.outputs[output];
      if (pass->samples[j].run.good && *digest->sha256 && at-- == 0) {
        return digest;
      }
    }
  }
  return NULL;
}

static void judge(struct vkm_suite_output *output) {
  bool compared = output->verdict != VKM_OUTPUT_NOT_COMPARED && output->run_count > 0;
  if (!compared || output->base_runs == 0) {
    output->verdict = compared ? VKM_OUTPUT_NEW : VKM_OUTPUT_NOT_COMPARED;
  } else if (output->base_variants > 1) {
    output->verdict = VKM_OUTPUT_UNSETTLED;
  } else {
    bool same = output->variants == 1 && strcmp(output->digest.sha256, output->base) == 0;
    output->verdict = same ? VKM_OUTPUT_SAME : VKM_OUTPUT_CHANGED;
  }
}

void vkm_suite_outputs_judge(struct vkm_suite_lane *lane) {
  const struct vkm_workload *workload = lane->planned.workload;
  for (size_t i = 0; i < workload->outputs.count; i++) {
    struct vkm_suite_output *output = &lane->outputs[i];
    const struct vkm_output_digest *digest = NULL;
    name_output(output, workload, i);
    output->variants = 0;
    for (output->run_count = 0; (digest = digest_at(lane, output->run_count, i)) != NULL;
         output->run_count++) {
      bool fresh = true;
      for (size_t j = 0; fresh && j < output->run_count; j++) {
        fresh = strcmp(digest_at(lane, j, i)->sha256, digest->sha256) != 0;
      }
      output->digest = output->run_count == 0 ? *digest : output->digest;
      output->variants += fresh;
    }
    judge(output);
  }
}
