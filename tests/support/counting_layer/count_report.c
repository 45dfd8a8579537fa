/* In: the catalogue, the totals and the clock. Out: one JSON document on disk. Nothing comes after.
 */
#include "count_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count_catalogue.h"
#include "count_clock.h"
#include "count_state.h"

static void print_text(FILE *out, const char *text) {
  fputc('"', out);
  for (const char *at = text; *at != '\0'; at++) {
    unsigned char byte = (unsigned char)*at;
    if (byte == '"' || byte == '\\') {
      fprintf(out, "\\%c", byte);
    } else if (byte < 0x20) {
      fprintf(out, "\\u%04x", byte);
    } else {
      fputc(byte, out);
    }
  }
  fputc('"', out);
}

static void print_triple(FILE *out, const char *name, const uint32_t values[3]) {
  fprintf(out, ", \"%s\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", name, values[0], values[1],
          values[2]);
}

static void print_row(FILE *out, const struct vkmtest_row_view *row) {
  static const char *const kinds[] = {
      [VKMTEST_DISPATCH] = "dispatch",
      [VKMTEST_DISPATCH_BASE] = "dispatch_base",
      [VKMTEST_DISPATCH_INDIRECT] = "dispatch_indirect",
  };
  if (row->code->size_bytes == 0) {
    fputs("{\"spirv\": null, \"spirv_fnv1a\": null", out);
  } else {
    fprintf(out,
            "{\"spirv\": \"%016" PRIx64 "%016" PRIx64 "\", \"spirv_fnv1a\": \"%016" PRIx64 "\"",
            row->code->xxh3_high, row->code->xxh3_low, row->code->fnv1a);
  }
  fprintf(out, ", \"spirv_bytes\": %" PRIu64 ", \"entry\": ", row->code->size_bytes);
  print_text(out, row->entry);
  fprintf(out, ", \"specialization\": %s, \"kind\": \"%s\"", row->specialization, kinds[row->kind]);
  if (row->kind == VKMTEST_DISPATCH_INDIRECT) {
    fputs(", \"groups\": null, \"base\": null", out);
  } else {
    print_triple(out, "groups", row->groups);
    print_triple(out, "base", row->base);
  }
  fprintf(out, ", \"recorded\": %" PRIu64 ", \"executed\": %" PRIu64 "}", row->recorded,
          row->executed);
}

static void print_totals(FILE *out, const struct vkmtest_totals *totals) {
  fprintf(out,
          "  \"instances\": {\"created\": %" PRIu64 ", \"destroyed\": %" PRIu64 "},\n"
          "  \"devices\": {\"created\": %" PRIu64 ", \"destroyed\": %" PRIu64 "},\n",
          totals->instances, totals->instances_gone, totals->devices, totals->devices_gone);
  fprintf(out,
          "  \"submissions\": {\"calls\": %" PRIu64 ", \"failed\": %" PRIu64
          ", \"batches\": %" PRIu64 ", \"command_buffers\": %" PRIu64 "},\n",
          totals->submit_calls, totals->submit_failures, totals->batches, totals->command_buffers);
  fprintf(out,
          "  \"stamps\": {\"recorded\": %" PRIu64 ", \"executed\": %" PRIu64
          ", \"at_top\": %" PRIu64 "},\n  \"query_reads\": {\"calls\": %" PRIu64
          ", \"queries\": %" PRIu64 "},\n",
          totals->stamps_recorded, totals->stamps, totals->stamps_at_top, totals->query_reads,
          totals->queries_read);
  fprintf(out,
          "  \"lookups\": {\"instance\": %" PRIu64 ", \"device\": %" PRIu64 "},\n"
          "  \"executions\": %" PRIu64 ",\n",
          totals->instance_lookups, totals->device_lookups, totals->executions);
}

static void print_document(FILE *out, const char *reason) {
  fprintf(out, "{\n  \"schema\": \"vkmtest.count/1\",\n  \"pid\": %ld,\n  \"reason\": \"%s\",\n",
          (long)getpid(), reason);
  print_totals(out, vkmtest_totals());
  fputs("  \"rows\": [", out);
  const char *comma = "";
  for (const struct vkmtest_row *row = vkmtest_row_next(NULL); row != NULL;
       row = vkmtest_row_next(row)) {
    struct vkmtest_row_view view = vkmtest_row_look(row);
    if (view.recorded > 0 || view.executed > 0) {
      fprintf(out, "%s\n    ", comma);
      print_row(out, &view);
      comma = ",";
    }
  }
  fprintf(out, "\n  ],\n  \"clock_dropped\": %" PRIu64 ",\n  \"clock\": [",
          vkmtest_clock_dropped());
  vkmtest_clock_print(out);
  fputs("\n  ]\n}\n", out);
}

/* `pattern` with every %p replaced; NULL when memory is out. */
static char *expand(const char *pattern) {
  char *path = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&path, &length);
  if (out == NULL) {
    return NULL;
  }
  for (const char *at = pattern; *at != '\0'; at++) {
    if (at[0] == '%' && at[1] == 'p') {
      fprintf(out, "%ld", (long)getpid());
      at++;
    } else {
      fputc(*at, out);
    }
  }
  (void)fclose(out);
  return path;
}

static bool write_file(const char *path, const char *reason) {
  char *temporary = NULL;
  if (asprintf(&temporary, "%s.tmp%ld", path, (long)getpid()) < 0) {
    return false;
  }
  FILE *out = fopen(temporary, "we");
  bool good = out != NULL;
  if (good) {
    print_document(out, reason);
    good = ferror(out) == 0;
    good = fclose(out) == 0 && good;
  }
  good = good && rename(temporary, path) == 0;
  if (!good) {
    int error = errno;
    (void)unlink(temporary);
    errno = error;
  }
  free(temporary);
  return good;
}

void vkmtest_report_write(const char *reason) {
  const char *pattern = getenv("VKMTEST_COUNT_OUTPUT");
  if (pattern == NULL || pattern[0] == '\0') {
    return;
  }
  vkmtest_lock();
  if (vkmtest_totals()->instances > 0) {
    char *path = expand(pattern);
    if (path == NULL || !write_file(path, reason)) {
      fprintf(stderr, "counting layer: cannot write %s: %s\n", path != NULL ? path : pattern,
              strerror(errno));
    }
    free(path);
  }
  vkmtest_unlock();
}

__attribute__((destructor)) static void write_at_exit(void) {
  vkmtest_report_write("exit");
}
