/* A timeline's report as sheets. In: judged rows. Out: columns. Next: the formats. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "views/trace_views.h"
#include "views/units.h"

#define ITEM(type) ((const struct type *)((const struct vkm_trace_row *)at)->item)
#define REPORT (((const struct vkm_trace_row *)at)->report)

#define VALUE(function, type, number, present)                                                     \
  static bool function(const void *at, const struct vkm_column *column, double *out) {             \
    const struct type *row = ITEM(type);                                                           \
    (void)column;                                                                                  \
    *out = (double)(number);                                                                       \
    return (present);                                                                              \
  }
#define PRINT(function, type, string)                                                              \
  static void function(const void *at, const struct vkm_column *column,                            \
                       const struct vkm_view_settings *settings, struct vkm_text *text) {          \
    const struct type *row = ITEM(type);                                                           \
    (void)column;                                                                                  \
    vkm_sheet_name(string, settings, text);                                                        \
  }
#define WORDS(name, ident, head, printer, ...)                                                     \
  static const struct vkm_column name = {                                                          \
      .id = (ident), .header = (head), .kind = VKM_COLUMN_TEXT, .print = (printer), __VA_ARGS__}
#define NUMBER(name, ident, head, sort, getter, ...)                                               \
  static const struct vkm_column name = {                                                          \
      .id = (ident), .header = (head), .kind = (sort), .width = 6, .value = (getter), __VA_ARGS__}

static const struct vkm_timeline_call *call_at(const struct vkm_timeline_report *report,
                                               uint32_t index) {
  return index == VKM_TIMELINE_NONE ? NULL : &report->timeline->calls[index];
}

static const char *call_name(const struct vkm_timeline_report *report, uint32_t index) {
  const struct vkm_timeline_call *call = call_at(report, index);
  return call == NULL ? NULL : call->name;
}

/* "main (4242)". */
static void append_thread(const struct vkm_timeline_thread *thread,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  char number[32];
  snprintf(number, sizeof number, "%" PRId32, thread->tid);
  if (thread->name == NULL || settings->raw) {
    vkm_text_string(text, number);
    return;
  }
  vkm_sheet_name(thread->name, settings, text);
  vkm_text_string(text, " (");
  vkm_text_string(text, number);
  vkm_text_string(text, ")");
}

static bool several(const struct vkm_sheet *sheet) {
  const struct vkm_timeline_report *report = sheet->about;
  return report->timeline->process_count > 1;
}

/* Queues. */
PRINT(queue_name, vkm_queue_times, row->queue->name)
PRINT(queue_process, vkm_queue_times, row->process->name)
VALUE(queue_pid, vkm_queue_times, row->process->pid, true)
VALUE(queue_span, vkm_queue_times, row->span_ns, true)
VALUE(queue_busy, vkm_queue_times, row->busy_ns, true)
VALUE(queue_share, vkm_queue_times, row->busy_share, row->span_ns > 0)
VALUE(queue_idle, vkm_queue_times, row->idle_ns, true)
VALUE(queue_gaps, vkm_queue_times, row->gap_count, true)
VALUE(queue_largest, vkm_queue_times, row->largest_gap_ns, row->gap_count > 0)
VALUE(queue_commands, vkm_queue_times, row->commands, true)
VALUE(queue_submits, vkm_queue_times, row->submits, true)
WORDS(QUEUE_NAME, "queue", "queue", queue_name);
WORDS(QUEUE_PROCESS, "process", "process", queue_process, .shown = several);
NUMBER(QUEUE_PID, "pid", "pid", VKM_COLUMN_COUNT, queue_pid, .shown = several);
NUMBER(QUEUE_SPAN, "span_ns", "span", VKM_COLUMN_TOTAL, queue_span);
NUMBER(QUEUE_BUSY, "busy_ns", "busy", VKM_COLUMN_TOTAL, queue_busy);
NUMBER(QUEUE_SHARE, "busy_share", "busy%", VKM_COLUMN_PERCENT, queue_share);
NUMBER(QUEUE_IDLE, "idle_ns", "idle", VKM_COLUMN_TOTAL, queue_idle);
NUMBER(QUEUE_GAPS, "gaps", "gaps", VKM_COLUMN_COUNT, queue_gaps);
NUMBER(QUEUE_LARGEST, "largest_gap_ns", "largest", VKM_COLUMN_TOTAL, queue_largest, .dash = true);
NUMBER(QUEUE_COMMANDS, "commands", "commands", VKM_COLUMN_COUNT, queue_commands);
NUMBER(QUEUE_SUBMITS, "submits", "submits", VKM_COLUMN_COUNT, queue_submits);
static const struct vkm_column *const QUEUES[] = {
    &QUEUE_NAME, &QUEUE_PROCESS, &QUEUE_SPAN,    &QUEUE_BUSY,     &QUEUE_SHARE,
    &QUEUE_IDLE, &QUEUE_GAPS,    &QUEUE_LARGEST, &QUEUE_COMMANDS, &QUEUE_SUBMITS};
static const struct vkm_column *const ALL_QUEUES[] = {
    &QUEUE_NAME, &QUEUE_PROCESS, &QUEUE_PID,     &QUEUE_SPAN,     &QUEUE_BUSY,   &QUEUE_SHARE,
    &QUEUE_IDLE, &QUEUE_GAPS,    &QUEUE_LARGEST, &QUEUE_COMMANDS, &QUEUE_SUBMITS};

/* Gaps. */
PRINT(gap_queue, vkm_gap, row->times->queue->name)
PRINT(gap_cause, vkm_gap, call_name(REPORT, row->cause))
PRINT(gap_before, vkm_gap, REPORT->timeline->names[REPORT->timeline->slices[row->before].name])
PRINT(gap_after, vkm_gap, REPORT->timeline->names[REPORT->timeline->slices[row->after].name])
VALUE(gap_pid, vkm_gap, row->times->process->pid, true)
VALUE(gap_at, vkm_gap, row->begin_ns - REPORT->timeline->begin_ns, true)
VALUE(gap_length, vkm_gap, row->end_ns - row->begin_ns, true)
VALUE(gap_wait, vkm_gap, row->wait_ns, row->has_wait)
VALUE(gap_program, vkm_gap, row->program_ns, row->has_submit)
VALUE(gap_submit, vkm_gap, row->submit_ns, row->has_submit)
VALUE(gap_launch, vkm_gap, row->launch_ns, row->has_submit)
VALUE(gap_cause_ns, vkm_gap, row->cause_ns, row->cause != VKM_TIMELINE_NONE)
static void gap_thread(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline_call *call = call_at(REPORT, ITEM(vkm_gap)->cause);
  (void)column;
  if (call != NULL) {
    append_thread(&REPORT->timeline->threads[call->thread], settings, text);
  }
}
WORDS(GAP_QUEUE, "queue", "gap of", gap_queue);
WORDS(GAP_CAUSE, "cause", "meanwhile", gap_cause,
      .about = "the call that lies within the gap longest");
WORDS(GAP_THREAD, "cause_thread", "of thread", gap_thread);
WORDS(GAP_BEFORE, "before", "behind", gap_before);
WORDS(GAP_AFTER, "after", "before", gap_after);
NUMBER(GAP_PID, "pid", "pid", VKM_COLUMN_COUNT, gap_pid);
NUMBER(GAP_AT, "at_ns", "at", VKM_COLUMN_TOTAL, gap_at);
NUMBER(GAP_LENGTH, "gap_ns", "length", VKM_COLUMN_TIME, gap_length, .scales = true);
NUMBER(GAP_WAIT, "wait_ns", "wait", VKM_COLUMN_TIME, gap_wait, .dash = true,
       .about = "from the end of the work until the wait for it had returned");
NUMBER(GAP_PROGRAM, "program_ns", "program", VKM_COLUMN_TIME, gap_program, .dash = true,
       .about = "from there until the next submit began");
NUMBER(GAP_SUBMIT, "submit_ns", "submit", VKM_COLUMN_TIME, gap_submit, .dash = true,
       .about = "within the submit");
NUMBER(GAP_LAUNCH, "launch_ns", "launch", VKM_COLUMN_TIME, gap_launch, .dash = true,
       .about = "from there until the queue began");
NUMBER(GAP_CAUSE_NS, "cause_ns", "of it", VKM_COLUMN_TIME, gap_cause_ns, .dash = true);
static const struct vkm_column *const GAPS[] = {&GAP_QUEUE,    &GAP_AT,     &GAP_LENGTH, &GAP_WAIT,
                                                &GAP_PROGRAM,  &GAP_SUBMIT, &GAP_LAUNCH, &GAP_CAUSE,
                                                &GAP_CAUSE_NS, &GAP_THREAD};
static const struct vkm_column *const ALL_GAPS[] = {
    &GAP_QUEUE,  &GAP_PID,  &GAP_AT,      &GAP_LENGTH, &GAP_BEFORE, &GAP_AFTER,   &GAP_CAUSE,
    &GAP_THREAD, &GAP_WAIT, &GAP_PROGRAM, &GAP_SUBMIT, &GAP_LAUNCH, &GAP_CAUSE_NS};

/* Submits that follow each other. */
static void submit_name(const void *at, const struct vkm_column *column,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline_call *call = call_at(REPORT, ITEM(vkm_submit_gap)->after);
  (void)column;
  vkm_sheet_name(call->name, settings, text);
}
static void submit_thread(const void *at, const struct vkm_column *column,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline_call *call = call_at(REPORT, ITEM(vkm_submit_gap)->after);
  (void)column;
  append_thread(&REPORT->timeline->threads[call->thread], settings, text);
}
PRINT(submit_cause, vkm_submit_gap, call_name(REPORT, row->cause))
VALUE(submit_number, vkm_submit_gap, call_at(REPORT, row->after)->submission,
      call_at(REPORT, row->after)->submission != 0)
VALUE(submit_at, vkm_submit_gap, call_at(REPORT, row->before)->end_ns - REPORT->timeline->begin_ns,
      true)
VALUE(submit_gap, vkm_submit_gap, row->gap_ns, true)
VALUE(submit_starved, vkm_submit_gap, row->starved_ns, row->has_queue)
VALUE(submit_inside, vkm_submit_gap, row->inside_ns, true)
VALUE(submit_outside, vkm_submit_gap, row->outside_ns, true)
VALUE(submit_cause_ns, vkm_submit_gap, row->cause_ns, row->cause != VKM_TIMELINE_NONE)
WORDS(SUBMIT_NAME, "submit", "before", submit_name);
WORDS(SUBMIT_THREAD, "thread", "of thread", submit_thread);
WORDS(SUBMIT_CAUSE, "cause", "mostly in", submit_cause);
NUMBER(SUBMIT_NUMBER, "submission", "number", VKM_COLUMN_COUNT, submit_number, .dash = true);
NUMBER(SUBMIT_AT, "at_ns", "at", VKM_COLUMN_TOTAL, submit_at);
NUMBER(SUBMIT_GAP, "gap_ns", "gap", VKM_COLUMN_TIME, submit_gap, .scales = true,
       .about = "from the return of the submit before until this one began");
NUMBER(SUBMIT_STARVED, "starved_ns", "starved", VKM_COLUMN_TIME, submit_starved, .dash = true,
       .about = "of it the queue had nothing to do");
NUMBER(SUBMIT_INSIDE, "inside_ns", "in calls", VKM_COLUMN_TIME, submit_inside);
NUMBER(SUBMIT_OUTSIDE, "outside_ns", "program", VKM_COLUMN_TIME, submit_outside,
       .about = "of it the thread was in none of the calls that the trace has");
NUMBER(SUBMIT_CAUSE_NS, "cause_ns", "of it", VKM_COLUMN_TIME, submit_cause_ns, .dash = true);
static const struct vkm_column *const SUBMITS[] = {
    &SUBMIT_NAME,   &SUBMIT_NUMBER,  &SUBMIT_AT,    &SUBMIT_GAP,      &SUBMIT_STARVED,
    &SUBMIT_INSIDE, &SUBMIT_OUTSIDE, &SUBMIT_CAUSE, &SUBMIT_CAUSE_NS, &SUBMIT_THREAD};

/* Threads. */
static void thread_name(const void *at, const struct vkm_column *column,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline_thread *thread = ITEM(vkm_thread_times)->thread;
  (void)column;
  if (settings->raw) {
    vkm_sheet_name(thread->name, settings, text);
  } else {
    append_thread(thread, settings, text);
  }
}
PRINT(thread_process, vkm_thread_times, row->process->name)
PRINT(thread_kind, vkm_thread_times, row->kind)
VALUE(thread_pid, vkm_thread_times, row->process->pid, true)
VALUE(thread_tid, vkm_thread_times, row->thread->tid, true)
VALUE(thread_count, vkm_thread_times, row->count, true)
VALUE(thread_total, vkm_thread_times, row->total_ns, true)
VALUE(thread_median, vkm_thread_times, row->median_ns, true)
VALUE(thread_max, vkm_thread_times, row->max_ns, true)
WORDS(THREAD_NAME, "thread", "thread", thread_name);
WORDS(THREAD_PROCESS, "process", "process", thread_process, .shown = several);
WORDS(THREAD_KIND, "kind", "in", thread_kind);
NUMBER(THREAD_PID, "pid", "pid", VKM_COLUMN_COUNT, thread_pid);
NUMBER(THREAD_TID, "tid", "tid", VKM_COLUMN_COUNT, thread_tid);
NUMBER(THREAD_COUNT, "calls", "calls", VKM_COLUMN_COUNT, thread_count);
NUMBER(THREAD_TOTAL, "total_ns", "total", VKM_COLUMN_TOTAL, thread_total);
NUMBER(THREAD_MEDIAN, "median_ns", "median", VKM_COLUMN_TIME, thread_median, .scales = true);
NUMBER(THREAD_MAX, "max_ns", "longest", VKM_COLUMN_TIME, thread_max);
static const struct vkm_column *const THREADS[] = {&THREAD_NAME,  &THREAD_PROCESS, &THREAD_KIND,
                                                   &THREAD_COUNT, &THREAD_TOTAL,   &THREAD_MEDIAN,
                                                   &THREAD_MAX};
static const struct vkm_column *const ALL_THREADS[] = {
    &THREAD_NAME,  &THREAD_PROCESS, &THREAD_KIND,   &THREAD_PID, &THREAD_TID,
    &THREAD_COUNT, &THREAD_TOTAL,   &THREAD_MEDIAN, &THREAD_MAX};

/* Kernels. */
static void kernel_groups(const void *at, const struct vkm_column *column,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_kernel_times *row = ITEM(vkm_kernel_times);
  char groups[64];
  (void)column;
  (void)settings;
  if (row->has_groups) {
    snprintf(groups, sizeof groups, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, row->groups[0],
             row->groups[1], row->groups[2]);
    vkm_text_string(text, groups);
  }
}
static void kernel_digits(const void *at, const struct vkm_column *column,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  char digits[9];
  const char *identity = ITEM(vkm_kernel_times)->identity;
  (void)column;
  snprintf(digits, sizeof digits, "%.8s", identity == NULL ? "" : identity);
  vkm_sheet_name(settings->raw ? identity : digits, settings, text);
}
PRINT(kernel_name, vkm_kernel_times, row->name)
PRINT(kernel_kind, vkm_kernel_times, row->kind)
VALUE(kernel_count, vkm_kernel_times, row->count, true)
VALUE(kernel_total, vkm_kernel_times, row->total_ns, true)
VALUE(kernel_share, vkm_kernel_times, row->share, true)
VALUE(kernel_median, vkm_kernel_times, row->median_ns, true)
VALUE(kernel_min, vkm_kernel_times, row->min_ns, true)
VALUE(kernel_max, vkm_kernel_times, row->max_ns, true)
WORDS(KERNEL_NAME, "name", "kernel", kernel_name);
WORDS(KERNEL_KIND, "kind", "kind", kernel_kind);
WORDS(KERNEL_IDENTITY, "identity", "identity", kernel_digits);
WORDS(KERNEL_GROUPS, "groups", "groups", kernel_groups, .right = true);
NUMBER(KERNEL_COUNT, "calls", "calls", VKM_COLUMN_COUNT, kernel_count);
NUMBER(KERNEL_TOTAL, "total_ns", "total", VKM_COLUMN_TOTAL, kernel_total);
NUMBER(KERNEL_SHARE, "share", "share", VKM_COLUMN_PERCENT, kernel_share);
NUMBER(KERNEL_MEDIAN, "median_ns", "median", VKM_COLUMN_TIME, kernel_median, .scales = true);
NUMBER(KERNEL_MIN, "min_ns", "min", VKM_COLUMN_TIME, kernel_min);
NUMBER(KERNEL_MAX, "max_ns", "max", VKM_COLUMN_TIME, kernel_max);
static const struct vkm_column *const KERNELS[] = {
    &KERNEL_NAME,  &KERNEL_KIND,  &KERNEL_IDENTITY, &KERNEL_GROUPS, &KERNEL_COUNT,
    &KERNEL_TOTAL, &KERNEL_SHARE, &KERNEL_MEDIAN,   &KERNEL_MIN,    &KERNEL_MAX};

/* What differs from the profile. */
PRINT(difference_what, vkm_timeline_difference, row->what)
VALUE(difference_trace, vkm_timeline_difference, row->trace, true)
VALUE(difference_profile, vkm_timeline_difference, row->profile, true)
WORDS(DIFFERENCE_WHAT, "what", "differs from the profile", difference_what);
NUMBER(DIFFERENCE_TRACE, "trace", "trace", VKM_COLUMN_COUNT, difference_trace);
NUMBER(DIFFERENCE_PROFILE, "profile", "profile", VKM_COLUMN_COUNT, difference_profile);
static const struct vkm_column *const DIFFERENCES[] = {&DIFFERENCE_WHAT, &DIFFERENCE_TRACE,
                                                       &DIFFERENCE_PROFILE};

static void fill(struct vkm_sheet *sheet, const struct vkm_timeline_report *report,
                 struct vkm_trace_row **rows, const void *items, size_t stride, size_t count) {
  sheet->rows = *rows;
  sheet->stride = sizeof **rows;
  sheet->row_count = count;
  sheet->about = report;
  const char *item = items;
  for (size_t i = 0; i < count; i++, item += stride) {
    **rows = (struct vkm_trace_row){report, item};
    ++*rows;
  }
}

#define SHEET(ident, people, programs)                                                             \
  (struct vkm_sheet) {                                                                             \
    .id = (ident), .columns = (people), .column_count = VKM_COUNT(people), .all = (programs),      \
    .all_count = VKM_COUNT(programs)                                                               \
  }

bool vkm_trace_sheets_init(struct vkm_trace_sheets *sheets,
                           const struct vkm_timeline_report *report,
                           const struct vkm_view_settings *settings) {
  struct vkm_sheet *items = sheets->items;
  size_t count = report->queue_count + report->gap_count + report->submit_count +
                 report->thread_count + report->kernel_count + report->difference_count;
  struct vkm_trace_row *rows = sheets->rows = malloc((count + 1) * sizeof *rows);
  if (rows == NULL) {
    return false;
  }
  items[VKM_TRACE_QUEUES] = SHEET("queues", QUEUES, ALL_QUEUES);
  items[VKM_TRACE_GAPS] = SHEET("gaps", GAPS, ALL_GAPS);
  items[VKM_TRACE_SUBMITS] = SHEET("submits", SUBMITS, SUBMITS);
  items[VKM_TRACE_THREADS] = SHEET("threads", THREADS, ALL_THREADS);
  items[VKM_TRACE_KERNELS] = SHEET("kernels", KERNELS, KERNELS);
  items[VKM_TRACE_DIFFERENCES] = SHEET("differences", DIFFERENCES, DIFFERENCES);
#define FILL(which, member, number)                                                                \
  fill(&items[which], report, &rows, report->member, sizeof *report->member, report->number)
  FILL(VKM_TRACE_QUEUES, queues, queue_count);
  FILL(VKM_TRACE_GAPS, gaps, gap_count);
  FILL(VKM_TRACE_SUBMITS, submits, submit_count);
  FILL(VKM_TRACE_THREADS, threads, thread_count);
  FILL(VKM_TRACE_KERNELS, kernels, kernel_count);
  FILL(VKM_TRACE_DIFFERENCES, differences, difference_count);
#undef FILL
  for (size_t i = 0; i < VKM_TRACE_SHEETS; i++) {
    items[i].shown = vkm_sheet_top(items[i].row_count, settings->top);
  }
  return true;
}

void vkm_trace_sheets_finish(struct vkm_trace_sheets *sheets) {
  free(sheets->rows);
  sheets->rows = NULL;
}
