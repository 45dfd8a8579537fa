/* Calls that create pipelines, see capture.h. */
#include "capture.h"

#include <string.h>

#include "base/alloc.h"
#include "chain.h"
#include "device.h"
#include "session.h"
#include "trace_calls.h"

#define STATISTICS VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR
#define REPRESENTATIONS VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR

/* How every create-info of a pipeline begins. */
struct head {
  VkStructureType sType;
  const void *pNext;
  VkPipelineCreateFlags flags;
};

struct vkm_capture_each {
  uint64_t flags;     /* that it is created with */
  const char *reason; /* why the flag for statistics is not among them; static */
  const char *no_feedback_reason;
  const VkPipelineCreationFeedbackCreateInfo *feedback; /* ours or the application's; NULL: none */
  VkPipelineCreationFeedbackCreateInfo own;             /* chained in front */
  VkPipelineCreationFeedback whole, stages[VKM_FEEDBACK_STAGE_CAP];
  void *prefix; /* copies of structures, owned */
};

static struct head head_of(const void *infos, size_t stride, uint32_t index) {
  struct head head;
  memcpy(&head, (const unsigned char *)infos + index * stride, sizeof head);
  return head;
}

static const VkPipelineCreateFlags2CreateInfo *flags_structure(const void *chain) {
  return (const VkPipelineCreateFlags2CreateInfo *)vkm_chain_find(
      chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
}

/* Where the newer structure is chained, the older flags are ignored. */
static uint64_t flags_of(const struct head *head) {
  const VkPipelineCreateFlags2CreateInfo *newer = flags_structure(head->pNext);
  return newer ? newer->flags : head->flags;
}

/* ---- rules ---- */

static bool by_identifier(const struct vkm_capture_form *form, const void *info) {
  uint32_t count;
  const VkPipelineShaderStageCreateInfo *stages = form->stages(info, &count);
  for (uint32_t i = 0; i < count; i++) {
    const VkBaseInStructure *identifier = vkm_chain_find(
        stages[i].pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    if (identifier &&
        ((const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *)identifier)->identifierSize >
            0) {
      return true;
    }
  }
  return false;
}

static bool with_binaries(const struct head *head) {
  return vkm_chain_find(head->pNext, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR) ||
         flags_of(head) & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
}

/* Why a flag of ours is not for this pipeline: it would make another pipeline of it, or keep it
 * from being found where the application expects it. NULL: it may have it. */
static const char *unsuitable(const struct vkm_capture_form *form, const void *info,
                              const struct head *head) {
  const struct {
    uint64_t flags;
    const char *reason;
  } rules[] = {
      {VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
           VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT,
       "the program wants it from its cache or not at all"},
      {VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV |
           VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
       "it is bound by generated commands"},
      {VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR, "it is a library"},
      {VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, "its binary is wanted by the program"},
  };
  uint64_t flags = flags_of(head);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (flags & rules[i].flags) {
      return rules[i].reason;
    }
  }
  if (vkm_chain_find(head->pNext, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR)) {
    return "it is made of a binary";
  }
  return by_identifier(form, info) ? "it is made of a module's identifier" : NULL;
}

/* The flags that are wanted for one pipeline; 0: `why`. */
static uint64_t wanted_flags(const struct vkm_capture *capture, const void *info,
                             const struct head *head, const char **why) {
  const struct vkm_statistics_commands *commands = &capture->device->statistics;
  const char *folder = vkm_session_settings()->dump_isa;
  *why = commands->no_statistics_reason;
  if (!*why && !commands->get_executables) {
    *why = capture->form->compute ? "read by VK_AMD_shader_info, which needs no flag"
                                  : "VK_AMD_shader_info is read for compute only";
  }
  *why = *why ? *why : unsuitable(capture->form, info, head);
  if (*why) {
    return 0;
  }
  /* A library and what is linked of it would have to agree on the second flag. */
  bool linked = vkm_chain_find(head->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return STATISTICS | (folder && *folder && !linked ? REPRESENTATIONS : 0);
}

/* ---- copies ---- */

static void set_head(unsigned char *at, const struct head *head) {
  memcpy(at, head, offsetof(struct head, flags) + sizeof head->flags);
}

/* Adds flags where the driver looks for them. */
static void add_flags(struct vkm_capture_each *each, struct head *head, uint64_t wanted) {
  const VkPipelineCreateFlags2CreateInfo *newer = flags_structure(head->pNext);
  if (!newer) {
    head->flags |= (VkPipelineCreateFlags)wanted;
    each->flags |= wanted;
    return;
  }
  VkBaseOutStructure *changed = NULL;
  each->prefix =
      vkm_chain_copy_prefix(head->pNext, (const VkBaseInStructure *)newer, &changed, &each->reason);
  if (each->prefix && changed) {
    ((VkPipelineCreateFlags2CreateInfo *)(void *)changed)->flags |= wanted;
    head->pNext = each->prefix;
    each->flags |= wanted;
  }
}

static void add_feedback(const struct vkm_capture *capture, struct vkm_capture_each *each,
                         const void *info, struct head *head) {
  each->no_feedback_reason = capture->device->statistics.no_feedback_reason;
  each->feedback = (const VkPipelineCreationFeedbackCreateInfo *)vkm_chain_find(
      head->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (each->feedback) {
    each->no_feedback_reason = NULL;
  } else if (!each->no_feedback_reason && with_binaries(head)) {
    each->no_feedback_reason = "not asked for where pipeline binaries are used";
  } else if (!each->no_feedback_reason) {
    uint32_t count;
    capture->form->stages(info, &count);
    count = count <= VKM_FEEDBACK_STAGE_CAP ? count : 0; /* all of them, or none */
    each->own = (VkPipelineCreationFeedbackCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pNext = head->pNext,
        .pPipelineCreationFeedback = &each->whole,
        .pipelineStageCreationFeedbackCount = count,
        .pPipelineStageCreationFeedbacks = count ? each->stages : NULL};
    each->feedback = &each->own;
    head->pNext = &each->own;
  }
}

/* True when something was added to the copy at `at`. */
static bool change(struct vkm_capture *capture, uint32_t index, unsigned char *at) {
  struct vkm_capture_each *each = &capture->each[index];
  const void *info = (const unsigned char *)capture->infos + index * capture->form->stride;
  struct head head = head_of(capture->infos, capture->form->stride, index);
  each->flags = flags_of(&head);
  uint64_t before = each->flags;
  uint64_t wanted = wanted_flags(capture, info, &head, &each->reason);
  if (wanted & ~each->flags) {
    add_flags(each, &head, wanted);
  }
  if (each->flags & STATISTICS) {
    each->reason = NULL; /* the application's own flag, too */
  }
  add_feedback(capture, each, info, &head);
  set_head(at, &head);
  return each->flags != before || each->feedback == &each->own;
}

void vkm_capture_begin(struct vkm_capture *capture, bool deferred) {
  size_t stride = capture->form->stride;
  if (deferred) {
    capture->reason = "its creation is deferred";
    return;
  }
  capture->changed = capture->count ? vkm_alloc(capture->count * stride) : NULL;
  capture->each = capture->count ? vkm_calloc(capture->count, sizeof *capture->each) : NULL;
  capture->made = capture->count ? vkm_calloc(capture->count, sizeof *capture->made) : NULL;
  if (!capture->changed || !capture->each || !capture->made) {
    vkm_capture_finish(capture);
    capture->reason = "memory was short when it was created";
    return;
  }
  memcpy(capture->changed, capture->infos, capture->count * stride);
  bool any = false;
  for (uint32_t i = 0; i < capture->count; i++) {
    any = change(capture, i, capture->changed + i * stride) || any;
  }
  if (!any) { /* then the application's own */
    vkm_free(capture->changed);
    capture->changed = NULL;
  }
}

/* ---- the call ---- */

/* What was made with the copies goes; the driver is asked again without. */
static void undo(struct vkm_capture *capture) {
  const struct vkm_device *device = capture->device;
  for (uint32_t i = 0; i < capture->count; i++) {
    struct vkm_capture_each *each = &capture->each[i];
    if (capture->made[i]) {
      device->table.DestroyPipeline(device->handle, capture->made[i], capture->allocator);
    }
    struct head head = head_of(capture->infos, capture->form->stride, i);
    if (each->flags != flags_of(&head)) {
      each->reason = "the driver refused the pipeline with it";
    }
    each->flags = flags_of(&head);
    if (each->feedback == &each->own) {
      each->feedback = NULL;
      each->no_feedback_reason = "the driver refused the pipeline with it";
    }
  }
}

/* How many pipelines there are, and how many of them the driver found in the program's cache; known
 * where it tells of each. */
static void note_made(const struct vkm_capture *capture, const VkPipeline *pipelines,
                      struct vkm_called *called) {
  called->hits_known = capture->each != NULL;
  for (uint32_t i = 0; i < capture->count && called->result != VK_OPERATION_DEFERRED_KHR; i++) {
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        capture->each ? capture->each[i].feedback : NULL;
    VkPipelineCreationFeedbackFlags flags =
        feedback ? feedback->pPipelineCreationFeedback->flags : 0;
    if (pipelines[i]) {
      called->made++;
      called->hits_known &= (flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) != 0;
      called->cache_hits +=
          (flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT) != 0;
    }
  }
}

static VkResult traced(const struct vkm_capture *capture, const struct vkm_inside *inside,
                       const VkPipeline *pipelines, VkResult result) {
  if (vkm_trace_on()) {
    struct vkm_called called = {.device = capture->device, .result = result};
    note_made(capture, pipelines, &called);
    vkm_trace_called(inside, called);
  }
  return result;
}

VkResult vkm_capture_create(struct vkm_capture *capture, vkm_capture_call call, void *context,
                            VkPipeline *pipelines, int64_t *wall_ns) {
  struct vkm_inside inside = vkm_activity_enter(capture->form->call);
  int64_t began_ns = inside.began_ns;
  if (capture->changed) {
    VkResult result = call(context, capture->changed, capture->made);
    *wall_ns = vkm_activity_leave(&inside);
    if (result >= VK_SUCCESS) {
      memcpy(pipelines, capture->made, capture->count * sizeof *pipelines);
      return traced(capture, &inside, pipelines, result);
    }
    undo(capture);
    inside = vkm_activity_enter(capture->form->call);
  }
  VkResult result = call(context, capture->infos, pipelines);
  *wall_ns = vkm_activity_leave(&inside);
  inside.began_ns = began_ns; /* to the application it was one call */
  return traced(capture, &inside, pipelines, result);
}

/* ---- what it says ---- */

static struct vkm_profile_feedback feedback_of(const VkPipelineCreationFeedback *from) {
  return (struct vkm_profile_feedback){
      .valid = from->flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT,
      .cache_hit = from->flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT,
      .base_acceleration =
          from->flags & VK_PIPELINE_CREATION_FEEDBACK_BASE_PIPELINE_ACCELERATION_BIT,
      .duration_ns = from->duration};
}

struct vkm_profile_compile vkm_capture_compile(const struct vkm_capture *capture, uint32_t index,
                                               uint64_t *flags) {
  struct vkm_profile_compile compile = {.not_captured_reason = capture->reason,
                                        .no_feedback_reason = capture->reason};
  struct head head = head_of(capture->infos, capture->form->stride, index);
  *flags = flags_of(&head);
  if (!capture->each) {
    return compile;
  }
  const struct vkm_capture_each *each = &capture->each[index];
  *flags = each->flags;
  compile.not_captured_reason = each->reason;
  compile.no_feedback_reason = each->no_feedback_reason;
  if (!each->feedback) {
    return compile;
  }
  compile.whole = feedback_of(each->feedback->pPipelineCreationFeedback);
  compile.no_feedback_reason = compile.whole.valid ? NULL : "the driver gave none";
  uint32_t count;
  const void *info = (const unsigned char *)capture->infos + index * capture->form->stride;
  const VkPipelineShaderStageCreateInfo *stages = capture->form->stages(info, &count);
  uint32_t given = each->feedback->pipelineStageCreationFeedbackCount;
  count = count < given ? count : given;
  count = count < VKM_FEEDBACK_STAGE_CAP ? count : VKM_FEEDBACK_STAGE_CAP;
  for (uint32_t i = 0; i < count; i++) {
    compile.stages[i].stage = stages[i].stage;
    compile.stages[i].feedback = feedback_of(&each->feedback->pPipelineStageCreationFeedbacks[i]);
  }
  compile.stage_count = count;
  return compile;
}

void vkm_capture_finish(struct vkm_capture *capture) {
  for (uint32_t i = 0; capture->each && i < capture->count; i++) {
    vkm_free(capture->each[i].prefix);
  }
  vkm_free(capture->changed);
  vkm_free(capture->each);
  vkm_free(capture->made);
  capture->changed = NULL;
  capture->each = NULL;
  capture->made = NULL;
}
