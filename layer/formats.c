/* Bytes of texels, see formats.h. */
#include "formats.h"

#include <vulkan/utility/vk_format_utils.h>

/* The header defines these as plain inline: here is the one place where they exist beside that. */
__typeof__(vkuGetFormatInfo) vkuGetFormatInfo;
__typeof__(vkuFindMultiplaneCompatibleFormat) vkuFindMultiplaneCompatibleFormat;
__typeof__(vkuGetFormatCompatibility) vkuGetFormatCompatibility;
__typeof__(vkuGetPlaneIndex) vkuGetPlaneIndex;

/* By VkBufferImageCopy: 24 bits of depth take 32. */
static uint32_t depth_bytes(VkFormat format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM:
  case VK_FORMAT_D16_UNORM_S8_UINT:
    return 2;
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D24_UNORM_S8_UINT:
  case VK_FORMAT_D32_SFLOAT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return 4;
  default:
    return 0;
  }
}

static uint32_t stencil_bytes(VkFormat format) {
  bool has = format == VK_FORMAT_S8_UINT || format == VK_FORMAT_D16_UNORM_S8_UINT ||
             format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
  return has ? 1 : 0;
}

static uint64_t blocks(uint32_t texels, uint32_t block) {
  return ((uint64_t)texels + block - 1) / block;
}

static bool color_bytes(VkFormat format, VkExtent3D extent, uint64_t *bytes) {
  const struct VKU_FORMAT_INFO info = vkuGetFormatInfo(format);
  const VkExtent3D block = info.block_extent;
  if (format == VK_FORMAT_UNDEFINED || info.texel_block_size == 0 || block.width == 0 ||
      block.height == 0 || block.depth == 0 || depth_bytes(format) || stencil_bytes(format)) {
    return false;
  }
  *bytes = blocks(extent.width, block.width) * blocks(extent.height, block.height) *
           blocks(extent.depth, block.depth) * info.texel_block_size;
  return true;
}

bool vkm_format_bytes(VkFormat format, VkImageAspectFlags aspects, VkExtent3D extent,
                      uint64_t *bytes) {
  const VkImageAspectFlags planes =
      VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT;
  const VkImageAspectFlags depth_stencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  bool several_planes = vkuGetFormatCompatibility(format).per_plane[0].compatible_format;
  if (aspects == VK_IMAGE_ASPECT_COLOR_BIT) {
    return !several_planes && color_bytes(format, extent, bytes);
  }
  if (aspects & planes && (aspects & (aspects - 1)) == 0) {
    VkFormat plane = vkuFindMultiplaneCompatibleFormat(format, (VkImageAspectFlagBits)aspects);
    return several_planes && color_bytes(plane, extent, bytes);
  }
  uint32_t depth = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? depth_bytes(format) : 0;
  uint32_t stencil = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? stencil_bytes(format) : 0;
  if (aspects & ~depth_stencil || depth + stencil == 0) {
    return false;
  }
  *bytes = (uint64_t)extent.width * extent.height * extent.depth * (depth + stencil);
  return true;
}
