/* In: a comparison's enumerations and rows. Out: their words. Next: the views for programs. */
#include "views/compare_words.h"

#include <stddef.h>

const char *vkm_compare_code(enum vkm_code code) {
  static const char *const words[] = {"same", "changed", "unknown"};
  return words[code];
}

const char *vkm_compare_matched_by(enum vkm_matched_by matched) {
  static const char *const words[] = {NULL, "name", "code", "name+code", "order", "rename"};
  return words[matched];
}

const char *vkm_compare_evidence(enum vkm_evidence evidence) {
  static const char *const words[] = {NULL, "runs", "controls", "noise", "samples"};
  return words[evidence];
}

const char *vkm_compare_stat(enum vkm_stat stat) {
  static const char *const words[] = {"median", "min", "p99"};
  return words[stat];
}

const char *vkm_compare_match(enum vkm_match match) {
  static const char *const words[] = {"auto", "name", "code", "name+code", "order"};
  return words[match];
}

const char *vkm_compare_rule(enum vkm_rule rule) {
  static const char *const words[] = {"runs", "samples"};
  return words[rule];
}

const char *vkm_compare_allow(unsigned index) {
  static const char *const words[VKM_COMPARE_ALLOWS] = {"device", "driver", "layer", "environment"};
  return words[index];
}

const char *vkm_compare_device(const struct vkm_panel *panel) {
  for (int side = VKM_NEW; side >= VKM_BASE; side--) {
    const struct vkm_read_profile *first = panel->first[side];
    if (first != NULL && first->device_count > 0) {
      return first->devices[0].name;
    }
  }
  return NULL;
}

void vkm_compare_id(const struct vkm_compared_row *row, struct vkm_text *text) {
  vkm_text_string(text, row->name);
  if (row->has_groups) {
    for (int axis = 0; axis < 3; axis++) {
      vkm_text_string(text, axis == 0 ? "/" : ",");
      vkm_text_u64(text, row->groups[axis]);
    }
  } else if (row->is_dispatch) {
    vkm_text_string(text, "/indirect");
  }
  if (row->device != NULL) {
    vkm_text_string(text, "@");
    vkm_text_string(text, row->device);
  }
}
