/* Records of good runs. In: a path, or a line of a baseline. Out: plain values. Next: side,
 * measures. */
#include "model/sample_file.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/side.h"
#include "profile/document.h"

static const struct vkm_document_kind kind = {
    "vkmeter.sample/1", "no record of a run of vkmeter suite",
    "take it out of the folder of profiles", "the file is damaged: take it out of the folder",
    NULL};

static char *copy(struct vkm_parse *parse, const char *text) {
  char *to = strdup(text != NULL ? text : "");
  if (to == NULL) {
    parse->failed = parse->out_of_memory = true;
  }
  return to;
}

static void read_outputs(struct vkm_document *document, struct vkm_side_sample *sample) {
  struct vkm_parse *parse = &document->parse;
  struct vkm_value list =
      vkm_value_member(parse, &document->root, "outputs", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  sample->outputs = calloc(count + 1, sizeof *sample->outputs);
  parse->failed = parse->failed || sample->outputs == NULL;
  parse->out_of_memory = parse->out_of_memory || sample->outputs == NULL;
  const cJSON *item = list.item != NULL ? list.item->child : NULL;
  for (size_t i = 0; i < count && !parse->failed; i++, item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, i, cJSON_Object);
    const char *name = NULL;
    const char *sha256 = NULL;
    vkm_value_text(parse, &at, "name", VKM_VALUE_NEEDED, &name);
    vkm_value_text(parse, &at, "sha256", VKM_VALUE_NEEDED, &sha256);
    struct vkm_sample_output *output = &sample->outputs[sample->output_count++];
    output->decimals = -1;
    vkm_value_i64(parse, &at, "decimals", VKM_VALUE_OPTIONAL, &output->decimals);
    output->name = copy(parse, name);
    output->sha256 = copy(parse, sha256);
  }
}

static enum vkm_status take(struct vkm_side_sample *sample, const char *path,
                            struct vkm_document *document, struct vkm_read_error *error) {
  struct vkm_parse *parse = &document->parse;
  const struct vkm_value *root = &document->root;
  const char *run = NULL;
  struct vkm_value resident =
      vkm_value_member(parse, root, "resident_peak_bytes", cJSON_Number, VKM_VALUE_NULLABLE);
  vkm_value_text(parse, root, "run", VKM_VALUE_NEEDED, &run);
  vkm_value_i64(parse, root, "sequence", VKM_VALUE_NEEDED, &sample->sequence);
  vkm_value_i64(parse, root, "wall_ns", VKM_VALUE_NEEDED, &sample->wall_ns);
  sample->has_resident = resident.item != NULL;
  if (sample->has_resident) {
    vkm_value_u64(parse, root, "resident_peak_bytes", VKM_VALUE_NEEDED,
                  &sample->resident_peak_bytes);
  }
  sample->path = copy(parse, path);
  sample->run = copy(parse, run);
  read_outputs(document, sample);
  enum vkm_status status = vkm_document_conclude(document, error);
  vkm_document_finish(document);
  if (status != VKM_OK) {
    vkm_sample_file_finish(sample);
  }
  return status;
}

bool vkm_sample_file_is(const char *path) {
  static const char ending[] = ".sample.json";
  size_t length = strlen(path);
  size_t end = sizeof ending - 1;
  return length > end && strcmp(path + length - end, ending) == 0;
}

bool vkm_sample_file_read(struct vkm_side_sample *sample, const char *path) {
  struct vkm_document document;
  struct vkm_read_error error;
  *sample = (struct vkm_side_sample){0};
  enum vkm_status status = vkm_document_read(path, &kind, 1, &document, &error);
  status = status == VKM_OK ? take(sample, path, &document, &error) : status;
  if (status != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
  }
  return status == VKM_OK;
}

enum vkm_status vkm_sample_file_read_bytes(struct vkm_side_sample *sample, const char *path,
                                           const char *bytes, size_t length,
                                           struct vkm_read_error *error) {
  struct vkm_document document;
  *sample = (struct vkm_side_sample){0};
  enum vkm_status status = vkm_document_read_bytes(bytes, length, &kind, 1, &document, error);
  return status == VKM_OK ? take(sample, path, &document, error) : status;
}

void vkm_sample_file_finish(struct vkm_side_sample *sample) {
  for (size_t i = 0; i < sample->output_count; i++) {
    free(sample->outputs[i].name);
    free(sample->outputs[i].sha256);
  }
  free(sample->outputs);
  free(sample->path);
  free(sample->run);
  *sample = (struct vkm_side_sample){0};
}

size_t vkm_sample_profile(const struct vkm_side *side, const struct vkm_side_sample *sample) {
  for (size_t i = 0; i < side->profile_count; i++) {
    const struct vkm_read_run *run = &side->profiles[i].run;
    if (run->id != NULL && run->sequence == sample->sequence && strcmp(run->id, sample->run) == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}
