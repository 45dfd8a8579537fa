/* Paths of labels, see phases.h. */
#include "phases.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "device_record.h"

static const char other_name[] = "other";

/* ---- names as they are compared ---- */

/* Reads a label letter by letter, each run of digits as one '#'. */
struct letters {
  const char *at;
  uint32_t left;
  bool keep_digits;
};

static bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/* '\0' at the end. */
static char next_letter(struct letters *letters) {
  char letter = *letters->at;
  if (letter == '\0' || letters->left == 0) {
    return '\0';
  }
  letters->at++;
  letters->left--;
  if (letters->keep_digits || !is_digit(letter)) {
    return letter;
  }
  while (is_digit(*letters->at)) {
    letters->at++;
  }
  return '#';
}

static uint32_t hash_of(uint32_t outer, struct letters letters) {
  uint32_t hash = (2166136261u ^ outer) * 16777619u;
  for (char letter = next_letter(&letters); letter != '\0'; letter = next_letter(&letters)) {
    hash = (hash ^ (unsigned char)letter) * 16777619u;
  }
  return hash;
}

static bool equals(const struct vkm_phase *phase, struct letters letters) {
  const char *name = phase->name;
  char letter = next_letter(&letters);
  while (letter != '\0' && letter == *name) {
    letter = next_letter(&letters);
    name++;
  }
  return letter == *name;
}

/* The name's phase below `outer`, or NULL. Any thread, no lock. */
static const struct vkm_phase *find(const struct vkm_phases *phases, uint32_t hash, uint32_t outer,
                                    struct letters letters) {
  struct vkm_phase_table *table = atomic_load_explicit(&phases->table, memory_order_acquire);
  if (!table) {
    return NULL;
  }
  for (uint32_t i = hash % VKM_PHASE_SLOTS;; i = (i + 1) % VKM_PHASE_SLOTS) {
    const struct vkm_phase *phase = atomic_load_explicit(&table->slots[i], memory_order_acquire);
    if (!phase || (phase->hash == hash && phase->outer == outer && equals(phase, letters))) {
      return phase;
    }
  }
}

/* ---- adding; the record's lock is held ---- */

/* The path's index, made when it is new; UINT32_MAX: no memory, or the cap is reached. Takes over
 * `path`. */
static uint32_t path_index(struct vkm_phases *phases, char *path) {
  for (uint32_t i = 1; i < phases->count; i++) {
    if (strcmp(phases->paths[i], path) == 0) {
      vkm_free(path);
      return i;
    }
  }
  if (phases->count == phases->capacity && phases->count < VKM_PHASE_CAP) {
    void *grown = vkm_realloc(phases->paths, (size_t)2 * phases->capacity * sizeof *phases->paths);
    if (grown) {
      phases->paths = grown;
      phases->capacity *= 2;
    }
  }
  if (phases->count == phases->capacity) {
    phases->other.beyond_cap += phases->count == VKM_PHASE_CAP;
    phases->other.out_of_memory += phases->count < VKM_PHASE_CAP;
    vkm_free(path);
    return UINT32_MAX;
  }
  phases->paths[phases->count] = path;
  return phases->count++;
}

/* NULL: memory is short. */
static struct vkm_phase_table *take_table(struct vkm_phases *phases) {
  struct vkm_phase_table *table = atomic_load_explicit(&phases->table, memory_order_relaxed);
  if (!table) {
    table = vkm_calloc(1, sizeof *table);
    atomic_store_explicit(&phases->table, table, memory_order_release);
  }
  return table;
}

static void add_name(struct vkm_phases *phases, struct vkm_phase_table *table,
                     struct vkm_phase *phase) {
  uint32_t i = phase->hash % VKM_PHASE_SLOTS;
  while (atomic_load_explicit(&table->slots[i], memory_order_relaxed)) {
    i = (i + 1) % VKM_PHASE_SLOTS;
  }
  phases->name_count++;
  atomic_store_explicit(&table->slots[i], phase, memory_order_release);
}

static char *make_path(const struct vkm_phases *phases, uint32_t outer, const char *name) {
  const char *above = phases->paths[outer];
  size_t size = strlen(above) + 1 + strlen(name) + 1;
  char *path = vkm_alloc(size);
  if (path) {
    snprintf(path, size, "%s%s%s", above, outer != VKM_PHASE_UNLABELLED ? "/" : "", name);
  }
  return path;
}

static uint32_t add(struct vkm_phases *phases, uint32_t outer, uint32_t hash,
                    struct letters letters) {
  struct letters counted = letters;
  size_t length = 0;
  while (next_letter(&counted) != '\0') {
    length++;
  }
  if (strlen(phases->paths[outer]) + 1 + length >= VKM_PATH_CAP) {
    phases->other.too_long++;
    return VKM_PHASE_OTHER;
  }
  if (phases->name_count == VKM_PHASE_CAP) {
    phases->other.beyond_cap++;
    return VKM_PHASE_OTHER;
  }
  struct vkm_phase_table *table = take_table(phases);
  struct vkm_phase *phase = table ? vkm_calloc(1, sizeof *phase + length + 1) : NULL;
  for (size_t i = 0; phase && i < length; i++) {
    phase->name[i] = next_letter(&letters);
  }
  char *path = phase ? make_path(phases, outer, phase->name) : NULL;
  if (!path) {
    phases->other.out_of_memory++;
    vkm_free(phase);
    return VKM_PHASE_OTHER;
  }
  phase->hash = hash;
  phase->outer = outer;
  phase->index = path_index(phases, path);
  if (phase->index == UINT32_MAX) {
    vkm_free(phase);
    return VKM_PHASE_OTHER;
  }
  uint32_t index = phase->index;
  add_name(phases, table, phase);
  return index;
}

/* Lock held. */
static uint32_t find_or_add(struct vkm_phases *phases, uint32_t outer, struct letters letters) {
  uint32_t hash = hash_of(outer, letters);
  const struct vkm_phase *known = find(phases, hash, outer, letters);
  if (known) {
    return known->index;
  }
  return phases->sealed ? VKM_PHASE_OTHER : add(phases, outer, hash, letters);
}

/* ---- verbs ---- */

bool vkm_phases_init(struct vkm_phases *phases, bool keep_digits) {
  phases->keep_digits = keep_digits;
  phases->capacity = 8;
  phases->paths = vkm_calloc(phases->capacity, sizeof *phases->paths);
  char *top = vkm_strdup(""); /* what no label is around has a path like all: no path is NULL */
  char *other = vkm_strdup(other_name);
  if (!phases->paths || !top || !other) {
    vkm_free(phases->paths);
    vkm_free(top);
    vkm_free(other);
    phases->paths = NULL;
    return false;
  }
  phases->paths[VKM_PHASE_UNLABELLED] = top;
  phases->paths[VKM_PHASE_OTHER] = other;
  phases->count = VKM_PHASE_OTHER + 1;
  return true;
}

void vkm_phases_finish(struct vkm_phases *phases) {
  struct vkm_phase_table *table = atomic_load_explicit(&phases->table, memory_order_relaxed);
  for (uint32_t i = 0; table && i < VKM_PHASE_SLOTS; i++) {
    vkm_free(atomic_load_explicit(&table->slots[i], memory_order_relaxed));
  }
  vkm_free(table);
  for (uint32_t i = 0; i < phases->count; i++) {
    vkm_free(phases->paths[i]);
  }
  vkm_free(phases->paths);
}

uint32_t vkm_phase_below(struct vkm_device_record *record, uint32_t outer, const char *name) {
  struct vkm_phases *phases = &record->phases;
  struct letters letters = {name, VKM_LABEL_CAP, phases->keep_digits};
  const struct vkm_phase *known = find(phases, hash_of(outer, letters), outer, letters);
  if (known) {
    return known->index;
  }
  pthread_mutex_lock(&record->lock);
  uint32_t index = find_or_add(phases, outer, letters);
  pthread_mutex_unlock(&record->lock);
  return index;
}

uint32_t vkm_phase_join(struct vkm_device_record *record, uint32_t queue, uint32_t own) {
  if (queue & VKM_PHASE_FRAME) {
    return own ? own : queue & ~VKM_PHASE_FRAME;
  }
  if (!queue || !own) {
    return queue ? queue : own;
  }
  struct letters letters = {record->phases.paths[own], VKM_PATH_CAP, true};
  return find_or_add(&record->phases, queue, letters);
}

uint32_t vkm_phase_of_frame(struct vkm_device_record *record, uint64_t presents) {
  char name[32];
  snprintf(name, sizeof name, "frame %llu", (unsigned long long)presents);
  return vkm_phase_below(record, VKM_PHASE_UNLABELLED, name) | VKM_PHASE_FRAME;
}
