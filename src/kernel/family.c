/* In: counts of a kernel's code, or what kind of command it is. Out: a family. The words of names
 * are in family_text.c. Next room: profile. */
#include "kernel/family.h"

#include <string.h>

const char *const vkm_family_names[VKM_FAMILY_COUNT] = {
#define VKM_FAMILY(name, meaning) #name,
#include "kernel/families.def"
#undef VKM_FAMILY
};

const char *const vkm_family_source_names[4] = {"none", "rule", "name", "spirv"};

enum vkm_family vkm_family_named(const char *name, size_t length) {
  int family = 0;
  while (family < VKM_FAMILY_COUNT && (strlen(vkm_family_names[family]) != length ||
                                       strncmp(vkm_family_names[family], name, length) != 0)) {
    family++;
  }
  return (enum vkm_family)family;
}

/* ---- code ---- */

typedef bool test(const uint32_t counts[VKM_COUNT_COUNT]);
#define COUNT(name) (counts[VKM_COUNT_##name])

/* Softmax-weighted sums: the exponential of one product weighs another one. */
static bool weighs_and_sums(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(accumulated_weights) > 0;
}

/* A sum and a difference of the same two values, again and again, exchanged between invocations. */
static bool has_butterflies(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(butterflies) >= 2 &&
         (COUNT(shared_accumulations) > 0 || COUNT(group_operations) > 0);
}

/* Samples of an image, weighted or not, added up in a loop. */
static bool sums_image(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(image_reads) > 0 &&
         (COUNT(accumulated_products) > 0 || COUNT(accumulated_values) > 0);
}

/* Products of two buffers, added up in a loop; or the instructions made for that. */
static bool multiplies_matrices(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(cooperative_matrix) > 0 || COUNT(accumulated_products) > 0;
}

/* Invocations exchange places of workgroup memory and write out what they find there. */
static bool sorts(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(shared_exchanges) > 0 && COUNT(shared_broadcasts) == 0 &&
         COUNT(computed_stores) == 0;
}

/* Sums that grow across invocations, each of which writes its own. */
static bool scans(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(group_scans) > 0 || (COUNT(shared_accumulations) > 0 && COUNT(shared_results) > 0);
}

/* A parameter and its two moments, updated in place, the step divided by a root. */
static bool updates_moments(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(updated_buffers) >= 3 && COUNT(roots) > 0 && COUNT(shared_loads) == 0;
}

/* Values of many invocations or of many rounds of a loop become one. */
static bool reduces(const uint32_t counts[VKM_COUNT_COUNT]) {
  bool result = COUNT(computed_stores) + COUNT(moved_stores) + COUNT(atomics) > 0;
  return result && (COUNT(shared_accumulations) + COUNT(shared_exchanges) > 0 ||
                    COUNT(group_reductions) > 0 || COUNT(accumulated_values) > 0);
}

/* Texels as they are, but from places that had to be computed with fractions. */
static bool resamples(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(image_reads) > 0 && COUNT(image_writes) > 0 && COUNT(computed_stores) == 0 &&
         COUNT(float_arithmetic) > 0;
}

static bool moves(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(computed_stores) == 0 && COUNT(moved_stores) > 0;
}

/* A constant or a parameter to every place. */
static bool fills(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(generated_stores) > 0 && COUNT(computed_stores) == 0 && COUNT(loops) == 0 &&
         COUNT(float_arithmetic) == 0;
}

static bool computes(const uint32_t counts[VKM_COUNT_COUNT]) {
  return COUNT(computed_stores) > 0 || COUNT(generated_stores) > 0;
}

/* The first that holds. Each looks for the mark of one family, the rarer ones first; what stores
 * nothing that can be followed (only atomics, say) stays unclassified. */
static const struct {
  test *holds;
  enum vkm_family family;
} RULES[] = {
    {weighs_and_sums, VKM_FAMILY_attention},
    {has_butterflies, VKM_FAMILY_transform},
    {sums_image, VKM_FAMILY_convolution_spatial},
    {multiplies_matrices, VKM_FAMILY_matrix},
    {sorts, VKM_FAMILY_sort_scan},
    {scans, VKM_FAMILY_sort_scan},
    {updates_moments, VKM_FAMILY_optimizer},
    {reduces, VKM_FAMILY_normalization_reduction},
    {resamples, VKM_FAMILY_convolution_spatial},
    {moves, VKM_FAMILY_data_movement},
    {fills, VKM_FAMILY_data_movement},
    {computes, VKM_FAMILY_pointwise},
};

enum vkm_family vkm_family_of_counts(const struct vkm_spirv_counts *counts) {
  for (size_t i = 0; counts->known && i < sizeof RULES / sizeof RULES[0]; i++) {
    if (RULES[i].holds(counts->values)) {
      return RULES[i].family;
    }
  }
  return VKM_FAMILY_unclassified;
}

struct vkm_family_answer vkm_family_of_kernel(const struct vkm_kernel_names *names,
                                              const struct vkm_spirv_counts *counts) {
  const char *const texts[] = {names->pipeline, names->module, names->entry_point, names->function,
                               names->source_file};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    enum vkm_family family =
        texts[i] != NULL ? vkm_family_of_text(texts[i]) : VKM_FAMILY_unclassified;
    if (family != VKM_FAMILY_unclassified) {
      return (struct vkm_family_answer){family, VKM_FAMILY_BY_NAME};
    }
  }
  enum vkm_family family = vkm_family_of_counts(counts);
  bool known = family != VKM_FAMILY_unclassified;
  return (struct vkm_family_answer){family, known ? VKM_FAMILY_BY_SPIRV : VKM_FAMILY_BY_NONE};
}

enum vkm_family vkm_family_of_kind(enum vkm_kind kind) {
  switch (kind) {
  case VKM_KIND_COPY:
  case VKM_KIND_FILL:
  case VKM_KIND_UPDATE:
  case VKM_KIND_BLIT:
  case VKM_KIND_CLEAR:
  case VKM_KIND_RESOLVE:
  case VKM_KIND_DECOMPRESS_MEMORY:
  case VKM_KIND_CONVERT_MATRIX:
    return VKM_FAMILY_data_movement;
  case VKM_KIND_RENDER_PASS:
    return VKM_FAMILY_graphics;
  case VKM_KIND_TRACE_RAYS:
  case VKM_KIND_ACCELERATION_STRUCTURE:
    return VKM_FAMILY_ray_tracing;
  default:
    return VKM_FAMILY_unclassified;
  }
}
