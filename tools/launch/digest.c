/* Checksums. In: a path. Out: length and SHA-256. Next: commands/run_outputs. */
#include "launch/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

enum { WORD_BYTES = 64 };

/* What goes into the checksum. */
struct hashing {
  SHA2_CTX state;
  int decimals;
  char word[WORD_BYTES]; /* that is being read, or the rest of a long one */
  size_t length;
  bool long_word; /* its begin is in the checksum already: it is no number */
};

static void take(struct hashing *hashing, const void *bytes, size_t length) {
  SHA256Update(&hashing->state, bytes, length);
}

/* Whether the word is a number that is not whole, and which. */
static bool is_fraction(const char *word, double *value) {
  char *end = NULL;
  if (word[strspn(word, "+-.eE0123456789")] || !strpbrk(word, ".eE")) {
    return false;
  }
  *value = strtod(word, &end);
  return end != word && !*end && isfinite(*value);
}

static void end_word(struct hashing *hashing) {
  double value = 0;
  hashing->word[hashing->length] = 0;
  if (!hashing->long_word && is_fraction(hashing->word, &value)) {
    char rounded[400]; /* the largest double has 309 digits in front of the point */
    size_t length = (size_t)snprintf(rounded, sizeof rounded, "%.*f", hashing->decimals, value);
    bool zero = rounded[0] == '-' && strspn(rounded, "-0.") == length;
    take(hashing, rounded + zero, length - zero); /* -0.000 is 0.000 */
  } else {
    take(hashing, hashing->word, hashing->length);
  }
  hashing->length = 0;
  hashing->long_word = false;
}

/* The same in every locale; beyond ASCII are letters, of units too. */
static bool is_of_word(unsigned char byte) {
  unsigned char lower = byte | 0x20;
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z') ||
         byte == '.' || byte == '+' || byte == '-' || byte == '_';
}

static void take_text(struct hashing *hashing, const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (!is_of_word(bytes[i])) {
      end_word(hashing);
      take(hashing, &bytes[i], 1);
      continue;
    }
    if (hashing->length == WORD_BYTES - 1) {
      take(hashing, hashing->word, hashing->length);
      hashing->length = 0;
      hashing->long_word = true;
    }
    hashing->word[hashing->length++] = (char)bytes[i];
  }
}

static bool digest_all(struct vkm_output_digest *digest, int file, int decimals) {
  unsigned char buffer[1 << 16];
  unsigned char bytes[SHA256_DIGEST_LENGTH];
  struct hashing hashing = {.decimals = decimals};
  ssize_t length = 0;
  SHA256Init(&hashing.state);
  do {
    length = read(file, buffer, sizeof buffer);
    if (length > 0 && decimals < 0) {
      take(&hashing, buffer, (size_t)length);
    } else if (length > 0) {
      take_text(&hashing, buffer, (size_t)length);
    }
    digest->bytes += length > 0 ? (uint64_t)length : 0;
  } while (length > 0 || (length < 0 && errno == EINTR));
  end_word(&hashing);
  SHA256Final(bytes, &hashing.state);
  as_text(bytes, digest->sha256);
  return length == 0;
}

bool vkm_digest_file(struct vkm_output_digest *digest, const char *path, int decimals) {
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
  good = good && digest_all(digest, file, decimals);
  int cause = errno;
  (void)close(file);
  errno = cause;
  return good;
}
