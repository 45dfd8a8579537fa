/* The door of the command. In: argv. Out: the exit code, decided here and nowhere else. Next: args,
 * commands/. */
#include <locale.h>
#include <stdio.h>

#include "args.h"
#include "commands/commands.h"
#include "message.h"

enum { EXIT_DONE = 0, EXIT_GATE = 1, EXIT_TROUBLE = 2 };

static struct vkm_outcome execute(struct vkm_args *args) {
  if (args->version) {
    printf("vkmeter %s\n", VKM_VERSION);
    return (struct vkm_outcome){VKM_OUTCOME_DONE, 0};
  }
  if (args->help) {
    vkm_help_print(stdout, args->command ? args->command->name : NULL);
    return (struct vkm_outcome){VKM_OUTCOME_DONE, 0};
  }
  if (args->command == NULL) {
    vkm_help_print(stderr, NULL);
    return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
  }
  return args->command->execute(args);
}

static int exit_code(struct vkm_outcome outcome) {
  switch (outcome.kind) {
  case VKM_OUTCOME_DONE:
    return EXIT_DONE;
  case VKM_OUTCOME_GATE:
    return EXIT_GATE;
  case VKM_OUTCOME_PROGRAM:
    return outcome.program_status;
  case VKM_OUTCOME_TROUBLE:
    break;
  }
  return EXIT_TROUBLE;
}

int main(int argc, char **argv) {
  /* Only the character set: numbers keep their point in every language. */
  setlocale(LC_CTYPE, "");
  struct vkm_args args;
  if (!vkm_args_parse(&args, argc, argv)) {
    return EXIT_TROUBLE;
  }
  if (args.quiet) {
    vkm_message_quiet();
  }
  struct vkm_outcome outcome = execute(&args);
  if (fflush(stdout) != 0 && outcome.kind != VKM_OUTCOME_PROGRAM) {
    vkm_error("cannot write to the standard output; is its disk full or its reader gone?");
    return EXIT_TROUBLE;
  }
  return exit_code(outcome);
}
