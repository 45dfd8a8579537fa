/* Puts together what doctor says. In: manifests, facts of the probe, profiles. Out: a diagnosis.
 * Next: drivers. */
#include "doctor/diagnosis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count.h"
#include "doctor/drivers.h"
#include "launch/environment.h"
#include "message.h"

#define LAYER_NAME "VK_LAYER_VKMETER_profile"
#define LAYER_LIBRARY "libVkLayer_vkmeter.so"

static bool keep_variables(struct vkm_diagnosis *diagnosis) {
  static const char *const names[] = {"VK_DRIVER_FILES",
                                      "VK_ICD_FILENAMES",
                                      "VK_ADD_DRIVER_FILES",
                                      "VK_LOADER_DRIVERS_SELECT",
                                      "VK_LOADER_DRIVERS_DISABLE",
                                      "VK_IMPLICIT_LAYER_PATH",
                                      "VK_LAYER_PATH",
                                      "VK_ADD_IMPLICIT_LAYER_PATH",
                                      "VK_ADD_LAYER_PATH",
                                      "VK_INSTANCE_LAYERS",
                                      "VK_LOADER_LAYERS_ENABLE",
                                      "VK_LOADER_LAYERS_DISABLE",
                                      "VK_LOADER_LAYERS_ALLOW",
                                      "VK_LAYER_SETTINGS_PATH",
                                      "VKMETER",
                                      "DISABLE_VKMETER",
                                      "VKMETER_ENABLE_FEATURES"};
  _Static_assert(VKM_COUNT(names) <= VKM_VARIABLES_MAX, "room for all");
  for (size_t i = 0; i < VKM_COUNT(names); i++) {
    const char *value = getenv(names[i]);
    if (value == NULL) {
      continue;
    }
    char *copy = strdup(value);
    if (copy == NULL) {
      vkm_error("out of memory");
      return false;
    }
    diagnosis->variables[diagnosis->variable_count] = names[i];
    diagnosis->values[diagnosis->variable_count++] = copy;
  }
  return true;
}

/* The probe is to run with our settings, whatever the user's program runs with. */
static void forget_settings(void) {
  extern char **environ;
  for (size_t i = 0; environ[i] != NULL;) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
    bool setting = strncmp(name, "VKMETER_", 8) == 0;
    if (setting && strcmp(name, "VKMETER_ENABLE_FEATURES") != 0 && unsetenv(name) == 0) {
      continue; /* the next one has moved here */
    }
    i++;
  }
  setenv("VKMETER_MODE", "inline", 1);
  setenv("VKMETER_CONTROL_EVERY", "0", 1);
  setenv("VKMETER_SAMPLE_TIMES", "1", 1);
}

static bool make_folder(struct vkm_diagnosis *diagnosis) {
  const char *place = getenv("TMPDIR");
  if (asprintf(&diagnosis->folder, "%s/vkmeter-doctor-XXXXXX",
               place != NULL && *place ? place : "/tmp") < 0) {
    diagnosis->folder = NULL;
    vkm_error("out of memory");
    return false;
  }
  if (mkdtemp(diagnosis->folder) == NULL) {
    vkm_error("cannot look: no folder can be made at '%s': %s; set TMPDIR to a directory that can "
              "be written to",
              diagnosis->folder, strerror(errno));
    free(diagnosis->folder);
    diagnosis->folder = NULL;
    return false;
  }
  return true;
}

static void judge_loader(struct vkm_diagnosis *diagnosis) {
  const struct vkm_facts *whole = &diagnosis->whole;
  const struct vkm_fact *missing = vkm_facts_find(whole, "no_loader", 0);
  const struct vkm_fact *failed = vkm_facts_find(whole, "failed", 0);
  char *problem = diagnosis->loader_problem;
  size_t size = sizeof diagnosis->loader_problem;
  if (missing != NULL) {
    snprintf(problem, size, "there is no Vulkan loader: %s; install it (Debian: libvulkan1)",
             missing->values[0]);
  } else if (!whole->ended) {
    snprintf(problem, size,
             "a program that uses Vulkan here %s; choose another driver with VK_DRIVER_FILES and "
             "VK_ICD_FILENAMES%s%s",
             whole->end, *whole->complaint ? "; last words: " : "", whole->complaint);
  } else if (failed != NULL && !vkm_facts_no_device(failed)) {
    snprintf(problem, size, "%s fails with VkResult %s: no program can use Vulkan here",
             failed->values[0], failed->values[1]);
  }
}

/* The library is found through the manifest: relative to it where it has a slash. */
static bool library_is_there(const struct vkm_manifest_file *file) {
  char path[4096];
  const char *slash = strrchr(file->path, '/');
  int folder = slash != NULL && *file->library != '/' ? (int)(slash - file->path) + 1 : 0;
  snprintf(path, sizeof path, "%.*s%s", folder, file->path, file->library);
  return strchr(file->library, '/') == NULL || access(path, R_OK) == 0;
}

static void explain_layer(struct vkm_diagnosis *diagnosis) {
  const struct vkm_manifest_file *first =
      diagnosis->layers.count > 0 ? &diagnosis->layers.items[0] : NULL;
  const char *disabled = getenv("VK_LOADER_LAYERS_DISABLE");
  char *problem = diagnosis->layer_problem;
  size_t size = sizeof diagnosis->layer_problem;
  if (first == NULL) {
    snprintf(problem, size, "no loader finds the layer's manifest: build or install the layer");
  } else if (first->library == NULL) {
    snprintf(problem, size, "'%s' cannot be read as a manifest; install vkmeter again",
             first->path);
  } else if (!library_is_there(first)) {
    snprintf(problem, size, "'%s' names a library that is not there: '%s'; build or install it",
             first->path, first->library);
  } else if (disabled != NULL && *disabled) {
    snprintf(problem, size, "VK_LOADER_LAYERS_DISABLE=%s keeps the layer out; unset it", disabled);
  } else {
    snprintf(problem, size,
             "the loader does not load '%s'; VK_LOADER_DEBUG=all VKMETER=1 PROGRAM tells why",
             first->path);
  }
}

/* Only manifests of our layer stay. */
static bool find_layers(struct vkm_diagnosis *diagnosis) {
  if (!vkm_manifests_of_layers(&diagnosis->layers)) {
    return false;
  }
  struct vkm_manifests *layers = &diagnosis->layers;
  size_t kept = 0;
  for (size_t i = 0; i < layers->count; i++) {
    struct vkm_manifest_file file = layers->items[i];
    const char *slash = strrchr(file.path, '/');
    bool ours = file.layer != NULL
                    ? strcmp(file.layer, LAYER_NAME) == 0
                    : strcmp(slash ? slash + 1 : file.path, "VkLayer_vkmeter.json") == 0;
    layers->items[i] = layers->items[kept];
    layers->items[kept] = file;
    kept += ours;
  }
  for (size_t i = kept; i < layers->count; i++) {
    vkm_manifest_file_finish(&layers->items[i]);
  }
  layers->count = kept;
  return true;
}

static void judge_layer(struct vkm_diagnosis *diagnosis) {
  const struct vkm_fact *layer = vkm_facts_find(&diagnosis->whole, "layer", 0);
  for (size_t i = 0; layer != NULL; layer = vkm_facts_find(&diagnosis->whole, "layer", ++i)) {
    if (strstr(layer->values[0], LAYER_LIBRARY) != NULL) {
      diagnosis->layer_loaded = layer->values[0];
      return;
    }
  }
  /* Where no instance was made, nothing is known of layers. */
  if (vkm_facts_find(&diagnosis->whole, "devices", 0) != NULL || diagnosis->layers.count == 0) {
    explain_layer(diagnosis);
  }
}

bool vkm_diagnose(struct vkm_diagnosis *diagnosis, bool selftest) {
  static const char *const arguments[] = {"instance", NULL};
  *diagnosis = (struct vkm_diagnosis){0};
  if (!keep_variables(diagnosis) || !make_folder(diagnosis)) {
    return false;
  }
  forget_settings();
  setenv("VK_LAYER_SETTINGS_PATH", diagnosis->folder, 1); /* no settings of another program */
  /* What run would give a program; without a manifest it says so, and the rest is looked at. */
  if (!vkm_environment_prepare("/dev/null", NULL, 0)) {
    setenv("VKMETER", "1", 1);
  }
  if (!find_layers(diagnosis) || !vkm_manifests_of_drivers(&diagnosis->manifests) ||
      !vkm_facts_gather(&diagnosis->whole, arguments, NULL, 0, VKM_PROBE_LIMIT_S)) {
    return false;
  }
  judge_loader(diagnosis);
  if (vkm_facts_find(&diagnosis->whole, "no_loader", 0) == NULL) {
    judge_layer(diagnosis);
    return vkm_drivers_look(diagnosis, selftest);
  }
  return true;
}

void vkm_diagnosis_finish(struct vkm_diagnosis *diagnosis) {
  vkm_drivers_finish(diagnosis);
  vkm_facts_finish(&diagnosis->whole);
  vkm_manifests_finish(&diagnosis->layers);
  vkm_manifests_finish(&diagnosis->manifests);
  for (size_t i = 0; i < diagnosis->variable_count; i++) {
    free(diagnosis->values[i]);
  }
  if (diagnosis->folder != NULL && rmdir(diagnosis->folder) != 0) {
    vkm_warning("'%s' could not be removed: %s", diagnosis->folder, strerror(errno));
  }
  free(diagnosis->folder);
}
