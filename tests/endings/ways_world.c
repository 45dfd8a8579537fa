/* Ways to end in a world that changes: folder, locale, sandbox, instances. They return, and
 * everything is destroyed. In: a device with finished work. Out: more work. Nothing comes next. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ender.h"

enum { REFUSED_CAP = 4, INSTANCES = 99 };

void way_instances(struct ender *ender) {
  ender_say(ender);
  ender_close(ender);
  for (int i = 0; i < INSTANCES; i++) {
    struct gpu other;
    gpu_open_instance(&other, &(struct gpu_options){.application = "ender"});
    vkDestroyInstance(other.instance, NULL);
  }
  exit(EXIT_SUCCESS);
}

void way_locale(struct ender *ender) {
  char text[32];
  if (setlocale(LC_ALL, "") == NULL) {
    gpu_die("the locale is not there");
  }
  (void)snprintf(text, sizeof text, "%.1f", 0.5);
  if (strcmp(text, "0,5") != 0) {
    gpu_die("the locale writes %s, not 0,5", text);
  }
  ender_run(ender, 1);
}

void way_chdir(struct ender *ender) {
  if (chdir("/") != 0) {
    gpu_die("cannot go to /");
  }
  ender_run(ender, 1);
}

void way_state(struct ender *ender) {
  errno = 4711;
  ender_run(ender, 1);
  if (errno != 4711) {
    gpu_die("errno is %d after calls that succeeded", errno);
  }
  state_expect(getenv("ENDER_FAKE_DRIVER") != NULL);
  state_expect_threads(2);
}

void way_elevated(struct ender *ender) {
  (void)ender;
  char line[4096];
  bool loaded = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    loaded = loaded || strstr(line, "libVkLayer_vkmeter") != NULL;
  }
  if (maps != NULL) {
    (void)fclose(maps);
  }
  (void)printf("elevated %lu, layer %s\n", getauxval(AT_SECURE), loaded ? "loaded" : "absent");
}

/* From now on the kernel answers EPERM to these calls, in all threads to come and in this one. */
static void refuse(const int calls[], unsigned char count) {
  struct sock_filter program[REFUSED_CAP + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
  };
  for (unsigned char i = 0; i < count; i++) {
    program[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i],
                                                  (unsigned char)(count - i), 0);
  }
  program[1 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program[2 + count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog filter = {.len = (unsigned short)(count + 3), .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    gpu_die("seccomp: %s", strerror(errno));
  }
}

void early_idle(struct ender *ender) {
  ender->idle = true;
}

/* A sandbox goes up between the device and its first submission. */
static void run_in_sandbox(struct ender *ender, const int calls[], unsigned char count) {
  refuse(calls, count);
  ender_run(ender, 4);
  if (getenv("ENDER_FAKE_DRIVER") == NULL) { /* which computes nothing */
    counter_expect(&ender->counter, 4);
  }
}

void way_no_openat(struct ender *ender) {
  run_in_sandbox(ender, (int[]){SYS_openat}, 1);
}

void way_no_clone(struct ender *ender) {
  run_in_sandbox(ender, (int[]){SYS_clone, SYS_clone3}, 2);
}

void way_no_both(struct ender *ender) {
  run_in_sandbox(ender, (int[]){SYS_openat, SYS_clone, SYS_clone3}, 3);
}
