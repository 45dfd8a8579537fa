/* In: rows with their pipelines and phases, rules of the user. Out: to which family and phase each
 * row belongs. Next room: profile_write_kernel.c and profile_write_groups.c. */
#include <string.h>

#include "base/alloc.h"
#include "profile/profile_write_sections.h"

#define NO_PIPELINE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

static bool has_pipeline(const struct vkm_profile_device *device,
                         const struct vkm_kernel_key *key) {
  return vkm_kind_is_dispatch(key->kind) && key->pipeline < device->pipeline_count;
}

/* The path of labels, or NULL. */
static const char *label_of(const struct vkm_profile_device *device,
                            const struct vkm_kernel_key *key) {
  return key->phase != VKM_PHASE_UNLABELLED && key->phase < device->phase_count
             ? device->phases[key->phase]
             : NULL;
}

/* ---- labels as names ---- */

/* The pipeline that runs in each phase, if it is the only one there: a label around one kernel is a
 * name for it, a label around several is not. */
static uint32_t *only_pipelines(const struct vkm_profile_device *device) {
  uint32_t *only = vkm_alloc((device->phase_count + 1) * sizeof *only);
  for (size_t i = 0; only != NULL && i < device->phase_count; i++) {
    only[i] = NO_PIPELINE;
  }
  for (size_t i = 0; only != NULL && i < device->row_count; i++) {
    const struct vkm_kernel_key *key = &device->rows[i]->key;
    if (key->phase < device->phase_count && vkm_kind_is_dispatch(key->kind)) {
      uint32_t *found = &only[key->phase];
      *found = *found == NO_PIPELINE || *found == key->pipeline ? key->pipeline : SEVERAL;
    }
  }
  return only;
}

static enum vkm_family family_of_label(const char *path) {
  const char *last = strrchr(path, '/');
  return vkm_family_of_text(last != NULL ? last + 1 : path);
}

/* What labels say of each pipeline: VKM_FAMILY_COUNT nothing; unclassified when they contradict
 * each other. */
static void ask_labels(const struct vkm_profile_device *device, const uint32_t *only,
                       enum vkm_family *said) {
  for (size_t i = 0; i < device->pipeline_count; i++) {
    said[i] = VKM_FAMILY_COUNT;
  }
  for (size_t i = VKM_PHASE_OTHER + 1; i < device->phase_count; i++) {
    if (only[i] < device->pipeline_count && device->phases[i] != NULL) {
      enum vkm_family family = family_of_label(device->phases[i]);
      enum vkm_family *before = &said[only[i]];
      bool same = *before == VKM_FAMILY_COUNT || *before == family;
      *before = same ? family : VKM_FAMILY_unclassified;
    }
  }
}

/* For pipelines that neither a rule nor a name has answered for. */
static bool answer_by_labels(const struct vkm_profile_device *device,
                             struct vkm_family_answer *answers) {
  uint32_t *only = only_pipelines(device);
  enum vkm_family *said = vkm_alloc((device->pipeline_count + 1) * sizeof *said);
  bool room = only != NULL && said != NULL;
  if (room) {
    ask_labels(device, only, said);
  }
  for (size_t i = 0; room && i < device->pipeline_count; i++) {
    bool open = answers[i].source == VKM_FAMILY_BY_NONE || answers[i].source == VKM_FAMILY_BY_SPIRV;
    if (open && said[i] != VKM_FAMILY_COUNT && said[i] != VKM_FAMILY_unclassified) {
      answers[i] = (struct vkm_family_answer){said[i], VKM_FAMILY_BY_NAME};
    }
  }
  vkm_free(only);
  vkm_free(said);
  return room;
}

/* ---- rows ---- */

static const struct vkm_rule *find_rule(const struct vkm_rules *rules,
                                        const struct vkm_profile_pipeline *pipeline,
                                        const char *label, bool phase) {
  char hash[VKM_HASH_TEXT_BYTES], spirv_hash[VKM_HASH_TEXT_BYTES];
  struct vkm_rule_subject subject = {.label = label};
  if (pipeline != NULL) {
    vkm_hash_text(pipeline->identity, hash);
    vkm_hash_text(pipeline->spirv_hash, spirv_hash);
    subject.name = pipeline->name;
    subject.module = pipeline->module_name;
    subject.entry = pipeline->entry_point;
    subject.hash = hash;
    subject.spirv_hash = pipeline->has_spirv ? spirv_hash : NULL;
  }
  return vkm_rules_find(rules, &subject, phase);
}

static void place_row(const struct vkm_document *document, const struct vkm_profile_device *device,
                      const struct vkm_family_answer *answers, const struct vkm_kernel_key *key,
                      struct vkm_place *place) {
  const struct vkm_rules *rules = document->profile->rules;
  const char *label = label_of(device, key);
  const struct vkm_profile_pipeline *pipeline = NULL;
  place->family = vkm_family_of_kind((enum vkm_kind)key->kind);
  place->phase = label;
  if (has_pipeline(device, key)) {
    pipeline = &device->pipelines[key->pipeline];
    place->family = answers[key->pipeline].family;
    place->phase = label != NULL ? label : pipeline->rule_phase;
  }
  /* Rules without labels were asked when the pipeline was made. */
  const struct vkm_rule *rule = rules != NULL && rules->by_label && label != NULL
                                    ? find_rule(rules, pipeline, label, false)
                                    : NULL;
  place->family = rule != NULL ? rule->family : place->family;
  place->phase = place->phase != NULL ? place->phase : "unlabelled";
}

enum vkm_status vkm_write_places(struct vkm_document *document) {
  const struct vkm_profile *profile = document->profile;
  size_t rows = 0, pipelines = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    rows += profile->devices[i].row_count;
    pipelines += profile->devices[i].pipeline_count;
  }
  document->places = vkm_calloc(rows + 1, sizeof *document->places);
  document->answers = vkm_calloc(pipelines + 1, sizeof *document->answers);
  document->place_count = rows;
  bool room = document->places != NULL && document->answers != NULL;
  struct vkm_place *place = document->places;
  struct vkm_family_answer *answers = document->answers;
  for (size_t i = 0; room && i < profile->device_count; i++) {
    const struct vkm_profile_device *device = &profile->devices[i];
    for (size_t j = 0; j < device->pipeline_count; j++) {
      answers[j] = device->pipelines[j].family;
    }
    room = answer_by_labels(device, answers);
    for (size_t j = 0; room && j < device->row_count; j++) {
      place_row(document, device, answers, &device->rows[j]->key, place++);
    }
    answers += device->pipeline_count;
  }
  return room ? VKM_OK : VKM_OUT_OF_MEMORY;
}

void vkm_write_places_finish(struct vkm_document *document) {
  vkm_free(document->places);
  vkm_free(document->answers);
  document->places = NULL;
  document->answers = NULL;
}
