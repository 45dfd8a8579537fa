/* Hooks of later.def. In: calls whose arguments nobody here reads. Out: marks that are counted, and
 * the next layer's command. */
#include "device.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"

void vkm_later_find(struct vkm_device *device) {
#define VKM_LATER(name, kind, parameters, arguments)                                               \
  device->later[VKM_LATER_##name] = device->next_proc_addr(device->handle, "vkCmd" #name);
#include "later.def"
#undef VKM_LATER
}

static struct vkm_mark *before(struct vkm_cmdbuf *cmdbuf, enum vkm_kind kind) {
  struct vkm_work work = {.kind = kind};
  return cmdbuf ? vkm_record_before(cmdbuf, &work) : NULL;
}

/* The hook of an instance's lookup may be called where the device has no such command. */
#define VKM_LATER(name, kind, parameters, arguments)                                               \
  VKAPI_ATTR void VKAPI_CALL vkm_Cmd##name parameters {                                            \
    struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);                                             \
    __typeof__(&vkm_Cmd##name) next =                                                              \
        (__typeof__(next))vkm_device_of(handle)->later[VKM_LATER_##name];                          \
    struct vkm_mark *mark = before(cmdbuf, VKM_KIND_##kind);                                       \
    if (next) {                                                                                    \
      next arguments;                                                                              \
    }                                                                                              \
    if (cmdbuf) {                                                                                  \
      vkm_record_after(cmdbuf, mark);                                                              \
    }                                                                                              \
  }
#include "later.def"
#undef VKM_LATER
