/* In: what the timeline beside the profile holds. Out: the member trace. */
#include "profile/profile_write_sections.h"

void vkm_write_trace(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile_trace *trace = document->profile->trace;
  if (trace == NULL) {
    vkm_json_null(json, "trace", "none was asked for");
    return;
  }
  vkm_json_open(json, "trace", '{');
  vkm_json_string(json, "path", trace->path, trace->failed ? trace->failed : "not written yet");
  vkm_json_string(json, "style", trace->style, "not given");
  vkm_json_bool(json, "writable", trace->failed == NULL);
  if (trace->failed != NULL) {
    vkm_json_reason(json, "writable", trace->failed);
  }
  vkm_json_u64(json, "bytes", trace->bytes);
  vkm_json_u64(json, "events", trace->events);
  vkm_json_u64(json, "written", trace->written);
  vkm_json_open(json, "dropped", '{');
  vkm_json_u64(json, "full", trace->dropped_full);
  vkm_json_u64(json, "rate", trace->dropped_rate);
  vkm_json_u64(json, "size", trace->dropped_size);
  vkm_json_u64(json, "late", trace->dropped_late);
  vkm_json_close(json, '}');
  vkm_json_u64(json, "short_calls", trace->short_calls);
  vkm_json_u64(json, "unplaced", trace->unplaced);
  vkm_json_close(json, '}');
}
