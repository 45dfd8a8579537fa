/* In: any bytes, read as lines. Where the first begins with 'a', each further one is a setting of
 * VK_EXT_layer_settings, TYPE NAME=VALUE with the type's number as one digit; else an environment
 * variable NAME=VALUE. Out: nothing; a crash, a sanitizer report or an abort is a fault of
 * layer/settings*.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz_settings_check.h"
#include "fuzz_target.h"

extern char **environ;

enum { LINE_CAP = 64, NUMBER_BYTES = 8, TEXT_CAP_BYTES = 1 << 16 };

/* Both live on: a thread of the fuzzer's own may look into the environment at any time. */
static char *variables[LINE_CAP + 1];
static char room[TEXT_CAP_BYTES + 1];

/* The lines of `text`, which are cut apart; how many. */
static size_t cut(char *text, char *lines[LINE_CAP]) {
  size_t count = 0;
  for (char *at = text; at != NULL && count < LINE_CAP;) {
    lines[count++] = at;
    at = strchr(at, '\n');
    if (at != NULL) {
      *at++ = '\0';
    }
  }
  return count;
}

static void read_environment(struct vkm_settings *settings, char *const lines[], size_t count) {
  memset(variables, 0, sizeof variables);
  memcpy(variables, lines, count * sizeof variables[0]);
  char **own = environ;
  environ = variables;
  vkm_settings_environment(settings);
  environ = own;
}

/* What a program may pass, in blocks of exactly the size that the type has. */
struct given {
  const char *text;
  uint8_t *number;
};

static VkLayerSettingEXT setting_of(char *line, struct given *given) {
  static const size_t sizes[] = {4, 4, 8, 4, 8, 4, 8};
  unsigned type = (unsigned char)line[0] - (unsigned)'0';
  char *name = line[0] == '\0' ? line : line + 1;
  char *equals = strchr(name, '=');
  char *value = equals == NULL ? name + strlen(name) : equals + 1;
  if (equals != NULL) {
    *equals = '\0';
  }
  size_t size = type < sizeof sizes / sizeof sizes[0] ? sizes[type] : NUMBER_BYTES;
  size_t length = strlen(value);
  given->text = value;
  given->number = calloc(1, size);
  if (given->number != NULL) {
    memcpy(given->number, value, length < size ? length : size);
  }
  return (VkLayerSettingEXT){
      .pLayerName = type == 9 ? NULL : "VK_LAYER_VKMETER_profile",
      .pSettingName = name,
      .type = (VkLayerSettingTypeEXT)type,
      .valueCount = *value == '\0' ? 0 : 1,
      .pValues = type == VK_LAYER_SETTING_TYPE_STRING_EXT ? (void *)&given->text : given->number,
  };
}

static void read_application(struct vkm_settings *settings, char *const lines[], size_t count) {
  VkLayerSettingEXT list[LINE_CAP];
  struct given given[LINE_CAP];
  for (size_t i = 0; i < count; i++) {
    list[i] = setting_of(lines[i], &given[i]);
  }
  VkLayerSettingsCreateInfoEXT chained = {
      .sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
      .settingCount = (uint32_t)count,
      .pSettings = list,
  };
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &chained};
  vkm_settings_application(settings, &info);
  for (size_t i = 0; i < count; i++) {
    free(given[i].number);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *lines[LINE_CAP];
  struct vkm_settings settings;
  size = size < TEXT_CAP_BYTES ? size : TEXT_CAP_BYTES;
  char *text = room + TEXT_CAP_BYTES - size; /* ends where the room ends: nothing reads on */
  memcpy(text, data, size);
  bool application = text[0] == 'a';
  size_t count = cut(text, lines) - 1;
  vkm_settings_start(&settings);
  if (application) {
    read_application(&settings, lines + 1, count);
  } else {
    read_environment(&settings, lines + 1, count);
  }
  memset(room, '?', TEXT_CAP_BYTES); /* nothing of it is kept */
  fuzz_settings_check(&settings);
  fuzz_settings_release();
  return 0;
}
