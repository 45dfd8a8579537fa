// Which extensions are offered, and whether a command may be used on a device.
//
// In: the configuration and the lists of vkCreate*. Out: bit sets; violations for commands not
// enabled.
#include "internal.h"

#include <string.h>

const struct fake_extension_row fake_extensions[FAKE_EXTENSION_COUNT] = {
#define FAKE_EXTENSION(name, version, level)                                                       \
  {"VK_" #name, version, (level) == 'r' ? 'd' : (level), (level) == 'r'},
#include "extensions.def"
#undef FAKE_EXTENSION
};

static bool offered(uint32_t index) {
  const struct fake_config *config = fake_settings();
  if (fake_extensions[index].rare && config->rare_extensions == 0) {
    return false;
  }
  switch (index) {
  case FAKE_EXT_host_query_reset:
    return config->host_query_reset != 0;
  case FAKE_KHR_timeline_semaphore:
    return config->timeline_semaphore != 0;
  case FAKE_KHR_synchronization2:
    return config->synchronization2 != 0;
  case FAKE_KHR_maintenance4:
    return config->maintenance4 != 0;
  case FAKE_KHR_maintenance5:
    return config->maintenance5 != 0;
  case FAKE_KHR_pipeline_executable_properties:
    return config->pipeline_executable_info != 0;
  case FAKE_AMD_shader_info:
    return config->shader_info != 0;
  default:
    return true;
  }
}

uint64_t fake_offered(char level) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < FAKE_EXTENSION_COUNT; i++) {
    if (fake_extensions[i].level == level && offered(i) &&
        !fake_listed(fake_settings()->missing, fake_extensions[i].name)) {
      bits |= FAKE_BIT(i);
    }
  }
  return bits;
}

uint64_t fake_extension_bit(const char *name) {
  for (uint32_t i = 0; i < FAKE_EXTENSION_COUNT; i++) {
    if (strcmp(fake_extensions[i].name, name) == 0) {
      return FAKE_BIT(i);
    }
  }
  return 0;
}

void fake_require(struct fake_device *device, uint32_t version, uint64_t any, const char *name) {
  if (device->orphan) {
    fake_violate("%s after vkDestroyInstance of its instance", name);
  }
  bool core = version != 0 && device->api >= version;
  if (!core && (device->extensions & any) == 0) {
    fake_violate("%s used but not enabled", name);
  }
}
