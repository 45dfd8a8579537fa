// What a test orders while the driver runs: costs, failures, the host clock, loss of the device.
//
// In: orders of a test. Out: answers to the rooms that ask for a cost, a failure or the time.
// Next room: queue.c, where completions happen.
#include "internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FAULTS = 64, MAX_COUNTED = 192 };

struct fault {
  char name[64];
  uint32_t left; // calls until it strikes; 0: every call
  VkResult result;
};

struct counted {
  char name[64];
  uint64_t calls;
};

static pthread_mutex_t script_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct fault faults[MAX_FAULTS];
static atomic_uint fault_count;
static struct counted counted[MAX_COUNTED];
static uint32_t counted_count;
// By the hash of the entry's name; never freed before the process ends: pipelines point to them.
enum { COST_LISTS = 4096 };
static struct fake_cost *costs[COST_LISTS];
static uint64_t clock_ns;
static int64_t clock_origin;

int64_t fake_real_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void count_call(const char *name) {
  for (uint32_t i = 0; i < counted_count; i++) {
    if (strcmp(counted[i].name, name) == 0) {
      counted[i].calls++;
      return;
    }
  }
  if (counted_count < MAX_COUNTED && strlen(name) < sizeof counted[0].name) {
    struct counted *row = &counted[counted_count++];
    memset(row, 0, sizeof *row);
    memcpy(row->name, name, strlen(name));
    row->calls = 1;
  }
}

static VkResult strike(const char *name) {
  for (uint32_t i = 0; i < atomic_load(&fault_count); i++) {
    struct fault *fault = &faults[i];
    if (strcmp(fault->name, name) != 0) {
      continue;
    }
    if (fault->left == 0) {
      return fault->result;
    }
    if (--fault->left == 0) {
      VkResult result = fault->result;
      *fault = faults[atomic_load(&fault_count) - 1];
      atomic_fetch_sub(&fault_count, 1);
      return result;
    }
  }
  return VK_SUCCESS;
}

VkResult fake_enter(const char *name) {
  bool log = fake_settings()->log != 0;
  if (!log && atomic_load_explicit(&fault_count, memory_order_relaxed) == 0) {
    return VK_SUCCESS;
  }
  pthread_mutex_lock(&script_mutex);
  if (log) {
    count_call(name);
  }
  VkResult result = strike(name);
  pthread_mutex_unlock(&script_mutex);
  if (result == VK_ERROR_DEVICE_LOST) {
    fake_lose_device();
  }
  return result;
}

void fake_fail(const char *name, uint32_t nth, VkResult result) {
  pthread_mutex_lock(&script_mutex);
  uint32_t count = atomic_load(&fault_count);
  if (count < MAX_FAULTS && strlen(name) < sizeof faults[0].name) {
    faults[count] = (struct fault){.left = nth, .result = result};
    memcpy(faults[count].name, name, strlen(name));
    atomic_store(&fault_count, count + 1);
  }
  pthread_mutex_unlock(&script_mutex);
}

uint64_t fake_call_count(const char *name) {
  uint64_t calls = 0;
  pthread_mutex_lock(&script_mutex);
  for (uint32_t i = 0; i < counted_count; i++) {
    if (strcmp(counted[i].name, name) == 0) {
      calls = counted[i].calls;
    }
  }
  pthread_mutex_unlock(&script_mutex);
  return calls;
}

static struct fake_cost **cost_list(const char *entry) {
  uint32_t hash = 0;
  for (const char *at = entry; *at != '\0'; at++) {
    hash = hash * 31 + (unsigned char)*at;
  }
  return &costs[hash % COST_LISTS];
}

struct fake_cost *fake_cost_of(const char *entry) {
  struct fake_cost **list = cost_list(entry);
  pthread_mutex_lock(&script_mutex);
  struct fake_cost *cost = *list;
  while (cost != NULL && strcmp(cost->entry, entry) != 0) {
    cost = cost->next;
  }
  if (cost == NULL) {
    cost = calloc(1, sizeof *cost);
    char *name = strdup(entry);
    if (cost == NULL || name == NULL) {
      abort();
    }
    cost->entry = name;
    cost->next = *list;
    *list = cost;
  }
  pthread_mutex_unlock(&script_mutex);
  return cost;
}

void fake_set_cost(const char *entry, uint64_t fixed_ns, uint64_t per_group_ns) {
  struct fake_cost *cost = fake_cost_of(entry);
  pthread_mutex_lock(&fake_mutex);
  cost->scripted = true;
  cost->fixed_ns = fixed_ns;
  cost->per_group_ns = per_group_ns;
  pthread_mutex_unlock(&fake_mutex);
}

void fake_script_reset(void) {
  pthread_mutex_lock(&script_mutex);
  atomic_store(&fault_count, 0);
  counted_count = 0;
  for (uint32_t i = 0; i < COST_LISTS; i++) {
    for (struct fake_cost *cost = costs[i]; cost != NULL; cost = cost->next) {
      cost->scripted = false;
    }
  }
  pthread_mutex_unlock(&script_mutex);
  pthread_mutex_lock(&fake_mutex);
  clock_ns = 0;
  clock_origin = 0;
  pthread_mutex_unlock(&fake_mutex);
}

uint64_t fake_clock_locked(void) {
  if (fake_settings()->completion != FAKE_COMPLETION_REAL) {
    return clock_ns;
  }
  int64_t origin = fake_clock_origin_locked();
  return (uint64_t)(fake_real_ns() - origin);
}

int64_t fake_clock_origin_locked(void) {
  if (clock_origin == 0) {
    clock_origin = fake_real_ns();
  }
  return clock_origin;
}

void fake_clock_reach_locked(uint64_t ns) {
  if (ns > clock_ns) {
    clock_ns = ns;
  }
}

uint64_t fake_now(void) {
  pthread_mutex_lock(&fake_mutex);
  uint64_t now = fake_clock_locked();
  pthread_mutex_unlock(&fake_mutex);
  return now;
}

void fake_advance(uint64_t ns) {
  pthread_mutex_lock(&fake_mutex);
  clock_ns += ns;
  pthread_mutex_unlock(&fake_mutex);
}

uint64_t fake_ticks(uint64_t ns, uint32_t valid_bits) {
  const struct fake_config *config = fake_settings();
  double period = (double)config->period;
  if (!isfinite(period) || period <= 0.0) {
    period = 1.0;
  }
  bool again = config->tick_reset_ns != 0 && ns >= config->tick_reset_ns;
  ns -= again ? config->tick_reset_ns : 0;
  uint64_t ticks = period == 1.0 ? ns : (uint64_t)((double)ns / period);
  ticks += again ? 0 : config->start_ticks;
  return valid_bits >= 64 ? ticks : ticks & ((1ULL << valid_bits) - 1);
}

void fake_reset(void) {
  fake_violations_reset();
  fake_script_reset(); // before the settings: FAKE_DRIVER may hold costs and faults
  fake_settings_reset();
  fake_credits_reset();
  fake_query_numbers_reset();
  fake_log_reset();
}
