/* Ordered marks with their stamps, see record.h. */
#include "timing/record.h"

#include <string.h>

#include "base/alloc.h"
#include "chain.h"
#include "choice.h"
#include "device.h"
#include "intercept/commands.h"
#include "session.h"
#include "timing/gpu_events.h"
#include "trace.h"

/* ---- begin and end ---- */

/* Why no stamp may be placed in this recording; VKM_UNTIMED_COUNT when they may. */
static enum vkm_untimed why_untimed(const struct vkm_cmdbuf *cmdbuf,
                                    const struct vkm_recording *recording) {
  const struct vkm_device_record *record = cmdbuf->device->record;
  const struct vkm_profile_family *family =
      cmdbuf->pool->family < record->family_count ? &record->families[cmdbuf->pool->family] : NULL;
  if (!family || family->timestamp_valid_bits == 0) {
    return VKM_UNTIMED_no_timestamps;
  }
  if (!vkm_tick_clock_usable(record->timestamp_period_ns, family->timestamp_valid_bits)) {
    return VKM_UNTIMED_no_period;
  }
  if (cmdbuf->pool->is_protected) {
    return VKM_UNTIMED_protected_memory;
  }
  if (recording->continues_render_pass) {
    return VKM_UNTIMED_secondary;
  }
  bool can_reset_inside = family->flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
  if (recording->reset_inside && !can_reset_inside) {
    return VKM_UNTIMED_no_reset;
  }
  return VKM_UNTIMED_COUNT;
}

static void reset_state(struct vkm_cmdbuf *cmdbuf) {
  cmdbuf->in_render_pass = cmdbuf->rendering_suspended = false;
  cmdbuf->performance_query = cmdbuf->conditional = false;
  cmdbuf->pass = NULL;
  cmdbuf->chained = false;
  cmdbuf->barrier = true; /* the first mark has nothing of this recording before it */
  cmdbuf->last_stamp = VKM_NO_STAMP;
  cmdbuf->pipeline = NULL;
  cmdbuf->labels = (struct vkm_labels){0};
}

/* Whether a secondary may be executed inside conditional rendering. */
static bool inherits_conditional(const struct vkm_cmdbuf *cmdbuf,
                                 const VkCommandBufferBeginInfo *info) {
  const VkBaseInStructure *at =
      cmdbuf->secondary && info->pInheritanceInfo
          ? vkm_chain_find(
                info->pInheritanceInfo->pNext,
                VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT)
          : NULL;
  return at && ((const VkCommandBufferInheritanceConditionalRenderingInfoEXT *)at)
                   ->conditionalRenderingEnable;
}

void vkm_record_begin(struct vkm_cmdbuf *cmdbuf, const VkCommandBufferBeginInfo *info) {
  struct vkm_device *device = cmdbuf->device;
  vkm_cost_open(cmdbuf);
  vkm_record_drop(cmdbuf);
  reset_state(cmdbuf);
  cmdbuf->conditional = inherits_conditional(cmdbuf, info);
  cmdbuf->recording_now = true;
  if (!vkm_device_active(device)) {
    return;
  }
  struct vkm_recording *recording = vkm_recording_take(device);
  if (!recording) {
    vkm_device_disable(device, "out_of_memory");
    return;
  }
  recording->family = cmdbuf->pool->family;
  recording->one_time = info->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  recording->simultaneous = info->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  recording->secondary = cmdbuf->secondary;
  recording->continues_render_pass =
      cmdbuf->secondary && info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  recording->reset_inside = !device->reset_query_pool || recording->simultaneous;
  cmdbuf->untimed = (uint8_t)why_untimed(cmdbuf, recording);
  if (recording->family < device->record->family_count &&
      device->record->families[recording->family].flags & VK_QUEUE_GRAPHICS_BIT) {
    cmdbuf->dispatch_stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  } else {
    cmdbuf->dispatch_stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
  vkm_mode_begin(cmdbuf, recording);
  cmdbuf->recording = recording;
  vkm_cost_opened(cmdbuf);
}

/* Counted in the command buffer while recording, so that recording threads share no counter. */
static void flush_counts(struct vkm_cmdbuf *cmdbuf) {
  for (int i = 0; i < VKM_KIND_COUNT; i++) {
    if (cmdbuf->recorded[i]) {
      atomic_fetch_add_explicit(&cmdbuf->device->record->recorded[i], cmdbuf->recorded[i],
                                memory_order_relaxed);
      cmdbuf->recorded[i] = 0;
    }
  }
}

void vkm_record_drop(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_recording *recording = cmdbuf->recording;
  if (recording) {
    flush_counts(cmdbuf);
    cmdbuf->pool->last_stamps = recording->stamp_count;
    cmdbuf->recording = NULL;
    vkm_recording_release(recording);
  }
  cmdbuf->recording_now = false;
}

/* ---- stamps ---- */

static enum vkm_slots_result add_block(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_recording *recording = cmdbuf->recording;
  struct vkm_device *device = cmdbuf->device;
  uint32_t wanted = VKM_BLOCK_QUERIES_DEFAULT;
  if (!recording->blocks && cmdbuf->pool->last_stamps) {
    wanted = cmdbuf->pool->last_stamps;
  } else if (recording->blocks) {
    wanted = recording->stamp_count; /* doubles what there is */
  }
  struct vkm_block *block;
  enum vkm_slots_result result = vkm_slots_take(device, wanted, &block);
  if (result != VKM_SLOTS_OK) {
    return result;
  }
  if (recording->last_block) {
    recording->last_block->next = block;
  } else {
    recording->blocks = block;
  }
  recording->last_block = block;
  if (recording->reset_inside) {
    device->table.CmdResetQueryPool(cmdbuf->handle, block->slab->pool, block->first, block->count);
  }
  return VKM_SLOTS_OK;
}

/* Makes sure that `count` stamps can be written. Blocks are added between marks only, so that a
 * mark never has a begin without an end. */
static enum vkm_untimed reserve(struct vkm_cmdbuf *cmdbuf, uint32_t count) {
  struct vkm_block *block = cmdbuf->recording->last_block;
  if (block && block->count - block->used >= count) {
    return VKM_UNTIMED_COUNT;
  }
  switch (add_block(cmdbuf)) {
  case VKM_SLOTS_OK:
    return VKM_UNTIMED_COUNT;
  case VKM_SLOTS_CAP:
    return VKM_UNTIMED_query_cap;
  default:
    return VKM_UNTIMED_out_of_memory;
  }
}

/* Room was reserved. */
static uint32_t stamp(struct vkm_cmdbuf *cmdbuf, VkPipelineStageFlagBits stage) {
  struct vkm_recording *recording = cmdbuf->recording;
  struct vkm_block *block = recording->last_block;
  cmdbuf->device->table.CmdWriteTimestamp(cmdbuf->handle, stage, block->slab->pool,
                                          block->first + block->used);
  block->used++;
  cmdbuf->last_stage = stage;
  cmdbuf->last_stamp = recording->stamp_count;
  return recording->stamp_count++;
}

void vkm_record_end(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_recording *recording = cmdbuf->recording;
  cmdbuf->recording_now = false;
  if (!recording) {
    return;
  }
  int64_t begin_ns = vkm_cost_close(cmdbuf);
  struct vkm_device_record *record = cmdbuf->device->record;
  recording->dispatch_count = cmdbuf->recorded[VKM_KIND_DISPATCH] +
                              cmdbuf->recorded[VKM_KIND_DISPATCH_BASE] +
                              cmdbuf->recorded[VKM_KIND_DISPATCH_INDIRECT];
  flush_counts(cmdbuf);
  if (cmdbuf->pass &&
      cmdbuf->pass->begin != VKM_NO_STAMP) { /* not ended: an error of the application */
    cmdbuf->pass->begin = VKM_NO_STAMP;
    cmdbuf->pass->untimed = VKM_UNTIMED_render_pass;
  }
  if (recording->stamp_count && !recording->secondary && !recording->no_span_reason) {
    if (cmdbuf->performance_query) {
      recording->no_span_reason = "a performance query of the application ends with the recording";
    } else if (cmdbuf->rendering_suspended) {
      recording->no_span_reason = "rendering ended suspended";
    } else if (cmdbuf->chained && cmdbuf->last_stage == VK_PIPELINE_STAGE_ALL_COMMANDS_BIT) {
      recording->closing = cmdbuf->last_stamp; /* the last end stamp is the closing stamp already */
    } else if (reserve(cmdbuf, 1) == VKM_UNTIMED_COUNT) {
      recording->closing = stamp(cmdbuf, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    } else {
      recording->no_span_reason = "no query was left";
    }
  }
  vkm_mode_end(cmdbuf, recording);
  if (vkm_trace_on()) {
    recording->event_count = vkm_gpu_events_of(recording);
  }
  atomic_fetch_add_explicit(&record->stamps_written, recording->stamp_count, memory_order_relaxed);
  atomic_fetch_add_explicit(&record->marks_recorded, recording->mark_count, memory_order_relaxed);
  vkm_cost_closed(cmdbuf, begin_ns);
}

/* ---- marks ---- */

static bool add_chunk(struct vkm_recording *recording) {
  struct vkm_mark_chunk *chunk =
      recording->mark_count < VKM_MARKS_MAX ? vkm_recording_chunk(recording->device) : NULL;
  if (!chunk) {
    return false;
  }
  chunk->next = NULL;
  if (recording->last_chunk) {
    recording->last_chunk->next = chunk;
  } else {
    recording->chunks = chunk;
  }
  recording->last_chunk = chunk;
  return true;
}

/* What is to be done before the next mark: it is to be timed, or there is no room for it. False:
 * and there will be none. */
static __attribute__((noinline)) bool stop_before_mark(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_recording *recording = cmdbuf->recording;
  uint32_t count = recording->mark_count;
  bool timed = count == cmdbuf->probe.at && vkm_cost_arm(cmdbuf);
  if (count % VKM_CHUNK_MARKS == 0 && !add_chunk(recording)) {
    return false;
  }
  uint32_t full = count - count % VKM_CHUNK_MARKS + VKM_CHUNK_MARKS;
  uint32_t probe = cmdbuf->probe.at;
  recording->stop = probe > count && probe < full ? probe : full;
  if (timed) {
    cmdbuf->probe.begin_ns = vkm_now_ns();
  }
  return true;
}

/* NULL when memory is short or the recording is full; the command is then only counted. */
static struct vkm_mark *add_mark(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_recording *recording = cmdbuf->recording;
  uint32_t at = recording->mark_count % VKM_CHUNK_MARKS;
  if (recording->mark_count == recording->stop && !stop_before_mark(cmdbuf)) {
    return NULL;
  }
  recording->mark_count++;
  return &recording->last_chunk->marks[at];
}

static VkPipelineStageFlagBits stage_of(const struct vkm_cmdbuf *cmdbuf, enum vkm_kind kind) {
  return vkm_kind_is_dispatch(kind) ? cmdbuf->dispatch_stage : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
}

static uint8_t mark_flags(struct vkm_cmdbuf *cmdbuf, enum vkm_kind kind) {
  struct vkm_pipeline_record *pipeline = cmdbuf->pipeline;
  uint8_t flags = cmdbuf->barrier ? 0 : VKM_MARK_OVERLAP;
  if (cmdbuf->conditional) {
    flags |= VKM_MARK_CONDITIONAL;
  }
  if (stage_of(cmdbuf, kind) == VK_PIPELINE_STAGE_ALL_COMMANDS_BIT) {
    flags |= VKM_MARK_ALL_STAGES;
  }
  /* Looked at before it is written: a write would bounce between recording threads. */
  if (pipeline && vkm_kind_is_dispatch(kind) &&
      !atomic_load_explicit(&pipeline->recorded, memory_order_relaxed) &&
      !atomic_exchange_explicit(&pipeline->recorded, true, memory_order_relaxed)) {
    flags |= VKM_MARK_FIRST_USE;
  }
  return flags;
}

/* A mark without stamps; NULL: only counted. */
static struct vkm_mark *begin_mark(struct vkm_cmdbuf *cmdbuf, const struct vkm_work *work) {
  struct vkm_recording *recording = cmdbuf->recording;
  if (!recording) {
    return NULL;
  }
  cmdbuf->recorded[work->kind]++;
  struct vkm_mark *mark = add_mark(cmdbuf);
  if (!mark) {
    recording->lost_marks[work->kind]++;
    recording->lost_total++;
    cmdbuf->chained = false;
    return NULL;
  }
  *mark = (struct vkm_mark){.pipeline = vkm_kind_is_dispatch(work->kind) ? cmdbuf->pipeline : NULL,
                            .begin = VKM_NO_STAMP,
                            .end = VKM_NO_STAMP,
                            .phase = cmdbuf->labels.phase,
                            .kind = (uint8_t)work->kind,
                            .flags = mark_flags(cmdbuf, work->kind)};
  memcpy(mark->groups, work->groups, sizeof mark->groups);
  memcpy(mark->base, work->base, sizeof mark->base);
  cmdbuf->barrier = false;
  return mark;
}

/* Why no stamps may stand around this command; VKM_UNTIMED_COUNT: they may; VKM_UNTIMED_SPECIAL:
 * the recording's mode says. */
static enum vkm_untimed why_no_stamps(const struct vkm_cmdbuf *cmdbuf, enum vkm_kind kind) {
  if (!vkm_kind_timed[kind]) {
    return VKM_UNTIMED_not_timed;
  }
  if (cmdbuf->untimed != VKM_UNTIMED_COUNT) {
    return cmdbuf->untimed;
  }
  if (cmdbuf->in_render_pass || cmdbuf->rendering_suspended) {
    return VKM_UNTIMED_render_pass;
  }
  return VKM_UNTIMED_COUNT;
}

/* The begin stamp of a command that may have stamps, and room for its end. Inlined where it counts:
 * see cost_guard. */
static inline __attribute__((always_inline)) void begin_stamp(struct vkm_cmdbuf *cmdbuf,
                                                              struct vkm_mark *mark) {
  mark->untimed = (uint8_t)reserve(cmdbuf, 2);
  if (mark->untimed != VKM_UNTIMED_COUNT) {
    cmdbuf->chained = false;
    return;
  }
  VkPipelineStageFlagBits stage = stage_of(cmdbuf, mark->kind);
  bool shares = cmdbuf->chained && cmdbuf->last_stage == stage;
  mark->begin = shares ? cmdbuf->last_stamp : stamp(cmdbuf, stage);
}

static void full_barrier(const struct vkm_cmdbuf *cmdbuf) {
  VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                         .srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                         .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  cmdbuf->device->table.CmdPipelineBarrier(cmdbuf->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL,
                                           0, NULL);
}

/* The stamp that opens the span, where the command that comes is not timed by itself. */
static void open_span(struct vkm_cmdbuf *cmdbuf, struct vkm_mark *mark) {
  struct vkm_recording *recording = cmdbuf->recording;
  cmdbuf->chained = false;
  if (!recording->stamp_count && !recording->secondary && !recording->no_span_reason) {
    mark->untimed = (uint8_t)reserve(cmdbuf, 1);
    if (mark->untimed != VKM_UNTIMED_COUNT) {
      return;
    }
    stamp(cmdbuf, stage_of(cmdbuf, mark->kind));
  }
  vkm_mode_leave_out(recording, mark);
}

/* In another mode than plain inline. */
static void begin_chosen(struct vkm_cmdbuf *cmdbuf, struct vkm_mark *mark) {
  struct vkm_recording *recording = cmdbuf->recording;
  bool in_pass = cmdbuf->in_render_pass || cmdbuf->rendering_suspended;
  mark->untimed = (uint8_t)(in_pass ? VKM_UNTIMED_render_pass : vkm_choice_command(cmdbuf, mark));
  if (mark->untimed != VKM_UNTIMED_COUNT) {
    cmdbuf->chained = false;
    return;
  }
  bool isolated = recording->mode == VKM_MODE_ISOLATED;
  bool shares = !isolated && cmdbuf->chained && cmdbuf->last_stage == stage_of(cmdbuf, mark->kind);
  if (!vkm_mode_admits(recording, shares)) {
    open_span(cmdbuf, mark);
    return;
  }
  if (isolated) {
    full_barrier(cmdbuf);
    cmdbuf->chained = false;
  }
  begin_stamp(cmdbuf, mark);
  if (isolated) {
    full_barrier(cmdbuf);
    mark->flags &= (uint8_t)~VKM_MARK_OVERLAP;
  }
  recording->timed_count += mark->begin != VKM_NO_STAMP;
}

/* What is not plain inline: the mode, or a command that is timed. */
static __attribute__((noinline)) void begin_special(struct vkm_cmdbuf *cmdbuf,
                                                    struct vkm_mark *mark) {
  bool timed = cmdbuf->probe.armed && vkm_cost_caught(cmdbuf);
  mark->untimed = (uint8_t)why_no_stamps(cmdbuf, mark->kind);
  if (mark->untimed == VKM_UNTIMED_COUNT) {
    begin_stamp(cmdbuf, mark);
  } else if (mark->untimed == VKM_UNTIMED_SPECIAL) {
    begin_chosen(cmdbuf, mark);
  } else {
    cmdbuf->chained = false;
  }
  if (timed) {
    vkm_cost_pause(cmdbuf, mark->begin != VKM_NO_STAMP);
  }
}

struct vkm_mark *vkm_record_before(struct vkm_cmdbuf *cmdbuf, const struct vkm_work *work) {
  struct vkm_mark *mark = begin_mark(cmdbuf, work);
  if (!mark) {
    return NULL;
  }
  mark->untimed = (uint8_t)why_no_stamps(cmdbuf, work->kind);
  if (mark->untimed == VKM_UNTIMED_COUNT) {
    begin_stamp(cmdbuf, mark);
  } else if (mark->untimed == VKM_UNTIMED_SPECIAL) {
    begin_special(cmdbuf, mark);
  } else {
    cmdbuf->chained = false;
  }
  return mark;
}

static __attribute__((noinline)) void after_special(struct vkm_cmdbuf *cmdbuf,
                                                    struct vkm_mark *mark) {
  int64_t behind_ns = cmdbuf->probe.running ? vkm_now_ns() : INT64_MIN;
  if (cmdbuf->isolated) {
    full_barrier(cmdbuf);
  }
  mark->end = stamp(cmdbuf, stage_of(cmdbuf, mark->kind));
  cmdbuf->chained = true;
  if (behind_ns != INT64_MIN) {
    vkm_cost_finish(cmdbuf, behind_ns);
  }
}

void vkm_record_after(struct vkm_cmdbuf *cmdbuf, struct vkm_mark *mark) {
  if (!mark || mark->begin == VKM_NO_STAMP) {
    return;
  }
  if (cmdbuf->around) {
    after_special(cmdbuf, mark);
    return;
  }
  mark->end = stamp(cmdbuf, stage_of(cmdbuf, mark->kind));
  cmdbuf->chained = true;
}

/* ---- render passes ---- */

void vkm_record_pass_begin(struct vkm_cmdbuf *cmdbuf, bool unbroken) {
  struct vkm_work work = {.kind = VKM_KIND_RENDER_PASS};
  if (unbroken) {
    cmdbuf->pass = vkm_record_before(cmdbuf, &work);
  } else {
    cmdbuf->pass = begin_mark(cmdbuf, &work);
    if (cmdbuf->pass) {
      cmdbuf->pass->untimed = VKM_UNTIMED_suspended_rendering;
    }
  }
  vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
  cmdbuf->in_render_pass = true;
}

void vkm_record_pass_end(struct vkm_cmdbuf *cmdbuf) {
  vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
  cmdbuf->in_render_pass = false;
  vkm_record_after(cmdbuf, cmdbuf->pass);
  cmdbuf->pass = NULL;
}
