/* What the source tells of queues, kernels and phases, asked for once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "timeline/statistics.h"
#include "timeline/trace_write_parts.h"

/* ---- queues ---- */

static void name_queue(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                       uint32_t device, uint32_t index) {
  struct vkm_trace_queue told = {0};
  if (writer->source.queue != NULL &&
      writer->source.queue(writer->source.context, device, index, &told)) {
    char clean[VKM_TRACE_TEXT];
    vkm_text_clean(clean, sizeof clean, told.device);
    snprintf(queue->name, sizeof queue->name, VKM_WORD_QUEUE "%u.%u (%s)", told.family, told.index,
             clean);
  } else {
    snprintf(queue->name, sizeof queue->name, VKM_WORD_QUEUE "?.%u (device %u)", index, device);
  }
}

static void start_queue(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                        uint32_t device, uint32_t index) {
  queue->key = (uint64_t)device << 32 | index;
  queue->number = (uint32_t)writer->queue_count;
  queue->in_flight_track = vkm_trace_hash(writer, "in flight", queue->key, 0);
  for (uint32_t i = 0; i < VKM_TRACE_LABEL_LANES; i++) {
    queue->labels[i].track = vkm_trace_hash(writer, "labels", queue->key, i);
    queue->labels[i].at_ns = INT64_MIN;
  }
  queue->clock_ns = queue->label_end_ns = INT64_MIN;
  queue->execution = VKM_EVENT_NONE;
  for (uint32_t i = 0; i < VKM_TRACE_LANES; i++) {
    queue->lanes[i].until_ns = queue->lanes[i].forgotten_ns = INT64_MIN;
  }
  name_queue(writer, queue, device, index);
  writer->queues[writer->queue_count++] = queue;
}

struct vkm_trace_known_queue *vkm_trace_queue(struct vkm_trace_writer *writer, uint32_t device,
                                              uint32_t index) {
  bool made = false;
  struct vkm_trace_key key = {VKM_THING_QUEUE, device, index};
  struct vkm_trace_known_queue *queue = vkm_trace_thing(writer, key, sizeof *queue, &made);
  if (queue != NULL && queue->lanes == NULL) {
    queue->lanes = vkm_calloc(VKM_TRACE_LANES, sizeof *queue->lanes);
    if (queue->lanes == NULL) {
      writer->batch.failed = true;
      return NULL;
    }
    start_queue(writer, queue, device, index);
  }
  return queue;
}

/* ---- kernels ---- */

static enum vkm_trace_table fact_table(const struct vkm_trace_writer *writer) {
  return writer->facts.style == VKM_TRACE_RENDER_STAGE ? VKM_TRACE_ARG_NAMES
                                                       : VKM_TRACE_ANNOTATIONS;
}

/* A fact without a name, for the cap of names, is left out. */
static void add_fact(struct vkm_trace_writer *writer, struct vkm_trace_known_kernel *kernel,
                     const char *name, const struct vkm_trace_arg *arg) {
  struct vkm_trace_fact fact = {.type = (int)arg->type};
  fact.name = vkm_trace_name(writer, fact_table(writer), name);
  bool known = fact.name != NULL;
  switch (arg->type) {
  case VKM_TRACE_ARG_UINT:
    fact.value.u64 = arg->value.u64;
    break;
  case VKM_TRACE_ARG_INT:
    fact.value.i64 = arg->value.i64;
    break;
  case VKM_TRACE_ARG_DOUBLE:
    fact.value.f64 = arg->value.f64;
    known = known && isfinite(arg->value.f64);
    break;
  default:
    fact.value.text = vkm_trace_name(writer, VKM_TRACE_STRINGS, arg->value.text);
    known = known && fact.value.text != NULL;
    break;
  }
  for (uint32_t i = 0; known && i < kernel->fact_count; i++) {
    known = kernel->facts[i].name != fact.name; /* the first of several executables counts */
  }
  if (known && kernel->fact_count < VKM_TRACE_FACTS) {
    kernel->facts[kernel->fact_count++] = fact;
  }
}

static void add_text(struct vkm_trace_writer *writer, struct vkm_trace_known_kernel *kernel,
                     const char *name, const char *text) {
  if (text[0] != '\0') {
    struct vkm_trace_arg arg = {.type = VKM_TRACE_ARG_TEXT};
    snprintf(arg.value.text, sizeof arg.value.text, "%s", text);
    add_fact(writer, kernel, name, &arg);
  }
}

static void fill(struct vkm_trace_writer *writer, struct vkm_trace_known_kernel *kernel,
                 const struct vkm_trace_kernel *told) {
  struct vkm_trace_known_kernel filled = {0};
  filled.name = vkm_trace_name(writer, VKM_TRACE_EVENTS, told->name);
  memcpy(filled.local_size, told->local_size, sizeof filled.local_size);
  add_text(writer, &filled, VKM_WORD_IDENTITY, told->identity);
  add_text(writer, &filled, VKM_WORD_FAMILY, told->family);
  uint32_t count = told->arg_count < VKM_TRACE_ARGS ? told->arg_count : VKM_TRACE_ARGS;
  for (uint32_t i = 0; i < count; i++) {
    add_fact(writer, &filled, told->args[i].name, &told->args[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    const char *viewed = vkm_statistic_viewed(told->args[i].name);
    if (viewed != NULL) {
      add_fact(writer, &filled, viewed, &told->args[i]);
    }
  }
  if (filled.name != NULL && !writer->batch.failed) {
    filled.iid = ++writer->last_kernel;
    *kernel = filled;
  }
}

struct vkm_trace_known_kernel *vkm_trace_kernel(struct vkm_trace_writer *writer, uint32_t device,
                                                uint32_t pipeline) {
  if (pipeline == VKM_EVENT_NONE || writer->source.kernel == NULL) {
    return NULL;
  }
  bool made = false;
  struct vkm_trace_key key = {VKM_THING_KERNEL, device, pipeline};
  struct vkm_trace_known_kernel *kernel = vkm_trace_thing(writer, key, sizeof *kernel, &made);
  if (kernel != NULL && kernel->iid == 0) {
    struct vkm_trace_kernel told;
    memset(&told, 0, sizeof told);
    if (writer->source.kernel(writer->source.context, device, pipeline, &told)) {
      fill(writer, kernel, &told);
    }
  }
  return kernel != NULL && kernel->iid != 0 ? kernel : NULL;
}

struct vkm_trace_value vkm_trace_fact_value(struct vkm_trace_writer *writer,
                                            const struct vkm_trace_fact *fact) {
  struct vkm_trace_value value = {.is_uint = false};
  switch (fact->type) {
  case VKM_TRACE_ARG_UINT:
    value.is_uint = true;
    value.u64 = fact->value.u64;
    break;
  case VKM_TRACE_ARG_INT:
    value.is_int = true;
    value.i64 = fact->value.i64;
    break;
  case VKM_TRACE_ARG_DOUBLE:
    value.is_double = true;
    value.f64 = fact->value.f64;
    break;
  default:
    value.is_text = true;
    value.text_iid = vkm_trace_name_use(writer, fact->value.text);
    break;
  }
  return value;
}

static void put_fact(struct vkm_trace_writer *writer, Vkm__ComputeArg *to,
                     const struct vkm_trace_fact *fact) {
  vkm__compute_arg__init(to);
  to->has_name_iid = true;
  to->name_iid = vkm_trace_name_use(writer, fact->name);
  struct vkm_trace_value value = vkm_trace_fact_value(writer, fact);
  to->has_uint_value = value.is_uint;
  to->uint_value = value.u64;
  to->has_int_value = value.is_int;
  to->int_value = value.i64;
  to->has_double_value = value.is_double;
  to->double_value = value.f64;
  to->has_string_value_iid = value.is_text;
  to->string_value_iid = value.text_iid;
}

uint64_t vkm_trace_kernel_use(struct vkm_trace_writer *writer,
                              struct vkm_trace_known_kernel *kernel) {
  if (!vkm_trace_mark_fresh(writer, &kernel->mark)) {
    return kernel->iid;
  }
  Vkm__ComputeArg args[VKM_TRACE_FACTS];
  Vkm__ComputeArg *list[VKM_TRACE_FACTS];
  for (uint32_t i = 0; i < kernel->fact_count; i++) {
    put_fact(writer, &args[i], &kernel->facts[i]);
    list[i] = &args[i];
  }
  Vkm__InternedComputeKernel interned;
  Vkm__InternedComputeKernel *kernels[] = {&interned};
  Vkm__InternedData data;
  vkm__interned_compute_kernel__init(&interned);
  interned.has_iid = true;
  interned.iid = kernel->iid;
  interned.name = (char *)(uintptr_t)kernel->name->text; /* read only */
  interned.n_args = kernel->fact_count;
  interned.args = list;
  vkm__interned_data__init(&data);
  data.n_compute_kernels = 1;
  data.compute_kernels = kernels;
  vkm_trace_data_put(writer, &data);
  return kernel->iid;
}

/* ---- phases ---- */

struct vkm_trace_name *vkm_trace_phase(struct vkm_trace_writer *writer, uint32_t device,
                                       uint32_t number) {
  if (number == 0 || writer->source.phase == NULL) {
    return NULL;
  }
  bool made = false;
  struct vkm_trace_key key = {VKM_THING_PHASE, device, number};
  struct vkm_trace_phase *phase = vkm_trace_thing(writer, key, sizeof *phase, &made);
  if (phase == NULL) {
    return NULL;
  }
  if (phase->path == NULL) {
    char path[VKM_TRACE_TEXT];
    if (writer->source.phase(writer->source.context, device, number, path)) {
      phase->path = vkm_trace_name(writer, VKM_TRACE_STRINGS, path);
    }
  }
  return phase->path;
}
