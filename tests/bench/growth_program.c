/* growth_program CASE N: one piece of work behind the layer that grows with N, for
 * callgrind to count.
 *
 * What counts is what runs inside bench_counted* (callgrind's --toggle-collect), in surroundings
 * that stand still (bench_still.c). On stdout: the bytes that the layer held more at the end of it
 * than before, the most that it held while it ran, and the bytes of the profile (0: not written by
 * it).
 *
 *   record      N dispatches in one buffer, recorded
 *   dispatches  the same, submitted and waited for, and the profile written
 *   create      N pipelines made
 *   kernels     N pipelines, each dispatched once
 *   threads     N threads, each of which records, submits and waits, on one of two queues
 *   submissions a buffer of a dispatch submitted and waited for N times
 *   batch       N buffers in a call, waited for
 *   outstanding N submissions before the first wait
 *   samples     64 kernels, N samples of each, and the profile written
 *   profile     N kernels in the profile that is written
 *   devices     N devices alive at the same time, each used, and the profile written */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_alloc.h"
#include "bench_check.h"
#include "bench_kernels.h"
#include "bench_still.h"
#include "bench_world.h"
#include "fake_driver.h"

enum { AT_ONCE = 200, OF_A_THREAD = 100, CALLS = 16, SAMPLED = 64, SAMPLES_OF_EACH = 8 };

struct stage {
  struct bench_world world;
  struct bench_lane lane;
  uint32_t n;
  VkPipeline *kernels;      /* n */
  VkCommandBuffer *buffers; /* n */
  struct bench_lane *lanes; /* n */
};

struct growth {
  const char *name;
  void (*before)(struct stage *stage); /* not counted; NULL: nothing */
  void (*counted)(struct stage *stage);
  bool closes; /* lane and world are closed by it */
};

static void *array(size_t count, size_t size) {
  void *made = calloc(count, size);
  bench_require(made != NULL, "calloc");
  return made;
}

static void record(struct stage *stage) {
  const struct bench_lane *lane = &stage->lane;
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  bench_binds_and_dispatches(lane, lane->quiet, stage->n);
  bench_end(lane, lane->quiet);
}

static void make_room(struct stage *stage) {
  stage->kernels = array(stage->n, sizeof(VkPipeline));
}

static void create(struct stage *stage) {
  bench_kernels_create(&stage->world, stage->kernels, stage->n);
}

static void create_before(struct stage *stage) {
  make_room(stage);
  create(stage);
}

static void run_kernels(struct stage *stage) {
  const struct bench_lane *lane = &stage->lane;
  for (uint32_t i = 0; i < stage->n; i += AT_ONCE) {
    uint32_t count = stage->n - i < AT_ONCE ? stage->n - i : AT_ONCE;
    bench_kernels_record(lane, lane->once, stage->kernels + i, count, 64);
    bench_submissions(lane, 1);
  }
}

/* ---- threads ---- */

static pthread_mutex_t queue_locks[BENCH_QUEUES]; /* a queue is for one thread at a time */

static void open_lanes(struct stage *stage) {
  stage->lanes = array(stage->n, sizeof *stage->lanes);
  for (int i = 0; i < BENCH_QUEUES; i++) {
    (void)pthread_mutex_init(&queue_locks[i], NULL);
  }
  for (uint32_t i = 0; i < stage->n; i++) {
    bench_lane_open(&stage->lanes[i], &stage->world, i % BENCH_QUEUES);
  }
}

/* Counted by its name, too: callgrind collects by threads. */
void *bench_counted_thread(void *argument);

__attribute__((noinline)) void *bench_counted_thread(void *argument) {
  const struct bench_lane *lane = argument;
  pthread_mutex_t *lock = &queue_locks[lane->number];
  for (int i = 0; i < OF_A_THREAD; i++) {
    bench_begin(lane, lane->once, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bench_binds_and_dispatches(lane, lane->once, CALLS);
    bench_end(lane, lane->once);
    (void)pthread_mutex_lock(lock);
    bench_submit(lane, &lane->once, 1);
    (void)pthread_mutex_unlock(lock);
    bench_wait(lane);
  }
  return NULL;
}

static void use_lanes(struct stage *stage) {
  pthread_t *threads = array(stage->n, sizeof *threads);
  for (uint32_t i = 0; i < stage->n; i++) {
    threads[i] = bench_still_thread(bench_counted_thread, &stage->lanes[i]);
  }
  for (uint32_t i = 0; i < stage->n; i++) {
    (void)pthread_join(threads[i], NULL);
  }
  free(threads);
}

/* ---- submissions ---- */

static void submissions(struct stage *stage) {
  bench_submissions(&stage->lane, stage->n);
}

static void make_buffers(struct stage *stage) {
  stage->buffers = array(stage->n, sizeof(VkCommandBuffer));
  for (uint32_t i = 0; i < stage->n; i++) {
    stage->buffers[i] = bench_lane_buffer(&stage->lane, 1);
  }
}

static void batch(struct stage *stage) {
  bench_submit(&stage->lane, stage->buffers, stage->n);
  bench_wait(&stage->lane);
}

static void outstanding(struct stage *stage) {
  const struct bench_lane *lane = &stage->lane;
  for (uint32_t i = 0; i < stage->n; i++) {
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &stage->buffers[i]};
    bench_check(stage->world.vk.QueueSubmit(lane->queue, 1, &info, VK_NULL_HANDLE),
                "vkQueueSubmit");
  }
  bench_submissions(lane, 1);
}

/* ---- the profile, devices ---- */

static void close_world(struct stage *stage) {
  if (stage->kernels) {
    bench_kernels_destroy(&stage->world, stage->kernels, stage->n);
  }
  bench_lane_close(&stage->lane);
  bench_world_close(&stage->world);
}

static void dispatches(struct stage *stage) {
  VkCommandBuffer buffer = bench_lane_buffer(&stage->lane, stage->n);
  bench_submit(&stage->lane, &buffer, 1);
  bench_wait(&stage->lane); /* reads what is short, the end of the device the rest */
  close_world(stage);
}

static void fill_profile(struct stage *stage) {
  create_before(stage);
  for (uint32_t i = 0; i < SAMPLES_OF_EACH; i++) {
    run_kernels(stage);
  }
}

static void take_samples(struct stage *stage) {
  VkPipeline kernels[SAMPLED];
  bench_kernels_create(&stage->world, kernels, SAMPLED);
  for (uint32_t i = 0; i < stage->n; i++) {
    fake_config()->dispatch_ns = 50 + i * 37 % SAMPLED;
    bench_kernels_record(&stage->lane, stage->lane.once, kernels, SAMPLED, 64);
    bench_submissions(&stage->lane, 1);
  }
  bench_kernels_destroy(&stage->world, kernels, SAMPLED);
  close_world(stage);
}

static void use_devices(struct stage *stage) {
  struct bench_world *worlds = array(stage->n, sizeof *worlds);
  for (uint32_t i = 0; i < stage->n; i++) {
    struct bench_lane lane;
    bench_world_open(&worlds[i], true);
    bench_lane_open(&lane, &worlds[i], 0);
    bench_submissions(&lane, 1);
    bench_lane_close(&lane);
  }
  for (uint32_t i = 0; i < stage->n; i++) {
    bench_world_close(&worlds[i]);
  }
  free(worlds);
  close_world(stage);
}

static const struct growth growths[] = {
    {"record", NULL, record, false},           {"dispatches", NULL, dispatches, true},
    {"create", make_room, create, false},      {"kernels", create_before, run_kernels, false},
    {"threads", open_lanes, use_lanes, false}, {"submissions", NULL, submissions, false},
    {"batch", make_buffers, batch, false},     {"outstanding", make_buffers, outstanding, false},
    {"samples", NULL, take_samples, true},     {"profile", fill_profile, close_world, true},
    {"devices", NULL, use_devices, true},
};

static const struct growth *find(const char *name) {
  for (size_t i = 0; i < sizeof growths / sizeof growths[0]; i++) {
    if (strcmp(growths[i].name, name) == 0) {
      return &growths[i];
    }
  }
  return NULL;
}

void bench_counted(const struct growth *growth, struct stage *stage);

__attribute__((noinline)) void bench_counted(const struct growth *growth, struct stage *stage) {
  growth->counted(stage);
}

int main(int count, char *arguments[]) {
  const struct growth *growth = count == 3 ? find(arguments[1]) : NULL;
  struct stage stage = {.n = growth ? (uint32_t)strtoul(arguments[2], NULL, 10) : 0};
  const char *profile = getenv("VKMETER_OUTPUT");
  if (stage.n == 0 || profile == NULL) {
    (void)fputs("usage: VKMETER_OUTPUT=PROFILE growth_program CASE N\n", stderr);
    return EXIT_FAILURE;
  }
  bench_prepare(profile);
  fake_config()->dispatch_ns = 50; /* more than the clock of bench_still says would be refused */
  bench_world_open(&stage.world, true);
  bench_alloc_watch((const void *)(uintptr_t)stage.world.vk.CmdDispatch);
  bench_lane_open(&stage.lane, &stage.world, 0);
  if (growth->before) {
    growth->before(&stage);
  }
  int64_t before = bench_alloc_held();
  bench_counted(growth, &stage);
  int64_t after = bench_alloc_held();
  int64_t most = bench_alloc_most();
  struct stat status = {0};
  bench_require(!growth->closes || stat(profile, &status) == 0, "the profile");
  bench_require(bench_violations() == 0, "the rules of Vulkan");
  (void)printf("%lld %lld %lld\n", (long long)(after - before), (long long)(most - before),
               (long long)status.st_size);
  (void)fflush(stdout);
  quick_exit(EXIT_SUCCESS); /* what is left open is none of this program's business */
}
