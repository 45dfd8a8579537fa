/* Sentences on whole runs of a lane. In: measures and outputs. Out: text. Next: suite_md,
 * suite_words. */
#include "views/compare_sheet.h"
#include "views/suite.h"
#include "views/units.h"

static const char *verdict_of(enum vkm_measure_of of, enum vkm_verdict verdict) {
  if (of == VKM_MEASURE_WALL) {
    return vkm_compare_verdict(verdict);
  }
  switch (verdict) {
  case VKM_VERDICT_SLOWER:
    return "MORE";
  case VKM_VERDICT_LIKELY_SLOWER:
    return "likely more";
  case VKM_VERDICT_FASTER:
    return "LESS";
  case VKM_VERDICT_LIKELY_FASTER:
    return "likely less";
  default:
    return vkm_compare_verdict(verdict);
  }
}

static void append_value(enum vkm_measure_of of, double value, struct vkm_text *text) {
  if (of == VKM_MEASURE_WALL) {
    vkm_format_duration(text, value, false);
  } else {
    vkm_format_bytes(text, (uint64_t)value);
  }
}

bool vkm_suite_measure_told(const struct vkm_suite_lane *lane, enum vkm_measure_of of) {
  const struct vkm_measure *measure = &lane->compared.measures[of];
  return measure->reason != NULL && measure->verdict != VKM_VERDICT_SAME;
}

void vkm_suite_measure_words(const struct vkm_suite_lane *lane, enum vkm_measure_of of,
                             struct vkm_text *text) {
  static const char *const names[] = {"wall time ", "resident memory ", "device memory "};
  const struct vkm_measure *measure = &lane->compared.measures[of];
  vkm_text_string(text, names[of]);
  vkm_text_string(text, verdict_of(of, measure->verdict));
  vkm_text_string(text, ": ");
  append_value(of, measure->center[VKM_BASE], text);
  vkm_text_string(text, " to ");
  append_value(of, measure->center[VKM_NEW], text);
  vkm_text_string(text, ", ");
  vkm_format_change(text, measure->change, false);
  vkm_text_string(text, " %");
  if (measure->has_interval) {
    vkm_text_string(text, " (");
    vkm_format_change(text, measure->low, false);
    vkm_text_string(text, " to ");
    vkm_format_change(text, measure->high, false);
    vkm_text_string(text, " %)");
  }
  vkm_text_string(text, ", runs: ");
  vkm_format_count(text, measure->run_count[VKM_BASE]);
  vkm_text_string(text, " and ");
  vkm_format_count(text, measure->run_count[VKM_NEW]);
}

bool vkm_suite_output_told(const struct vkm_suite_output *output) {
  return output->variants > 1 || output->verdict == VKM_OUTPUT_CHANGED ||
         output->verdict == VKM_OUTPUT_UNSETTLED;
}

void vkm_suite_output_words(const struct vkm_suite_output *output, struct vkm_text *text) {
  vkm_text_string(text, "output ");
  vkm_text_string(text, output->name);
  if (output->verdict == VKM_OUTPUT_CHANGED) {
    vkm_text_string(text, " CHANGED: its SHA-256 was ");
    vkm_text_string(text, output->base);
    vkm_text_string(text, ", is ");
    vkm_text_string(text, output->digest.sha256);
  }
  if (output->variants > 1) {
    vkm_text_string(text, output->verdict == VKM_OUTPUT_CHANGED ? "; it varies: " : " varies: ");
    vkm_format_count(text, output->variants);
    vkm_text_string(text, " contents in ");
    vkm_format_count(text, output->run_count);
    vkm_text_string(text, " runs");
  }
  if (output->verdict == VKM_OUTPUT_UNSETTLED) {
    vkm_text_string(text, output->variants > 1 ? "; " : ": ");
    vkm_text_string(text, "it varies in the baseline, too");
  }
}
