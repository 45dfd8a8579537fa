/* The list of views. In: a name. Out: a view. Next: the view. */
#include <string.h>

#include "count.h"
#include "views/tables.h"

const struct vkm_view *const vkm_views[] = {&vkm_view_table, &vkm_view_md,     &vkm_view_csv,
                                            &vkm_view_json,  &vkm_view_ndjson, &vkm_view_html,
                                            &vkm_view_junit, &vkm_view_github, &vkm_view_bmf};
const size_t vkm_view_count = VKM_COUNT(vkm_views);

const struct vkm_view *vkm_view_find(const char *name, size_t name_length) {
  for (size_t i = 0; i < vkm_view_count; i++) {
    const char *known = vkm_views[i]->name;
    if (strlen(known) == name_length && strncmp(known, name, name_length) == 0) {
      return vkm_views[i];
    }
  }
  return NULL;
}
