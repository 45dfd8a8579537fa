/* Forks with a live device: one child just leaves through exit(), another becomes a Vulkan program
 * of its own (the argument, default resubmit100 beside this one). Before, between and after, the
 * parent computes: 9 executions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counter.h"

static void run_three(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  counter_order(commands);
  for (uint32_t i = 0; i < 3; i++) {
    counter_record(counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  gpu_run(gpu, commands);
}

static void expect_end(pid_t child, const char *which) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0) {
    gpu_die("the child that %s ended badly (status %d)", which, status);
  }
}

/* Only in a child. */
static _Noreturn void become(const char *program) {
  char path[4096];
  if (program == NULL) {
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    if (length < 0) {
      _exit(EXIT_FAILURE);
    }
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    (void)snprintf(path + folder, sizeof path - folder, "resubmit100");
    program = path;
  }
  (void)execl(program, program, (char *)NULL);
  perror(program);
  _exit(EXIT_FAILURE);
}

int main(int count, char *arguments[]) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "forker"});
  struct counter counter = counter_create(&gpu);
  run_three(&gpu, &counter);
  pid_t leaver = fork();
  if (leaver == 0) {
    exit(EXIT_SUCCESS);
  }
  expect_end(leaver, "leaves");
  run_three(&gpu, &counter);
  pid_t other = fork();
  if (other == 0) {
    become(count > 1 ? arguments[1] : NULL);
  }
  expect_end(other, "became another program");
  run_three(&gpu, &counter);
  counter_expect(&counter, 9);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  (void)printf("dispatches 9\n");
  return 0;
}
