/* Lanes of a suite, and passes of a lane, as sheets. Main thread. */
#ifndef VKM_TOOLS_VIEWS_SUITE_SHEET_H
#define VKM_TOOLS_VIEWS_SUITE_SHEET_H

#include "model/suite_results.h"
#include "model/suite_why.h"
#include "views/sheet.h"

struct vkm_sheet vkm_suite_lanes_sheet(const struct vkm_suite_results *results);
struct vkm_sheet vkm_suite_passes_sheet(const struct vkm_suite_lane *lane);
struct vkm_sheet vkm_suite_why_sheet(const struct vkm_suite_why *why);

#endif
