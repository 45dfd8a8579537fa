/* A file that is written piece by piece and put in its place at the end. Main thread. */
#ifndef VKM_TOOLS_EXPORT_FILE_H
#define VKM_TOOLS_EXPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct vkm_export_file {
  const char *path; /* borrowed; NULL: stdout */
  char *temporary;  /* owned; NULL: written directly */
  FILE *stream;     /* NULL: not open */
};

/* A name beside `path` that nothing has, of a file made there; to be freed. NULL: errno. */
char *vkm_export_temporary(const char *path, int *descriptor);
/* Whether `path` may be replaced by a rename: it is not there, or a regular file. */
bool vkm_export_replaceable(const char *path);
/* Says that `path` (NULL: stdout) cannot be written, with errno; false. */
bool vkm_export_cannot_write(const char *path);

/* Opens a temporary file beside `path`; a pipe or a device is written as it is. False: reported. */
bool vkm_export_open(struct vkm_export_file *file, const char *path)
    __attribute__((warn_unused_result));
/* Closes it and renames it to its path. False: reported, the old file is as it was. */
bool vkm_export_conclude(struct vkm_export_file *file) __attribute__((warn_unused_result));
/* Closes it; what was not concluded is gone. */
void vkm_export_discard(struct vkm_export_file *file);

#endif
