/* vkmeter merge-traces. In: traces of several processes, or of the system. Out: one trace. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "commands/commands.h"
#include "message.h"
#include "timeline/trace_merge.h"

/* Where the whole goes: to stdout, into something that is there and is no file, or, under another
 * name until it is complete, into a file. */
struct target {
  FILE *file;
  char *temporary; /* NULL: none */
  const char *path;
};

static bool sink(void *context, const void *bytes, size_t length) {
  struct target *target = context;
  return fwrite(bytes, 1, length, target->file) == length;
}

static bool refuse(const char *path) {
  vkm_error("cannot write '%s': %s; give a path in a directory that can be written to", path,
            strerror(errno));
  return false;
}

static bool open_temporary(struct target *target) {
  size_t length = strlen(target->path) + 32;
  target->temporary = malloc(length);
  if (target->temporary == NULL) {
    return refuse(target->path);
  }
  snprintf(target->temporary, length, "%s.%ld.tmp", target->path, (long)getpid());
  int fd = open(target->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  target->file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (target->file == NULL) {
    bool refused = refuse(target->path);
    free(target->temporary);
    target->temporary = NULL;
    return refused;
  }
  return true;
}

static bool open_target(struct target *target, const char *path) {
  struct stat found;
  *target = (struct target){.path = path == NULL ? "standard output" : path};
  if (path == NULL) {
    if (isatty(STDOUT_FILENO)) {
      vkm_error("a trace is no text for a terminal; give a file with --output");
      return false;
    }
    target->file = stdout;
    return true;
  }
  if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
    errno = S_ISDIR(found.st_mode) ? EISDIR : 0;
    target->file = S_ISDIR(found.st_mode) ? NULL : fopen(path, "wb");
    return target->file != NULL || refuse(path);
  }
  return open_temporary(target);
}

/* Puts it in place, or takes away what was begun. */
static bool close_target(struct target *target, bool good) {
  bool was_good = good;
  int error = 0;
  good = (target->file == stdout ? fflush(stdout) : fclose(target->file)) == 0 && good;
  error = errno;
  if (target->temporary != NULL) {
    good = good && rename(target->temporary, target->path) == 0;
    error = was_good && !good ? errno : error;
    if (!good) {
      (void)unlink(target->temporary);
    }
    free(target->temporary);
  }
  if (was_good && !good) {
    errno = error;
    return refuse(target->path);
  }
  return good;
}

/* A trace merged with itself would have everything twice. */
static bool check_operands(const struct vkm_args *args) {
  if (args->operand_count < 2 || args->operand_count > VKM_MERGE_FILES_MAX) {
    vkm_error("merge-traces takes 2 to %d traces, %zu %s given", VKM_MERGE_FILES_MAX,
              args->operand_count, args->operand_count == 1 ? "is" : "are");
    return false;
  }
  for (size_t i = 0; i < args->operand_count; i++) {
    struct stat one;
    bool there = stat(args->operands[i], &one) == 0;
    if (strcmp(args->operands[i], "-") == 0 || (there && !S_ISREG(one.st_mode))) {
      vkm_error("'%s' is no file: traces are read twice; put it into one", args->operands[i]);
      return false;
    }
    for (size_t k = 0; there && k < i; k++) {
      struct stat other;
      if (stat(args->operands[k], &other) == 0 && one.st_dev == other.st_dev &&
          one.st_ino == other.st_ino) {
        vkm_error("'%s' and '%s' are the same file; give each trace once", args->operands[k],
                  args->operands[i]);
        return false;
      }
    }
  }
  return true;
}

static void say(const struct vkm_args *args, const struct vkm_merge_result *result) {
  if (result->cut > 0) {
    vkm_warning("%zu of the traces %s within a packet; all before it is in the whole", result->cut,
                result->cut == 1 ? "ends" : "end");
  }
  if (result->clockless > 0) {
    vkm_warning("%zu of the traces %s no clock snapshot: times are taken as they are",
                result->clockless, result->clockless == 1 ? "has" : "have");
  }
  if (result->same_pid > 0) {
    vkm_warning("%" PRIu64 " process %s in several traces: viewers show those processes as one",
                result->same_pid, result->same_pid == 1 ? "number is" : "numbers are");
  }
  if (result->snapshots > 0) {
    vkm_note("left out %" PRIu64 " clock %s within moments of another trace's, behind by one "
             "clock and ahead by another",
             result->snapshots, result->snapshots == 1 ? "snapshot" : "snapshots");
  }
  if (result->sequences + result->tracks + result->flows + result->event_ids > 0) {
    vkm_note("kept apart what had the same numbers: %" PRIu64 " sequences, %" PRIu64
             " tracks, the flows of %" PRIu64 " sequences, the GPU events of %" PRIu64,
             result->sequences, result->tracks, result->flows, result->event_ids);
  }
  if (args->file != NULL) {
    vkm_note("wrote %" PRIu64 " packets of %zu traces to '%s'", result->packets,
             args->operand_count, args->file);
  }
}

struct vkm_outcome vkm_command_merge_traces(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_merge_result result;
  struct vkm_merge_error error = {.file = SIZE_MAX};
  struct target target;
  if (!check_operands(args) || !open_target(&target, args->file)) {
    return outcome;
  }
  enum vkm_status status = vkm_trace_merge((const char *const *)args->operands, args->operand_count,
                                           sink, &target, &result, &error);
  if (status != VKM_OK && error.file == SIZE_MAX) {
    vkm_error("cannot write '%s': %s; is the disk full?", target.path, error.cause);
  } else if (status != VKM_OK) {
    vkm_error("cannot merge '%s': %s; %s", args->operands[error.file], error.cause, error.remedy);
  }
  if (close_target(&target, status == VKM_OK)) {
    outcome.kind = VKM_OUTCOME_DONE;
    say(args, &result);
  }
  return outcome;
}
