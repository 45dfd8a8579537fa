// Recording of work that few devices can do: ray tracing, builds, generated commands, video and so
// on (FAKE_WORK in entries.def).
//
// In: vkCmd* calls, of which only the command buffer is looked at. Out: struct fake_command. Next
// room: timeline.c, which gives each the same cost.
#include "internal.h"

enum place { OUTSIDE, ANYWHERE };

static void push_work(VkCommandBuffer buffer, const char *name, enum fake_kind kind,
                      VkQueueFlags able, enum place place) {
  FAKE_CB(buffer)
  fake_push(cb, kind, name);
  if (cb->in_pass && place == OUTSIDE) {
    fake_violate("%s inside a render pass", name);
  }
  if ((fake_family_flags(cb->pool->family) & able) == 0) {
    fake_violate("%s on a family that cannot do it", name);
  }
}

// What implies TRANSFER need not say so.
#define FAMILY_GRAPHICS VK_QUEUE_GRAPHICS_BIT
#define FAMILY_COMPUTE VK_QUEUE_COMPUTE_BIT
#define FAMILY_TRANSFER (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)
#define FAMILY_VIDEO_DECODE VK_QUEUE_VIDEO_DECODE_BIT_KHR
#define FAMILY_VIDEO_ENCODE VK_QUEUE_VIDEO_ENCODE_BIT_KHR

#define FAKE_ENTRY(name, scope, version, extension)
#define FAKE_ALIAS(name, core, scope, version, extension)
#define FAKE_STUB(name, version)
#define FAKE_WORK(name, version, extension, kind, family, place)                                   \
  VKAPI_ATTR void VKAPI_CALL fake_##name(VkCommandBuffer buffer) {                                 \
    push_work(buffer, #name, KIND_##kind, FAMILY_##family, place);                                 \
  }
#include "entries.def"
