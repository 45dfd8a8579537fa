/* What a page consists of beside its rows: the styles and scripts of this folder, made into C when
 * the command is built. */
#ifndef VKM_TOOLS_VIEWS_HTML_ASSETS_H
#define VKM_TOOLS_VIEWS_HTML_ASSETS_H

extern const char vkm_html_page_css[], vkm_html_page_js[];
/* Only in a page with a timeline; the scripts in this order. */
extern const char vkm_html_timeline_css[];
extern const char vkm_html_timeline_data_js[], vkm_html_timeline_draw_js[];
extern const char vkm_html_timeline_view_js[];
/* A Content-Security-Policy that lets these run, and nothing else. */
extern const char vkm_html_policy[];

#endif
