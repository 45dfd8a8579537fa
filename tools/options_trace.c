/* What is asked of traces. In: a word of the command line. Out: a field of struct vkm_args. Next:
 * commands/trace, commands/merge_traces. */
#include "options_trace.h"

#include <string.h>

#include "args.h"
#include "message.h"
#include "numbers.h"
#include "views/trace_views.h"

bool vkm_set_trace_output(struct vkm_args *args, const char *value) {
  size_t length = strcspn(value, ":");
  const struct vkm_trace_view *view = vkm_trace_view_find(value, length);
  if (view == NULL) {
    vkm_error(
        "--output=%s is no format of traces; give table, json, html or chrome, each with :PATH "
        "or without",
        value);
    return false;
  }
  if (value[length] == ':' && value[length + 1] == 0) {
    vkm_error("--output=%s names no file after the colon; write %s:PATH", value, view->name);
    return false;
  }
  if (args->output_count == VKM_OUTPUTS_MAX) {
    vkm_error("more than %d outputs; give fewer --output options", VKM_OUTPUTS_MAX);
    return false;
  }
  args->outputs[args->output_count++] = (struct vkm_output_request){
      .trace_view = view, .path = value[length] == ':' ? value + length + 1 : NULL};
  return true;
}

bool vkm_set_min_gap(struct vkm_args *args, const char *value) {
  double ns = 0;
  if (!vkm_parse_duration(value, &ns) || ns > 1e18) {
    vkm_error("--min-gap=%s is no time; write for example 10us or 1ms", value);
    return false;
  }
  args->min_gap_ns = (int64_t)ns;
  return true;
}

bool vkm_set_against(struct vkm_args *args, const char *value) {
  if (!*value) {
    vkm_error("--profile is empty; give the profile of the run that was traced");
    return false;
  }
  args->profile = value;
  return true;
}
