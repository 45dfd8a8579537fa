/* Delivers texts. In: a text, a path. Out: stdout or a file. */
#include "deliver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "profile/profile_write.h"

bool vkm_deliver(const char *path, const struct vkm_text *text) {
  if (text->failed) {
    vkm_error("out of memory; give fewer files at once, or --top");
    return false;
  }
  const char *bytes = text->length_bytes > 0 ? text->data : "";
  if (path == NULL) {
    bool written = fwrite(bytes, 1, text->length_bytes, stdout) == text->length_bytes;
    if (!written || fflush(stdout) != 0) {
      vkm_error("cannot write to the standard output: %s; is its disk full or its reader gone?",
                strerror(errno));
      return false;
    }
    return true;
  }
  if (vkm_file_replace(path, bytes, text->length_bytes) != VKM_OK) {
    vkm_error("cannot write '%s': %s; give a path in a directory that can be written to", path,
              strerror(errno));
    return false;
  }
  return true;
}
