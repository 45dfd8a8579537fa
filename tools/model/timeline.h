/* What a timeline says: how busy queues were, what they waited for, where threads and kernels spent
 * their time. In: a trace that was read. Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_TIMELINE_H
#define VKM_TOOLS_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timeline/trace_read.h"

struct vkm_read_profile;

struct vkm_timeline_settings {
  int64_t min_gap_ns; /* shorter gaps are counted and not listed */
};

/* Times from first to last of a queue in which something timed ran, disjoint, in order. */
struct vkm_busy_part {
  int64_t begin_ns, end_ns;
  int64_t before_ns; /* busy time of the parts before */
};

struct vkm_queue_times {
  const struct vkm_timeline_queue *queue;
  const struct vkm_timeline_process *process;
  struct vkm_busy_part *parts; /* owned */
  size_t part_count;
  uint64_t commands, submits;
  int64_t span_ns;   /* from the first command's begin to the last one's end */
  int64_t busy_ns;   /* union of the commands */
  double busy_share; /* of the span; 0 where that is 0 */
  int64_t idle_ns;   /* the rest of the span: the sum of the gaps */
  uint64_t gap_count;
  int64_t largest_gap_ns;
};

/* A time in which a queue had nothing to do between two commands. The four parts add up to it,
 * those that are not known are 0 and in the next one. */
struct vkm_gap {
  const struct vkm_queue_times *times;
  int64_t begin_ns, end_ns;
  size_t before, after; /* slices */
  uint32_t cause;       /* call that lies within it longest; VKM_TIMELINE_NONE: none does */
  int64_t cause_ns;     /* so long */
  bool has_submit;      /* the call that submitted what ended it is known */
  bool has_wait;        /* a wait saw the work before it finish, before that submit */
  int64_t wait_ns;      /* from the end of the work until the wait had returned */
  int64_t program_ns;   /* from there until the submit began */
  int64_t submit_ns;    /* within the submit */
  int64_t launch_ns;    /* from there until the queue began */
};

/* The time between two submits of a thread that follow each other. */
struct vkm_submit_gap {
  uint32_t before, after; /* calls */
  int64_t gap_ns;         /* from the return of one until the begin of the next */
  bool has_queue;         /* something timed was submitted by the second */
  int64_t starved_ns;     /* in it the queue of the second had nothing to do */
  int64_t inside_ns;      /* in it the thread was inside other calls */
  int64_t outside_ns;     /* and this is the rest: the program's own time */
  uint32_t cause;         /* as of gaps; calls of this thread */
  int64_t cause_ns;
};

/* Calls of one thread for one purpose. */
struct vkm_thread_times {
  const struct vkm_timeline_thread *thread;
  const struct vkm_timeline_process *process;
  const char *kind; /* "submit", "wait", ...; static */
  uint64_t count;
  int64_t total_ns, max_ns; /* a call within another counts in both */
  double median_ns;
};

/* Executions of one shader with one group count, or of one kind of command. */
struct vkm_kernel_times {
  const char *name;
  const char *identity; /* NULL: none */
  const char *kind;     /* as in the profile */
  bool has_groups;
  uint32_t groups[3];
  uint64_t count;
  int64_t total_ns, min_ns, max_ns;
  double median_ns;
  double share; /* of the sum of all */
};

/* One figure that a profile and the trace do not agree on. */
struct vkm_timeline_difference {
  char *what; /* owned */
  double trace, profile;
};

struct vkm_timeline_report {
  const struct vkm_timeline *timeline; /* borrowed */
  struct vkm_queue_times *queues;
  size_t queue_count;
  struct vkm_gap *gaps; /* longest first */
  size_t gap_count;
  uint64_t short_gaps;            /* not listed */
  struct vkm_submit_gap *submits; /* most starved first, then longest */
  size_t submit_count;
  struct vkm_thread_times *threads; /* by thread, most time first */
  size_t thread_count;
  struct vkm_kernel_times *kernels; /* most time first */
  size_t kernel_count;
  int64_t total_ns;    /* of all kernels */
  const char *profile; /* path of the profile that it was held against; NULL: none */
  struct vkm_timeline_difference *differences;
  size_t difference_count;
};

/* `timeline` has to outlive it. False: out of memory, reported. */
bool vkm_timeline_report_build(struct vkm_timeline_report *report,
                               const struct vkm_timeline *timeline,
                               const struct vkm_timeline_settings *settings)
    __attribute__((warn_unused_result));
/* Holds it against a profile of the same run: counts, sums and single times of all that was
 * measured. False: out of memory, reported. */
bool vkm_timeline_report_hold(struct vkm_timeline_report *report,
                              const struct vkm_read_profile *profile, const char *path)
    __attribute__((warn_unused_result));
void vkm_timeline_report_finish(struct vkm_timeline_report *report);

/* "submit", "wait", "build", ...; "memory", "present" and "other" are no kinds of the profile. */
const char *vkm_timeline_kind_of(const struct vkm_timeline_call *call);
/* A number for a lane of a queue that no thread of Linux has and no other lane. */
enum { VKM_TIMELINE_LABELS = 255 /* the lane of labels */ };
uint64_t vkm_timeline_lane(uint32_t queue, unsigned lane);
/* As in the profile, or the slice's own name. */
const char *vkm_timeline_slice_kind(const struct vkm_timeline *timeline,
                                    const struct vkm_timeline_slice *slice);

#endif
