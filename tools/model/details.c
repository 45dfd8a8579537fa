/* Queues, heaps and outcomes of a section. In: profiles. Out: rows. Next: report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "measure/reasons.h"
#include "model/details_build.h"

/* ---- queues ---- */

static int by_place(const void *a, const void *b) {
  const struct vkm_queue_row *left = a;
  const struct vkm_queue_row *right = b;
  int order = (left->family > right->family) - (left->family < right->family);
  return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

static void add_queue(struct vkm_details *details, const struct vkm_read_queue *queue) {
  size_t at = 0;
  while (at < details->queue_count && (details->queues[at].family != queue->family ||
                                       details->queues[at].index != queue->index)) {
    at++;
  }
  struct vkm_queue_row *row = &details->queues[at];
  if (at == details->queue_count) {
    details->queue_count++;
    row->family = queue->family;
    row->index = queue->index;
    snprintf(row->name, sizeof row->name, "%u.%u", queue->family, queue->index);
  }
  row->submissions += queue->submissions;
  row->command_buffers += queue->command_buffers;
  row->has_busy = row->has_busy || queue->has_busy;
  vkm_add_ns(&row->busy_ns, queue->busy_ns);
}

bool vkm_details_queues(struct vkm_details *details, const struct vkm_inputs *inputs,
                        size_t section) {
  size_t most = 1;
  for (size_t i = 0; i < inputs->count; i++) {
    most += inputs->profiles[i].queue_count;
  }
  details->queues = calloc(most, sizeof *details->queues);
  if (details->queues == NULL) {
    return false;
  }
  int64_t total_ns = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    const struct vkm_read_profile *profile = &inputs->profiles[i];
    for (size_t j = 0; j < profile->queue_count; j++) {
      if (inputs->sections[i][profile->queues[j].device] == section) {
        add_queue(details, &profile->queues[j]);
        vkm_add_ns(&total_ns, profile->queues[j].busy_ns);
      }
    }
  }
  for (size_t i = 0; i < details->queue_count; i++) {
    struct vkm_queue_row *row = &details->queues[i];
    row->has_share = row->has_busy && total_ns > 0;
    row->share = row->has_share ? vkm_share_of(row->busy_ns, total_ns) : 0;
  }
  qsort(details->queues, details->queue_count, sizeof *details->queues, by_place);
  return true;
}

/* ---- heaps ---- */

static void add_sizes(uint64_t *to, uint64_t value) {
  if (__builtin_add_overflow(*to, value, to)) {
    *to = UINT64_MAX;
  }
}

/* Adds the heaps of a device to those of its run. */
static void add_heaps(struct vkm_heap_row *run, const struct vkm_read_memory *memory) {
  for (size_t i = 0; i < memory->heap_count; i++) {
    const struct vkm_read_heap *heap = &memory->heaps[i];
    run[i].size_bytes = heap->size_bytes;
    run[i].device_local = heap->device_local;
    run[i].known = run[i].known || heap->known;
    add_sizes(&run[i].peak_bytes, heap->peak_bytes);
    add_sizes(&run[i].allocated_bytes, heap->allocated_bytes);
    if (heap->has_budget) {
      run[i].has_budget = true;
      run[i].budget_bytes = heap->budget_bytes;
      add_sizes(&run[i].usage_peak_bytes, heap->usage_peak_bytes);
    }
  }
}

static void keep_largest(struct vkm_heap_row *largest, const struct vkm_heap_row *run) {
  if (run->size_bytes > 0 && (largest->size_bytes == 0 || run->peak_bytes > largest->peak_bytes)) {
    *largest = *run;
  }
}

static size_t most_heaps(const struct vkm_inputs *inputs) {
  size_t most = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    for (size_t j = 0; j < inputs->profiles[i].device_count; j++) {
      size_t count = inputs->profiles[i].devices[j].memory.heap_count;
      most = count > most ? count : most;
    }
  }
  return most;
}

/* Sums up the heaps of the run whose first profile is `first`. */
static void sum_run(const struct vkm_inputs *inputs, size_t section, size_t first,
                    struct vkm_heap_row *run) {
  for (size_t i = first; i < inputs->count; i++) {
    for (size_t j = 0; inputs->runs[i] == first && j < inputs->profiles[i].device_count; j++) {
      if (inputs->sections[i][j] == section) {
        add_heaps(run, &inputs->profiles[i].devices[j].memory);
      }
    }
  }
}

bool vkm_details_heaps(struct vkm_details *details, const struct vkm_inputs *inputs,
                       size_t section) {
  size_t most = most_heaps(inputs);
  struct vkm_heap_row *run = calloc(most + 1, sizeof *run);
  details->heaps = calloc(most + 1, sizeof *details->heaps);
  if (run == NULL || details->heaps == NULL) {
    free(run);
    return false;
  }
  for (size_t first = 0; first < inputs->count; first++) {
    if (inputs->runs[first] == first) {
      memset(run, 0, (most + 1) * sizeof *run);
      sum_run(inputs, section, first, run);
      for (size_t i = 0; i < most; i++) {
        keep_largest(&details->heaps[i], &run[i]);
      }
    }
  }
  free(run);
  while (details->heap_count < most && details->heaps[details->heap_count].size_bytes > 0) {
    struct vkm_heap_row *row = &details->heaps[details->heap_count];
    snprintf(row->name, sizeof row->name, "%zu", details->heap_count++);
    row->peak_share = (double)row->peak_bytes / (double)row->size_bytes;
  }
  return true;
}

/* ---- outcomes ---- */

static const char *find_text(const char *const *names, const char *const *texts, size_t count,
                             const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(names[i], name) == 0) {
      return texts[i];
    }
  }
  return NULL;
}

static const char *meaning_of(const struct vkm_reason_count *reason) {
  if (strcmp(reason->outcome, "untimed") == 0) {
    return find_text(vkm_untimed_names, vkm_untimed_texts, VKM_UNTIMED_COUNT, reason->name);
  }
  if (strcmp(reason->outcome, "missed") == 0) {
    return find_text(vkm_missed_names, vkm_missed_texts, VKM_MISSED_COUNT, reason->name);
  }
  return find_text(vkm_rejected_names, vkm_rejected_texts, VKM_REJECTED_COUNT, reason->name);
}

static void append_outcome(struct vkm_section *section, const struct vkm_outcome_row *row) {
  struct vkm_outcome_row *made = &section->details.outcomes[section->details.outcome_count++];
  *made = *row;
  made->has_share = section->executed > 0;
  made->share = made->has_share ? (double)row->count / (double)section->executed : 0;
}

bool vkm_details_outcomes(struct vkm_section *section) {
  section->details.outcomes = calloc(section->reason_count + 2, sizeof *section->details.outcomes);
  if (section->details.outcomes == NULL) {
    return false;
  }
  append_outcome(section, &(struct vkm_outcome_row){.outcome = "measured",
                                                    .meaning = "timed one by one",
                                                    .count = section->measured});
  if (section->control > 0) {
    append_outcome(section,
                   &(struct vkm_outcome_row){.outcome = "control",
                                             .meaning = "in recordings timed as a whole, to know "
                                                        "what timing costs",
                                             .count = section->control});
  }
  for (size_t i = 0; i < section->reason_count; i++) {
    const struct vkm_reason_count *reason = &section->reasons[i];
    append_outcome(section, &(struct vkm_outcome_row){.outcome = reason->outcome,
                                                      .reason = reason->name,
                                                      .meaning = meaning_of(reason),
                                                      .count = reason->count});
  }
  return true;
}

void vkm_details_finish(struct vkm_details *details) {
  for (size_t i = 0; i < details->pipeline_count; i++) {
    free(details->pipelines[i].name);
  }
  free(details->families.items);
  free(details->phases.items);
  free(details->shaders.items);
  free(details->pipelines);
  free(details->plans);
  free(details->queues);
  free(details->heaps);
  free(details->outcomes);
}
