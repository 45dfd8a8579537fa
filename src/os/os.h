/* What differs between systems, for the layer: linux.c and windows.c have the same functions. In:
 * names and paths. Out: facts of the process and the machine, files' bytes, threads, patterns.
 * Functions may be called from any thread, unless they say otherwise. */
#ifndef VKM_OS_OS_H
#define VKM_OS_OS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef _WIN32
#include <tre/regex.h>
#else
#include <regex.h>
#endif

/* A variable of the environment; NULL where it is not set, or where the process is elevated. */
const char *vkm_os_variable(const char *name);

/* Does the process have more rights than who started it (set-user-id and the like)? */
bool vkm_os_elevated(void);

/* Up to `size` bytes of a file's begin, without waiting for a pipe's other end. How many; -1: it
 * cannot be read, or is a link and `follow` is false. */
ptrdiff_t vkm_os_read(const char *path, bool follow, char *bytes, size_t size);

/* A new, empty file that only grows; never a pipe, whose reader could make us wait or end the
 * program. The descriptor; -1: *cause says why not. *limit_bytes becomes less where the system ends
 * a process that writes beyond. */
int vkm_os_create(const char *path, uint64_t *limit_bytes, const char **cause);

/* Of the machine; what is not known is empty. */
struct vkm_os_machine {
  char os[128], kernel[128], arch[65], cpu[128];
};
void vkm_os_machine(struct vkm_os_machine *machine);
void vkm_os_host(char *name, size_t size);

/* The program's path, owned by the caller; NULL: not known, or no memory. */
char *vkm_os_executable(void);

/* The most memory that the process had, as the system counts it; -1: not known. */
int64_t vkm_os_resident_peak_bytes(void);

/* Takes a name among all processes of this user's session or machine, until the process ends.
 * False: a living process has it. True also where nothing can be known. */
bool vkm_os_claim(const char *name);

/* Starts a thread on which no signal handler of the program runs. False: refused. */
bool vkm_os_thread(pthread_t *thread, const char *name, void *(*run)(void *), void *argument)
    __attribute__((warn_unused_result));

/* A condition variable, and the wait on it until `until_ns` of CLOCK_MONOTONIC; as every such wait
 * it may end before. The lock is held, and given up meanwhile. */
void vkm_os_condition(pthread_cond_t *condition);
void vkm_os_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until_ns);

/* The calling thread: never 0; its name as of now, NUL-terminated, empty where there is none. A
 * name takes at most 16 bytes. */
uint32_t vkm_os_thread_id(void);
void vkm_os_thread_name(char *name, size_t size);

/* Has `child` called in every forked child. False: could not be registered. */
bool vkm_os_forked(void (*child)(void)) __attribute__((warn_unused_result));

/* Has `run` called when the process ends by exit or quick_exit. False: not by exit. */
bool vkm_os_at_exit(void (*run)(void)) __attribute__((warn_unused_result));

/* A path that stays the same when the working directory changes, owned by the caller; NULL: there
 * is nothing of that name, or no memory. */
char *vkm_os_resolve(const char *path);
bool vkm_os_is_absolute(const char *path);
/* Where the last component begins. */
const char *vkm_os_file_name(const char *path);

/* The library that holds this code stays in memory until the process ends. */
void vkm_os_keep(const void *code);

/* Shell patterns (*, ?, [...]), over the whole text. */
bool vkm_os_glob(const char *pattern, const char *text);

/* Extended regular expressions. */
struct vkm_os_regex {
  regex_t compiled;
};
/* False: not one, or no memory. Freed with _free when true. */
bool vkm_os_regex(struct vkm_os_regex *regex, const char *text) __attribute__((warn_unused_result));
void vkm_os_regex_free(struct vkm_os_regex *regex);
/* Found in the text: *begin and *end are where the first match lies, in bytes; both may be NULL. */
bool vkm_os_regex_find(const struct vkm_os_regex *regex, const char *text, size_t *begin,
                       size_t *end);

#endif
