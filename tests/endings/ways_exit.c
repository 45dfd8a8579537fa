/* Ways to end by leaving: calls, signals, handlers, threads. In: a device with finished work. Out:
 * the end. Nothing comes next. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ender.h"

enum { SUBMITTERS = 8 };

static struct ender *late_ender; /* what handlers that run after main work on */
static bool destructor_wanted;

void way_exit(struct ender *ender) {
  ender_say(ender);
  exit(EXIT_SUCCESS);
}

static void *leave(void *argument) {
  (void)argument;
  exit(EXIT_SUCCESS);
}

void way_exit_thread(struct ender *ender) {
  pthread_t thread;
  ender_say(ender);
  if (pthread_create(&thread, NULL, leave, NULL) != 0) {
    gpu_die("cannot start a thread");
  }
  (void)pthread_join(thread, NULL);
}

void way_underscore_exit(struct ender *ender) {
  ender_say(ender);
  _exit(EXIT_SUCCESS);
}

void way_quick_exit(struct ender *ender) {
  ender_say(ender);
  quick_exit(EXIT_SUCCESS);
}

void way_abort(struct ender *ender) {
  ender_say(ender);
  abort();
}

static void end_by(struct ender *ender, int number) {
  ender_say(ender);
  (void)raise(number);
  gpu_die("signal %d did not end the process", number);
}

void way_crash(struct ender *ender) {
  end_by(ender, SIGSEGV);
}

void way_sigterm(struct ender *ender) {
  end_by(ender, SIGTERM);
}

void way_sigkill(struct ender *ender) {
  end_by(ender, SIGKILL);
}

void way_instance_only(struct ender *ender) {
  ender_say(ender);
  vkDestroyInstance(ender->gpu.instance, NULL);
  exit(EXIT_SUCCESS);
}

/* After the layer's own handler it may call nothing of the driver by itself. */
static void work_late(void) {
  uint64_t reads = fake_driver_reads();
  (void)usleep(100000);
  ender_run(late_ender, 2);
  (void)printf("reads after exit %llu\n", (unsigned long long)(fake_driver_reads() - reads));
  ender_say(late_ender);
  ender_close(late_ender);
}

void early_atexit(struct ender *ender) {
  late_ender = ender;
  (void)atexit(work_late);
}

void way_atexit_before(struct ender *ender) {
  (void)ender;
  exit(EXIT_SUCCESS);
}

void way_atexit_after(struct ender *ender) {
  late_ender = ender;
  (void)atexit(work_late);
  exit(EXIT_SUCCESS);
}

__attribute__((destructor)) static void work_very_late(void) {
  if (destructor_wanted) {
    work_late();
    (void)fflush(stdout);
  }
}

void early_destructor(struct ender *ender) {
  late_ender = ender;
}

void way_destructor(struct ender *ender) {
  (void)ender;
  destructor_wanted = true;
  exit(EXIT_SUCCESS);
}

/* ---- threads ---- */

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint submitted;

/* Submits until the process is gone; only what the driver has taken counts. */
static void *submit_always(void *argument) {
  const struct ender *ender = argument;
  const struct gpu *gpu = &ender->gpu;
  VkCommandPool pool = gpu_pool_create(gpu, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  VkCommandBuffer commands = gpu_commands_create(gpu, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
  VkResult result = VK_SUCCESS;
  while (result != VK_ERROR_DEVICE_LOST) {
    gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    counter_order(commands);
    counter_record(&ender->counter, commands, 1, 0);
    gpu_commands_end(commands);
    (void)pthread_mutex_lock(&queue_lock);
    result = vkQueueSubmit(gpu->queue, 1, &submit, fence);
    (void)pthread_mutex_unlock(&queue_lock);
    if (result == VK_SUCCESS) {
      atomic_fetch_add(&submitted, 1);
      (void)vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 1000000000);
      (void)vkResetFences(gpu->device, 1, &fence);
    }
  }
  return NULL;
}

static void start_submitters(struct ender *ender) {
  for (int i = 0; i < SUBMITTERS; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, submit_always, ender) != 0) {
      gpu_die("cannot start a thread");
    }
    (void)pthread_detach(thread);
  }
  (void)usleep(200000);
}

void way_threads(struct ender *ender) {
  pthread_t thread;
  start_submitters(ender);
  ender->done += atomic_load(&submitted);
  ender_say(ender);
  if (pthread_create(&thread, NULL, leave, NULL) != 0) {
    gpu_die("cannot start a thread");
  }
  (void)pthread_join(thread, NULL);
}

void way_threads_return(struct ender *ender) {
  start_submitters(ender);
  ender->done += atomic_load(&submitted);
  ender_say(ender);
  exit(EXIT_SUCCESS);
}

static void *run_last(void *argument) {
  struct ender *ender = argument;
  (void)usleep(100000);
  ender_run(ender, 2);
  ender_say(ender);
  ender_close(ender);
  return NULL;
}

static void *run_and_leave(void *argument) {
  struct ender *ender = argument;
  (void)usleep(1500000); /* longer than a thread of the layer stays without work */
  ender_run(ender, 2);
  ender_say(ender);
  return NULL;
}

static void leave_to(void *(*work)(void *), struct ender *ender) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, ender) != 0) {
    gpu_die("cannot start a thread");
  }
  pthread_exit(NULL);
}

/* The process ends with its last thread. */
void way_main_leaves(struct ender *ender) {
  leave_to(run_last, ender);
}

/* The same with a device that is never destroyed: the layer's threads may not be the last ones for
 * ever. */
void way_main_leaves_alive(struct ender *ender) {
  leave_to(run_and_leave, ender);
}
