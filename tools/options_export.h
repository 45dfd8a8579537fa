/* Setters of the options of export. Lines of the table in options.c name them. Each reports what it
 * does not take and returns false. Main thread. */
#ifndef VKM_TOOLS_OPTIONS_EXPORT_H
#define VKM_TOOLS_OPTIONS_EXPORT_H

#include "args.h"

bool vkm_set_export_format(struct vkm_args *args, const char *value);
bool vkm_set_export_tables(struct vkm_args *args, const char *value);
bool vkm_set_export_append(struct vkm_args *args, const char *value);

/* All tables but samples, in ndjson. */
void vkm_export_defaults(struct vkm_sink_request *request);

#endif
