/* What a recording will run: ordered marks with their stamps. In: intercept/commands. Out:
 * recordings that timing/submit executes. A command buffer is externally synchronized, so nothing
 * here takes a lock but the taking of new storage. */
#ifndef VKM_LAYER_TIMING_RECORD_H
#define VKM_LAYER_TIMING_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "measure/aggregate.h"
#include "measure/moves.h"
#include "timing/cost.h"
#include "timing/indirect.h"
#include "timing/labels.h"
#include "timing/mode.h"
#include "timing/slots.h"

struct vkm_device;
struct vkm_pipeline_record;
struct vkm_execution;
struct vkm_plan;

#define VKM_NO_STAMP UINT32_MAX
enum { VKM_CHUNK_MARKS = 64, VKM_MARKS_MAX = 1024 * 1024 };

enum vkm_mark_flag {
  VKM_MARK_OVERLAP = 1,     /* no barrier of the application since the mark before it */
  VKM_MARK_FIRST_USE = 2,   /* first recorded use of its pipeline */
  VKM_MARK_ALL_STAGES = 4,  /* its stamps are of ALL_COMMANDS */
  VKM_MARK_CONDITIONAL = 8, /* inside conditional rendering, or perhaps, in a secondary */
  VKM_MARK_CONTROL = 16,    /* in a control recording: only the span around it is timed */
};

/* In place of a reason: the recording's mode decides of each command (timing/mode.h). */
enum { VKM_UNTIMED_SPECIAL = VKM_UNTIMED_COUNT + 1 };

/* One command that does GPU work. */
struct vkm_mark {
  struct vkm_pipeline_record *pipeline; /* NULL: none known to be bound */
  struct vkm_kernel_row *row;           /* found at the first harvest; device record's lock */
  uint32_t begin, end;                  /* stamp numbers; VKM_NO_STAMP: untimed */
  uint32_t phase;
  uint32_t groups[3]; /* of what moves bytes: see measure/moves.h, */
  uint32_t base[3];   /* and its bytes, the low half first; of an indirect dispatch: its slot */
  uint8_t kind;       /* enum vkm_kind */
  uint8_t flags;      /* enum vkm_mark_flag */
  uint8_t untimed;    /* enum vkm_untimed, where begin is VKM_NO_STAMP */
};

/* What one execution of the mark moves, where it is known. */
static inline uint64_t vkm_mark_bytes(const struct vkm_mark *mark) {
  return vkm_kind_moves(mark->kind) ? mark->base[0] | (uint64_t)mark->base[1] << 32 : 0;
}

struct vkm_mark_chunk {
  struct vkm_mark_chunk *next;
  struct vkm_mark marks[VKM_CHUNK_MARKS];
};

/* A recorded command buffer, from vkBeginCommandBuffer until nobody needs it. Counted references:
 * the command buffer, each pending execution, each primary that executes it. */
struct vkm_recording {
  atomic_uint references;
  uint32_t mark_count;
  uint32_t stop; /* number of the mark before which there is something else to do */
  struct vkm_device *device;
  struct vkm_recording *next_reset; /* of a submit call under way */
  struct vkm_recording *next_spare;
  struct vkm_mark_chunk *chunks, *last_chunk;
  struct vkm_block *blocks, *last_block;
  uint32_t dispatch_count; /* of all forms, also those without a mark; known at its end */
  uint32_t stamp_count;
  uint32_t closing; /* stamp number of the closing stamp, VKM_NO_STAMP: none */
  uint32_t family;
  bool one_time, simultaneous, secondary;
  bool reset_inside; /* queries are reset by a command inside the recording, not by the host */
  bool continues_render_pass;
  const char *no_span_reason;                          /* static; why there is no closing stamp */
  uint8_t mode;                                        /* enum vkm_mode */
  bool cut;                                            /* some commands lay outside the window */
  uint32_t stamp_limit;                                /* UINT32_MAX none */
  uint32_t window_first, window_count, windows_needed; /* marks that are timed; needed 0: a guess */
  uint32_t timed_count;                                /* marks with stamps, where a limit holds */
  uint32_t event_count; /* GPU events that an execution gives the timeline, 0 without one */

  struct vkm_recording **children; /* secondaries in order of execution; references held */
  uint32_t child_count, child_capacity;

  uint64_t lost_total;
  uint64_t lost_marks[VKM_KIND_COUNT]; /* commands that found no memory for a mark */

  /* Copies of the arguments of its indirect dispatches. */
  struct vkm_argument_block *arguments, *last_arguments;
  uint32_t argument_count;

  /* Found when it is counted first; guarded by the device record's lock. */
  bool plan_known;
  struct vkm_plan *plan; /* NULL: none found a place */

  /* Executions; guarded by the submissions' lock. */
  struct vkm_execution *last; /* the latest pending one, NULL: none */
  uint64_t execution_count;
  bool needs_reset;      /* the queries were written: host reset before the next execution */
  bool suspended;        /* two executions overlapped: untimed until a wait covers all of them */
  uint8_t suspended_why; /* enum vkm_missed */
  uint32_t uncovered;    /* executions concluded but not covered */
  bool forsaken;         /* see vkm_submit_forsake */
  struct vkm_recording *next_forsaken;

  /* Owned by whoever reads (vkm_execution.reading). */
  uint64_t *ticks; /* values of the execution read last, one a stamp; NULL before the first read */
  uint64_t *scratch; /* those being read; as large */
  uint32_t tick_capacity;
  bool read_before; /* `ticks` are of an earlier execution: an equal value is that one's */
};

/* The number of the stamp that is written last; of a recording that has stamps. */
static inline uint32_t vkm_last_stamp(const struct vkm_recording *recording) {
  return recording->closing != VKM_NO_STAMP ? recording->closing : recording->stamp_count - 1;
}

/* A command pool. */
struct vkm_pool {
  VkCommandPool handle;
  struct vkm_device *device;
  uint32_t family;
  bool is_protected;
  uint32_t last_stamps; /* stamps of the pool's previous recording: sizes the next first block */
  struct vkm_extent extent;   /* of the pool's previous recording with a limit of stamps */
  struct vkm_cmdbuf *cmdbufs; /* all of them; externally synchronized with the pool */
  struct vkm_pool *next;      /* while a device ends */
};

/* A command buffer. Its storage is never returned to the system while the process lives (see
 * vkm_cmdbuf_of). */
struct vkm_cmdbuf {
  _Atomic(VkCommandBuffer) handle; /* NULL while spare */
  struct vkm_device *device;
  struct vkm_pool *pool;
  struct vkm_cmdbuf *next, *previous; /* in the pool */
  struct vkm_recording *recording;    /* NULL: nothing recorded, or not profiled */
  bool secondary;
  struct vkm_extent extent; /* of its previous recording with a limit of stamps */

  /* State of the recording in progress. */
  bool recording_now;
  bool isolated; /* its mode puts barriers around each command */
  bool around;   /* more than a stamp comes behind a command: it is isolated, or timed by `probe` */
  struct vkm_cost_probe probe;
  VkPipelineStageFlagBits
      dispatch_stage; /* of stamps around dispatches; around all else: ALL_COMMANDS */
  VkPipelineStageFlagBits last_stage; /* of the last stamp */
  uint8_t untimed; /* enum vkm_untimed, or VKM_UNTIMED_COUNT: stamps may be placed, or SPECIAL */
  bool in_render_pass, rendering_suspended, performance_query, conditional;
  struct vkm_mark *pass; /* the render pass being recorded, NULL: none with a mark */
  bool chained;          /* only state setting since the last end stamp: it may serve as a begin */
  bool barrier;          /* a barrier of the application since the last mark */
  uint32_t last_stamp;   /* the last stamp written, VKM_NO_STAMP none */
  uint32_t judged_phase; /* `judged_chosen`: capture_label matches it; UINT32_MAX: none yet */
  bool judged_chosen;
  struct vkm_pipeline_record *pipeline; /* bound compute pipeline */
  uint32_t recorded[VKM_KIND_COUNT];    /* since the last flush to the device record */
  struct vkm_labels labels;
};

/* One command that does GPU work, as it is seen by a hook. */
struct vkm_work {
  enum vkm_kind kind;
  uint32_t groups[3];
  uint32_t base[3];
};

/* What the application did between two of our marks. */
enum vkm_between { VKM_BETWEEN_WORK, VKM_BETWEEN_BARRIER };

/* vkBeginCommandBuffer succeeded / is about to be called: a new recording (the old one is let go).
 */
void vkm_record_begin(struct vkm_cmdbuf *cmdbuf, const VkCommandBufferBeginInfo *info);
/* Before the driver's vkEndCommandBuffer: the closing stamp. */
void vkm_record_end(struct vkm_cmdbuf *cmdbuf);
/* The command buffer's content is gone: reset, freed, pool reset. */
void vkm_record_drop(struct vkm_cmdbuf *cmdbuf);
/* Directly before / after the driver's command. `before` returns the mark to hand to `after`, or
 * NULL. */
struct vkm_mark *vkm_record_before(struct vkm_cmdbuf *cmdbuf, const struct vkm_work *work);
void vkm_record_after(struct vkm_cmdbuf *cmdbuf, struct vkm_mark *mark);
/* A command that is more than state setting was recorded. */
static inline void vkm_record_between(struct vkm_cmdbuf *cmdbuf, enum vkm_between what) {
  cmdbuf->chained = false;
  if (what == VKM_BETWEEN_BARRIER) {
    cmdbuf->barrier = true;
  }
}
/* Around a render pass or dynamic rendering as a whole. `unbroken` false: it is suspended or
 * resumed, no stamp may be placed around it. */
void vkm_record_pass_begin(struct vkm_cmdbuf *cmdbuf, bool unbroken);
void vkm_record_pass_end(struct vkm_cmdbuf *cmdbuf);
/* vkCmdExecuteCommands: the secondaries' marks run here. In timing/secondary.c. */
void vkm_record_execute(struct vkm_cmdbuf *cmdbuf, uint32_t count, const VkCommandBuffer *handles);

/* An empty recording with one reference, and room for more marks; NULL when memory is short. Any
 * thread. These and the next are in timing/recordings.c. */
struct vkm_recording *vkm_recording_take(struct vkm_device *device);
struct vkm_mark_chunk *vkm_recording_chunk(struct vkm_device *device);
/* References of a recording. `release` gives its queries and storage back at zero. Any thread. */
void vkm_recording_retain(struct vkm_recording *recording);
void vkm_recording_release(struct vkm_recording *recording);
/* Storage kept for reuse by the device, freed. Only at vkDestroyDevice. */
void vkm_recordings_finish(struct vkm_device *device);

#endif
