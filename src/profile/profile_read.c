/* Reads profiles. In: a path or bytes, never trusted. Out: plain structures. Next room: the tool's
 * model. */
#include "profile/profile_read.h"

#include "base/alloc.h"
#include "profile/document.h"
#include "profile/keep.h"
#include "profile/profile.h"
#include "profile/profile_read_sections.h"

static const char *const large[] = {"pipelines", "kernels", NULL};

const struct vkm_document_kind vkm_profile_kind = {
    VKM_PROFILE_SCHEMA,
    "no profile of vkmeter",
    "give the path of a profile written by vkmeter",
    "the file is damaged: record the profile again",
    large,
};

static void read_root(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile) {
  vkm_value_bool(parse, root, "complete", VKM_VALUE_NEEDED, &profile->complete);
  vkm_value_text(parse, root, "end_reason", VKM_VALUE_NULLABLE, &profile->end_reason);
  vkm_read_run(parse, root, profile);
  vkm_read_environment(parse, root, profile);
  vkm_read_devices(parse, root, profile);
  vkm_read_pipelines(parse, root, profile);
  vkm_read_kernels(parse, root, profile);
  vkm_read_groups(parse, root, profile);
  vkm_read_plans(parse, root, profile);
  vkm_read_queues(parse, root, profile);
  vkm_read_coverage(parse, root, profile);
  vkm_read_overhead(parse, root, profile);
  vkm_read_trace(parse, root, profile);
  vkm_read_breakdown(parse, root, profile);
}

enum vkm_status vkm_profile_read_document(struct vkm_document *document,
                                          struct vkm_read_profile *profile,
                                          struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){.strings = vkm_keep_new()};
  document->parse.keep = profile->strings;
  document->parse.failed = document->parse.out_of_memory = profile->strings == NULL;
  read_root(&document->parse, &document->root, profile);
  enum vkm_status status = vkm_document_conclude(document, error);
  if (status != VKM_OK) {
    vkm_profile_read_finish(profile);
  }
  vkm_document_finish(document);
  return status;
}

enum vkm_status vkm_profile_read_bytes(const char *bytes, size_t length,
                                       struct vkm_read_profile *profile,
                                       struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){0};
  struct vkm_document document;
  enum vkm_status status =
      vkm_document_read_bytes(bytes, length, &vkm_profile_kind, 1, &document, error);
  return status == VKM_OK ? vkm_profile_read_document(&document, profile, error) : status;
}

enum vkm_status vkm_profile_read(const char *path, struct vkm_read_profile *profile,
                                 struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){0};
  struct vkm_document document;
  enum vkm_status status = vkm_document_read(path, &vkm_profile_kind, 1, &document, error);
  return status == VKM_OK ? vkm_profile_read_document(&document, profile, error) : status;
}

static void finish_device(struct vkm_read_device *device) {
  vkm_free((void *)device->enabled);
  vkm_free(device->capabilities);
  vkm_free(device->memory.heaps);
}

void vkm_profile_read_finish(struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->device_count; i++) {
    finish_device(&profile->devices[i]);
  }
  for (size_t i = 0; i < profile->pipeline_count; i++) {
    vkm_read_executables_finish(&profile->pipelines[i]);
  }
  for (size_t i = 0; i < profile->kernel_count; i++) {
    vkm_free(profile->kernels[i].samples_ns);
    vkm_free(profile->kernels[i].begins_ns);
    vkm_free(profile->kernels[i].outcomes.reasons);
  }
  vkm_read_plans_finish(profile);
  vkm_free(profile->devices);
  vkm_free(profile->pipelines);
  vkm_free(profile->kernels);
  vkm_free(profile->queues);
  vkm_free(profile->metrics);
  vkm_free(profile->families.items);
  vkm_free(profile->phases.items);
  vkm_free(profile->run.tags.items);
  vkm_free(profile->run.settings.items);
  vkm_free(profile->chosen.items);
  vkm_free(profile->run.rejected);
  vkm_free(profile->dispatches.reasons);
  vkm_free(profile->beyond_rows.reasons);
  vkm_keep_finish(profile->strings);
  *profile = (struct vkm_read_profile){0};
}
