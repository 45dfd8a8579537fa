/* The command line. One table of options (options.c) feeds parsing, checks and help. Main thread.
 */
#ifndef VKM_TOOLS_ARGS_H
#define VKM_TOOLS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "export/sink.h"
#include "model/comparison.h"
#include "views/view.h"

enum { VKM_CATEGORIES_MAX = 64 };
enum { VKM_TAGS_MAX = 32, VKM_OUTPUTS_MAX = 16, VKM_RENAMES_MAX = 256, VKM_REPEAT_MAX = 100000 };

/* Which of the two lists of compare operands belong to. */
enum vkm_list { VKM_BASE_LIST = 0, VKM_NEW_LIST, VKM_NO_LIST };
struct vkm_list_span {
  bool given;
  size_t first, count; /* among the operands */
};

struct vkm_trace_view;
struct vkm_output_request {
  const struct vkm_view *view;
  const char *path;                        /* NULL: stdout */
  const struct vkm_trace_view *trace_view; /* of trace, instead */
};

/* All strings point into argv. */
struct vkm_args {
  const struct vkm_command *command; /* NULL: none was given */
  bool help, version, quiet;
  const char *profile; /* run writes it, trace is held against it */
  const char *require;
  unsigned repeat; /* run: how often, 1 or more */
  bool repeat_given;
  bool control, cold, keep_going; /* run */
  int64_t timeout_ns;             /* run: 0 none */
  bool selftest, json;            /* doctor */
  const char *tags[VKM_TAGS_MAX]; /* K=V, checked */
  size_t tag_count;
  struct vkm_output_request outputs[VKM_OUTPUTS_MAX];
  size_t output_count;
  struct vkm_view_settings view; /* as asked; the terminal's own properties are found later */
  const char *matrix;            /* report: keys of tags with commas; NULL: no matrix */
  unsigned warmup;               /* first executions of a pipeline that are set aside: 0 or 1 */
  struct vkm_compare_settings compare;
  bool threshold_given;
  struct vkm_rename renames[VKM_RENAMES_MAX];
  unsigned fail_on;               /* bits 1u << enum vkm_gate_kind; of suite VKM_SUITE_GATE_* too */
  const char *noise;              /* path; NULL: none */
  const char *baseline_dir;       /* NULL: as the environment says */
  const char *file;               /* path that noise writes to; NULL: stdout. suite: folder */
  int64_t min_gap_ns;             /* trace */
  const char *trace;              /* path of a trace; NULL: none, run: as the environment says */
  const char *trace_style;        /* run: NULL as the environment says */
  struct vkm_sink_request export; /* what is written; its path is `file` */
  /* suite */
  const char *workloads, *backend, *baseline;
  const char *categories[VKM_CATEGORIES_MAX], *excluded[VKM_CATEGORIES_MAX];
  size_t category_count, excluded_count;
  enum vkm_list list; /* that operands are being added to */
  struct vkm_list_span lists[VKM_NO_LIST];
  char **operands; /* what is no option: files, a topic, or the program and its arguments */
  size_t operand_count;
};

/* Reads argv[1..]. False: reported on stderr, the exit code is that of bad arguments. */
bool vkm_args_parse(struct vkm_args *args, int argc, char **argv)
    __attribute__((warn_unused_result));

/* One paragraph an option of `command` (NULL: those every command has). */
void vkm_args_print_options(FILE *to, const struct vkm_command *command);

/* Of the `count` texts that `name_at` gives, the nearest to `word`, or NULL when none is near. */
const char *vkm_args_nearest(const char *word, const char *(*name_at)(size_t index), size_t count);

#endif
