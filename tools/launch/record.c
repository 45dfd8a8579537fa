/* Error records. In: a run that failed. Out: a JSON file beside the profiles. */
#include "launch/record.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "deliver.h"

static void member_number(struct vkm_text *text, const char *name, bool known, int64_t value) {
  vkm_text_string(text, ",\n \"");
  vkm_text_string(text, name);
  vkm_text_string(text, "\":");
  if (known) {
    vkm_text_i64(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void member_text(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, ",\n \"");
  vkm_text_string(text, name);
  vkm_text_string(text, "\":");
  vkm_text_json(text, value);
}

bool vkm_record_write(const struct vkm_record *record, const char *path) {
  const struct vkm_child *child = record->child;
  bool started = child->cause == 0;
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "{\"schema\":\"vkmeter.error/1\"");
  member_text(&text, "vkmeter_version", VKM_VERSION);
  member_text(&text, "run", record->run);
  member_number(&text, "sequence", true, record->sequence);
  vkm_text_string(&text, ",\n \"command\":[");
  for (size_t i = 0; record->command[i] != NULL; i++) {
    vkm_text_string(&text, i > 0 ? "," : "");
    vkm_text_json(&text, record->command[i]);
  }
  vkm_text_string(&text, "]");
  member_text(&text, "cause", record->cause);
  if (record->last_line != NULL) {
    member_text(&text, "last_line", record->last_line);
  }
  member_number(&text, "status", started && child->signal == 0, child->status);
  member_number(&text, "signal", started && child->signal != 0, child->signal);
  vkm_text_string(&text, child->timed_out ? ",\n \"timed_out\":true" : ",\n \"timed_out\":false");
  member_number(&text, "started_unix_ns", true, child->started_unix_ns);
  member_number(&text, "duration_ns", started, child->duration_ns);
  vkm_text_string(&text, "}\n");
  bool written = vkm_deliver(path, &text);
  vkm_text_finish(&text);
  return written;
}

const char *vkm_signal_name(int number) {
  static char name[32];
  const char *known = sigabbrev_np(number);
  if (known == NULL) {
    return NULL;
  }
  snprintf(name, sizeof name, "SIG%s", known);
  return name;
}
