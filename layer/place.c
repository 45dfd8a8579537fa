/* Paths of files, see place.h. */
#include "place.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/rank.h"
#include "base/text.h"
#include "kernel/identity.h"
#include "os/os.h"
#include "output.h"

enum { PATH_LIMIT = 4096, HEAD_BYTES = 4096 };

/* ---- where ---- */

static void append_executable(struct vkm_text *text, const struct vkm_session_facts *facts) {
  vkm_text_string(text, facts->executable ? vkm_os_file_name(facts->executable) : "unknown");
}

static void append_placeholder(struct vkm_text *text, char letter,
                               const struct vkm_session_facts *facts) {
  char host[256] = "unknown";
  switch (letter) {
  case 'e':
    append_executable(text, facts);
    break;
  case 'p':
    vkm_text_i64(text, facts->pid);
    break;
  case 't':
    vkm_text_i64(text, facts->started_unix_ns / 1000000000);
    break;
  case 'h':
    vkm_os_host(host, sizeof host);
    vkm_text_string(text, host);
    break;
  case 'r':
    vkm_text_string(text, vkm_rank());
    break;
  case '%':
    vkm_text_string(text, "%");
    break;
  default: /* not ours: kept as it is */
    vkm_text_append(text, (char[]){'%', letter}, letter ? 2 : 1);
  }
}

static void expand(struct vkm_text *text, const char *pattern,
                   const struct vkm_session_facts *facts) {
  for (const char *at = pattern; *at; at++) {
    if (*at != '%') {
      vkm_text_append(text, at, 1);
      continue;
    }
    append_placeholder(text, at[1], facts);
    at += at[1] != '\0';
  }
}

static bool names_rank(const char *pattern) {
  while ((pattern = strchr(pattern, '%')) != NULL && pattern[1] != 'r') {
    pattern += pattern[1] ? 2 : 1;
  }
  return pattern != NULL;
}

/* out.json -> out-WORD.json */
static void add_word(struct vkm_place *place, const char *word) {
  struct vkm_text text;
  const char *dot = strrchr(vkm_os_file_name(place->path), '.');
  size_t stem = dot ? (size_t)(dot - place->path) : strlen(place->path);
  vkm_text_init(&text, PATH_LIMIT);
  vkm_text_append(&text, place->path, stem);
  vkm_text_string(&text, "-");
  vkm_text_string(&text, word);
  vkm_text_string(&text, place->path + stem);
  if (text.failed) {
    vkm_text_finish(&text); /* no path, rather than one that is another process's */
  }
  vkm_free(place->path);
  place->path = text.data;
}

/* Ranks may run on several hosts that share a folder: no claim of theirs is seen on another, and
 * process ids come twice. */
static void add_rank(struct vkm_place *place, const char *pattern) {
  const char *rank = vkm_rank();
  if (place->path && !names_rank(pattern) && rank[strspn(rank, "0")]) {
    char word[VKM_RANK_DIGITS + 2];
    snprintf(word, sizeof word, "r%s", rank);
    add_word(place, word);
  }
}

void vkm_place_start(struct vkm_place *place, const char *pattern,
                     const struct vkm_session_facts *facts) {
  struct vkm_text text;
  char directory[PATH_LIMIT];
  *place = (struct vkm_place){0};
  if (!pattern) {
    return;
  }
  vkm_text_init(&text, PATH_LIMIT);
  if (!vkm_os_is_absolute(pattern) && getcwd(directory, sizeof directory)) {
    vkm_text_string(&text, directory);
    vkm_text_string(&text, "/");
  }
  expand(&text, pattern, facts);
  place->path = text.failed ? NULL : text.data;
  if (text.failed) {
    vkm_text_finish(&text);
  }
  add_rank(place, pattern);
}

/* ---- several processes, one path ---- */

/* Whether a living process has claimed the path. */
static bool claimed_by_living(const char *path) {
  char hash[VKM_HASH_TEXT_BYTES], name[sizeof hash + 16];
  vkm_hash_text(vkm_hash_bytes(path, strlen(path)), hash);
  snprintf(name, sizeof name, "vkmeter-%s", hash);
  return !vkm_os_claim(name);
}

/* A trace's bytes are no text. */
static bool contains(const char *bytes, size_t length, const char *word) {
  size_t word_length = strlen(word);
  for (size_t at = 0; at + word_length <= length; at++) {
    if (memcmp(bytes + at, word, word_length) == 0) {
      return true;
    }
  }
  return false;
}

/* Whether the file there was written by another process of the same run. */
static bool written_by(const char *path, const char *run) {
  char head[HEAD_BYTES];
  ptrdiff_t length = vkm_os_read(path, false, head, sizeof head);
  return length > 0 && contains(head, (size_t)length, run);
}

/* out.json -> out-PID.json */
static void add_pid(struct vkm_place *place, pid_t pid) {
  char word[32];
  snprintf(word, sizeof word, "%lld", (long long)pid);
  add_word(place, word);
}

void vkm_place_claim(struct vkm_place *place, const struct vkm_session_facts *facts,
                     const char *run) {
  if (!place->claimed && place->path &&
      (claimed_by_living(place->path) || (run && written_by(place->path, run)))) {
    add_pid(place, facts->pid);
  }
  place->claimed = true;
}
