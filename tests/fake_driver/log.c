// What the driver was asked to do, kept for the test: submissions, executions, device attempts,
// texts.
//
// In: calls as received. Out: rows that stay until fake_clear_log. A leaf: no other lock is taken
// here.
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1 << 20 };

struct list {
  void **rows;
  uint32_t count, capacity;
};

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct list submissions, executions, attempts, creations;
static uint32_t submit_number;

static void *copy(const void *data, size_t size) {
  void *memory = malloc(size > 0 ? size : 1);
  if (memory == NULL) {
    abort();
  }
  if (size > 0) {
    memcpy(memory, data, size);
  }
  return memory;
}

static bool append(struct list *list, void *row) {
  if (list->count >= MAX_ROWS) {
    return false;
  }
  if (list->count == list->capacity) {
    list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
    void **rows = realloc(list->rows, list->capacity * sizeof *rows);
    if (rows == NULL) {
      abort();
    }
    list->rows = rows;
  }
  list->rows[list->count++] = row;
  return true;
}

static void *row_at(const struct list *list, uint32_t index) {
  pthread_mutex_lock(&log_mutex);
  void *row = index < list->count ? list->rows[index] : NULL;
  pthread_mutex_unlock(&log_mutex);
  return row;
}

static uint32_t row_count(const struct list *list) {
  pthread_mutex_lock(&log_mutex);
  uint32_t count = list->count;
  pthread_mutex_unlock(&log_mutex);
  return count;
}

uint32_t fake_submit_number(void) {
  return __atomic_fetch_add(&submit_number, 1, __ATOMIC_RELAXED);
}

static void free_submission(struct fake_submission *row) {
  free((void *)row->bytes);
  free(row->buffers);
  free(row);
}

void fake_log_submission(const struct fake_submission *submission) {
  if (fake_settings()->log == 0) {
    return;
  }
  struct fake_submission *row = copy(submission, sizeof *row);
  row->bytes = copy(submission->bytes, submission->byte_count);
  row->buffers = copy(submission->buffers, submission->buffer_count * sizeof *row->buffers);
  pthread_mutex_lock(&log_mutex);
  bool kept = append(&submissions, row);
  pthread_mutex_unlock(&log_mutex);
  if (!kept) {
    free_submission(row);
  }
}

void fake_log_execution(const struct fake_execution *execution) {
  if (fake_settings()->log == 0) {
    return;
  }
  struct fake_execution *row = copy(execution, sizeof *row);
  pthread_mutex_lock(&log_mutex);
  bool kept = append(&executions, row);
  pthread_mutex_unlock(&log_mutex);
  if (!kept) {
    free(row);
  }
}

static void free_attempt(struct fake_device_attempt *row) {
  free(row->extensions);
  free(row->chain);
  free(row->chain_pointers);
  free(row);
}

void fake_log_attempt(const VkDeviceCreateInfo *info, VkResult result) {
  struct fake_asked asked = fake_asked_features(info);
  struct fake_device_attempt *row = calloc(1, sizeof *row);
  uint32_t chained = 0;
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    chained++;
  }
  char(*names)[VK_MAX_EXTENSION_NAME_SIZE] = calloc(info->enabledExtensionCount + 1, sizeof *names);
  VkStructureType *types = calloc(chained + 1, sizeof *types);
  const void **pointers = calloc(chained + 1, sizeof(void *));
  if (row == NULL || names == NULL || types == NULL || pointers == NULL) {
    abort();
  }
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    snprintf(names[i], sizeof names[i], "%s", info->ppEnabledExtensionNames[i]);
  }
  uint32_t at = 0;
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext, at++) {
    types[at] = node->sType;
    pointers[at] = node;
  }
  *row = (struct fake_device_attempt){
      .result = result,
      .pointer = info,
      .deep_hash = fake_hash_device_info(info),
      .extension_count = info->enabledExtensionCount,
      .extensions = names,
      .chain_count = chained,
      .chain = types,
      .chain_pointers = pointers,
      .has_enabled_features = info->pEnabledFeatures != NULL,
      .host_query_reset = asked.host_query_reset,
      .pipeline_executable_info = asked.executable_info,
      .synchronization2 = asked.synchronization2,
      .timeline_semaphore = asked.timeline_semaphore,
  };
  pthread_mutex_lock(&log_mutex);
  bool kept = append(&attempts, row);
  pthread_mutex_unlock(&log_mutex);
  if (!kept) {
    free_attempt(row);
  }
}

void fake_log_creation(const struct fake_creation *creation) {
  if (fake_settings()->log == 0) {
    return;
  }
  struct fake_creation *row = copy(creation, sizeof *row);
  pthread_mutex_lock(&log_mutex);
  bool kept = append(&creations, row);
  pthread_mutex_unlock(&log_mutex);
  if (!kept) {
    free(row);
  }
}

uint32_t fake_creation_count(void) {
  return row_count(&creations);
}

const struct fake_creation *fake_creation(uint32_t index) {
  return row_at(&creations, index);
}

uint32_t fake_submission_count(void) {
  return row_count(&submissions);
}

const struct fake_submission *fake_submission(uint32_t index) {
  return row_at(&submissions, index);
}

uint32_t fake_execution_count(void) {
  return row_count(&executions);
}

const struct fake_execution *fake_execution(uint32_t index) {
  return row_at(&executions, index);
}

uint32_t fake_device_attempt_count(void) {
  return row_count(&attempts);
}

const struct fake_device_attempt *fake_device_attempt(uint32_t index) {
  return row_at(&attempts, index);
}

void fake_log_reset(void) {
  pthread_mutex_lock(&log_mutex);
  for (uint32_t i = 0; i < submissions.count; i++) {
    free_submission(submissions.rows[i]);
  }
  for (uint32_t i = 0; i < executions.count; i++) {
    free(executions.rows[i]);
  }
  for (uint32_t i = 0; i < attempts.count; i++) {
    free_attempt(attempts.rows[i]);
  }
  for (uint32_t i = 0; i < creations.count; i++) {
    free(creations.rows[i]);
  }
  submissions.count = executions.count = attempts.count = creations.count = 0;
  submit_number = 0;
  pthread_mutex_unlock(&log_mutex);
}

void fake_clear_log(void) {
  fake_log_reset();
}

struct text {
  char *bytes;
  size_t length, capacity;
};

static void put(struct text *text, const char *name, uint64_t value, bool hexadecimal) {
  if (value == 0) {
    return;
  }
  text->length += (size_t)snprintf(text->bytes + text->length, text->capacity - text->length,
                                   hexadecimal ? " %s=0x%" PRIx64 : " %s=%" PRIu64, name, value);
}

static void put_line(struct text *text, const struct fake_command *command) {
  text->length += (size_t)snprintf(text->bytes + text->length, text->capacity - text->length, "%s",
                                   command->name);
  bool stamp = command->kind == KIND_STAMP;
  bool query = stamp || command->kind == KIND_RESET_QUERIES || command->kind == KIND_COPY_QUERIES ||
               command->kind == KIND_BEGIN_QUERY || command->kind == KIND_END_QUERY;
  if (command->text != NULL) {
    text->length += (size_t)snprintf(text->bytes + text->length, text->capacity - text->length,
                                     " %.200s", command->text);
  }
  put(text, stamp ? "stage" : "src", command->src, true);
  put(text, "dst", command->dst, true);
  if (query) {
    put(text, "pool", ((const struct fake_query_pool *)(uintptr_t)command->object)->number, false);
    text->length += (size_t)snprintf(text->bytes + text->length, text->capacity - text->length,
                                     " query=%" PRIu32, command->first);
  }
  if (!stamp) {
    put(text, "count", command->count, false);
  }
  put(text, "x", command->x, false);
  put(text, "y", command->y, false);
  put(text, "z", command->z, false);
  put(text, "size", command->size, false);
  text->bytes[text->length++] = '\n';
}

char *fake_recorded_text(VkCommandBuffer buffer) {
  uint32_t count = 0;
  const struct fake_command *commands = fake_recorded(buffer, &count);
  // The longest line: a name, a text of 200 bytes and nine numbers.
  struct text text = {NULL, 0, (size_t)count * 640 + 1};
  text.bytes = malloc(text.capacity);
  if (text.bytes == NULL) {
    abort();
  }
  for (uint32_t i = 0; i < count; i++) {
    put_line(&text, &commands[i]);
  }
  text.bytes[text.length] = '\0';
  return text.bytes;
}
