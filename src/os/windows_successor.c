/* The file that takes another's place, on Windows, see successor.h. */
#include <windows.h>
/* behind windows.h */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "os/successor.h"

enum { NAME_BYTES = 64, PIECE_BYTES = 1 << 20 };

/* The name of errno for what Windows said last. */
static int cause(void) {
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
    return ENOENT;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL:
    return ENOSPC;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION:
    return EACCES;
  default:
    return EIO;
  }
}

static bool write_all(HANDLE file, const char *bytes, size_t length) {
  while (length > 0) {
    DWORD written = 0;
    DWORD piece = length < PIECE_BYTES ? (DWORD)length : PIECE_BYTES;
    if (!WriteFile(file, bytes, piece, &written, NULL) || written == 0) {
      return false;
    }
    bytes += written;
    length -= written;
  }
  return true;
}

/* Two threads may write files of one name. */
enum vkm_status vkm_successor_begin(struct vkm_successor *new, const char *path) {
  size_t size = strlen(path) + NAME_BYTES;
  *new = (struct vkm_successor){.path = path, .file = INVALID_HANDLE_VALUE};
  new->name = vkm_alloc(size);
  if (new->name == NULL) {
    errno = ENOMEM;
    return VKM_OUT_OF_MEMORY;
  }
  (void)snprintf(new->name, size, "%s.vkmeter-%lu-%lu.tmp", path,
                 (unsigned long)GetCurrentProcessId(), (unsigned long)GetCurrentThreadId());
  return VKM_OK;
}

bool vkm_successor_append(struct vkm_successor *new, const char *bytes, size_t length) {
  if (new->file == INVALID_HANDLE_VALUE) {
    new->file =
        CreateFileA(new->name, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
  }
  bool good = new->file != INVALID_HANDLE_VALUE &&write_all(new->file, bytes, length);
  new->error = good ? 0 : cause();
  new->written_bytes += length;
  return good;
}

bool vkm_successor_end(struct vkm_successor *new, bool whole) {
  if (new->file != INVALID_HANDLE_VALUE && !CloseHandle(new->file) && new->error == 0) {
    new->error = cause();
  }
  bool good = whole && new->error == 0;
  if (good && !MoveFileExA(new->name, new->path, MOVEFILE_REPLACE_EXISTING)) {
    new->error = cause();
    good = false;
  }
  if (!good && new->file != INVALID_HANDLE_VALUE) {
    (void)DeleteFileA(new->name);
  }
  vkm_free(new->name);
  errno = new->error;
  return good;
}
