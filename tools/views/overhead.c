/* The cost of the layer for a program. In: judged pairs. Out: text. */
#include "views/overhead.h"

#include <stdio.h>

#include "views/units.h"

static void member(struct vkm_text *text, const char *name) {
  vkm_text_string(text, ",\"");
  vkm_text_string(text, name);
  vkm_text_string(text, "\":");
}

static void member_bool(struct vkm_text *text, const char *name, bool value) {
  member(text, name);
  vkm_text_string(text, value ? "true" : "false");
}

static void member_ns(struct vkm_text *text, const char *name, bool known, int64_t value) {
  member(text, name);
  if (known) {
    vkm_text_i64(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void member_ratio(struct vkm_text *text, const char *name, bool known, double value) {
  member(text, name);
  if (known) {
    vkm_text_double(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void append_pair(struct vkm_text *text, const struct vkm_pair *pair) {
  vkm_text_string(text, "{\"sequence\":");
  vkm_text_u64(text, pair->sequence);
  member(text, "first");
  vkm_text_json(text, pair->plain_first ? "plain" : "profiled");
  member_ns(text, "profiled_ns", pair->profiled_ns > 0, pair->profiled_ns);
  member_bool(text, "profiled_good", pair->profiled_good);
  member_ns(text, "plain_ns", pair->plain_ns > 0, pair->plain_ns);
  member_bool(text, "plain_good", pair->plain_good);
  vkm_text_string(text, "}");
}

void vkm_view_series(const struct vkm_series *series, struct vkm_text *text) {
  const struct vkm_overhead *overhead = &series->overhead;
  bool known = overhead->count > 0;
  vkm_text_string(text, "{\"schema\":\"vkmeter.run/1\"");
  member(text, "vkmeter_version");
  vkm_text_json(text, VKM_VERSION);
  member(text, "run");
  vkm_text_json(text, series->run);
  member(text, "command");
  for (size_t i = 0; series->command[i] != NULL; i++) {
    vkm_text_string(text, i > 0 ? "," : "[");
    vkm_text_json(text, series->command[i]);
  }
  vkm_text_string(text, "]");
  member_bool(text, "cold", series->cold);
  vkm_text_string(text, ",\n \"overhead\":{\"pairs\":");
  vkm_text_u64(text, overhead->count);
  member_ns(text, "profiled_median_ns", known, overhead->profiled_median_ns);
  member_ns(text, "plain_median_ns", known, overhead->plain_median_ns);
  member_ratio(text, "ratio", known, overhead->ratio);
  member_ratio(text, "ratio_low", overhead->has_interval, overhead->low);
  member_ratio(text, "ratio_high", overhead->has_interval, overhead->high);
  vkm_text_string(text, "},\n \"pairs\":[");
  for (size_t i = 0; i < series->pair_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_pair(text, &series->pairs[i]);
  }
  vkm_text_string(text, "]}\n");
}

void vkm_view_overhead(const struct vkm_overhead *overhead, struct vkm_text *text) {
  char ratios[128];
  vkm_text_string(text, "wall time with vkmeter ");
  vkm_format_duration(text, (double)overhead->profiled_median_ns, true);
  vkm_text_string(text, ", without ");
  vkm_format_duration(text, (double)overhead->plain_median_ns, true);
  vkm_text_string(text, overhead->count > 1 ? " (medians of " : " (");
  vkm_text_u64(text, overhead->count);
  snprintf(ratios, sizeof ratios,
           overhead->count > 1 ? " pairs): %.3f times" : " pair): %.3f times", overhead->ratio);
  vkm_text_string(text, ratios);
  if (overhead->count > 1) {
    snprintf(ratios, sizeof ratios, ", pairs from %.3f to %.3f", overhead->least, overhead->most);
    vkm_text_string(text, ratios);
  }
}
