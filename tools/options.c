/* The option table: what each option is called, takes and does. In: a word of the command line.
 * Out: a field of struct vkm_args. Next: args.c, which walks argv. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "count.h"
#include "message.h"
#include "model/require.h"
#include "options_compare.h"
#include "options_export.h"
#include "options_report.h"
#include "options_suite.h"
#include "options_trace.h"

static bool set_help(struct vkm_args *args, const char *value) {
  (void)value;
  args->help = true;
  return true;
}

static bool set_version(struct vkm_args *args, const char *value) {
  (void)value;
  args->version = true;
  return true;
}

static bool set_quiet(struct vkm_args *args, const char *value) {
  (void)value;
  args->quiet = true;
  return true;
}

static bool set_profile(struct vkm_args *args, const char *value) {
  if (!*value) {
    vkm_error("--profile is empty; give the path of the file to write");
    return false;
  }
  args->profile = value;
  return true;
}

static bool set_trace_style(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"render-stage", "track-event", NULL};
  int index = vkm_option_choose("trace-style", value, words);
  args->trace_style = index >= 0 ? words[index] : NULL;
  return index >= 0;
}

static bool set_require(struct vkm_args *args, const char *value) {
  char cause[128];
  if (!vkm_requirement_check(value, cause, sizeof cause)) {
    vkm_error("--require=%s is no extended regular expression: %s; give gpu, discrete, integrated, "
              "virtual, cpu, software or name~REGEX",
              value, cause);
    return false;
  }
  args->require = value;
  return true;
}

static bool set_selftest(struct vkm_args *args, const char *value) {
  (void)value;
  args->selftest = true;
  return true;
}

static bool set_doctor_output(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"table", "json", NULL};
  int index = vkm_option_choose("output", value, words);
  args->json = index == 1;
  return index >= 0;
}

static bool set_tag(struct vkm_args *args, const char *value) {
  const char *equals = strchr(value, '=');
  if (equals == NULL || equals == value) {
    vkm_error("--tag %s is not KEY=VALUE; write for example --tag commit=a1b2c3d", value);
    return false;
  }
  for (const char *c = value; *c; c++) {
    if (iscntrl((unsigned char)*c)) {
      vkm_error("--tag %s holds a control character; tags are plain text", value);
      return false;
    }
  }
  if (args->tag_count == VKM_TAGS_MAX) {
    vkm_error("more than %d tags; give fewer --tag options", VKM_TAGS_MAX);
    return false;
  }
  args->tags[args->tag_count++] = value;
  return true;
}

static bool set_output(struct vkm_args *args, const char *value) {
  size_t length = strcspn(value, ":");
  struct vkm_output_request request = {.view = vkm_view_find(value, length)};
  if (request.view == NULL) {
    vkm_error("unknown format '%.*s'; see vkmeter help formats", (int)length, value);
    return false;
  }
  if (request.view->compare == NULL && args->command->bit == VKM_FOR_COMPARE) {
    vkm_error("%s is a format of report; see vkmeter help formats for those of compare",
              request.view->name);
    return false;
  }
  if (request.view->report == NULL && args->command->bit == VKM_FOR_REPORT) {
    vkm_error("%s is a format of compare; see vkmeter help formats for those of report",
              request.view->name);
    return false;
  }
  if (value[length] == ':') {
    request.path = value + length + 1;
    if (!*request.path) {
      vkm_error("--output=%s names no file after the colon; write %.*s:PATH", value, (int)length,
                value);
      return false;
    }
  }
  if (args->output_count == VKM_OUTPUTS_MAX) {
    vkm_error("more than %d outputs; give fewer --output options", VKM_OUTPUTS_MAX);
    return false;
  }
  args->outputs[args->output_count++] = request;
  return true;
}

int vkm_option_choose(const char *option, const char *value, const char *const *words) {
  char known[128] = "";
  for (int index = 0; words[index] != NULL; index++) {
    if (strcmp(value, words[index]) == 0) {
      return index;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", index ? ", " : "", words[index]);
  }
  vkm_error("--%s=%s is not known; give one of %s", option, value, known);
  return -1;
}

static bool set_color(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"auto", "always", "never", NULL};
  int index = vkm_option_choose("color", value, words);
  args->view.color = (enum vkm_color)(index < 0 ? 0 : index);
  return index >= 0;
}

static bool set_unit(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"auto", "ns", "us", "ms", "s", NULL};
  int index = vkm_option_choose("unit", value, words);
  args->view.unit = (enum vkm_unit)(index < 0 ? 0 : index);
  return index >= 0;
}

static bool set_ascii(struct vkm_args *args, const char *value) {
  (void)value;
  args->view.ascii = true;
  return true;
}

static bool number(const char *option, const char *value, unsigned long largest,
                   unsigned long *out) {
  char *end = NULL;
  errno = 0;
  *out = strtoul(value, &end, 10);
  if (!isdigit((unsigned char)*value) || *end || errno != 0 || *out > largest) {
    vkm_error("--%s=%s is no whole number from 0 to %lu; give one", option, value, largest);
    return false;
  }
  return true;
}

static bool set_width(struct vkm_args *args, const char *value) {
  unsigned long width = 0;
  bool good = number("width", value, 10000, &width);
  args->view.width = width;
  args->view.width_given = true;
  return good;
}

static bool set_top(struct vkm_args *args, const char *value) {
  unsigned long top = 0;
  bool good = number("top", value, 1000000000, &top);
  args->view.top = top;
  args->view.top_given = true;
  return good;
}

static bool set_warmup(struct vkm_args *args, const char *value) {
  unsigned long warmup = 0;
  bool good = number("warmup", value, 1, &warmup);
  args->warmup = (unsigned)warmup;
  return good;
}

static bool set_repeat(struct vkm_args *args, const char *value) {
  unsigned long repeat = 0;
  bool good = number("repeat", value, VKM_REPEAT_MAX, &repeat);
  if (good && repeat == 0) {
    vkm_error("--repeat=0 runs nothing; give 1 or more");
  }
  args->repeat = (unsigned)repeat;
  args->repeat_given = true;
  return good && repeat > 0;
}

static bool set_control(struct vkm_args *args, const char *value) {
  (void)value;
  args->control = true;
  return true;
}

static bool set_cold(struct vkm_args *args, const char *value) {
  (void)value;
  args->cold = true;
  return true;
}

static bool set_keep_going(struct vkm_args *args, const char *value) {
  (void)value;
  args->keep_going = true;
  return true;
}

static bool set_timeout(struct vkm_args *args, const char *value) {
  const double most = 1e9;
  char *end = NULL;
  double seconds = strtod(value, &end);
  bool good = isdigit((unsigned char)*value) && !*end && seconds >= 1e-3 && seconds <= most;
  if (!good) {
    vkm_error("--timeout=%s is no number of seconds from 0.001 to 1000000000; give one", value);
    return false;
  }
  args->timeout_ns = (int64_t)(seconds * 1e9);
  return true;
}

const struct vkm_option vkm_options[] = {
    {"profile", "PATH",
     "write the profile to PATH. %e is the program, %p its pid, %t the time, %h the host, %r\n"
     "the MPI or SLURM rank, %n the number of the run, see --repeat. Without it:\n"
     "$VKMETER_OUTPUT, else vkmeter-%e-%p.json here",
     set_profile, VKM_FOR_RUN, 'p'},
    {"trace", "FILE",
     "beside the profile, write a timeline to FILE (Perfetto's format; same placeholders)",
     vkm_set_trace, VKM_FOR_RUN, 0},
    {"trace-style", "render-stage|track-event",
     "how the timeline holds the device's work: as Perfetto's GPU stages (default), or as\n"
     "plain slices, for viewers without them",
     set_trace_style, VKM_FOR_RUN, 0},
    {"require", "gpu|discrete|integrated|virtual|cpu|software|name~REGEX",
     "exit 1 unless all the program's GPU work was executed on such devices, and there was some.\n"
     "gpu is any hardware, REGEX an extended regular expression for the device's name",
     set_require, VKM_FOR_RUN | VKM_FOR_BASELINE, 0},
    {"profile", "FILE",
     "hold the trace against the profile of the same run: executions, their times, calls; 1 when\n"
     "a figure differs",
     vkm_set_against, VKM_FOR_TRACE, 'p'},
    {"min-gap", "TIME", "shorter gaps are only counted: 10us, 1ms (default: none is too short)",
     vkm_set_min_gap, VKM_FOR_TRACE, 0},
    {"selftest", NULL,
     "run heavy and light work in known patterns on each device and see whether every time is\n"
     "that of the work it stands at; 1 when it is not",
     set_selftest, VKM_FOR_DOCTOR, 0},
    {"repeat", "N",
     "run the program N times, one process after the other. Each has a run id and a profile\n"
     "of its own, numbered: %n in --profile, else -0, -1, ... before its ending; in a folder\n"
     "(it exists, or PATH ends in /) run-0.json, ... What is there is kept: the numbers go on\n"
     "behind it, so that two programs that are to be compared can take turns, A B A B",
     set_repeat, VKM_FOR_RUN, 0},
    {"control", NULL,
     "beside each run one without vkmeter, now before and now after it; says the ratio of the\n"
     "wall times and writes them beside the profiles: run-0.control.json, schema vkmeter.run/1",
     set_control, VKM_FOR_RUN, 0},
    {"cold", NULL,
     "each run begins with empty driver caches, in a folder of its own (Mesa, NVIDIA, AMDVLK;\n"
     "the program's own caches stay), and the profile has the tag cache=cold",
     set_cold, VKM_FOR_RUN, 0},
    {"keep-going", NULL,
     "go on when a run fails. Of each that does, numbered, a record stays: run-3.error.json\n"
     "with the cause, schema vkmeter.error/1",
     set_keep_going, VKM_FOR_RUN, 0},
    {"timeout", "SECONDS",
     "end a run that takes longer (TERM, 2 s later KILL, with all its processes): status 124",
     set_timeout, VKM_FOR_RUN, 0},
    {"tag", "KEY=VALUE", "store KEY=VALUE in the profile; may be repeated", set_tag,
     VKM_FOR_RUN | VKM_FOR_SUITE, 0},
    {"workloads", "FILE", "the workloads: schema vkmeter.workloads/1", vkm_set_workloads,
     VKM_FOR_SUITE, 'w'},
    {"category", "NAME", "only workloads of this category; may be repeated", vkm_set_category,
     VKM_FOR_SUITE, 0},
    {"exclude-category", "NAME", "no workloads of this category; may be repeated",
     vkm_set_exclude_category, VKM_FOR_SUITE, 0},
    {"backend", "auto|all|cpu|gpu|NAME",
     "on which devices of the file: of each workload the first that is there (auto, the default),\n"
     "all that are there, or all of a kind or name: one of these that is not there is an error",
     vkm_set_backend, VKM_FOR_SUITE, 0},
    {"repeat", "N", "run each workload N times, whatever the file says", set_repeat, VKM_FOR_SUITE,
     0},
    {"baseline", "NAME", "compare with the baseline of this name", vkm_set_baseline, VKM_FOR_SUITE,
     0},
    {"base", "FILE...",
     "the profiles of the base: this one and the words behind it; instead of BASE and NEW",
     vkm_set_base, VKM_FOR_COMPARE, 0},
    {"new", "FILE...", "the same of the side that is judged against the base", vkm_set_new,
     VKM_FOR_COMPARE, 0},
    {"threshold", "N%", "the smallest change that matters (default 2%)", vkm_set_threshold,
     VKM_FOR_COMPARE, 't'},
    {"threshold", "N%",
     "the smallest change that matters (default 2%; of wall time and memory of whole runs 10%)",
     vkm_set_threshold, VKM_FOR_SUITE, 't'},
    {"floor", "TIME",
     "the smallest change of one execution that matters: 1us, 500ns (default 2 ticks)",
     vkm_set_floor, VKM_FOR_COMPARE | VKM_FOR_SUITE, 0},
    {"confidence", "LEVEL", "level of the intervals (default 0.95)", vkm_set_confidence,
     VKM_FOR_COMPARE | VKM_FOR_SUITE, 0},
    {"stat", "median|min|p99", "what stands for a run (default median)", vkm_set_stat,
     VKM_FOR_COMPARE | VKM_FOR_NOISE | VKM_FOR_SUITE, 0},
    {"match", "auto|name|code|name+code|order",
     "how rows are paired (default auto: by name, those that are left by code)", vkm_set_match,
     VKM_FOR_COMPARE | VKM_FOR_SUITE, 0},
    {"rename", "OLD=NEW", "row OLD of the base is row NEW of the new side; may be repeated",
     vkm_set_rename, VKM_FOR_COMPARE, 0},
    {"rule", "runs|samples",
     "what a verdict rests on: an interval over runs, or for a single run a side the samples\n"
     "(default runs)",
     vkm_set_rule, VKM_FOR_COMPARE | VKM_FOR_SUITE, 0},
    {"noise", "FILE", "judge single runs by the noise that vkmeter noise found", vkm_set_noise,
     VKM_FOR_COMPARE, 0},
    {"adjust-drift", NULL, "take what code-identical rows moved by out of every change",
     vkm_set_adjust_drift, VKM_FOR_COMPARE | VKM_FOR_SUITE, 0},
    {"fail-on", "LIST",
     "exit 1 when there is one of slower, likely-slower, gone, new, unclear, environment,\n"
     "incomparable, error; several with commas between (runs that failed exit 1 anyway)",
     vkm_set_fail_on, VKM_FOR_COMPARE, 0},
    {"fail-on", "LIST",
     "exit 1 when there is one of slower, likely-slower, gone, new, unclear, environment,\n"
     "incomparable, budget, skipped, memory (more of it), output-changed, output-varies; several\n"
     "with commas between (runs that failed exit 1 anyway)",
     vkm_set_suite_fail_on, VKM_FOR_SUITE, 0},
    {"allow-different", "LIST", "compare although these differ: device, driver, layer, environment",
     vkm_set_allow_different, VKM_FOR_COMPARE, 0},
    {"explain", "[ROW]", "the numbers behind the verdicts, of all rows in question or of row ROW",
     vkm_set_explain, VKM_FOR_COMPARE, 0},
    {"baseline-dir", "DIR",
     "where baselines are (default $VKMETER_BASELINES, else .vkmeter/baselines here)",
     vkm_set_baseline_dir, VKM_FOR_COMPARE | VKM_FOR_BASELINE | VKM_FOR_REPORT | VKM_FOR_SUITE, 0},
    {"top", "N", "show the N rows with most time; 0 shows all (default 20)", set_top,
     VKM_FOR_REPORT, 'n'},
    {"top", "N", "show the N rows that need attention most; 0 shows all (default 20)", set_top,
     VKM_FOR_COMPARE, 'n'},
    {"top", "N", "show the N largest rows of each table; 0 shows all (default 10)", set_top,
     VKM_FOR_TRACE, 'n'},
    {"verbose", NULL, "rows that are the same are listed, too", vkm_set_verbose, VKM_FOR_COMPARE,
     'v'},
    {"group", "identity|pipeline|family|phase|label|plan|queue",
     "what a row is: a shader with a group count, a pipeline, family, phase (or label), plan or\n"
     "queue (default identity)",
     vkm_set_group, VKM_FOR_REPORT, 'g'},
    {"show", "LIST",
     "the tables: kernels, pipelines, families, phases, plans, queues, memory, coverage,\n"
     "breakdown, or all (default: what --group says, and a glance at the rest)",
     vkm_set_show, VKM_FOR_REPORT, 0},
    {"columns", "LIST", "columns of the tables, by name with commas; help lists them",
     vkm_set_columns, VKM_FOR_REPORT, 'c'},
    {"sort", "KEY[:asc|desc]", "order of rows, by a column (default: most time first)",
     vkm_set_sort, VKM_FOR_REPORT, 's'},
    {"filter", "EXPR",
     "only rows that have EXPR in their name, match /REGEX/, have KEY:TEXT in another column\n"
     "(label:, family:) or KEY>NUMBER (share>1%, median>10us); may be repeated, all have to hold",
     vkm_set_filter, VKM_FOR_REPORT, 'f'},
    {"matrix", "[TAGS]",
     "one table of all that is given: a row a kernel, a column each environment, device and value\n"
     "of the tags TAGS (default commit), in it the median over its runs and how many they are",
     vkm_set_matrix, VKM_FOR_REPORT, 0},
    {"output", "table|json",
     "print for people, or for programs: schema vkmeter.doctor/1 (default table)",
     set_doctor_output, VKM_FOR_DOCTOR, 'o'},
    {"output", "FORMAT[:PATH]",
     "print FORMAT to stdout, or write it to PATH; may be repeated (default table; see\n"
     "vkmeter help formats)",
     set_output, VKM_FOR_REPORT | VKM_FOR_COMPARE, 'o'},
    {"format", "ndjson|csv|sqlite",
     "ndjson: an object a line (the default); csv: a file a table; sqlite: a database",
     vkm_set_export_format, VKM_FOR_EXPORT, 0},
    {"table", "LIST",
     "only these tables, by name with commas (default: all but samples; see vkmeter help tables)",
     vkm_set_export_tables, VKM_FOR_EXPORT, 't'},
    {"append", NULL,
     "sqlite: add to the file that is there; what it has of the same processes is replaced",
     vkm_set_export_append, VKM_FOR_EXPORT, 0},
    {"output", "PATH",
     "write to PATH: with csv a directory, with one table or ndjson a file (default: stdout)",
     vkm_set_file, VKM_FOR_EXPORT, 'o'},
    {"output", "table|json|html|chrome[:PATH]",
     "print for people, or for programs (schema vkmeter.trace/1), or the whole trace drawn in\n"
     "one page, or as chrome://tracing reads it; with :PATH into a file. May be repeated\n"
     "(default table)",
     vkm_set_trace_output, VKM_FOR_TRACE, 'o'},
    {"output", "DIRECTORY", "where to write a file a run", vkm_set_file, VKM_FOR_INGEST, 'o'},
    {"output", "PATH", "write to PATH (default: stdout)", vkm_set_file,
     VKM_FOR_NOISE | VKM_FOR_MERGE, 'o'},
    {"trace", "FILE", "the trace of the same run: the html page shows it as a timeline",
     vkm_set_trace, VKM_FOR_REPORT, 0},
    {"output", "DIR",
     "the folder for results.json, summary.md, junit.xml and the profiles, new or empty\n"
     "(default vkmeter-suite)",
     vkm_set_file, VKM_FOR_SUITE, 'o'},
    {"warmup", "0|1",
     "executions of a pipeline set aside at its first use (default 1; 0 keeps them)", set_warmup,
     VKM_FOR_REPORT | VKM_FOR_COMPARE | VKM_FOR_NOISE | VKM_FOR_SUITE, 0},
    {"unit", "auto|ns|us|ms|s", "unit of times in tables (default auto)", set_unit,
     VKM_FOR_REPORT | VKM_FOR_COMPARE | VKM_FOR_TRACE, 0},
    {"width", "N",
     "cut names so that lines fit N columns; 0 never cuts (default: the terminal's, 0 in a pipe)",
     set_width, VKM_FOR_REPORT | VKM_FOR_INFO | VKM_FOR_COMPARE | VKM_FOR_TRACE | VKM_FOR_SUITE, 0},
    {"color", "auto|always|never",
     "colour (default auto; NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM=dumb are obeyed)",
     set_color,
     VKM_FOR_REPORT | VKM_FOR_INFO | VKM_FOR_DOCTOR | VKM_FOR_COMPARE | VKM_FOR_BASELINE |
         VKM_FOR_TRACE | VKM_FOR_SUITE,
     0},
    {"ascii", NULL,
     "only ASCII in what vkmeter adds: us, x, +/- (default where the locale is not UTF-8)",
     set_ascii,
     VKM_FOR_REPORT | VKM_FOR_INFO | VKM_FOR_DOCTOR | VKM_FOR_COMPARE | VKM_FOR_BASELINE |
         VKM_FOR_TRACE | VKM_FOR_SUITE,
     0},
    {"quiet", NULL, "no notes on stderr; errors and warnings stay", set_quiet, VKM_FOR_ALL, 'q'},
    {"help", NULL, "help for the command", set_help, VKM_FOR_ALL, 'h'},
    {"version", NULL, "the version", set_version, VKM_FOR_ALL, 0},
};
const size_t vkm_option_count = VKM_COUNT(vkm_options);

bool vkm_option_is_optional(const struct vkm_option *option) {
  return option->value != NULL && option->value[0] == '[';
}

bool vkm_option_belongs(const struct vkm_option *option, const struct vkm_command *command) {
  return option->commands == VKM_FOR_ALL ||
         (command != NULL && (option->commands & (int)command->bit) != 0);
}

void vkm_args_print_option(FILE *to, const struct vkm_option *option) {
  bool optional = vkm_option_is_optional(option);
  fprintf(to, "  %c%c%s --%s%s%s\n", option->short_name ? '-' : ' ',
          option->short_name ? option->short_name : ' ', option->short_name ? "," : " ",
          option->long_name,
          optional        ? "[="
          : option->value ? "="
                          : "",
          option->value ? option->value + optional : "");
  for (const char *line = option->help; line != NULL;) {
    int length = (int)strcspn(line, "\n");
    fprintf(to, "          %.*s\n", length, line);
    line = line[length] ? line + length + 1 : NULL;
  }
}

void vkm_args_print_options(FILE *to, const struct vkm_command *command) {
  for (size_t i = 0; i < vkm_option_count; i++) {
    if (vkm_option_belongs(&vkm_options[i], command)) {
      vkm_args_print_option(to, &vkm_options[i]);
    }
  }
}
