/* Runs 5 dispatches and ends in the way that is named. usage: ender WAY [--after MS]
 * In: a driver. Out: "dispatches N" and an end; with --after, MS milliseconds (one more dispatch in
 * each 100) pass before the end. Next: check_endings asserts what was kept of the profile. */
#include "ender.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct way {
  const char *name;
  way_function *early, *end;
};

static const struct way ways[] = {
    {"return", NULL, NULL},
    {"exit", NULL, way_exit},
    {"exit_thread", NULL, way_exit_thread},
    {"_exit", NULL, way_underscore_exit},
    {"quick_exit", NULL, way_quick_exit},
    {"abort", NULL, way_abort},
    {"crash", NULL, way_crash},
    {"sigterm", NULL, way_sigterm},
    {"sigkill", NULL, way_sigkill},
    {"instance_only", NULL, way_instance_only},
    {"atexit_before", early_atexit, way_atexit_before},
    {"atexit_after", NULL, way_atexit_after},
    {"destructor", early_destructor, way_destructor},
    {"threads", NULL, way_threads},
    {"threads_return", NULL, way_threads_return},
    {"main_leaves", NULL, way_main_leaves},
    {"main_leaves_alive", NULL, way_main_leaves_alive},
    {"fork_exit", NULL, way_fork_exit},
    {"fork__exit", NULL, way_fork_underscore_exit},
    {"fork_exec", NULL, way_fork_exec},
    {"fork_own", NULL, way_fork_own},
    {"fork_inherited", NULL, way_fork_inherited},
    {"system", NULL, way_system},
    {"instances", NULL, way_instances},
    {"locale", NULL, way_locale},
    {"chdir", NULL, way_chdir},
    {"state", NULL, way_state},
    {"no_openat", early_idle, way_no_openat},
    {"no_clone", early_idle, way_no_clone},
    {"no_both", early_idle, way_no_both},
    {"elevated", NULL, way_elevated},
};

void ender_run(struct ender *ender, uint32_t dispatches) {
  VkCommandBuffer commands =
      gpu_commands_create(&ender->gpu, ender->gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  counter_order(commands);
  for (uint32_t i = 0; i < dispatches; i++) {
    counter_record(&ender->counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  gpu_run(&ender->gpu, commands);
  vkFreeCommandBuffers(ender->gpu.device, ender->gpu.pool, 1, &commands);
  ender->done += dispatches;
}

void ender_open(struct ender *ender) {
  gpu_open(&ender->gpu, &(struct gpu_options){.application = "ender"});
  ender->counter = counter_create(&ender->gpu);
  ender->done = 0;
  if (!ender->idle) {
    ender_run(ender, 5);
  }
}

void ender_close(struct ender *ender) {
  counter_destroy(&ender->gpu, &ender->counter);
  gpu_close(&ender->gpu);
}

void ender_say(const struct ender *ender) {
  (void)printf("dispatches %u\n", ender->done);
  (void)fflush(stdout);
}

/* Found by name: the loader has opened it, with its symbols hidden from others. */
static void *fake_driver_function(const char *name) {
  const char *path = getenv("ENDER_FAKE_DRIVER");
  void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  return library != NULL ? dlsym(library, name) : NULL;
}

uint32_t fake_driver_violations(void) {
  uint32_t (*count)(void) = (uint32_t (*)(void))fake_driver_function("fake_violation_count");
  const char *(*text)(uint32_t) = (const char *(*)(uint32_t))fake_driver_function("fake_violation");
  if (count == NULL || text == NULL) {
    return 0;
  }
  for (uint32_t i = 0; i < count(); i++) {
    (void)fprintf(stderr, "violation: %s\n", text(i));
  }
  return count();
}

uint64_t fake_driver_reads(void) {
  uint64_t (*count)(const char *) =
      (uint64_t (*)(const char *))fake_driver_function("fake_call_count");
  return count != NULL ? count("vkGetQueryPoolResults") : 0;
}

/* Registered first of all, so that it is the last that runs. */
static void say_violations(void) {
  if (fake_driver_violations() != 0) {
    _exit(3);
  }
}

static const struct way *find_way(const char *name) {
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    if (strcmp(ways[i].name, name) == 0) {
      return &ways[i];
    }
  }
  gpu_die("no way '%s' to end", name);
}

int main(int count, char *arguments[]) {
  static struct ender ender; /* exit handlers and other threads use it after main */
  const struct way *way = find_way(count > 1 ? arguments[1] : "");
  long after_ms = gpu_argument_number(count, arguments, "--after", 0, 0, 60000);
  (void)atexit(say_violations);
  state_remember();
  if (way->early != NULL) {
    way->early(&ender);
  }
  ender_open(&ender);
  for (long passed_ms = 0; passed_ms < after_ms; passed_ms += 100) {
    (void)usleep(100000);
    ender_run(&ender, 1);
  }
  if (way->end != NULL) {
    way->end(&ender);
  }
  ender_say(&ender);
  ender_close(&ender);
  return 0;
}
