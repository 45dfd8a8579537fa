/* Which profiles a program wrote. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_PROFILES_H
#define VKM_TOOLS_LAUNCH_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

/* A file that the output's name can stand for, as it was when looked at. */
struct vkm_candidate {
  char *path; /* owned */
  dev_t device;
  ino_t inode;
  struct timespec changed;
};
struct vkm_candidates {
  struct vkm_candidate *files; /* ascending by path */
  size_t count;
};

/* Lists the files that `output` (absolute, with placeholders) can stand for, those of a second
 * process too. False: out of memory, reported. */
bool vkm_candidates_find(struct vkm_candidates *candidates, const char *output)
    __attribute__((warn_unused_result));
void vkm_candidates_finish(struct vkm_candidates *candidates);

/* Where the ending of the file name `output` begins (at the dot), its length when it has none. */
size_t vkm_output_ending(const char *output);

/* Leaves in `after` only what is new or another file than in `before`. */
void vkm_candidates_keep_new(struct vkm_candidates *after, const struct vkm_candidates *before);

/* 0 when a file can be written to the directory of `output`, else the errno; `probe` really writes
 * one (and removes it), so that a full disk shows. A directory with placeholders in its name counts
 * as writable. */
int vkm_output_writable(const char *output, bool probe) __attribute__((warn_unused_result));

#endif
