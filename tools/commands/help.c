/* vkmeter help. In: a topic. Out: its text on stdout. */
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "count.h"
#include "message.h"

static void print_exit(FILE *to) {
  fputs("Exit status\n"
        "  0   done\n"
        "  1   something you asked for does not hold (--require, doctor)\n"
        "  2   bad arguments, or a file that cannot be read or written\n"
        "run has the program's own status, 128 + signal when it was killed; 1 and 2 as above only\n"
        "where the program itself ended with 0, and 2 when it could not be started; 124 when "
        "--timeout\n"
        "ended it. Of several runs it is the first status that is not 0; a numbered run (--repeat, "
        "or\n"
        "into a folder) without a profile counts as 1.\n",
        to);
}

static void print_formats(FILE *to) {
  fputs("Formats for --output=FORMAT[:PATH]\n", to);
  for (size_t i = 0; i < vkm_view_count; i++) {
    fprintf(to, "  %-7s %s\n", vkm_views[i]->name, vkm_views[i]->summary);
  }
  fputs("Formats for programs hold every row unless --top is given, and never scale a number.\n"
        "A file is written under a temporary name and renamed: it is whole or not there. Only the\n"
        "one that $GITHUB_STEP_SUMMARY names is appended to; md then ends at 900 KiB of it.\n",
        to);
}

static void print_environment(FILE *to) {
  fputs("Environment\n"
        "  VKMETER=1          switches an installed layer on without vkmeter run\n"
        "  VKMETER_OUTPUT     where profiles go; --profile wins over it\n"
        "  VKMETER_PROCESS    only programs of such names are profiled: node,python*\n"
        "  VKMETER_CAPTURE_SUBMISSIONS, _TIME, _LABEL, _KERNEL, _TRIGGER\n"
        "                     only a part of the run is timed, all is counted: 100-200, 1.5-20,\n"
        "                     a path of labels, a regular expression, a file that has to be there\n"
        "  NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM=dumb\n"
        "                     colour, asked in this order after --color\n"
        "  LC_ALL, LC_CTYPE, LANG\n"
        "                     where they do not say UTF-8, vkmeter keeps to ASCII\n",
        to);
}

static const struct topic {
  const char *name;
  void (*print)(FILE *to);
} topics[] = {{"exit", print_exit}, {"formats", print_formats}, {"environment", print_environment}};
enum { TOPIC_COUNT = VKM_COUNT(topics) };

static void print_command(FILE *to, const struct vkm_command *command) {
  fprintf(to, "vkmeter %s [OPTION...] %s\n\n%s%sOptions\n", command->name, command->operands,
          command->about, *command->about ? "\n" : "");
  vkm_args_print_options(to, command);
}

static void print_overview(FILE *to) {
  fputs("vkmeter profiles the GPU work of a Vulkan program, without changing the program.\n\n"
        "  vkmeter run -p profile.json -- PROGRAM\n"
        "  vkmeter report profile.json\n\n"
        "Commands\n",
        to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    fprintf(to, "  %-8s %s\n", vkm_commands[i].name, vkm_commands[i].summary);
  }
  fputs("\nOptions of every command\n", to);
  vkm_args_print_options(to, NULL);
}

bool vkm_help_print(FILE *to, const char *topic) {
  if (topic == NULL) {
    print_overview(to);
    return true;
  }
  const struct vkm_command *command = vkm_command_find(topic);
  if (command != NULL) {
    print_command(to, command);
    return true;
  }
  for (size_t i = 0; i < TOPIC_COUNT; i++) {
    if (strcmp(topics[i].name, topic) == 0) {
      topics[i].print(to);
      return true;
    }
  }
  return false;
}

static const char *topic_at(size_t index) {
  return index < vkm_command_count ? vkm_commands[index].name
                                   : topics[index - vkm_command_count].name;
}

struct vkm_outcome vkm_command_help(const struct vkm_args *args) {
  const char *topic = args->operand_count > 0 ? args->operands[0] : NULL;
  if (vkm_help_print(stdout, topic)) {
    return (struct vkm_outcome){VKM_OUTCOME_DONE, 0};
  }
  const char *near = vkm_args_nearest(topic, topic_at, vkm_command_count + TOPIC_COUNT);
  if (near != NULL) {
    vkm_error("no help on '%s'; did you mean %s?", topic, near);
  } else {
    vkm_error("no help on '%s'; see vkmeter help", topic);
  }
  return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
}
