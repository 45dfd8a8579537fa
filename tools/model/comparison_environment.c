/* Whether two profiles may be compared. In: two profiles. Out: yes, or a sentence that names what
 * differs and what allows it. Next: comparison_panel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/comparison_parts.h"

enum { TEXT_LIMIT_BYTES = 1 << 16, NEVER = 0, KINDS = 7 };

/* What differs of one kind. */
struct difference {
  bool differs;
  unsigned allowed_by; /* bit of --allow-different, NEVER: by none */
  const char *word;    /* of that bit */
  const char *is;      /* "base IS BASE, new NEW" */
  char base[256], fresh[256];
};

static bool same_text(const char *left, const char *right) {
  return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static const char *known(const char *text) {
  return text != NULL && *text ? text : "unknown";
}

static void device_difference(struct difference *out, const struct vkm_read_device *left,
                              const struct vkm_read_device *right) {
  *out = (struct difference){
      .allowed_by = VKM_ALLOW_DEVICE, .word = "device", .is = "was measured on"};
  const char *one = left != NULL ? known(left->name) : "no device";
  const char *other = right != NULL ? known(right->name) : "no device";
  out->differs = (left == NULL) != (right == NULL) || strcmp(one, other) != 0 ||
                 (left != NULL && !same_text(left->type, right->type));
  snprintf(out->base, sizeof out->base, "%s", one);
  snprintf(out->fresh, sizeof out->fresh, "%s", other);
}

/* Another device has another driver: only that of the same device is a difference of its own. */
static void driver_difference(struct difference *out, const struct vkm_read_device *left,
                              const struct vkm_read_device *right) {
  *out = (struct difference){
      .allowed_by = VKM_ALLOW_DRIVER, .word = "driver", .is = "was measured with driver"};
  if (left == NULL || right == NULL || !same_text(left->name, right->name)) {
    return;
  }
  out->differs = !same_text(left->driver_name, right->driver_name) ||
                 !same_text(left->driver_info, right->driver_info) ||
                 !same_text(left->driver_version, right->driver_version);
  vkm_driver_text(left, out->base, sizeof out->base);
  vkm_driver_text(right, out->fresh, sizeof out->fresh);
  if (strcmp(out->base, out->fresh) == 0) { /* the packed version alone differs */
    snprintf(out->base, sizeof out->base, "version %s", left->driver_version);
    snprintf(out->fresh, sizeof out->fresh, "version %s", right->driver_version);
  }
}

static void text_difference(struct difference *out, const char *left, const char *right) {
  out->differs = !same_text(left, right);
  snprintf(out->base, sizeof out->base, "%s", known(left));
  snprintf(out->fresh, sizeof out->fresh, "%s", known(right));
}

/* The first of its properties that differs stands for the system. */
static void system_difference(struct difference *out, const struct vkm_read_profile *left,
                              const struct vkm_read_profile *right) {
  const char *const texts[][VKM_SIDES] = {{left->os, right->os},
                                          {left->kernel, right->kernel},
                                          {left->arch, right->arch},
                                          {left->cpu, right->cpu}};
  static const char *const is[] = {"ran on", "ran on kernel", "ran on architecture", "ran on"};
  *out = (struct difference){.allowed_by = VKM_ALLOW_ENVIRONMENT, .word = "environment"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !out->differs; i++) {
    out->is = is[i];
    text_difference(out, texts[i][VKM_BASE], texts[i][VKM_NEW]);
  }
}

static void chosen_text(const struct vkm_read_pairs *chosen, char *text, size_t size) {
  size_t used = 0;
  snprintf(text, size, "all of the run");
  for (size_t i = 0; i < chosen->count && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s=%s", i > 0 ? " " : "",
                             chosen->items[i].name, chosen->items[i].value);
  }
}

static void chosen_difference(struct difference *out, const struct vkm_read_profile *left,
                              const struct vkm_read_profile *right) {
  *out = (struct difference){.allowed_by = NEVER, .is = "timed"};
  out->differs = left->chosen.count != right->chosen.count;
  for (size_t i = 0; i < left->chosen.count && !out->differs; i++) {
    out->differs = !same_text(left->chosen.items[i].name, right->chosen.items[i].name) ||
                   !same_text(left->chosen.items[i].value, right->chosen.items[i].value);
  }
  chosen_text(&left->chosen, out->base, sizeof out->base);
  chosen_text(&right->chosen, out->fresh, sizeof out->fresh);
}

static void find_differences(struct difference found[KINDS], const struct vkm_read_profile *left,
                             const struct vkm_read_profile *right) {
  const struct vkm_read_device *one = vkm_segment_device(left);
  const struct vkm_read_device *other = vkm_segment_device(right);
  device_difference(&found[0], one, other);
  driver_difference(&found[1], one, other);
  found[2] = (struct difference){
      .allowed_by = VKM_ALLOW_LAYER, .word = "layer", .is = "was measured by vkmeter"};
  text_difference(&found[2], left->run.vkmeter_version, right->run.vkmeter_version);
  system_difference(&found[3], left, right);
  found[4] = (struct difference){.allowed_by = NEVER, .is = "was measured in mode"};
  text_difference(&found[4], left->mode, right->mode);
  chosen_difference(&found[5], left, right);
  found[6] = (struct difference){.allowed_by = NEVER, .is = "ran workload"};
  text_difference(&found[6], left->workload_tag, right->workload_tag);
}

unsigned vkm_environment_distance(const struct vkm_read_profile *left,
                                  const struct vkm_read_profile *right) {
  struct difference found[KINDS];
  find_differences(found, left, right);
  unsigned distance = 0;
  for (int i = 0; i < KINDS; i++) {
    distance += found[i].differs ? (found[i].allowed_by == NEVER ? KINDS : 1) : 0;
  }
  return distance;
}

static void append_difference(struct vkm_text *text, const struct difference *difference) {
  vkm_text_string(text, text->length_bytes > 0 ? "; base " : "base ");
  vkm_text_string(text, difference->is);
  vkm_text_string(text, " ");
  vkm_text_string(text, difference->base);
  vkm_text_string(text, ", new ");
  vkm_text_string(text, strcmp(difference->is, "timed") == 0 ? "timed " : "");
  vkm_text_string(text, strncmp(difference->is, "was measured on", 15) == 0 ? "on " : "");
  vkm_text_string(text, difference->fresh);
}

/* Takes the text; NULL: out of memory. */
static bool take_text(struct vkm_text *text, char **out) {
  *out = text->failed || text->data == NULL ? NULL : strdup(text->data);
  vkm_text_finish(text);
  return *out != NULL;
}

static void append_remedy(struct vkm_text *text, const struct difference found[KINDS],
                          unsigned allowed) {
  bool never = false;
  for (int i = 0; i < KINDS; i++) {
    never = never || (found[i].differs && found[i].allowed_by == NEVER);
  }
  if (never) {
    vkm_text_string(text, "; such times are never compared: measure both sides alike");
    return;
  }
  const char *separator = "; --allow-different=";
  for (int i = 0; i < KINDS; i++) {
    if (found[i].differs && (found[i].allowed_by & allowed) == 0) {
      vkm_text_string(text, separator);
      vkm_text_string(text, found[i].word);
      separator = ",";
    }
  }
  vkm_text_string(text, " compares them all the same");
}

static bool compare(struct vkm_panel *panel, unsigned allowed) {
  struct difference found[KINDS];
  struct vkm_text because;
  struct vkm_text passed;
  find_differences(found, panel->first[VKM_BASE], panel->first[VKM_NEW]);
  vkm_text_init(&because, TEXT_LIMIT_BYTES);
  vkm_text_init(&passed, TEXT_LIMIT_BYTES);
  bool any_passed = false;
  for (int i = 0; i < KINDS; i++) {
    bool passes = (found[i].allowed_by & allowed) != 0;
    if (found[i].differs) {
      append_difference(passes ? &passed : &because, &found[i]);
      any_passed = any_passed || passes;
      panel->comparable = panel->comparable && passes;
    }
  }
  bool good = true;
  if (!panel->comparable) {
    append_remedy(&because, found, allowed);
    good = take_text(&because, &panel->incomparable_because);
  }
  if (any_passed) {
    good = take_text(&passed, &panel->allowed) && good;
  }
  vkm_text_finish(&because);
  vkm_text_finish(&passed);
  return good;
}

/* One side has nothing here: then it is new or gone, unless the side has nothing at all. */
static char *empty_side(const struct vkm_side *side, const char *word) {
  char *text = NULL;
  int length = 0;
  if (side->never_promoted) {
    length = asprintf(&text, "%s %s was never promoted; vkmeter baseline update does", word,
                      side->label != NULL ? side->label : "baseline");
  } else if (side->error_count > 0) {
    length = asprintf(&text, "%s has no profile: every run of it failed; see their errors", word);
  } else {
    length = asprintf(&text, "%s has no profile; name files that hold some", word);
  }
  return length < 0 ? NULL : text;
}

bool vkm_environment_compare(struct vkm_panel *panel, const struct vkm_side *const *sides,
                             unsigned allow_different) {
  static const char *const words[] = {"base", "new"};
  panel->comparable = true;
  if (panel->first[VKM_BASE] != NULL && panel->first[VKM_NEW] != NULL) {
    return compare(panel, allow_different);
  }
  for (int i = 0; i < VKM_SIDES; i++) {
    bool narrowed = sides[i]->baseline && !sides[i]->never_promoted;
    if (panel->first[i] == NULL && sides[i]->profile_count == 0 && !narrowed) {
      panel->comparable = false;
      panel->incomparable_because = empty_side(sides[i], words[i]);
      return panel->incomparable_because != NULL;
    }
  }
  return true;
}
