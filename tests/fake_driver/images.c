// Images and what belongs to render passes: accepted, sized, never filled.
//
// In: calls. Out: handles. Next room: record_render.c.
#include "internal.h"

#include <string.h>

struct fake_image {
  struct fake_object object;
  VkDeviceSize size;
};

// A creation and a destruction that keep nothing but the object itself.
#define PLAIN_DESTROY(name)                                                                        \
  void fake_vkDestroy##name(VkDevice device, Vk##name handle,                                      \
                            const VkAllocationCallbacks *allocator) {                              \
    (void)device;                                                                                  \
    (void)allocator;                                                                               \
    fake_object_delete(FAKE_OBJECT(fake_object, handle));                                          \
  }
#define PLAIN(name, info_type)                                                                     \
  PLAIN_NAMED(name, name, info_type)                                                               \
  PLAIN_DESTROY(name)
#define PLAIN_NAMED(function, name, info_type)                                                     \
  VkResult fake_vkCreate##function(VkDevice device, const info_type *info,                         \
                                   const VkAllocationCallbacks *allocator, Vk##name *out) {        \
    (void)info;                                                                                    \
    (void)allocator;                                                                               \
    FAKE_ENTER();                                                                                  \
    struct fake_object *object =                                                                   \
        fake_object_new((struct fake_device *)device, "Vk" #name, sizeof *object);                 \
    *out = FAKE_HANDLE(Vk##name, object);                                                          \
    return object != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;                              \
  }

PLAIN(BufferView, VkBufferViewCreateInfo)
PLAIN(ImageView, VkImageViewCreateInfo)
PLAIN(Sampler, VkSamplerCreateInfo)
PLAIN(SamplerYcbcrConversion, VkSamplerYcbcrConversionCreateInfo)
PLAIN(Framebuffer, VkFramebufferCreateInfo)
PLAIN(RenderPass, VkRenderPassCreateInfo)
PLAIN_NAMED(RenderPass2, RenderPass, VkRenderPassCreateInfo2)
PLAIN(DescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)
PLAIN(DescriptorUpdateTemplate, VkDescriptorUpdateTemplateCreateInfo)
PLAIN(PipelineLayout, VkPipelineLayoutCreateInfo)
PLAIN(ShaderModule, VkShaderModuleCreateInfo)

static VkDeviceSize image_size(const VkImageCreateInfo *info) {
  // 16 bytes hold a texel of every format that is offered; mip levels add less than as much again.
  return 32ULL * info->extent.width * info->extent.height * info->extent.depth * info->arrayLayers;
}

VkResult fake_vkCreateImage(VkDevice device, const VkImageCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkImage *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_image *image =
      fake_object_new((struct fake_device *)device, "VkImage", sizeof *image);
  if (image == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  image->size = image_size(info);
  *out = FAKE_HANDLE(VkImage, image);
  return VK_SUCCESS;
}

PLAIN_DESTROY(Image)

VkResult fake_vkBindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory,
                                VkDeviceSize offset) {
  (void)device;
  (void)image;
  (void)memory;
  (void)offset;
  FAKE_ENTER();
  return VK_SUCCESS;
}

VkResult fake_vkBindImageMemory2(VkDevice device, uint32_t count,
                                 const VkBindImageMemoryInfo *infos) {
  (void)device;
  (void)count;
  (void)infos;
  FAKE_ENTER();
  return VK_SUCCESS;
}

// Copies by the host: accepted, nothing is moved.
#define HOST_COPY(name, info_type)                                                                 \
  VkResult fake_vk##name(VkDevice device, const info_type *info) {                                 \
    (void)device;                                                                                  \
    (void)info;                                                                                    \
    FAKE_ENTER();                                                                                  \
    return VK_SUCCESS;                                                                             \
  }
HOST_COPY(CopyMemoryToImageEXT, VkCopyMemoryToImageInfoEXT)
HOST_COPY(CopyImageToMemoryEXT, VkCopyImageToMemoryInfoEXT)
HOST_COPY(CopyImageToImageEXT, VkCopyImageToImageInfoEXT)

static VkMemoryRequirements requirements(VkDeviceSize size) {
  return (VkMemoryRequirements){(size + 63) / 64 * 64, 64, 31};
}

void fake_vkGetImageMemoryRequirements(VkDevice device, VkImage image, VkMemoryRequirements *out) {
  (void)device;
  *out = requirements(FAKE_OBJECT(fake_image, image)->size);
}

void fake_vkGetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *info,
                                        VkMemoryRequirements2 *out) {
  fake_vkGetImageMemoryRequirements(device, info->image, &out->memoryRequirements);
}

void fake_vkGetDeviceImageMemoryRequirements(VkDevice device,
                                             const VkDeviceImageMemoryRequirements *info,
                                             VkMemoryRequirements2 *out) {
  (void)device;
  out->memoryRequirements = requirements(image_size(info->pCreateInfo));
}

void fake_vkGetImageSparseMemoryRequirements(VkDevice device, VkImage image, uint32_t *count,
                                             VkSparseImageMemoryRequirements *out) {
  (void)device;
  (void)image;
  (void)out;
  *count = 0;
}

void fake_vkGetImageSubresourceLayout(VkDevice device, VkImage image,
                                      const VkImageSubresource *subresource,
                                      VkSubresourceLayout *out) {
  (void)device;
  (void)subresource;
  memset(out, 0, sizeof *out);
  out->size = FAKE_OBJECT(fake_image, image)->size;
}
