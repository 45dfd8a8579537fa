/* What a page consists of beside its rows: page.css and page.js of this folder, made into C when
 * the command is built. */
#ifndef VKM_TOOLS_VIEWS_HTML_ASSETS_H
#define VKM_TOOLS_VIEWS_HTML_ASSETS_H

extern const char vkm_html_style[], vkm_html_script[];
/* A Content-Security-Policy that lets these two run, and nothing else. */
extern const char vkm_html_policy[];

#endif
