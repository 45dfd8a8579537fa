/* The sentences around a table of rows, the same in every view for people. Pure; each appends whole
 * text without a line end. */
#ifndef VKM_TOOLS_VIEWS_HEADING_H
#define VKM_TOOLS_VIEWS_HEADING_H

#include "model/report.h"
#include "views/pick.h"

/* Device, driver, runs, time on its queues. */
void vkm_heading_device(const struct vkm_section *section, const struct vkm_view_settings *settings,
                        struct vkm_text *text);
/* Runs that failed, and why; appends nothing when none did. */
void vkm_heading_failed(const struct vkm_report *report, const struct vkm_view_settings *settings,
                        struct vkm_text *text);
/* What was timed and what was not, tick, mode. */
void vkm_heading_data(const struct vkm_section *section, const struct vkm_view_settings *settings,
                      struct vkm_text *text);
/* Why the times are no GPU times; appends nothing for hardware. */
void vkm_heading_software(const struct vkm_section *section, struct vkm_text *text);
/* How many rows there are beyond those shown; appends nothing when there are none. */
void vkm_heading_rest(const struct vkm_picked *picked, const struct vkm_view_settings *settings,
                      struct vkm_text *text);
/* What a filter hides; appends nothing where no filter speaks of the sheet. */
void vkm_heading_filter(const struct vkm_picked *picked, struct vkm_text *text);
/* What the breakdown is of; how its parts overlap. */
void vkm_heading_breakdown(const struct vkm_breakdown *breakdown,
                           const struct vkm_view_settings *settings, struct vkm_text *text);
void vkm_heading_overlaps(const struct vkm_breakdown *breakdown,
                          const struct vkm_view_settings *settings, struct vkm_text *text);
/* What was set aside; appends nothing when nothing was. */
void vkm_heading_warmup(const struct vkm_section *section, struct vkm_text *text);
/* Rows that hold nothing but first use; appends nothing when there are none. */
void vkm_heading_first_use(const struct vkm_section *section, struct vkm_text *text);

/* "1 run", "2 runs". */
void vkm_heading_plural(struct vkm_text *text, uint64_t count, const char *one, const char *many);

#endif
