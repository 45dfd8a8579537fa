/* In: a document, whole or piece by piece. Out: the file, replaced in one step. */
#include <errno.h>

#include "os/successor.h"
#include "profile/profile_write.h"

#define PROFILE_LIMIT_BYTES ((size_t)1 << 31)

enum vkm_status vkm_file_replace(const char *path, const char *bytes, size_t length) {
  struct vkm_successor new;
  enum vkm_status status = vkm_successor_begin(&new, path);
  if (status == VKM_OK) {
    status = vkm_successor_end(&new, vkm_successor_append(&new, bytes, length)) ? VKM_OK : VKM_IO;
  }
  return status;
}

static bool append_piece(void *successor, const char *bytes, size_t length) {
  struct vkm_successor *new = successor;
  if (length > PROFILE_LIMIT_BYTES - new->written_bytes) {
    new->error = EFBIG;
    return false;
  }
  return vkm_successor_append(new, bytes, length);
}

enum vkm_status vkm_profile_write(const struct vkm_profile *profile, const char *path) {
  struct vkm_successor new;
  struct vkm_text text;
  enum vkm_status status = vkm_successor_begin(&new, path);
  if (status != VKM_OK) {
    return status;
  }
  vkm_text_init_drained(&text, append_piece, &new);
  status = vkm_profile_format(profile, &text);
  bool whole = vkm_text_flush(&text) && status == VKM_OK;
  vkm_text_finish(&text);
  if (vkm_successor_end(&new, whole)) {
    return VKM_OK;
  }
  return new.error != 0 ? VKM_IO : VKM_OUT_OF_MEMORY;
}
