/* What every small Vulkan program of the tests needs: a device with one queue that computes,
 * buffers, kernels, command buffers. All of it ends the program with a message and exit code 1 when
 * Vulkan fails (77 when there is no driver at all): these are programs, not libraries. One thread,
 * unless a function says otherwise. */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GPU_BUFFER_CAP = 4, GPU_NO_DRIVER = 77 };

struct gpu {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkPhysicalDeviceMemoryProperties memory;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  VkCommandPool pool; /* buffers may be reset one by one */
  VkDescriptorPool descriptors;
  bool timeline;         /* VK_KHR_timeline_semaphore is enabled */
  bool synchronization2; /* VK_KHR_synchronization2, where it was asked for */
  bool maintenance5;     /* VK_KHR_maintenance5, where it was asked for */
  /* NULL where VK_EXT_debug_utils is not there */
  PFN_vkSetDebugUtilsObjectNameEXT set_name;
  PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
  PFN_vkCmdEndDebugUtilsLabelEXT end_label;
};

struct gpu_options {
  const char *application; /* name of the program */
  const char *device;      /* a part of the wanted device's name; NULL: the first that computes */
  bool newest; /* ask for Vulkan 1.3, synchronization2 and maintenance5 where they exist */
};

struct gpu_buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  VkDeviceSize size_bytes;
  void *mapped; /* NULL for device memory */
};

/* A compute pipeline over `buffer_count` storage buffers (bindings 0..) and one push-constant
 * block. */
struct gpu_kernel {
  VkShaderModule module;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  uint32_t push_bytes;
  uint32_t buffer_count;
};

struct gpu_kernel_info {
  const char *name; /* debug-utils name */
  const uint32_t *code;
  size_t code_bytes;
  uint32_t buffer_count, push_bytes;
  const VkSpecializationInfo *specialization; /* or NULL */
  VkPipelineCreateFlags flags;
  bool without_module; /* the code goes into the pipeline's own call; needs maintenance5 */
};

/* Prints like printf, a newline after it, and exits with 1. Any thread. */
void gpu_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Dies, naming `what`, unless the result is VK_SUCCESS. Any thread. */
void gpu_check(VkResult result, const char *what);

/* Instance alone; exits with 77 and a remedy when there is no driver. */
void gpu_open_instance(struct gpu *gpu, const struct gpu_options *options);
/* Device, queue and pools on the instance that is open; may be repeated after gpu_close_device. */
void gpu_open_device(struct gpu *gpu, const struct gpu_options *options);
void gpu_open(struct gpu *gpu, const struct gpu_options *options);
void gpu_close_device(struct gpu *gpu);
void gpu_close(struct gpu *gpu);

/* `on_host`: mapped and coherent; else memory of the device. Usage is storage, transfer and
 * indirect. */
struct gpu_buffer gpu_buffer_create(const struct gpu *gpu, VkDeviceSize size_bytes, bool on_host);
void gpu_buffer_destroy(const struct gpu *gpu, struct gpu_buffer *buffer);

struct gpu_kernel gpu_kernel_create(const struct gpu *gpu, const struct gpu_kernel_info *info);
void gpu_kernel_destroy(const struct gpu *gpu, struct gpu_kernel *kernel);
/* A set that lives until the device is closed. */
VkDescriptorSet gpu_bind_buffers(const struct gpu *gpu, const struct gpu_kernel *kernel,
                                 const struct gpu_buffer *const buffers[]);

/* Any thread that owns the pool. */
VkCommandBuffer gpu_commands_create(const struct gpu *gpu, VkCommandPool pool,
                                    VkCommandBufferLevel level);
VkCommandPool gpu_pool_create(const struct gpu *gpu, VkCommandPoolCreateFlags flags);
void gpu_commands_begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags);
void gpu_commands_end(VkCommandBuffer commands);
/* Bind pipeline, set and push constants (`push` may be NULL when there are none). */
void gpu_use(VkCommandBuffer commands, const struct gpu_kernel *kernel, VkDescriptorSet set,
             const void *push);
/* Makes all earlier shader and transfer writes visible to everything later. */
void gpu_barrier(VkCommandBuffer commands);

/* Submits one buffer and waits for it, 60 s at most. */
void gpu_run(const struct gpu *gpu, VkCommandBuffer commands);

void gpu_label_begin(const struct gpu *gpu, VkCommandBuffer commands, const char *name);
void gpu_label_end(const struct gpu *gpu, VkCommandBuffer commands);

/* The value of `name` in the arguments ("--name value"), or NULL. */
const char *gpu_argument(int count, char *const arguments[], const char *name);
/* As a whole number between `low` and `high`; dies when it is not one. */
long gpu_argument_number(int count, char *const arguments[], const char *name, long otherwise,
                         long low, long high);
bool gpu_flag(int count, char *const arguments[], const char *name);

#ifdef __cplusplus
}
#endif

#endif
