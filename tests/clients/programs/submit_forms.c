/* The same kernel through every way of submitting: vkQueueSubmit, vkQueueSubmit2KHR,
 * vkQueueSubmit2, several batches and buffers in one call, and from a pipeline without a shader
 * module. What the device does not have is left out; the number of executions is printed. */
#include <stdio.h>

#include "counter.h"

enum { BUFFERS = 3 };

struct forms {
  struct gpu gpu;
  VkCommandBuffer commands[BUFFERS];
  uint32_t executions;
};

/* Buffer i holds i + 1 dispatches. */
static void record(struct forms *forms, const struct counter *counter) {
  for (uint32_t i = 0; i < BUFFERS; i++) {
    gpu_commands_begin(forms->commands[i], 0);
    counter_order(forms->commands[i]);
    for (uint32_t d = 0; d <= i; d++) {
      counter_record(counter, forms->commands[i], 1, 0);
    }
    gpu_commands_end(forms->commands[i]);
  }
}

static void finish(struct forms *forms, VkResult result, const char *form) {
  gpu_check(result, form);
  gpu_check(vkDeviceWaitIdle(forms->gpu.device), "vkDeviceWaitIdle");
  forms->executions += 6;
  (void)printf("%s\n", form);
}

static void submit_1(struct forms *forms) {
  VkSubmitInfo batches[2] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .commandBufferCount = 1,
       .pCommandBuffers = &forms->commands[0]},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .commandBufferCount = 2,
       .pCommandBuffers = &forms->commands[1]},
  };
  finish(forms, vkQueueSubmit(forms->gpu.queue, 2, batches, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* By either name; nothing when the device does not have it. */
static void submit_2(struct forms *forms, const char *name) {
  PFN_vkQueueSubmit2 submit = (PFN_vkQueueSubmit2)vkGetDeviceProcAddr(forms->gpu.device, name);
  if (submit == NULL || !forms->gpu.synchronization2) {
    return;
  }
  VkCommandBufferSubmitInfo buffers[BUFFERS] = {0};
  for (uint32_t i = 0; i < BUFFERS; i++) {
    buffers[i].sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
    buffers[i].commandBuffer = forms->commands[i];
  }
  VkSubmitInfo2 batches[3] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
       .commandBufferInfoCount = 2,
       .pCommandBufferInfos = &buffers[0]},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
       .commandBufferInfoCount = 1,
       .pCommandBufferInfos = &buffers[2]},
  };
  finish(forms, submit(forms->gpu.queue, 3, batches, VK_NULL_HANDLE), name);
}

static void run(struct forms *forms, struct counter counter) {
  uint32_t before = forms->executions;
  record(forms, &counter);
  submit_1(forms);
  submit_2(forms, "vkQueueSubmit2KHR");
  if (forms->gpu.properties.apiVersion >= VK_API_VERSION_1_3) {
    submit_2(forms, "vkQueueSubmit2");
  }
  counter_expect(&counter, forms->executions - before);
  counter_destroy(&forms->gpu, &counter);
}

int main(void) {
  struct forms forms = {0};
  gpu_open(&forms.gpu, &(struct gpu_options){.application = "submit_forms", .newest = true});
  for (uint32_t i = 0; i < BUFFERS; i++) {
    forms.commands[i] =
        gpu_commands_create(&forms.gpu, forms.gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  }
  run(&forms, counter_create(&forms.gpu));
  if (forms.gpu.maintenance5) {
    run(&forms, counter_create_without_module(&forms.gpu));
  }
  gpu_close(&forms.gpu);
  (void)printf("dispatches %u\n", forms.executions);
  return 0;
}
