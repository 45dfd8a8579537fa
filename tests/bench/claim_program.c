/* claim_program DISPATCHES ROUNDS: the same recordings, submissions and waits bare and behind the
 * layer, in turns, with the time of each on stdout, for `claim` to hold the profile against.
 *
 * Bare they are done twice: as a program does them without the layer, and with timestamps of its
 * own as the layer writes them, because the driver here works through each command at submission.
 * Out: "record", "submit" and "wait", each with how many submissions there were and the nanoseconds
 * of them all: bare, bare with timestamps, behind the layer. */
#include <string.h>
#include <time.h>

#include "bench_check.h"
#include "bench_world.h"
#include "fake_driver.h"

enum { BUFFERS = 16, WARM_UP = 4, BARE = 0, STAMPED, LAYERED, SIDES };
enum { RECORD = 0, SUBMIT, WAIT, PARTS };

struct side {
  struct bench_world world;
  struct bench_lane lane;
  VkCommandBuffer buffers[BUFFERS];
  VkQueryPool own;       /* timestamps of its own, NULL: none */
  VkCommandBuffer reset; /* of them; for any number of submissions */
  double ns[PARTS];
};

static double now_ns(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void stamp(const struct side *side, VkCommandBuffer buffer, uint32_t query) {
  if (side->own) {
    side->world.vk.CmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, side->own,
                                     query);
  }
}

static void record(const struct side *side, VkCommandBuffer buffer, uint32_t dispatches,
                   uint32_t query) {
  const struct bench_world *world = &side->world;
  bench_begin(&side->lane, buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t i = 0; i < dispatches; i++) {
    world->vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                              world->pipelines[i % BENCH_PIPELINES]);
    if (i == 0) {
      stamp(side, buffer, query);
    }
    world->vk.CmdDispatch(buffer, 64, 1, 1);
    stamp(side, buffer, query + i + 1);
  }
  stamp(side, buffer, query + dispatches + 1); /* the closing one */
  bench_end(&side->lane, buffer);
}

static void play(struct side *side, uint32_t dispatches, bool counted) {
  const struct bench_lane *lane = &side->lane;
  uint32_t each = dispatches + 2;
  if (side->own) {
    bench_submit(lane, &side->reset, 1);
    bench_wait(lane);
  }
  double times[PARTS + 1];
  times[RECORD] = now_ns();
  for (uint32_t i = 0; i < BUFFERS; i++) {
    record(side, side->buffers[i], dispatches, i * each);
  }
  times[SUBMIT] = now_ns();
  for (uint32_t i = 0; i < BUFFERS; i++) {
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &side->buffers[i]};
    VkFence fence = i == BUFFERS - 1 ? lane->fence : VK_NULL_HANDLE;
    bench_check(side->world.vk.QueueSubmit(lane->queue, 1, &info, fence), "vkQueueSubmit");
  }
  times[WAIT] = now_ns();
  bench_wait(lane);
  times[PARTS] = now_ns();
  for (int part = 0; counted && part < PARTS; part++) {
    side->ns[part] += times[part + 1] - times[part];
  }
}

static void open_side(struct side *side, int number, uint32_t dispatches) {
  bench_world_open(&side->world, number == LAYERED);
  bench_lane_open(&side->lane, &side->world, 0);
  VkCommandBufferAllocateInfo buffers = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = side->lane.pool,
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                         .commandBufferCount = BUFFERS};
  VkCommandBufferAllocateInfo one = buffers;
  one.commandBufferCount = 1;
  fake_config()->recording = 1; /* looked at when a command buffer is allocated */
  bench_check(side->world.vk.AllocateCommandBuffers(side->world.device, &buffers, side->buffers),
              "vkAllocateCommandBuffers");
  bench_check(side->world.vk.AllocateCommandBuffers(side->world.device, &one, &side->reset),
              "vkAllocateCommandBuffers");
  if (number == STAMPED) {
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                  .queryCount = BUFFERS * (dispatches + 2)};
    bench_check(side->world.vk.CreateQueryPool(side->world.device, &info, NULL, &side->own),
                "vkCreateQueryPool");
    bench_begin(&side->lane, side->reset, 0);
    side->world.vk.CmdResetQueryPool(side->reset, side->own, 0, info.queryCount);
    bench_end(&side->lane, side->reset);
  }
}

static void close_side(struct side *side) {
  if (side->own) {
    side->world.vk.DestroyQueryPool(side->world.device, side->own, NULL);
  }
  bench_lane_close(&side->lane);
  bench_world_close(&side->world);
}

int main(int count, char *arguments[]) {
  static const char *const names[PARTS] = {"record", "submit", "wait"};
  static struct side sides[SIDES];
  uint32_t dispatches = count == 3 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0;
  uint32_t rounds = count == 3 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 0;
  const char *profile = getenv("VKMETER_OUTPUT");
  if (dispatches == 0 || rounds == 0 || profile == NULL) {
    (void)fputs("usage: VKMETER_OUTPUT=PROFILE claim_program DISPATCHES ROUNDS\n", stderr);
    return EXIT_FAILURE;
  }
  bench_prepare(profile);
  fake_config()->dispatch_ns = 1; /* more than the submission takes would be refused */
  for (int i = 0; i < SIDES; i++) {
    open_side(&sides[i], i, dispatches);
  }
  for (uint32_t round = 0; round < WARM_UP + rounds; round++) {
    for (int i = 0; i < SIDES; i++) {
      play(&sides[(i + (int)(round % SIDES)) % SIDES], dispatches, round >= WARM_UP);
    }
  }
  for (int i = 0; i < SIDES; i++) {
    close_side(&sides[i]);
  }
  bench_require(bench_violations() == 0, "the rules of Vulkan");
  for (int part = 0; part < PARTS; part++) {
    (void)printf("%s %u %.0f %.0f %.0f\n", names[part], rounds * BUFFERS, sides[BARE].ns[part],
                 sides[STAMPED].ns[part], sides[LAYERED].ns[part]);
  }
  return EXIT_SUCCESS;
}
