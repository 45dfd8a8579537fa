/* What another library in the process may define: names that a layer must never call as global
 * symbols, of those that the loader itself does not look up so. In: nothing. Out: the process ends
 * when one is called. Next: loader_manifest.py preloads it. */
#include <stdlib.h>

#define NAMED(name)                                                                                \
  __attribute__((visibility("default"))) void name(void);                                          \
  void name(void) {                                                                                \
    abort();                                                                                       \
  }

NAMED(vkGetInstanceProcAddr)
NAMED(vkGetDeviceProcAddr)
NAMED(vkCreateQueryPool)
NAMED(vkDestroyQueryPool)
NAMED(vkGetQueryPoolResults)
NAMED(vkResetQueryPool)
NAMED(vkQueueSubmit)
NAMED(vkDeviceWaitIdle)
NAMED(vkQueueWaitIdle)
NAMED(vkCmdWriteTimestamp)
NAMED(vkCmdResetQueryPool)
NAMED(vkGetCalibratedTimestampsKHR)
