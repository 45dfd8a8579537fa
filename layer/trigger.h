/* Setting CAPTURE_TRIGGER: timed is while a file exists. A thread of ours looks each 100 ms, never
 * an application's: it may lie on a file system that is slow. The thread ends five seconds after
 * the last submission, and the next one starts another; where it is refused (a sandbox) the state
 * stays what it was at the start. */
#ifndef VKM_LAYER_TRIGGER_H
#define VKM_LAYER_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

/* Once a process: looks, and remembers the path as of now. Empty: always on. */
void vkm_trigger_start(const char *path);
bool vkm_trigger_given(void);
/* As of the latest look. Any thread. */
bool vkm_trigger_on(void);
/* Somebody will ask soon; `now_ns` of CLOCK_MONOTONIC. Starts the thread where there is none. Never
 * waits. Any thread. */
void vkm_trigger_want(int64_t now_ns);
/* After fork, in the child: there is no thread. */
void vkm_trigger_forked(void);

#endif
