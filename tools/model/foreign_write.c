/* In: a run of another program. Out: its document. Next: a file, foreign.c. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernel/identity.h"
#include "model/foreign.h"

static void text_member(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, ",\n ");
  vkm_text_json(text, name);
  vkm_text_string(text, ":");
  if (value != NULL) {
    vkm_text_json(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void append_tags(const struct vkm_foreign_run *run, struct vkm_text *text) {
  vkm_text_string(text, ",\n \"tags\":{");
  for (size_t i = 0; i < run->tag_count; i++) {
    vkm_text_string(text, i > 0 ? "," : "");
    vkm_text_json(text, run->tags[i].name);
    vkm_text_string(text, ":");
    vkm_text_json(text, run->tags[i].value);
  }
  vkm_text_string(text, "}");
}

static void append_row(const struct vkm_foreign_row *row, struct vkm_text *text) {
  vkm_text_string(text, "{\"name\":");
  vkm_text_json(text, row->name);
  vkm_text_string(text, ",\"phase\":");
  if (row->phase != NULL) {
    vkm_text_json(text, row->phase);
  } else {
    vkm_text_string(text, "null");
  }
  vkm_text_string(text, ",\"durations_ns\":[");
  for (size_t i = 0; i < row->sample_count; i++) {
    vkm_text_string(text, i > 0 ? "," : "");
    vkm_text_i64(text, row->samples_ns[i]);
  }
  vkm_text_string(text, "]}");
}

static void append_metric(const struct vkm_read_metric *metric, struct vkm_text *text) {
  vkm_text_string(text, "{\"name\":");
  vkm_text_json(text, metric->name);
  vkm_text_string(text, ",\"unit\":");
  if (metric->unit != NULL) {
    vkm_text_json(text, metric->unit);
  } else {
    vkm_text_string(text, "null");
  }
  vkm_text_string(text, ",\"value\":");
  vkm_text_double_exact(text, metric->value);
  vkm_text_string(text, "}");
}

void vkm_foreign_write(const struct vkm_foreign_run *run, const char *source,
                       struct vkm_text *text) {
  vkm_text_string(text, "{\"schema\":\"" VKM_FOREIGN_SCHEMA "\"");
  text_member(text, "vkmeter_version", VKM_VERSION);
  text_member(text, "source", source);
  text_member(text, "run", run->run);
  vkm_text_string(text, ",\n \"sequence\":");
  vkm_text_i64(text, run->sequence);
  vkm_text_string(text, ",\n \"started_unix_ns\":");
  if (run->started_unix_ns != 0) {
    vkm_text_i64(text, run->started_unix_ns);
  } else {
    vkm_text_string(text, "null");
  }
  text_member(text, "workload", run->workload);
  text_member(text, "device", run->device);
  text_member(text, "driver", run->driver);
  vkm_text_string(text, ",\n \"software\":");
  vkm_text_string(text, !run->has_software ? "null" : run->software ? "true" : "false");
  append_tags(run, text);
  vkm_text_string(text, ",\n \"rows\":[");
  for (size_t i = 0; i < run->row_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_row(&run->rows[i], text);
  }
  vkm_text_string(text, "],\n \"metrics\":[");
  for (size_t i = 0; i < run->metric_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_metric(&run->metrics[i], text);
  }
  vkm_text_string(text, "]}\n");
}

/* A name that is no plain word becomes one, told apart by digits of its hash. */
char *vkm_foreign_file(const struct vkm_foreign_run *run) {
  enum { LONGEST = 100 };
  char word[LONGEST + 1];
  char hash[VKM_HASH_TEXT_BYTES];
  size_t length = 0;
  for (const char *c = run->run; *c && length < LONGEST; c++) {
    bool plain = isalnum((unsigned char)*c) || (strchr("-_.", *c) != NULL && length > 0);
    word[length] = '_';
    if (plain) {
      word[length] = *c;
    }
    length++;
  }
  word[length] = 0;
  vkm_hash_text(vkm_hash_bytes(run->run, strlen(run->run)), hash);
  char *name = NULL;
  bool same = strcmp(word, run->run) == 0;
  int written = asprintf(&name, "%s%s%.*s-%lld.json", word, same ? "" : "-", same ? 0 : 8, hash,
                         (long long)run->sequence);
  return written < 0 ? NULL : name;
}
