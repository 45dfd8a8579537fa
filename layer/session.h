/* The process as a whole: settings, all devices' records, the file. In: devices that come and go.
 * Out: the profile, by checkpoints, at device destruction and at exit. */
#ifndef VKM_LAYER_SESSION_H
#define VKM_LAYER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "settings.h"

struct vkm_device;
struct vkm_device_record;
struct vkm_profile;

/* Called first in vkCreateInstance: reads settings once a process, also those that the first
 * application gives. False: pass everything through (AT_SECURE, or no instance yet). */
bool vkm_session_enter(const VkInstanceCreateInfo *info);
bool vkm_session_enabled(void);
const struct vkm_settings *vkm_session_settings(void);
/* What the application says of itself. */
void vkm_session_application(const VkApplicationInfo *info);

/* The program asked for a recording command that we do not know. Any thread. */
void vkm_session_not_intercepted(const char *name);

/* Adds a device's record to the profile; the session owns it from here. False when the cap of
 * devices is reached. */
bool vkm_session_add(struct vkm_device_record *record);
/* The record with that number, in the profile's order; NULL: there is none. */
struct vkm_device_record *vkm_session_record(uint32_t number);
/* A device that there was no memory for: it passes through, and the profile counts it as dropped.
 */
void vkm_session_drop(void);
/* A device is about to be used / was destroyed. Destruction of the last one writes the profile, at
 * once, or a little later by the writing thread where the last writing was too recent for its cost.
 */
void vkm_session_device_created(void);
void vkm_session_device_destroyed(void);
/* Something changed that a checkpoint should show; starts the writing thread at the first call.
 * Cheap. */
void vkm_session_touch(void);
/* True once our exit handler has begun: no Vulkan call of ours any more. */
bool vkm_session_exiting(void);

/* When the session started. */
int64_t vkm_session_started_ns(void);
/* CLOCK_MONOTONIC in nanoseconds. */
int64_t vkm_now_ns(void);

#endif
