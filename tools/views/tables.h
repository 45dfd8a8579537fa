/* The views there are, one file each; listed in views.c. */
#ifndef VKM_TOOLS_VIEWS_TABLES_H
#define VKM_TOOLS_VIEWS_TABLES_H

#include "views/view.h"

extern const struct vkm_view vkm_view_table, vkm_view_md, vkm_view_csv, vkm_view_json,
    vkm_view_ndjson;
extern const struct vkm_view vkm_view_html, vkm_view_junit, vkm_view_github, vkm_view_bmf;

#endif
