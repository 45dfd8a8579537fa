// The door of the driver: negotiation with the loader and the look-up of commands.
//
// In: names. Out: addresses, NULL for what is not enabled. Next room: instance.c.
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_icd.h>

enum scope { G, I, P, D };

struct row {
  const char *name;
  PFN_vkVoidFunction function;
  enum scope scope;
  uint32_t version; // 10, 11, 12, 13; 0: extension only
  uint32_t extension;
};

// Answers for every command of FAKE_STUB: their first words in registers are simply not looked at.
static VKAPI_ATTR VkResult VKAPI_CALL stub(void) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

static const struct row rows[] = {
#define FAKE_ENTRY(name, scope, version, extension)                                                \
  {#name, (PFN_vkVoidFunction)fake_##name, scope, version, FAKE_##extension},
#define FAKE_ALIAS(name, core, scope, version, extension)                                          \
  {#name, (PFN_vkVoidFunction)fake_##core, scope, version, FAKE_##extension},
#define FAKE_STUB(name, version) {#name, (PFN_vkVoidFunction)stub, D, version, FAKE_NONE},
#define FAKE_WORK(name, version, extension, kind, family, place)                                   \
  {#name, (PFN_vkVoidFunction)fake_##name, D, version, FAKE_##extension},
#include "entries.def"
#undef FAKE_WORK
#undef FAKE_ENTRY
#undef FAKE_ALIAS
#undef FAKE_STUB
};

// By name: a loader asks for all of them for each device.
static const struct row *sorted[sizeof rows / sizeof rows[0]];
static pthread_once_t sorted_once = PTHREAD_ONCE_INIT;

static int by_name(const void *a, const void *b) {
  const struct row *const *first = a;
  const struct row *const *second = b;
  return strcmp((*first)->name, (*second)->name);
}

static void sort_rows(void) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sorted[i] = &rows[i];
  }
  qsort((void *)sorted, sizeof rows / sizeof rows[0], sizeof sorted[0], by_name);
}

static const struct row *find(const char *name) {
  const struct row key = {.name = name};
  const struct row *wanted = &key;
  pthread_once(&sorted_once, sort_rows);
  const struct row *const *found = bsearch((const void *)&wanted, (const void *)sorted,
                                           sizeof rows / sizeof rows[0], sizeof sorted[0], by_name);
  return found ? *found : NULL;
}

static bool in_version(const struct row *row, uint32_t api) {
  return row->version != 0 &&
         api >= VK_MAKE_API_VERSION(0, row->version / 10, row->version % 10, 0);
}

static bool in_extensions(const struct row *row, uint64_t bits) {
  return row->extension != FAKE_NONE && (bits & FAKE_BIT(row->extension)) != 0;
}

PFN_vkVoidFunction fake_vkGetInstanceProcAddr(VkInstance handle, const char *name) {
  const struct fake_instance *instance = (struct fake_instance *)handle;
  const struct row *row = find(name);
  if (row == NULL || (instance == NULL && row->scope != G)) {
    return NULL;
  }
  // Of the device's commands all are handed out that any device here may have.
  uint64_t bits = fake_offered('d');
  bool known = row->scope == G || row->scope == D || in_version(row, instance->api) ||
               in_extensions(row, instance->extensions | bits);
  bool gone = row->scope == D && row->extension != FAKE_NONE && !in_version(row, ~0U) &&
              !in_extensions(row, instance->extensions | bits);
  return known && (!gone || fake_settings()->expose_disabled != 0) ? row->function : NULL;
}

PFN_vkVoidFunction fake_vkGetDeviceProcAddr(VkDevice handle, const char *name) {
  const struct fake_device *device = (struct fake_device *)handle;
  const struct row *row = find(name);
  if (row == NULL || row->scope != D) {
    return NULL;
  }
  uint64_t bits = device->extensions | device->instance_extensions;
  bool enabled = in_version(row, device->api) || in_extensions(row, bits);
  return enabled || fake_settings()->expose_disabled != 0 ? row->function : NULL;
}

#define FAKE_DOOR FAKE_API VKAPI_ATTR
FAKE_DOOR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);
FAKE_DOOR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                  const char *name);
FAKE_DOOR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                                        const char *name);

VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  if (*version < 2) {
    return VK_ERROR_INCOMPATIBLE_DRIVER;
  }
  *version = *version > 5 ? 5 : *version;
  return VK_SUCCESS;
}

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name) {
  if (strcmp(name, "vk_icdNegotiateLoaderICDInterfaceVersion") == 0) {
    return (PFN_vkVoidFunction)vk_icdNegotiateLoaderICDInterfaceVersion;
  }
  if (strcmp(name, "vk_icdGetPhysicalDeviceProcAddr") == 0) {
    return (PFN_vkVoidFunction)vk_icdGetPhysicalDeviceProcAddr;
  }
  return fake_vkGetInstanceProcAddr(instance, name);
}

PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name) {
  const struct row *row = find(name);
  return row != NULL && row->scope == P ? fake_vkGetInstanceProcAddr(instance, name) : NULL;
}
