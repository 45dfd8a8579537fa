/* Names for the timeline, from device records. In: numbers of events. Next room:
 * timeline/trace_write. */
#ifndef VKM_LAYER_TRACE_NAMES_H
#define VKM_LAYER_TRACE_NAMES_H

#include "timeline/trace_write.h"

/* On the thread that writes; takes a record's lock for a moment. */
extern const struct vkm_trace_source vkm_trace_names;

#endif
