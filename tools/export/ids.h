/* Which profiles were exported already, so that none counts twice. Main thread. */
#ifndef VKM_TOOLS_EXPORT_IDS_H
#define VKM_TOOLS_EXPORT_IDS_H

/* Remembers `id` with the path it came from. NULL: it is new. Else the path it was first seen at;
 * "" when there was no memory to remember it. `ids` is NULL at first. */
const char *vkm_export_ids_add(void **ids, const char *id, const char *path);
void vkm_export_ids_finish(void **ids);

#endif
