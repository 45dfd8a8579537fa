/* Checksums. In: a path. Out: length and SHA-256. Next: commands/run_outputs. */
#include "launch/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

static void as_text(const unsigned char *bytes, char text[VKM_SHA256_TEXT_BYTES]) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < SHA256_DIGEST_LENGTH; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  text[VKM_SHA256_TEXT_BYTES - 1] = 0;
}

static bool digest_all(struct vkm_output_digest *digest, int file) {
  unsigned char buffer[1 << 16];
  unsigned char bytes[SHA256_DIGEST_LENGTH];
  SHA2_CTX state;
  ssize_t length = 0;
  SHA256Init(&state);
  do {
    length = read(file, buffer, sizeof buffer);
    if (length > 0) {
      SHA256Update(&state, buffer, (size_t)length);
      digest->bytes += (uint64_t)length;
    }
  } while (length > 0 || (length < 0 && errno == EINTR));
  SHA256Final(bytes, &state);
  as_text(bytes, digest->sha256);
  return length == 0;
}

bool vkm_digest_file(struct vkm_output_digest *digest, const char *path) {
  struct stat found;
  *digest = (struct vkm_output_digest){0};
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is not waited for */
  if (file < 0) {
    return false;
  }
  bool good = fstat(file, &found) == 0;
  if (good && !S_ISREG(found.st_mode)) {
    errno = EISDIR;
    good = false;
  }
  good = good && digest_all(digest, file);
  int cause = errno;
  (void)close(file);
  errno = cause;
  return good;
}
