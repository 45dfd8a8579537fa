// The script of the driver: defaults, FAKE_DRIVER, keys.
//
// In: text or a test's own changes. Out: the one struct fake_config that every other room reads.
// Next room: script.c, for what a test orders while the driver runs.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_icd.h>

static struct fake_config config;

enum key_type { KEY_U32, KEY_U64, KEY_I64, KEY_FLOAT, KEY_DOUBLE, KEY_TEXT, KEY_ENUM };

struct key {
  const char *name;
  enum key_type type;
  size_t offset, size;
  const char *choices; // KEY_ENUM: separated by '+'
};

#define KEY(field, type) {#field, type, offsetof(struct fake_config, field), 0, NULL}
#define KEY_OF_TEXT(field)                                                                         \
  {#field, KEY_TEXT, offsetof(struct fake_config, field), sizeof config.field, NULL}
#define KEY_OF_ENUM(field, list) {#field, KEY_ENUM, offsetof(struct fake_config, field), 0, list}

static const struct key keys[] = {
    KEY(api_version, KEY_U32),
    KEY(vendor_id, KEY_U32),
    KEY(device_id, KEY_U32),
    KEY(driver_version, KEY_U32),
    KEY(driver_id, KEY_U32),
    KEY(device_count, KEY_U32),
    KEY_OF_ENUM(type, "other+integrated+discrete+virtual+cpu"),
    KEY_OF_TEXT(name),
    KEY_OF_TEXT(driver_name),
    KEY_OF_TEXT(driver_info),
    KEY_OF_TEXT(missing),
    KEY(host_query_reset, KEY_U32),
    KEY(timeline_semaphore, KEY_U32),
    KEY(synchronization2, KEY_U32),
    KEY(maintenance4, KEY_U32),
    KEY(maintenance5, KEY_U32),
    KEY(pipeline_executable_info, KEY_U32),
    KEY(protected_memory, KEY_U32),
    KEY(rare_extensions, KEY_U32),
    KEY(shader_info, KEY_U32),
    KEY(max_queries_per_pool, KEY_U32),
    KEY(period, KEY_FLOAT),
    KEY(start_ticks, KEY_U64),
    KEY(tick_reset_ns, KEY_U64),
    KEY(issue_ns, KEY_U64),
    KEY(stamp_ns, KEY_U64),
    KEY(barrier_ns, KEY_U64),
    KEY(dispatch_ns, KEY_U64),
    KEY(group_ns, KEY_U64),
    KEY(transfer_ns, KEY_U64),
    KEY(byte_ns, KEY_DOUBLE),
    KEY(draw_ns, KEY_U64),
    KEY(work_ns, KEY_U64),
    KEY_OF_ENUM(completion, "immediate+manual+delayed+real"),
    KEY(delay_ms, KEY_U64),
    KEY(block_limit_ms, KEY_U64),
    KEY_OF_ENUM(query_mode, "normal+never+late+zero+stale"),
    KEY(late_ms, KEY_U64),
    KEY(stale_reads, KEY_U32),
    KEY(availability, KEY_U64),
    KEY(reads_idle_device, KEY_U32),
    KEY(query_call_us, KEY_U64),
    KEY(queue_call_us, KEY_U64),
    KEY(host_origin_ns, KEY_U64),
    KEY(calibration_offset, KEY_I64),
    KEY(calibration_deviation, KEY_U64),
    KEY(calibration_domains, KEY_U32),
    KEY(executables, KEY_U32),
    KEY(statistics, KEY_U32),
    KEY(odd_names, KEY_U32),
    KEY(announced_less, KEY_U32),
    KEY(representations, KEY_U32),
    KEY(feedback_flags, KEY_U32),
    KEY(feedback_ns, KEY_U64),
    KEY(stage_feedback_ns, KEY_U64),
    KEY(refuse_flags, KEY_U64),
    KEY_OF_TEXT(refuse_extensions),
    KEY_OF_TEXT(refuse_features),
    KEY(budget, KEY_U64),
    KEY(usage, KEY_U64),
    KEY(lost_at_submit, KEY_U64),
    KEY(lost_reads, KEY_U32),
    KEY(expose_disabled, KEY_U32),
    KEY(null_flagged_queues, KEY_U32),
    KEY(recording, KEY_U32),
    KEY(log, KEY_U32),
    KEY(direct, KEY_U32),
};

static void defaults(void) {
  config = (struct fake_config){
      .api_version = VK_API_VERSION_1_3,
      .type = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
      .vendor_id = 0x10005, // a Khronos vendor id that no PCI vendor has
      .device_id = 1,
      .driver_version = 1,
      // An id that layers may know by name would switch on their special cases.
      .driver_id = (VkDriverId)0x7f000001,
      .name = "fake device",
      .driver_name = "fake driver",
      .driver_info = "scripted",
      .device_count = 1,
      .families = {{VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 2, 64}},
      .family_count = 1,
      .host_query_reset = 1,
      .timeline_semaphore = 1,
      .synchronization2 = 1,
      .maintenance4 = 1,
      .maintenance5 = 1,
      .pipeline_executable_info = 1,
      .executables = 1,
      .representations = 2,
      .feedback_flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
      .feedback_ns = 1234567,
      .stage_feedback_ns = 1234567,
      .period = 1.0F,
      .issue_ns = 10,
      .dispatch_ns = 1000,
      .group_ns = 10,
      .transfer_ns = 500,
      .byte_ns = 1.0,
      .draw_ns = 1000,
      .work_ns = 3000,
      .block_limit_ms = 10000,
      .stale_reads = 1,
      .availability = 1,
      .host_origin_ns = 1000000000,
      .calibration_deviation = 1,
      .calibration_domains = 7,
      .refuse_result = VK_ERROR_FEATURE_NOT_PRESENT,
      .recording = 1,
      .log = 1,
  };
}

static bool parse_letters(const char **text, VkQueueFlags *flags) {
  static const char letters[] = "gctspve";
  static const VkQueueFlags bits[] = {VK_QUEUE_GRAPHICS_BIT,        VK_QUEUE_COMPUTE_BIT,
                                      VK_QUEUE_TRANSFER_BIT,        VK_QUEUE_SPARSE_BINDING_BIT,
                                      VK_QUEUE_PROTECTED_BIT,       VK_QUEUE_VIDEO_DECODE_BIT_KHR,
                                      VK_QUEUE_VIDEO_ENCODE_BIT_KHR};
  *flags = 0;
  const char *at = *text;
  for (; *at >= 'a' && *at <= 'z'; at++) {
    const char *letter = strchr(letters, *at);
    if (letter == NULL) {
      return false;
    }
    *flags |= bits[letter - letters];
  }
  *text = at;
  return *flags != 0;
}

static bool parse_families(const char *text) {
  uint32_t count = 0;
  while (*text != '\0') {
    struct fake_family family = {0, 1, 64};
    if (count == FAKE_MAX_FAMILIES || !parse_letters(&text, &family.flags)) {
      return false;
    }
    char *end = (char *)text;
    if (*text >= '0' && *text <= '9') {
      family.queue_count = (uint32_t)strtoul(text, &end, 0);
    }
    if (*end == ':') {
      family.valid_bits = (uint32_t)strtoul(end + 1, &end, 0);
    }
    config.families[count++] = family;
    text = *end == '+' ? end + 1 : end;
    if ((*end == '+') != (*text != '\0')) {
      return false;
    }
  }
  config.family_count = count;
  return count > 0;
}

// Items `name:number:number`, separated by '+'.
static bool parse_triples(const char *text, void (*use)(const char *, int64_t, int64_t)) {
  bool good = true;
  char *copy = strdup(text);
  char *rest = NULL;
  for (char *item = copy != NULL ? strtok_r(copy, "+", &rest) : NULL; item != NULL;
       item = strtok_r(NULL, "+", &rest)) {
    char *first = strchr(item, ':');
    char *second = first != NULL ? strchr(first + 1, ':') : NULL;
    if (second == NULL) {
      good = false;
      continue;
    }
    *first = *second = '\0';
    use(item, strtoll(first + 1, NULL, 0), strtoll(second + 1, NULL, 0));
  }
  free(copy);
  return good;
}

static void use_cost(const char *entry, int64_t fixed_ns, int64_t per_group_ns) {
  fake_set_cost(entry, (uint64_t)fixed_ns, (uint64_t)per_group_ns);
}

static void use_fault(const char *name, int64_t nth, int64_t result) {
  fake_fail(name, (uint32_t)nth, (VkResult)result);
}

static bool parse_choice(const char *choices, const char *value, int *out) {
  size_t length = strlen(value);
  int index = 0;
  for (const char *at = choices; at != NULL; index++) {
    const char *plus = strchr(at, '+');
    size_t size = plus != NULL ? (size_t)(plus - at) : strlen(at);
    if (size == length && memcmp(at, value, size) == 0) {
      *out = index;
      return true;
    }
    at = plus != NULL ? plus + 1 : NULL;
  }
  return false;
}

static bool store(const struct key *key, const char *value) {
  uint8_t *field = (uint8_t *)&config + key->offset;
  char *end = NULL;
  switch (key->type) {
  case KEY_TEXT:
    if (strlen(value) >= key->size) {
      return false;
    }
    snprintf((char *)field, key->size, "%s", value);
    return true;
  case KEY_ENUM:
    return parse_choice(key->choices, value, (int *)field);
  case KEY_FLOAT:
    *(float *)field = strtof(value, &end);
    break;
  case KEY_DOUBLE:
    *(double *)field = strtod(value, &end);
    break;
  case KEY_U64:
    *(uint64_t *)field = strtoull(value, &end, 0);
    break;
  case KEY_U32:
    *(uint32_t *)field = (uint32_t)strtoul(value, &end, 0);
    break;
  case KEY_I64:
    *(int64_t *)field = strtoll(value, &end, 0);
    break;
  }
  return end != value && *end == '\0';
}

static bool set(const char *name, const char *value) {
  if (strcmp(name, "families") == 0) {
    return parse_families(value);
  }
  if (strcmp(name, "valid_bits") == 0) {
    for (uint32_t i = 0; i < config.family_count; i++) {
      config.families[i].valid_bits = (uint32_t)strtoul(value, NULL, 0);
    }
    return true;
  }
  if (strcmp(name, "costs") == 0) {
    return parse_triples(value, use_cost);
  }
  if (strcmp(name, "faults") == 0) {
    return parse_triples(value, use_fault);
  }
  if (strcmp(name, "refuse_result") == 0) {
    config.refuse_result = (VkResult)strtol(value, NULL, 0);
    return true;
  }
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (strcmp(keys[i].name, name) == 0) {
      return store(&keys[i], value);
    }
  }
  return false;
}

static bool apply(const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) {
    return false;
  }
  bool good = true;
  char *rest = NULL;
  for (char *pair = strtok_r(copy, ";,", &rest); pair != NULL; pair = strtok_r(NULL, ";,", &rest)) {
    char *equal = strchr(pair, '=');
    if (equal == NULL) {
      good = false;
      continue;
    }
    *equal = '\0';
    good = set(pair, equal + 1) && good;
  }
  free(copy);
  return good;
}

static void start(void) {
  defaults();
  const char *text = getenv("FAKE_DRIVER");
  if (text != NULL && !apply(text)) {
    fake_violate("FAKE_DRIVER holds an unknown key or a bad value: %s", text);
  }
}

// At load, so that no caller reads the environment while it holds a lock.
__attribute__((constructor)) static void load(void) {
  start();
}

struct fake_config *fake_settings(void) {
  return &config;
}

struct fake_config *fake_config(void) {
  return fake_settings();
}

bool fake_configure(const char *text) {
  return apply(text);
}

void fake_settings_reset(void) {
  start();
}

bool fake_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL && *at != '\0';) {
    const char *plus = strchr(at, '+');
    size_t size = plus != NULL ? (size_t)(plus - at) : strlen(at);
    if (size == length && memcmp(at, name, size) == 0) {
      return true;
    }
    at = plus != NULL ? plus + 1 : NULL;
  }
  return false;
}

uint32_t fake_valid_bits(uint32_t family) {
  return family < config.family_count ? config.families[family].valid_bits : 0;
}

VkQueueFlags fake_family_flags(uint32_t family) {
  return family < config.family_count ? config.families[family].flags : 0;
}

uintptr_t fake_key(const void *group) {
  // Without a loader the key only has to be the same in a group and different between groups.
  return config.direct != 0 ? (uintptr_t)group : (uintptr_t)ICD_LOADER_MAGIC;
}
