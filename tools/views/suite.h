/* Results of a suite as texts. Each appends the whole of it. Main thread. */
#ifndef VKM_TOOLS_VIEWS_SUITE_H
#define VKM_TOOLS_VIEWS_SUITE_H

#include "base/text.h"
#include "model/suite_results.h"
#include "views/view.h"

/* For people: a line a lane. */
void vkm_view_suite_table(const struct vkm_suite_results *results,
                          const struct vkm_view_settings *settings, struct vkm_text *text);
/* summary.md. `details`: of each lane, Markdown that goes below its own heading; may be empty. */
void vkm_view_suite_md(const struct vkm_suite_results *results, const struct vkm_text *details,
                       const struct vkm_view_settings *settings, struct vkm_text *text);
/* results.json: schema vkmeter.suite/1. */
void vkm_view_suite_json(const struct vkm_suite_results *results, struct vkm_text *text);
/* junit.xml: a test case a lane. */
void vkm_view_suite_junit(const struct vkm_suite_results *results, struct vkm_text *text);
/* Annotations of GitHub Actions: errors and warnings, ten at most. Nothing where there is none. */
void vkm_view_suite_github(const struct vkm_suite_results *results, struct vkm_text *text);

/* Parts of these. */
/* "full suite", "quick suite", "full suite, in part: something was skipped". */
void vkm_suite_title(const struct vkm_suite_results *results, struct vkm_text *text);
/* "3 ok, 1 error, 2 skipped, 1 with warnings". */
void vkm_suite_tally(const struct vkm_suite_results *results, struct vkm_text *text);
/* Whether a measure is worth a sentence: it is not the same as in the baseline. */
bool vkm_suite_measure_told(const struct vkm_suite_lane *lane, enum vkm_measure_of of);
/* "wall time SLOWER: 1.2 s to 1.5 s, +25.0 % (+22.1 to +28.0 %), runs: 5 and 5". */
void vkm_suite_measure_words(const struct vkm_suite_lane *lane, enum vkm_measure_of of,
                             struct vkm_text *text);
/* The same of what runs left. */
bool vkm_suite_output_told(const struct vkm_suite_output *output);
void vkm_suite_output_words(const struct vkm_suite_output *output, struct vkm_text *text);
/* What is to be said of a lane, a line each: why it failed or is skipped, rows that changed, limits
 * that are exceeded. Raw. Nothing where all is well. */
void vkm_suite_lane_words(const struct vkm_suite_lane *lane, struct vkm_text *text);

#endif
