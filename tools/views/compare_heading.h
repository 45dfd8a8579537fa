/* The sentences around a comparison, the same in every view for people. Pure; each appends whole
 * text without a line end, and nothing where there is nothing to say. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_HEADING_H
#define VKM_TOOLS_VIEWS_COMPARE_HEADING_H

#include "model/comparison.h"
#include "views/view.h"

/* "1 SLOWER, 2 GONE, 21 SAME"; `counts` by verdict. */
void vkm_compare_heading_verdicts(const size_t *counts, struct vkm_text *text);
/* Label, runs, device and driver of a side; of new only what differs from base. */
void vkm_compare_heading_side(const struct vkm_comparison *comparison,
                              const struct vkm_panel *panel, int side,
                              const struct vkm_view_settings *settings, struct vkm_text *text);
/* Threshold, floor and what intervals are over. */
void vkm_compare_heading_limits(const struct vkm_comparison *comparison,
                                const struct vkm_panel *panel,
                                const struct vkm_view_settings *settings, struct vkm_text *text);
/* Of one run a side: where its noise is taken from. */
void vkm_compare_heading_single(const struct vkm_panel *panel,
                                const struct vkm_view_settings *settings, struct vkm_text *text);
/* Sum of the matched rows on both sides, its change and verdict. */
void vkm_compare_heading_total(const struct vkm_panel *panel,
                               const struct vkm_view_settings *settings, struct vkm_text *text);
void vkm_compare_heading_geomean(const struct vkm_panel *panel,
                                 const struct vkm_view_settings *settings, struct vkm_text *text);
/* Gone and new rows, which are in no sum. */
void vkm_compare_heading_apart(const struct vkm_panel *panel,
                               const struct vkm_view_settings *settings, struct vkm_text *text);
/* How code-identical rows moved. */
void vkm_compare_heading_controls(const struct vkm_panel *panel,
                                  const struct vkm_view_settings *settings, struct vkm_text *text);
/* How many of them lie inside the noise floor; of one run a side. */
void vkm_compare_heading_inside(const struct vkm_panel *panel, struct vkm_text *text);
/* Why the times are no GPU times; nothing for hardware. */
void vkm_compare_heading_software(const struct vkm_panel *panel, struct vkm_text *text);
/* Rows that have another name than in base: "renamed: a was b". */
void vkm_compare_heading_renamed(const struct vkm_panel *panel,
                                 const struct vkm_view_settings *settings, struct vkm_text *text);
/* Runs of the side that failed, with the first one's cause. */
void vkm_compare_heading_errors(const struct vkm_side *side,
                                const struct vkm_view_settings *settings, struct vkm_text *text);
/* How many rows --top leaves out; *shown: how many it keeps. For formats that show all unless it
 * was given. */
void vkm_compare_heading_rest(const struct vkm_panel *panel,
                              const struct vkm_view_settings *settings, size_t *shown,
                              struct vkm_text *text);
/* Which gates were asked for and which tripped. */
void vkm_compare_heading_gate(const struct vkm_gate *gate, struct vkm_text *text);

/* Of a row: name and groups; from what to what, change, interval, impact; why it is not clear. */
void vkm_compare_heading_name(const struct vkm_compared_row *row,
                              const struct vkm_view_settings *settings, struct vkm_text *text);
void vkm_compare_heading_row(const struct vkm_compared_row *row,
                             const struct vkm_view_settings *settings, struct vkm_text *text);
void vkm_compare_heading_reason(const struct vkm_compared_row *row, struct vkm_text *text);
/* The reason alone, as a sentence. */
void vkm_compare_heading_why(const struct vkm_compared_row *row, struct vkm_text *text);
/* What it was called, what the compiler says has changed; with `note` why it is not clear, too. */
void vkm_compare_heading_facts(const struct vkm_compared_row *row,
                               const struct vkm_view_settings *settings, struct vkm_text *text);
void vkm_compare_heading_note(const struct vkm_compared_row *row,
                              const struct vkm_view_settings *settings, struct vkm_text *text);
/* "VGPRs 96 -> 128": what the driver's compiler says has changed. */
void vkm_compare_heading_statistics(const struct vkm_compared_row *row,
                                    const struct vkm_view_settings *settings,
                                    struct vkm_text *text);

#endif
