/* Noise files. In: noise, or a path. Out: a document, or noise. Next: commands/noise,
 * commands/compare. */
#include "model/noise_file.h"

#include <math.h>
#include <string.h>

#include "message.h"
#include "profile/document.h"

static const char *const stats[] = {"median", "min", "p99", NULL};

static const struct vkm_document_kind kind = {
    "vkmeter.noise/1", "no noise file of vkmeter", "give a file that vkmeter noise has written",
    "the file is damaged: make it again with vkmeter noise", NULL};

static void append_text(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, name);
  if (value != NULL) {
    vkm_text_json(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}

static void append_row(struct vkm_text *text, const struct vkm_noise_row *row) {
  const struct vkm_noise_key *key = &row->key;
  append_text(text, "\n  {\"segment\": ", key->segment);
  append_text(text, ", \"device\": ", key->device);
  append_text(text, ", \"identity\": ", key->identity);
  append_text(text, ", \"name\": ", key->name);
  vkm_text_string(text, ", \"groups\": ");
  for (int axis = 0; axis < 3 && key->has_groups; axis++) {
    vkm_text_string(text, axis == 0 ? "[" : ", ");
    vkm_text_u64(text, key->groups[axis]);
  }
  vkm_text_string(text, key->has_groups ? "]" : "null");
  vkm_text_string(text, ", \"runs\": ");
  vkm_text_u64(text, row->run_count);
  vkm_text_string(text, ", \"center_ns\": ");
  vkm_text_double_exact(text, row->center_ns);
  vkm_text_string(text, ", \"deviation\": ");
  vkm_text_double_exact(text, row->deviation);
  vkm_text_string(text, "}");
}

void vkm_noise_write(const struct vkm_noise *noise, struct vkm_text *text) {
  append_text(text, "{\"schema\": ", kind.schema);
  append_text(text, ", \"vkmeter_version\": ", VKM_VERSION);
  append_text(text, ", \"stat\": ", stats[noise->stat]);
  vkm_text_string(text, ", \"rows_too_few_runs\": ");
  vkm_text_u64(text, noise->too_few_count);
  vkm_text_string(text, ", \"rows\": [");
  for (size_t i = 0; i < noise->row_count; i++) {
    vkm_text_string(text, i > 0 ? "," : "");
    append_row(text, &noise->rows[i]);
  }
  vkm_text_string(text, "\n]}\n");
}

static void read_groups(struct vkm_parse *parse, const struct vkm_value *at,
                        struct vkm_noise_key *key) {
  struct vkm_value list = vkm_value_member(parse, at, "groups", cJSON_Array, VKM_VALUE_NULLABLE);
  key->has_groups = list.item != NULL;
  if (key->has_groups && cJSON_GetArraySize(list.item) != 3) {
    vkm_value_fail(parse, &list, "expected three group counts");
  }
  size_t axis = 0;
  const cJSON *first = list.item != NULL ? list.item->child : NULL;
  for (const cJSON *item = first; item != NULL && axis < 3; item = item->next) {
    struct vkm_value count = vkm_value_element(parse, &list, item, axis, cJSON_Number);
    vkm_value_as_u32(parse, &count, &key->groups[axis++]);
  }
}

static void read_number(struct vkm_parse *parse, const struct vkm_value *at, const char *name,
                        double *out) {
  vkm_value_double(parse, at, name, VKM_VALUE_NEEDED, out);
  if (!parse->failed && (*out < 0 || !isfinite(*out))) {
    vkm_value_fail(parse, at, "%s is negative", name);
  }
}

static void read_row(struct vkm_parse *parse, const struct vkm_value *at,
                     struct vkm_noise_row *row) {
  uint64_t runs = 0;
  vkm_value_text(parse, at, "segment", VKM_VALUE_NEEDED, &row->key.segment);
  vkm_value_text(parse, at, "device", VKM_VALUE_NULLABLE, &row->key.device);
  vkm_value_text(parse, at, "identity", VKM_VALUE_NEEDED, &row->key.identity);
  vkm_value_text(parse, at, "name", VKM_VALUE_NEEDED, &row->key.name);
  read_groups(parse, at, &row->key);
  vkm_value_u64(parse, at, "runs", VKM_VALUE_NEEDED, &runs);
  if (!parse->failed && runs < VKM_NOISE_RUNS_NEEDED) {
    vkm_value_fail(parse, at, "fewer than %d runs", VKM_NOISE_RUNS_NEEDED);
  }
  row->run_count = (size_t)runs;
  read_number(parse, at, "center_ns", &row->center_ns);
  read_number(parse, at, "deviation", &row->deviation);
}

static void read_stat(struct vkm_document *document, struct vkm_noise *noise) {
  const char *stat = NULL;
  vkm_value_text(&document->parse, &document->root, "stat", VKM_VALUE_NEEDED, &stat);
  for (int i = 0; stat != NULL && stats[i] != NULL; i++) {
    if (strcmp(stats[i], stat) == 0) {
      noise->stat = (enum vkm_stat)i;
      return;
    }
  }
  if (stat != NULL) {
    vkm_value_fail(&document->parse, &document->root, "stat '%.20s' is not known", stat);
  }
}

static void read_rows(struct vkm_document *document, struct vkm_noise *noise) {
  struct vkm_parse *parse = &document->parse;
  struct vkm_value list =
      vkm_value_member(parse, &document->root, "rows", cJSON_Array, VKM_VALUE_NEEDED);
  const cJSON *first = list.item != NULL ? list.item->child : NULL;
  size_t index = 0;
  for (const cJSON *item = first; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, index++, cJSON_Object);
    struct vkm_noise_row row = {.key = {.segment = NULL}};
    read_row(parse, &at, &row);
    if (!parse->failed && !vkm_noise_add(noise, &row)) {
      parse->failed = parse->out_of_memory = true;
    }
  }
  if (!parse->failed && !vkm_noise_sort(noise)) {
    parse->failed = parse->out_of_memory = true;
  }
}

bool vkm_noise_read(struct vkm_noise *noise, const char *path) {
  *noise = (struct vkm_noise){.stat = VKM_STAT_MEDIAN};
  struct vkm_document document;
  struct vkm_read_error error;
  enum vkm_status status = vkm_document_read(path, &kind, 1, &document, &error);
  if (status == VKM_OK) {
    uint64_t too_few = 0;
    read_stat(&document, noise);
    vkm_value_u64(&document.parse, &document.root, "rows_too_few_runs", VKM_VALUE_NEEDED, &too_few);
    noise->too_few_count = (size_t)too_few;
    read_rows(&document, noise);
    status = vkm_document_conclude(&document, &error);
    vkm_document_finish(&document);
  }
  if (status != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
    vkm_noise_finish(noise);
    return false;
  }
  return true;
}
