/* An instance, and never a device: nothing to profile. */
#include <stdio.h>

#include "gpu.h"

int main(void) {
  struct gpu gpu;
  gpu_open_instance(&gpu, &(struct gpu_options){.application = "no_device"});
  vkDestroyInstance(gpu.instance, NULL);
  (void)printf("no device\n");
  return 0;
}
