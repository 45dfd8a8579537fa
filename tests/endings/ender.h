/* One program with many ends: what the files of ender share. One thread, unless said otherwise. */
#ifndef ENDER_H
#define ENDER_H

#include "counter.h"

/* What every way starts with: an open device on which `done` dispatches were executed. */
struct ender {
  struct gpu gpu;
  struct counter counter;
  uint32_t done;
  bool idle; /* leave the first dispatches out */
};

/* Opens the device and runs 5 dispatches, unless `idle`. */
void ender_open(struct ender *ender);
/* Records, submits and waits for that many more dispatches. */
void ender_run(struct ender *ender, uint32_t dispatches);
void ender_close(struct ender *ender);
/* Prints "dispatches N": what this process has executed so far. */
void ender_say(const struct ender *ender);

/* Remembers what a layer must not change in a process: signal handlers, signal mask, umask, folder,
 * rounding, open files. */
void state_remember(void);
/* Dies when something of it has changed. `files`: new open files must not outlive an exec (only on
 * drivers that open none). */
void state_expect(bool files);
/* Dies unless all threads named vkmeter-* block every signal, and there are at least `least`. */
void state_expect_threads(int least);

/* The fake driver's own answers; 0 on other drivers. */
uint32_t fake_driver_violations(void);
uint64_t fake_driver_reads(void);

typedef void way_function(struct ender *ender);
/* They end the process, or return for a normal end with everything destroyed. */
way_function way_exit, way_exit_thread, way_underscore_exit, way_quick_exit, way_abort, way_crash,
    way_sigterm, way_sigkill, way_instance_only, way_atexit_before, way_atexit_after,
    way_destructor, way_threads, way_threads_return, way_main_leaves, way_main_leaves_alive;
way_function way_fork_exit, way_fork_underscore_exit, way_fork_exec, way_fork_own,
    way_fork_inherited, way_system;
way_function way_instances, way_locale, way_chdir, way_state, way_no_openat, way_no_clone,
    way_no_both, way_elevated;
/* Before anything of Vulkan. */
way_function early_atexit, early_destructor, early_idle;

#endif
