/* VkFFT, other people's code, as a client: forward and inverse transforms of 1 and 2 dimensions,
 * ten times each, compared with what went in. In: --device SUBSTRING, or nothing. Out: one line a
 * transform with its error, exit code 1 when it is too large. The kernels are generated and
 * compiled at run time; each buffer is recorded once per transform. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>

#if !__has_include(<vkFFT/vkFFT_Structs/vkFFT_Structs.h>)
/* VkFFT 1.2 fills glslang's limits by position, from before glslang 12 added some. It gets a
 * structure of the shape it knows, and glslang gets its own default limits. */
struct vkfft_limits {
  int values[93];
  glslang_limits_t limits;
  const glslang_resource_t *operator&() const {
    return glslang_default_resource();
  }
};
#define glslang_resource_t vkfft_limits
#endif

#define VKFFT_BACKEND 0
#include <vkFFT.h>

#include "gpu.h"

namespace {

constexpr int REPEATS = 10;

struct transform {
  const char *name;
  uint64_t dimensions, width, height;
};

struct plan {
  VkFFTApplication application;
  gpu_buffer buffer;
  uint64_t size_bytes, points;
  VkFence fence;
};

float input_at(uint64_t i) {
  return static_cast<float>(i * 7919 % 1000) / 500.0F - 1.0F;
}

void plan_create(gpu *device, const transform *wanted, plan *made) {
  *made = {};
  made->points = wanted->width * wanted->height;
  made->size_bytes = made->points * 2 * sizeof(float);
  made->buffer = gpu_buffer_create(device, made->size_bytes, true);
  VkFenceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  gpu_check(vkCreateFence(device->device, &info, nullptr, &made->fence), "vkCreateFence");
  VkFFTConfiguration configuration = {};
  configuration.FFTdim = wanted->dimensions;
  configuration.size[0] = wanted->width;
  configuration.size[1] = wanted->height;
  configuration.normalize = 1;
  configuration.useLUT = 1; /* drivers' sines may be as coarse as 2^-11 */
  configuration.physicalDevice = &device->physical;
  configuration.device = &device->device;
  configuration.queue = &device->queue;
  configuration.commandPool = &device->pool;
  configuration.fence = &made->fence;
  configuration.buffer = &made->buffer.buffer;
  configuration.bufferSize = &made->size_bytes;
  VkFFTResult result = initializeVkFFT(&made->application, configuration);
  if (result != VKFFT_SUCCESS) {
    gpu_die("%s: initializeVkFFT failed with %d", wanted->name, static_cast<int>(result));
  }
}

void plan_destroy(const gpu *device, plan *made) {
  deleteVkFFT(&made->application);
  vkDestroyFence(device->device, made->fence, nullptr);
  gpu_buffer_destroy(device, &made->buffer);
}

/* direction -1 is forward, 1 is inverse, as VkFFT wants it. */
void record(plan *made, VkCommandBuffer commands, int direction) {
  VkFFTLaunchParams launch = {};
  launch.commandBuffer = &commands;
  launch.buffer = &made->buffer.buffer;
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkFFTResult result = VkFFTAppend(&made->application, direction, &launch);
  if (result != VKFFT_SUCCESS) {
    gpu_die("VkFFTAppend failed with %d", static_cast<int>(result));
  }
  gpu_barrier(commands);
  gpu_commands_end(commands);
}

/* The largest difference between what is there and what was put in. */
double error_of(const plan *made) {
  const float *values = static_cast<const float *>(made->buffer.mapped);
  double error = 0;
  for (uint64_t i = 0; i < made->points * 2; i++) {
    double difference =
        std::fabs(static_cast<double>(values[i]) - static_cast<double>(input_at(i)));
    error = difference > error || std::isnan(difference) ? difference : error;
  }
  return error;
}

/* The sum of the inputs is the first value of the forward transform: shows that it did something.
 */
double first_error_of(const plan *made) {
  const float *values = static_cast<const float *>(made->buffer.mapped);
  double sum = 0;
  for (uint64_t i = 0; i < made->points; i++) {
    sum += static_cast<double>(input_at(2 * i));
  }
  return std::fabs(static_cast<double>(values[0]) - sum);
}

bool run(gpu *device, const transform *wanted) {
  plan made;
  plan_create(device, wanted, &made);
  VkCommandBuffer commands =
      gpu_commands_create(device, device->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  double error = 0;
  double first = 0;
  for (int i = 0; i < REPEATS; i++) {
    float *values = static_cast<float *>(made.buffer.mapped);
    for (uint64_t at = 0; at < made.points * 2; at++) {
      values[at] = input_at(at);
    }
    record(&made, commands, -1);
    gpu_run(device, commands);
    first = std::fmax(first, first_error_of(&made));
    record(&made, commands, 1);
    gpu_run(device, commands);
    error = std::fmax(error, error_of(&made));
  }
  bool good = error < 1e-4 && first < 0.1;
  (void)std::printf("%s round trips %d, error %.3e, sum off by %.3e, %s\n", wanted->name, REPEATS,
                    error, first, good ? "OK" : "WRONG");
  vkFreeCommandBuffers(device->device, device->pool, 1, &commands);
  plan_destroy(device, &made);
  return good;
}

} // namespace

int main(int count, char *arguments[]) {
  const transform transforms[] = {
      {"1D 1024", 1, 1024, 1},
      {"1D 65536", 1, 65536, 1},
      {"2D 128x64", 2, 128, 64},
  };
  gpu device = {};
  const gpu_options options = {"vkfft", gpu_argument(count, arguments, "--device"), false};
  gpu_open(&device, &options);
  bool good = true;
  for (const transform &each : transforms) {
    good = run(&device, &each) && good;
  }
  gpu_close(&device);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
