/* What a driver offers to whoever measures on it, asked once a device. In: a physical device, its
 * record with the families filled in. Out: capabilities of the profile, each with the reason where
 * it is missing. Nothing of it is switched on here. */
#ifndef VKM_LAYER_OFFERS_H
#define VKM_LAYER_OFFERS_H

#include <vulkan/vulkan.h>

#include "device_record.h"
#include "instance.h"

/* Adds `timestamps`, `timestamps_on_every_family`, `memory_budget` and `performance_query`. Before
 * the record is published. Without memory for the list of extensions the two last ones say so. */
void vkm_offers_note(struct vkm_device_record *record, const struct vkm_instance *instance,
                     VkPhysicalDevice physical);

#endif
