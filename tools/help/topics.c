/* The topics of help. In: nothing. Out: text. */
#include "help/topics.h"

#include "count.h"
#include "export/table.h"
#include "views/view.h"

static void print_verdicts(FILE *to) {
  fputs(
      "Each row of a comparison gets one of:\n"
      "\n"
      "  SLOWER         the interval of its change lies above the threshold as a whole\n"
      "  FASTER         below it\n"
      "  SAME           within it, on both sides: this is shown, not taken for granted\n"
      "  UNCLEAR        anything else, with the reason, and how many runs would settle it\n"
      "  likely slower, likely faster\n"
      "                 one run a side: as far as rows whose code did not change tell\n"
      "  NEW, GONE      only one side has it\n"
      "  INCOMPARABLE   device, driver, vkmeter, mode or system differ (--allow-different)\n"
      "\n"
      "The run is the unit of evidence, not the dispatch: what one process measures shares a "
      "clock,\n"
      "a temperature and a place in memory. Of each run the median counts; the interval\n"
      "(--confidence) is Welch's for the logarithms of these medians, with three runs a side or\n"
      "more. A change matters from --threshold and --floor on.\n"
      "\n"
      "The sign = before a row says that shader code and group counts are the same on both sides,\n"
      "* that the code changed. What = rows moved by is drift of the machine, data or driver.\n"
      "\n"
      "With UNCLEAR, record more runs, and let both sides take turns (A B A B, not A A B B):\n"
      "\n"
      "  for i in 1 2 3 4 5; do\n"
      "    vkmeter run -p base/ -- ./old\n"
      "    vkmeter run -p new/ -- ./new\n"
      "  done\n",
      to);
}

static void print_columns(FILE *to) {
  fputs("Columns of the table of dispatches:\n"
        "\n"
        "  total    time of all timed executions\n"
        "  share    of the table's total\n"
        "  calls    executions in these figures\n"
        "  median   of one execution; the first use of a pipeline is set aside (--warmup)\n"
        "  MAD      median distance from the median; half a tick where all were equal\n"
        "  p95      95 of 100 executions were not longer\n"
        "  runs     range of the runs' medians, in percent of the median\n"
        "\n"
        "vkmeter report -c help FILE lists the columns of every table (--show), by the names that\n"
        "--columns, --sort and --filter take and csv and json have: report -c name,median,p95 -s "
        "p95.\n"
        "\n"
        "A unit stands once, below the name of its column (--unit). What is not known is blank in\n"
        "tables and csv, null in json, and never 0. Formats for programs have ns and fractions.\n",
        to);
}

static void print_exit(FILE *to) {
  fputs(
      "The exit status says what came of it:\n"
      "\n"
      "  0   done: also when something is slower, new, gone or incomparable, and no gate was\n"
      "      asked for\n"
      "  1   what was asked for does not hold (--fail-on, --require, a promotion, doctor, a trace\n"
      "      that differs from its --profile), or among the runs is one that failed\n"
      "  2   bad arguments, or a file that cannot be read or written\n"
      "\n"
      "run has the status of the program, 128 + signal when it was killed, and 1 and 2 as above\n"
      "only where the program itself ended with 0; 2 when it could not be started, 124 when\n"
      "--timeout ended it. Of several runs it is the first status that is not 0. A numbered run\n"
      "(--repeat, or into a folder) that leaves no profile has failed: 1. Of suite it is 1 when\n"
      "a run failed, and 2 when nothing was measured at all.\n",
      to);
}

static void print_formats(FILE *to) {
  fputs("Formats for --output=FORMAT[:PATH]:\n"
        "\n",
        to);
  for (size_t i = 0; i < vkm_view_count; i++) {
    fprintf(to, "  %-7s %s\n", vkm_views[i]->name, vkm_views[i]->summary);
  }
  fputs("\n"
        "Formats for programs hold every row unless --top is given, and never scale a number.\n"
        "A file is written under a temporary name and renamed: it is whole or not there. Only the\n"
        "one that $GITHUB_STEP_SUMMARY names is appended to; md then ends at 900 KiB of it.\n",
        to);
}

static void print_ci(FILE *to) {
  fputs(
      "In CI, record several runs, compare them with a baseline, and let gates decide:\n"
      "\n"
      "  vkmeter run --repeat=5 --keep-going --timeout=600 --require=gpu -p new/ -- ./benchmark\n"
      "  vkmeter compare @main new/ -o table -o md:\"$GITHUB_STEP_SUMMARY\" -o json:compare.json "
      "\\\n"
      "    -o github --fail-on=slower,gone\n"
      "\n"
      "and, by hand, on the revision that is to be the measure:\n"
      "\n"
      "  vkmeter baseline update main base/\n"
      "\n"
      "One pass gives all outputs and one exit status (help exit); nothing has to be grepped. A\n"
      "run that failed leaves run-3.error.json and fails the job. A baseline that was never\n"
      "promoted is INCOMPARABLE and fails only with --fail-on=incomparable; a path that is not\n"
      "there is an error. Measure on a machine that does nothing else; where it is shared, raise\n"
      "the number of runs, not the threshold.\n",
      to);
}

static void print_environment(FILE *to) {
  fputs("Variables that vkmeter and its layer look at:\n"
        "\n"
        "  VKMETER=1          switches an installed layer on without vkmeter run\n"
        "  DISABLE_VKMETER    keeps it off, whatever else is set\n"
        "  VKMETER_OUTPUT     where profiles go; --profile wins over it\n"
        "  VKMETER_PROCESS    only programs of such names are profiled: node,python*\n"
        "  VKMETER_CAPTURE_SUBMISSIONS, _TIME, _LABEL, _KERNEL, _TRIGGER\n"
        "                     only a part of the run is timed, all is counted: 100-200, 1.5-20,\n"
        "                     a path of labels, a regular expression, a file that has to be there\n"
        "  VKMETER_RUN, VKMETER_SEQUENCE\n"
        "                     id of a run and its number among repeats: set by run\n"
        "  VKMETER_BASELINES  where baselines are; --baseline-dir wins over it\n"
        "  GITHUB_STEP_SUMMARY\n"
        "                     a file that outputs are appended to\n"
        "  TMPDIR             where --cold and suite keep what is a run's own\n"
        "  NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM=dumb\n"
        "                     colour, asked in this order after --color\n"
        "  LC_ALL, LC_CTYPE, LANG\n"
        "                     where they do not say UTF-8, vkmeter keeps to ASCII\n"
        "\n"
        "All settings of the layer: README.md.\n",
        to);
}

static void print_tables(FILE *to) {
  fputs("Tables of vkmeter export, schema " VKM_EXPORT_SCHEMA ". Not known is null or an empty\n"
        "field, and never 0. In sqlite a boolean is 0 or 1.\n",
        to);
  for (size_t i = 0; i < VKM_EXPORT_TABLES; i++) {
    const struct vkm_export_table *table = &vkm_export_tables[i];
    fprintf(to, "\n%s: %s\n\n", table->name, table->about);
    for (size_t k = 0; k < table->column_count; k++) {
      const struct vkm_export_column *column = &table->columns[k];
      fprintf(to, "  %-26s %-7s  %s\n", column->name, vkm_cell_kind_name(column->kind),
              column->about);
    }
  }
}

const struct vkm_topic vkm_topics[] = {
    {"verdicts", "what SLOWER, SAME and UNCLEAR mean", print_verdicts},
    {"columns", "what the columns of tables mean", print_columns},
    {"exit", "exit status", print_exit},
    {"formats", "formats of --output", print_formats},
    {"tables", "tables and columns of export", print_tables},
    {"ci", "recipes for CI", print_ci},
    {"environment", "variables", print_environment},
};
const size_t vkm_topic_count = VKM_COUNT(vkm_topics);
