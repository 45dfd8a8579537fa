/* Settings from vk_layer_settings.txt and from the application, see settings.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/pairs.h"
#include "chain.h"
#include "os/os.h"
#include "settings.h"

enum { FILE_LIMIT = 64 * 1024, PATH_LIMIT = 4096 };
static const char file_name[] = "vk_layer_settings.txt";
static const char prefix[] = "vkmeter_profile.";
static const char layer_name[] = "VK_LAYER_VKMETER_profile";

/* ---- file ---- */

static void find_file(char *path, size_t size) {
  const char *given = vkm_os_variable("VK_LAYER_SETTINGS_PATH");
  struct stat status;
  if (!given || !*given) {
    snprintf(path, size, "%s", file_name);
  } else if (stat(given, &status) == 0 && S_ISDIR(status.st_mode)) {
    snprintf(path, size, "%s/%s", given, file_name);
  } else {
    snprintf(path, size, "%s", given);
  }
}

void vkm_settings_file(struct vkm_settings *settings) {
  static char text[FILE_LIMIT + 1]; /* read once a process; too much for a stack */
  char path[PATH_LIMIT];
  find_file(path, sizeof path);
  ptrdiff_t length = vkm_os_read(path, true, text, FILE_LIMIT);
  if (length < 0) {
    return;
  }
  text[length] = '\0';
  struct vkm_pairs pairs;
  const char *key, *value;
  vkm_pairs_start(&pairs, text);
  while (vkm_pairs_next(&pairs, &key, &value)) {
    if (strncasecmp(key, prefix, sizeof prefix - 1) == 0) {
      vkm_settings_offer(settings, key + sizeof prefix - 1, value);
    }
  }
}

/* ---- application ---- */

static void offer_one(struct vkm_settings *settings, const VkLayerSettingEXT *setting) {
  char number[32] = "";
  const void *values = setting->pValues;
  const char *text = number;
  switch (setting->type) {
  case VK_LAYER_SETTING_TYPE_STRING_EXT:
    text = *(const char *const *)values;
    break;
  case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
    snprintf(number, sizeof number, "%d", *(const VkBool32 *)values ? 1 : 0);
    break;
  case VK_LAYER_SETTING_TYPE_INT32_EXT:
    snprintf(number, sizeof number, "%d", (int)*(const int32_t *)values);
    break;
  case VK_LAYER_SETTING_TYPE_UINT32_EXT:
    snprintf(number, sizeof number, "%u", (unsigned)*(const uint32_t *)values);
    break;
  case VK_LAYER_SETTING_TYPE_INT64_EXT:
    snprintf(number, sizeof number, "%lld", (long long)*(const int64_t *)values);
    break;
  case VK_LAYER_SETTING_TYPE_UINT64_EXT:
    snprintf(number, sizeof number, "%llu", (unsigned long long)*(const uint64_t *)values);
    break;
  default:
    text = "(a type that no setting has)";
  }
  if (text) {
    vkm_settings_offer(settings, setting->pSettingName, text);
  }
}

void vkm_settings_application(struct vkm_settings *settings, const VkInstanceCreateInfo *info) {
  const VkBaseInStructure *found =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
  const VkLayerSettingsCreateInfoEXT *given = (const VkLayerSettingsCreateInfoEXT *)found;
  for (uint32_t i = 0; given && i < given->settingCount; i++) {
    const VkLayerSettingEXT *setting = &given->pSettings[i];
    if (setting->pLayerName && setting->pSettingName && setting->valueCount && setting->pValues &&
        strcmp(setting->pLayerName, layer_name) == 0) {
      offer_one(settings, setting);
    }
  }
}
