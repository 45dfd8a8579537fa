/* Names and meanings of the calls that the timeline shows, see calls.def. */
#include "timeline/event.h"

#include <stddef.h>

static const struct {
  const char *name;
  enum vkm_activity activity;
} calls[VKM_CALL_COUNT] = {
#define VKM_CALL(name, activity) {"vk" #name, activity},
#include "timeline/calls.def"
#undef VKM_CALL
};

const char *vkm_call_name(enum vkm_call call) {
  return (size_t)call < VKM_CALL_COUNT ? calls[call].name : "vk?";
}

enum vkm_activity vkm_call_activity(enum vkm_call call) {
  return (size_t)call < VKM_CALL_COUNT ? calls[call].activity : VKM_ACTIVITY_COUNT;
}
