/* The cost of the layer for a program. In: judged pairs. Out: text. */
#include "views/overhead.h"

#include <stdio.h>

#include "views/members.h"
#include "views/units.h"

static void member_ns(struct vkm_text *text, const char *name, int64_t ns) {
  vkm_member_number(text, name, ns > 0, (double)ns);
}

static void append_pair(struct vkm_text *text, const struct vkm_pair *pair) {
  vkm_member_open(text, NULL, "{");
  vkm_member_count(text, "sequence", pair->sequence);
  vkm_member_text(text, "first", pair->plain_first ? "plain" : "profiled");
  member_ns(text, "profiled_ns", pair->profiled_ns);
  vkm_member_bool(text, "profiled_good", pair->profiled_good);
  member_ns(text, "plain_ns", pair->plain_ns);
  vkm_member_bool(text, "plain_good", pair->plain_good);
  vkm_text_string(text, "}");
}

static void append_overhead(struct vkm_text *text, const struct vkm_overhead *overhead) {
  vkm_member_open(text, "overhead", "{");
  vkm_member_count(text, "pairs", overhead->count);
  member_ns(text, "profiled_median_ns", overhead->profiled_median_ns);
  member_ns(text, "plain_median_ns", overhead->plain_median_ns);
  vkm_member_number(text, "ratio", overhead->count > 0, overhead->ratio);
  vkm_member_number(text, "ratio_low", overhead->has_interval, overhead->low);
  vkm_member_number(text, "ratio_high", overhead->has_interval, overhead->high);
  vkm_text_string(text, "}");
}

void vkm_view_series(const struct vkm_series *series, struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "schema", "vkmeter.run/1");
  vkm_member_text(text, "vkmeter_version", VKM_VERSION);
  vkm_member_text(text, "run", series->run);
  vkm_member_open(text, "command", "[");
  for (size_t i = 0; series->command[i] != NULL; i++) {
    vkm_member_next(text);
    vkm_text_json(text, series->command[i]);
  }
  vkm_text_string(text, "]");
  vkm_member_bool(text, "cold", series->cold);
  append_overhead(text, &series->overhead);
  vkm_member_open(text, "pairs", "[");
  for (size_t i = 0; i < series->pair_count; i++) {
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
