/* What kernels are for, see families.h. */
#include "families.h"

#include "base/alloc.h"
#include "device_record.h"
#include "os/os.h"

static struct vkm_rules rules;
static bool given;

static const char accepted[] = "a file of at most 262144 bytes that can be read";

void vkm_families_start(const char *path) {
  given = path && *path;
  if (!given) {
    return;
  }
  char *text = vkm_alloc(VKM_RULE_FILE_CAP + 1);
  ptrdiff_t length = text ? vkm_os_read(path, true, text, VKM_RULE_FILE_CAP + 1) : 0;
  if (length < 0 || length > VKM_RULE_FILE_CAP) {
    vkm_rules_fault(&rules, path, "it could not be read", accepted);
  } else if (!text || vkm_rules_parse(text, (size_t)length, &rules) != VKM_OK) {
    vkm_rules_fault(&rules, path, "memory was short", accepted);
  }
  vkm_free(text);
}

const struct vkm_rules *vkm_families_rules(void) {
  return given ? &rules : NULL;
}

static void ask_rules(struct vkm_pipeline_record *pipeline) {
  char hash[VKM_HASH_TEXT_BYTES], spirv_hash[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(pipeline->identity, hash);
  vkm_hash_text(pipeline->spirv_hash, spirv_hash);
  struct vkm_rule_subject subject = {.name = pipeline->name,
                                     .module = pipeline->module_name,
                                     .entry = pipeline->entry_point,
                                     .hash = hash,
                                     .spirv_hash = pipeline->has_spirv ? spirv_hash : NULL};
  const struct vkm_rule *family = vkm_rules_find(&rules, &subject, false);
  const struct vkm_rule *phase = vkm_rules_find(&rules, &subject, true);
  if (family) {
    pipeline->family = (struct vkm_family_answer){family->family, VKM_FAMILY_BY_RULE};
  }
  pipeline->rule_phase = phase ? phase->phase : NULL;
}

void vkm_families_classify(struct vkm_pipeline_record *pipeline) {
  struct vkm_kernel_names names = {.pipeline = pipeline->name,
                                   .module = pipeline->module_name,
                                   .entry_point = pipeline->entry_point,
                                   .function = pipeline->kernel.function_name,
                                   .source_file = pipeline->kernel.source_name};
  pipeline->family = vkm_family_of_kernel(&names, &pipeline->kernel.counts);
  if (given) {
    ask_rules(pipeline);
  }
}
