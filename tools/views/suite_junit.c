/* A suite as JUnit's XML. In: results. Out: a suite a category, a case a workload and device. Next:
 * a CI that shows tests. */
#include <string.h>

#include "views/junit_parts.h"
#include "views/suite.h"
#include "views/term.h"
#include "views/units.h"

/* As of compare: what got slower fails, whatever was asked for; the rest by a gate alone. */
static enum vkm_junit outcome_of(const struct vkm_suite_results *results,
                                 const struct vkm_suite_lane *lane) {
  unsigned tripped = vkm_suite_lane_gates(lane) & results->gates;
  switch (lane->planned.status) {
  case VKM_SUITE_ERROR:
    return VKM_JUNIT_ERROR;
  case VKM_SUITE_OK:
    return tripped != 0 || vkm_suite_lane_slower(lane) ? VKM_JUNIT_FAILED : VKM_JUNIT_PASSED;
  default:
    return tripped != 0 ? VKM_JUNIT_ERROR : VKM_JUNIT_SKIPPED;
  }
}

/* What the failure is called: the first gate that tripped. */
static const char *type_of(const struct vkm_suite_results *results,
                           const struct vkm_suite_lane *lane) {
  unsigned tripped = vkm_suite_lane_gates(lane) & results->gates;
  for (size_t gate = 0; gate < VKM_SUITE_GATE_COUNT; gate++) {
    if ((tripped & 1U << gate) != 0) {
      return vkm_suite_gate_name(gate);
    }
  }
  return lane->planned.status == VKM_SUITE_ERROR ? "run" : "slower";
}

static const char *category_of(const struct vkm_suite_lane *lane) {
  return lane->planned.workload->category;
}

static void append_message(const struct vkm_suite_lane *lane, struct vkm_text *text) {
  struct vkm_text said;
  vkm_text_init(&said, SIZE_MAX);
  vkm_suite_lane_words(lane, &said);
  /* A line of its own for each, and nothing in it that drives a terminal. */
  for (char *line = said.failed ? NULL : said.data; line != NULL && *line;) {
    char *end = strchr(line, '\n');
    if (end != NULL) {
      *end++ = 0;
    }
    vkm_text_string(text, text->length_bytes > 0 ? "; " : "");
    vkm_term_name(text, line, 0, false);
    line = end;
  }
  text->failed = text->failed || said.failed;
  vkm_text_finish(&said);
}

static void number(const char *name, bool known, double value, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  if (known) {
    vkm_format_exact(&part, value);
    vkm_junit_property(name, part.failed ? NULL : part.data, text);
  }
  text->failed = text->failed || part.failed;
  vkm_text_finish(&part);
}

static void append_properties(const struct vkm_suite_lane *lane, struct vkm_text *text) {
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  vkm_junit_begin_properties(text);
  vkm_junit_property("folder", lane->folder, text);
  vkm_junit_property("status", vkm_suite_status_name(lane->planned.status), text);
  vkm_junit_property("baseline", vkm_suite_verdict_name(lane->compared.verdict), text);
  if (timing != NULL) {
    vkm_junit_property("device", timing->device, text);
    vkm_junit_property("driver", timing->driver, text);
    number("runs", true, (double)timing->good_count, text);
    number("wall_ns", timing->wall.count > 0, timing->wall.median, text);
    number("gpu_ns", timing->gpu.count > 0, timing->gpu.median, text);
    number("resident_peak_bytes", timing->resident.count > 0, timing->resident.median, text);
    number("device_memory_peak_bytes", timing->device_memory.count > 0,
           timing->device_memory.median, text);
  }
}

static void append_lane(const struct vkm_suite_results *results, const struct vkm_suite_lane *lane,
                        struct vkm_text *text) {
  const struct vkm_suite_planned *planned = &lane->planned;
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_text_string(&part, planned->workload->name);
  if (planned->device != NULL) {
    vkm_text_string(&part, " on ");
    vkm_text_string(&part, planned->device->name);
  }
  vkm_junit_begin_case(category_of(lane), &part,
                       timing != NULL && timing->wall.count > 0 ? timing->wall.median : 0, text);
  append_properties(lane, text);
  vkm_text_clear(&part);
  append_message(lane, &part);
  vkm_junit_end_case_open(outcome_of(results, lane), type_of(results, lane), &part, text);
  vkm_text_finish(&part);
}

static bool is_first(const struct vkm_suite_results *results, size_t index) {
  for (size_t i = 0; i < index; i++) {
    if (strcmp(category_of(&results->lanes[i]), category_of(&results->lanes[index])) == 0) {
      return false;
    }
  }
  return true;
}

/* All lanes of a category. */
static void append_category(const struct vkm_suite_results *results, size_t first,
                            struct vkm_text *text) {
  const char *category = category_of(&results->lanes[first]);
  size_t of[VKM_JUNIT_OUTCOMES] = {0};
  for (size_t i = first; i < results->lane_count; i++) {
    const struct vkm_suite_lane *lane = &results->lanes[i];
    of[outcome_of(results, lane)] += strcmp(category_of(lane), category) == 0;
  }
  vkm_junit_begin_suite("  <testsuite", category, of, text);
  for (size_t i = first; i < results->lane_count; i++) {
    if (strcmp(category_of(&results->lanes[i]), category) == 0) {
      append_lane(results, &results->lanes[i], text);
    }
  }
  vkm_text_string(text, "  </testsuite>\n");
}

static enum vkm_junit vanished_outcome(const struct vkm_suite_results *results) {
  return (results->gates & 1U << VKM_GATE_GONE) != 0 ? VKM_JUNIT_ERROR : VKM_JUNIT_SKIPPED;
}

/* Workloads that the baseline alone has. */
static void append_vanished(const struct vkm_suite_results *results, struct vkm_text *text) {
  size_t of[VKM_JUNIT_OUTCOMES] = {0};
  of[vanished_outcome(results)] = results->vanished_count;
  vkm_junit_begin_suite("  <testsuite", "baseline alone", of, text);
  for (size_t i = 0; i < results->vanished_count; i++) {
    struct vkm_text part;
    vkm_text_init(&part, SIZE_MAX);
    vkm_term_name(&part, results->vanished[i], 0, false);
    vkm_junit_begin_case("baseline alone", &part, 0, text);
    vkm_text_clear(&part);
    vkm_text_string(&part, "the baseline has this workload, the file has not");
    vkm_junit_end_case(vanished_outcome(results), "gone", &part, text);
    vkm_text_finish(&part);
  }
  vkm_text_string(text, "  </testsuite>\n");
}

void vkm_view_suite_junit(const struct vkm_suite_results *results, struct vkm_text *text) {
  size_t of[VKM_JUNIT_OUTCOMES] = {0};
  struct vkm_text title;
  for (size_t i = 0; i < results->lane_count; i++) {
    of[outcome_of(results, &results->lanes[i])]++;
  }
  of[vanished_outcome(results)] += results->vanished_count;
  vkm_text_init(&title, SIZE_MAX);
  vkm_text_string(&title, "vkmeter ");
  vkm_suite_title(results, &title);
  vkm_text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  vkm_junit_begin_suite("<testsuites", title.failed ? "vkmeter" : title.data, of, text);
  vkm_text_finish(&title);
  for (size_t i = 0; i < results->lane_count; i++) {
    if (is_first(results, i)) {
      append_category(results, i, text);
    }
  }
  if (results->vanished_count > 0) {
    append_vanished(results, text);
  }
  vkm_text_string(text, "</testsuites>\n");
}
