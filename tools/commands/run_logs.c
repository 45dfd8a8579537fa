/* Logs of runs. In: the name of a profile. Out: files' names, last lines. */
#include "commands/run_logs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/numbers.h"
#include "launch/profiles.h"
#include "message.h"

static char *name(const char *profile, const char *word, const char *ending) {
  char *pattern = NULL;
  int kept = (int)vkm_output_ending(profile);
  if (asprintf(&pattern, "%.*s%s%s", kept, profile, word, ending) < 0) {
    vkm_error("out of memory");
    return NULL;
  }
  char *path = vkm_numbers_expand(pattern, "", getpid(), 0);
  free(pattern);
  return path;
}

bool vkm_run_logs_name(struct vkm_run_logs *logs, const char *profile, const char *word) {
  logs->output = name(profile, word, ".stdout.txt");
  logs->errors = name(profile, word, ".stderr.txt");
  if (logs->output != NULL && logs->errors != NULL) {
    return true;
  }
  vkm_run_logs_finish(logs);
  return false;
}

static void finish(char *path) {
  struct stat about;
  if (path != NULL && stat(path, &about) == 0 && about.st_size == 0) {
    (void)unlink(path);
  }
  free(path);
}

void vkm_run_logs_finish(struct vkm_run_logs *logs) {
  finish(logs->output);
  finish(logs->errors);
  *logs = (struct vkm_run_logs){NULL, NULL};
}

static bool is_blank(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin)) {
    begin++;
  }
  return begin == end;
}

void vkm_run_logs_last_line(const char *path, char *line, size_t size) {
  char tail[4096];
  *line = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return;
  }
  if (fseek(file, -(long)(sizeof tail - 1), SEEK_END) != 0) {
    (void)fseek(file, 0, SEEK_SET); /* it is shorter */
  }
  char *end = tail + fread(tail, 1, sizeof tail - 1, file);
  fclose(file);
  while (end > tail) {
    char *begin = end;
    while (begin > tail && begin[-1] != '\n') {
      begin--;
    }
    if (!is_blank(begin, end)) {
      snprintf(line, size, "%.*s", (int)(end - begin), begin);
      line[strcspn(line, "\r")] = 0;
      return;
    }
    end = begin > tail ? begin - 1 : begin;
  }
}
