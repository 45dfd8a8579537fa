/* In: SPIR-V words and pipeline stages. Out: interned kernels and rows with their counts. Next: the
 * report. */
#include "count_catalogue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct vkmtest_kernel {
  struct vkmtest_code code;
  char *key; /* everything that tells one kernel from another, as text */
  char *entry;
  char *specialization;
  UT_hash_handle hh;
};

/* Compared as bytes: always zeroed before it is filled. */
struct row_key {
  const struct vkmtest_kernel *kernel;
  uint32_t kind;
  uint32_t groups[3], base[3];
};

struct vkmtest_row {
  struct row_key key;
  uint64_t recorded, executed;
  UT_hash_handle hh;
};

static struct vkmtest_kernel *kernels;
static struct vkmtest_row *rows;

static uint64_t fnv1a(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  uint64_t hash = 14695981039346656037ULL;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ at[i]) * 1099511628211ULL;
  }
  return hash;
}

struct vkmtest_code vkmtest_code_of(const uint32_t *words, size_t size_bytes) {
  XXH128_hash_t hash = XXH3_128bits(words, size_bytes);
  return (struct vkmtest_code){
      .xxh3_high = hash.high64,
      .xxh3_low = hash.low64,
      .fnv1a = fnv1a(words, size_bytes),
      .size_bytes = size_bytes,
  };
}

static int compare_entries(const void *left, const void *right) {
  const VkSpecializationMapEntry *a = left;
  const VkSpecializationMapEntry *b = right;
  return (a->constantID > b->constantID) - (a->constantID < b->constantID);
}

static void print_entries(FILE *out, const VkSpecializationInfo *info,
                          const VkSpecializationMapEntry *entries) {
  const unsigned char *data = info->pData;
  for (uint32_t i = 0; i < info->mapEntryCount; i++) {
    fprintf(out, "%s\"%" PRIu32 "\": \"", i == 0 ? "" : ", ", entries[i].constantID);
    for (size_t at = 0; at < entries[i].size; at++) {
      if (entries[i].offset + at < info->dataSize) {
        fprintf(out, "%02x", data[entries[i].offset + at]);
      }
    }
    fputc('"', out);
  }
}

/* A JSON object: ascending constant id to the bytes given for it. NULL when memory is out. */
static char *specialization_text(const VkSpecializationInfo *info) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) {
    return NULL;
  }
  fputc('{', out);
  if (info != NULL && info->mapEntryCount > 0) {
    VkSpecializationMapEntry *sorted = calloc(info->mapEntryCount, sizeof *sorted);
    if (sorted != NULL) {
      memcpy(sorted, info->pMapEntries, info->mapEntryCount * sizeof *sorted);
      qsort(sorted, info->mapEntryCount, sizeof *sorted, compare_entries);
      print_entries(out, info, sorted);
      free(sorted);
    }
  }
  fputc('}', out);
  (void)fclose(out);
  return text;
}

static struct vkmtest_kernel *kernel_create(const struct vkmtest_code *code, const char *entry,
                                            char *specialization, char *key) {
  struct vkmtest_kernel *kernel = calloc(1, sizeof *kernel);
  char *own_entry = strdup(entry);
  if (kernel == NULL || own_entry == NULL) {
    free(kernel);
    free(own_entry);
    return NULL;
  }
  kernel->code = *code;
  kernel->key = key;
  kernel->entry = own_entry;
  kernel->specialization = specialization;
  HASH_ADD_KEYPTR(hh, kernels, kernel->key, strlen(kernel->key), kernel);
  return kernel;
}

static struct vkmtest_kernel *kernel_find_or_create(const struct vkmtest_code *code,
                                                    const char *entry, char *specialization) {
  char *key = NULL;
  if (specialization == NULL ||
      asprintf(&key, "%016" PRIx64 "%016" PRIx64 " %016" PRIx64 " %" PRIu64 " %s %s",
               code->xxh3_high, code->xxh3_low, code->fnv1a, code->size_bytes, specialization,
               entry) < 0) {
    free(specialization);
    return NULL;
  }
  struct vkmtest_kernel *kernel = NULL;
  HASH_FIND_STR(kernels, key, kernel);
  if (kernel == NULL) {
    kernel = kernel_create(code, entry, specialization, key);
    if (kernel != NULL) {
      return kernel;
    }
  }
  free(specialization);
  free(key);
  return kernel;
}

struct vkmtest_kernel *vkmtest_kernel_intern(const struct vkmtest_code *code,
                                             const VkPipelineShaderStageCreateInfo *stage) {
  return kernel_find_or_create(code, stage->pName, specialization_text(stage->pSpecializationInfo));
}

struct vkmtest_kernel *vkmtest_kernel_unknown(void) {
  static const struct vkmtest_code unseen;
  return kernel_find_or_create(&unseen, "", specialization_text(NULL));
}

struct vkmtest_row *vkmtest_row_intern(struct vkmtest_kernel *kernel, enum vkmtest_kind kind,
                                       const uint32_t groups[3], const uint32_t base[3]) {
  struct row_key key;
  memset(&key, 0, sizeof key);
  key.kernel = kernel;
  key.kind = (uint32_t)kind;
  if (kind != VKMTEST_DISPATCH_INDIRECT) {
    memcpy(key.groups, groups, sizeof key.groups);
    memcpy(key.base, base, sizeof key.base);
  }
  struct vkmtest_row *row = NULL;
  HASH_FIND(hh, rows, &key, sizeof key, row);
  if (row == NULL) {
    row = calloc(1, sizeof *row);
    if (row != NULL) {
      row->key = key;
      HASH_ADD(hh, rows, key, sizeof key, row);
    }
  }
  return row;
}

void vkmtest_row_recorded(struct vkmtest_row *row) {
  row->recorded++;
}

void vkmtest_row_executed(struct vkmtest_row *row, int64_t delta) {
  row->executed += (uint64_t)delta;
}

const struct vkmtest_row *vkmtest_row_next(const struct vkmtest_row *row) {
  return row == NULL ? rows : row->hh.next;
}

struct vkmtest_row_view vkmtest_row_look(const struct vkmtest_row *row) {
  struct vkmtest_row_view view = {
      .code = &row->key.kernel->code,
      .entry = row->key.kernel->entry,
      .specialization = row->key.kernel->specialization,
      .kind = (enum vkmtest_kind)row->key.kind,
      .recorded = row->recorded,
      .executed = row->executed,
  };
  memcpy(view.groups, row->key.groups, sizeof view.groups);
  memcpy(view.base, row->key.base, sizeof view.base);
  return view;
}

void vkmtest_catalogue_forget_counts(void) {
  for (struct vkmtest_row *row = rows; row != NULL; row = row->hh.next) {
    row->recorded = 0;
    row->executed = 0;
  }
}
