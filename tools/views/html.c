/* The view html. In: a report or a comparison. Out: a page. Next: a browser. */
#include "views/compare_views.h"
#include "views/tables.h"

const struct vkm_view vkm_view_html = {
    "html", "one page that needs no network: sort, filter, print", false, NULL, vkm_compare_html};
