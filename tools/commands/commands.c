/* The list of subcommands. In: a name. Out: what does it. */
#include "commands/commands.h"

#include <string.h>

#include "count.h"

const struct vkm_command vkm_commands[] = {
    {"run", "[--] PROGRAM [ARG...]", "profile a program",
     "Runs PROGRAM with the layer switched on and says where its profile went. Its streams are "
     "left\n"
     "alone and signals are passed on. The status is the program's own (128 + signal when it was\n"
     "killed); where that is 0: 1 when --require was not met, 2 when the profile could not be\n"
     "written. 2 as well when the program could not be started. A program that uses no Vulkan\n"
     "device leaves no profile: that is a note, no failure.\n"
     "\n"
     "With --repeat, or into a folder, runs are numbered, and one without a profile has failed\n"
     "(1). Of several the status is that of the first that failed. A failed run ends the series\n"
     "unless --keep-going; a signal (INT, TERM, HUP, QUIT) does so too, and what was measured is\n"
     "kept.\n"
     "A standard input that is a file is read by each run, any other by the first.\n",
     vkm_command_run, VKM_FOR_RUN, true, true},
    {"report", "FILE...", "what took the time: one row a shader and group count",
     "Reads profiles (- is standard input, a directory all its *.json) and prints a table, most\n"
     "time first, then a glance at families, phases and where the time went; --show and --group\n"
     "choose other tables. Several files are taken as runs of one build, processes of one run as\n"
     "that run: totals and calls are sums over the runs, the other figures medians over the runs,\n"
     "and 'runs' is the range of the runs' medians in percent of it. Each device, driver and mode\n"
     "gets tables of its own. The status is 1 when a run among them failed.\n"
     "\n"
     "  total   sum of the timed executions     share   of the table's total\n"
     "  calls   executions in these figures     median  of one execution\n"
     "  MAD     median distance from the median; half a tick where all were equal\n"
     "  p95     95 of 100 executions were not longer\n"
     "\n"
     "A shader is called by its debug name, else that of its module, else its entry point; where\n"
     "that fits several, #digits of its identity follow.\n",
     vkm_command_report, VKM_FOR_REPORT, false, true},
    {"compare", "BASE NEW", "what got slower or faster, and how sure that is",
     "BASE and NEW are each a profile, a directory of them (all its *.json), - for the standard\n"
     "input, or @NAME for a baseline that was promoted; LABEL= before it names it in the output.\n"
     "--base FILE... --new FILE... names the runs one by one. Changes are those of NEW against "
     "BASE,\n"
     "+ is slower. The run is the unit: profiles of one run (ranks, child processes) count as "
     "one,\n"
     "five runs a side recorded in turn are worth recording.\n"
     "\n"
     "Where the two sides were recorded on another device, driver, vkmeter or system they are not\n"
     "comparable: that is said and is no failure. The status is 0 whatever was found, 1 when a "
     "gate\n"
     "of --fail-on tripped or when there is the record of a run that failed among the files "
     "(those\n"
     "of vkmeter run --repeat), 2 when something is not there or cannot be read. A baseline that\n"
     "nobody promoted is incomparable; rows of an environment that it lacks are new.\n",
     vkm_command_compare, VKM_FOR_COMPARE, false, true},
    {"baseline", "update NAME FILE...|list", "keep runs under a name for compare",
     "update promotes profiles or directories of them: compare then knows them as @NAME. Each\n"
     "environment (device, driver, vkmeter, mode, system, workload tag) has a file of its own "
     "under\n"
     "the name, and only those that the given runs have are replaced. Nothing is promoted by "
     "itself.\n"
     "Runs that are not complete, failed, timed nothing, differ in mode or do not meet --require "
     "are\n"
     "refused, all of them: the status is then 1.\n"
     "\n"
     "list shows what there is; an environment that is not wanted any more is a file to delete.\n",
     vkm_command_baseline, VKM_FOR_BASELINE, false, true},
    {"suite", "quick|full|diagnose [WORKLOAD...]", "measure a file of workloads, several runs each",
     "Runs the workloads of --workloads one by one, each several times in processes of their own "
     "with\n"
     "a home, caches and a working directory that are empty before, and writes profiles,\n"
     "results.json (schema vkmeter.suite/1), summary.md and junit.xml into --output. quick is a "
     "few\n"
     "runs of the workloads that are flagged for it, full all of them, as often as the file says,\n"
     "diagnose one workload in every mode of vkmeter, beside runs without it.\n"
     "\n"
     "A run that fails is an error with the last line that it wrote, ends its workload and no "
     "other.\n"
     "What is skipped is told with its reason, and a full suite with a gap is called partial. "
     "With\n"
     "--baseline every workload is compared with what was promoted of it, its kernels and its "
     "wall\n"
     "time, memory and outputs:\n"
     "\n"
     "  vkmeter suite full -w workloads.json -o out --baseline main\n"
     "  vkmeter baseline update main out/*/*/timing\n"
     "\n"
     "The status is 0 also with warnings, 1 when a run failed, a device that was asked for is not\n"
     "there, or a gate of --fail-on tripped, 2 when nothing could be measured.\n",
     vkm_command_suite, VKM_FOR_SUITE, false, true},
    {"noise", "FILE...", "how much rows vary between runs while nothing changes",
     "Takes at least 5 runs of one build (files, or a directory) and prints how much each row "
     "varies\n"
     "between them, for compare --noise: single runs are then judged by it.\n",
     vkm_command_noise, VKM_FOR_NOISE, false, true},
    {"info", "FILE...", "where, how and how well a profile was measured",
     "Prints environment, devices, settings, what the numbers mean, which executions have no time\n"
     "and why, and what measuring cost.\n",
     vkm_command_info, VKM_FOR_INFO, false, true},
    {"export", "FILE...", "profiles as flat tables, for a database",
     "Reads profiles (- is standard input, a directory all its *.json) one after the other and\n"
     "writes their rows: typed columns with the unit in their name, not known is null or an empty\n"
     "field, never 0. Rows of all tables begin with profile_id, run_id, started_unix_ns,\n"
     "segment_key and commit_tag (of --tag commit=...). vkmeter help tables lists everything.\n"
     "\n"
     "Files are whole or not there. What cannot be read is named and left out, the rest is\n"
     "exported: the status is then 2; it is 1 when a run among them failed.\n"
     "\n"
     "  vkmeter export --format=sqlite --append -o fleet.db runs/\n",
     vkm_command_export, VKM_FOR_EXPORT, false, true},
    {"trace", "FILE", "a timeline in figures: busy, idle, gaps and what caused them",
     "Reads a trace that VKMETER_TRACE or run --trace wrote (- is standard input), also within a\n"
     "trace of the system, and prints for each queue how long it was busy, the longest times in\n"
     "which it had nothing to do, the longest times between submits, what threads spent in calls,\n"
     "and kernels. One that ends in the midst of a packet is read up to there.\n"
     "\n"
     "  wait     from the end of the work until the wait for it had returned\n"
     "  program  from there until the next submit began        submit  within that call\n"
     "  launch   from there until the queue began              starved nothing was on the queue\n"
     "\n"
     "A time that is not known counts in the one behind it. Gaps are those between commands that\n"
     "were timed.\n",
     vkm_command_trace, VKM_FOR_TRACE, false, true},
    {"merge-traces", "FILE...", "one trace of those of several processes, or of the system",
     "Puts traces of one machine together: those that vkmeter wrote for the processes of a "
     "program,\n"
     "and one that Perfetto recorded of the system meanwhile. Each keeps all its packets and "
     "their\n"
     "order. Numbers that two of them have for different things (sequences, tracks, flows, GPU\n"
     "events) are changed in vkmeter's, nothing else. Traces of different machines, or with a\n"
     "restart between, have no clock in common: 2. The same traces give the same bytes.\n",
     vkm_command_merge_traces, VKM_FOR_MERGE, false, true},
    {"ingest", "FILE...", "times and figures of another program, beside the profiles",
     "Reads JSON lines (- is standard input) and writes a file a run, schema vkmeter.foreign/1,\n"
     "which report, compare, noise and export take like a profile: in a place of its own, mode\n"
     "foreign, as nothing of it was measured here. A line is one of\n"
     "\n"
     "  {\"run\":\"r1\",\"name\":\"matmul\",\"duration_ns\":182400}\n"
     "  {\"run\":\"r1\",\"name\":\"fps\",\"value\":59.9,\"unit\":\"1/s\"}\n"
     "\n"
     "with duration_ms or durations_ns (a list) instead, and may have sequence, workload, device,\n"
     "driver, software (on the CPU), phase, started_unix_ns and tags, an object of texts. Without\n"
     "run it is of one called like the file. Figures are in the table metrics of an export.\n"
     "\n"
     "A line that is wrong is named, nothing of its file is taken, and the status is 2.\n",
     vkm_command_ingest, VKM_FOR_INGEST, false, true},
    {"doctor", "", "can vkmeter measure on this machine, and if not, why",
     "Looks at the loader, the layer, every driver and device, and says what vkmeter will know of\n"
     "each and why not more. Drivers are tried in processes of their own: one that crashes is "
     "named.\n"
     "The status is 0 when every device that there is can be measured, 1 when something is in the\n"
     "way, 2 when nothing can be looked at.\n",
     vkm_command_doctor, VKM_FOR_DOCTOR, false, false},
    {"completion", "bash|zsh|fish", "completion of commands and options for a shell",
     "Prints a script for the shell: . <(vkmeter completion bash). An installed vkmeter has put "
     "them\n"
     "where the shells look.\n",
     vkm_command_completion, VKM_FOR_COMPLETION, false, true},
    {"help", "[COMMAND|TOPIC|OPTION]", "help for a command, a topic or an option",
     "Prints what it is about; man prints all of it as the source of the man page.\n",
     vkm_command_help, VKM_FOR_HELP, false, false},
};
const size_t vkm_command_count = VKM_COUNT(vkm_commands);

const struct vkm_command *vkm_command_find(const char *name) {
  for (size_t i = 0; i < vkm_command_count; i++) {
    if (strcmp(vkm_commands[i].name, name) == 0) {
      return &vkm_commands[i];
    }
  }
  return NULL;
}
