/* A timed command as a stage of the GPU: one packet. */
#include <inttypes.h>
#include <stdio.h>

#include "measure/moves.h"
#include "timeline/trace_write_parts.h"

enum { CONTEXT = 1, API_VULKAN = 2 };

static uint64_t context_use(struct vkm_trace_writer *writer) {
  if (vkm_trace_mark_fresh(writer, &writer->context_mark)) {
    Vkm__InternedGraphicsContext context;
    Vkm__InternedGraphicsContext *contexts[] = {&context};
    Vkm__InternedData data;
    vkm__interned_graphics_context__init(&context);
    context.has_iid = true;
    context.iid = CONTEXT;
    context.has_pid = true;
    context.pid = writer->facts.pid;
    context.has_api = true;
    context.api = API_VULKAN;
    vkm__interned_data__init(&data);
    data.n_graphics_contexts = 1;
    data.graphics_contexts = contexts;
    vkm_trace_data_put(writer, &data);
  }
  return CONTEXT;
}

static Vkm__GpuRenderStageEvent__Dim3 *set_size(Vkm__GpuRenderStageEvent__Dim3 *to,
                                                const uint32_t size[3]) {
  if (size[0] == 0 && size[1] == 0 && size[2] == 0) {
    return NULL; /* not known */
  }
  vkm__gpu_render_stage_event__dim3__init(to);
  to->has_x = to->has_y = to->has_z = true;
  to->x = size[0];
  to->y = size[1];
  to->z = size[2];
  return to;
}

/* What was launched; its parts stand in `parts`. */
struct launch_parts {
  Vkm__GpuRenderStageEvent__ComputeKernelLaunch launch;
  Vkm__GpuRenderStageEvent__Dim3 groups, local_size;
  Vkm__ComputeArg phase;
  Vkm__ComputeArg *args[1];
};

static void set_launch(struct vkm_trace_writer *writer, const struct vkm_trace_work *work,
                       struct launch_parts *parts, Vkm__GpuRenderStageEvent *stage) {
  vkm__gpu_render_stage_event__compute_kernel_launch__init(&parts->launch);
  parts->launch.grid_size = set_size(&parts->groups, work->event->gpu.groups);
  if (work->kernel != NULL) {
    parts->launch.workgroup_size = set_size(&parts->local_size, work->kernel->local_size);
  }
  struct vkm_trace_name *name =
      work->phase != NULL ? vkm_trace_name(writer, VKM_TRACE_ARG_NAMES, VKM_WORD_PHASE) : NULL;
  if (name != NULL) {
    vkm__compute_arg__init(&parts->phase);
    parts->phase.has_name_iid = true;
    parts->phase.name_iid = vkm_trace_name_use(writer, name);
    parts->phase.has_string_value_iid = true;
    parts->phase.string_value_iid = vkm_trace_name_use(writer, work->phase);
    parts->args[0] = &parts->phase;
    parts->launch.n_args = 1;
    parts->launch.args = parts->args;
  }
  stage->launch = &parts->launch;
}

struct extra_parts {
  Vkm__GpuRenderStageEvent__ExtraData each[3];
  Vkm__GpuRenderStageEvent__ExtraData *list[3];
  size_t count;
  char bytes[24];
};

static void add_extra(struct extra_parts *parts, const char *name, const char *value) {
  Vkm__GpuRenderStageEvent__ExtraData *to = &parts->each[parts->count];
  parts->list[parts->count++] = to;
  vkm__gpu_render_stage_event__extra_data__init(to);
  to->name = (char *)(uintptr_t)name; /* read only, both */
  to->value = (char *)(uintptr_t)value;
}

static void set_extra(const struct vkm_trace_work *work, struct extra_parts *parts,
                      Vkm__GpuRenderStageEvent *stage) {
  const struct vkm_event *event = work->event;
  parts->count = 0;
  if (work->phase != NULL) {
    add_extra(parts, VKM_WORD_PHASE, work->phase->text);
  }
  if (event->gpu.bytes != UINT64_MAX) {
    snprintf(parts->bytes, sizeof parts->bytes, "%" PRIu64, event->gpu.bytes);
    add_extra(parts, VKM_WORD_BYTES, parts->bytes);
  }
  if (vkm_kind_moves(work->kind) && event->gpu.groups[VKM_MOVE_DIRECTION] < VKM_DIRECTION_COUNT) {
    add_extra(parts, VKM_WORD_DIRECTION,
              vkm_direction_names[event->gpu.groups[VKM_MOVE_DIRECTION]]);
  }
  stage->n_extra_data = parts->count;
  stage->extra_data = parts->list;
}

static void set_names(struct vkm_trace_writer *writer, const struct vkm_trace_work *work,
                      Vkm__GpuRenderStageEvent *stage) {
  stage->has_context = true;
  stage->context = context_use(writer);
  stage->has_hw_queue_iid = true;
  stage->hw_queue_iid = vkm_trace_lane_use(writer, work->queue, work->lane);
  stage->has_stage_iid = true;
  stage->stage_iid = vkm_trace_name_use(writer, &writer->words.stages[work->kind]);
  struct vkm_trace_name *name =
      work->kernel != NULL ? work->kernel->name : &writer->words.kinds[work->kind];
  stage->has_name_iid = true;
  stage->name_iid = vkm_trace_name_use(writer, name);
  if (work->kernel != NULL) {
    stage->has_kernel_iid = true;
    stage->kernel_iid = vkm_trace_kernel_use(writer, work->kernel);
  }
}

void vkm_trace_put_stage(struct vkm_trace_writer *writer, const struct vkm_trace_work *work) {
  const struct vkm_event *event = work->event;
  Vkm__GpuRenderStageEvent stage;
  struct launch_parts launch;
  struct extra_parts extra;
  Vkm__TracePacket packet;
  vkm_trace_process_use(writer);
  vkm__gpu_render_stage_event__init(&stage);
  stage.has_event_id = true;
  stage.event_id = event->gpu.id;
  stage.has_duration = true;
  stage.duration = (uint64_t)(event->end_ns - event->begin_ns);
  if (event->submission != 0) {
    stage.has_submission_id = true;
    stage.submission_id = event->submission;
  }
  if (event->device != 0) { /* 0 is what is taken without it */
    stage.has_gpu_id = true;
    stage.gpu_id = event->device;
  }
  set_names(writer, work, &stage);
  if (vkm_kind_is_dispatch(work->kind)) {
    set_launch(writer, work, &launch, &stage);
  } else {
    set_extra(work, &extra, &stage);
  }
  vkm_trace_packet_init(writer, &packet);
  vkm_trace_packet_at(&packet, event->begin_ns);
  packet.gpu_render_stage_event = &stage;
  vkm_trace_packet_put(writer, &packet);
}
