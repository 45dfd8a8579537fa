/* Windows: the file of profile_write.h, replaced in one step. In: a whole document. Out: the file;
 * errno says why not. */
#include <windows.h>
/* behind windows.h */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/profile_write.h"

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

enum vkm_status vkm_file_replace(const char *path, const char *bytes, size_t length) {
  size_t path_length = strlen(path);
  char *name = vkm_alloc(path_length + NAME_BYTES);
  if (name == NULL) {
    errno = ENOMEM;
    return VKM_OUT_OF_MEMORY;
  }
  (void)snprintf(name, path_length + NAME_BYTES, "%s.vkmeter-%lu-%lu.tmp", path,
                 (unsigned long)GetCurrentProcessId(), (unsigned long)GetCurrentThreadId());
  HANDLE file =
      CreateFileA(name, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
  bool good = file != INVALID_HANDLE_VALUE && write_all(file, bytes, length);
  int error = good ? 0 : cause();
  if (file != INVALID_HANDLE_VALUE) {
    (void)CloseHandle(file);
  }
  if (good && !MoveFileExA(name, path, MOVEFILE_REPLACE_EXISTING)) {
    good = false;
    error = cause();
  }
  if (!good && file != INVALID_HANDLE_VALUE) {
    (void)DeleteFileA(name);
  }
  vkm_free(name);
  errno = error;
  return good ? VKM_OK : VKM_IO;
}
