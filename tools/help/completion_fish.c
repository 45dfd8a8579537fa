/* Completion for fish. In: the tables. Out: a script. */
#include <string.h>

#include "help/completion.h"
#include "help/words.h"

static void print_brief(FILE *to, const char *help) {
  struct vkm_text brief;
  vkm_text_init(&brief, SIZE_MAX);
  vkm_words_brief(help, &brief);
  fputs(" -d '", to);
  vkm_print_escaped(to, brief.length_bytes > 0 ? brief.data : "", "'\\", "\\");
  fputs("'", to);
  vkm_text_finish(&brief);
}

static void print_action(FILE *to, enum vkm_completes kind, const struct vkm_text *words) {
  static const char *const actions[] = {
      [VKM_COMPLETES_NOTHING] = "",
      [VKM_COMPLETES_FILES] = " -F",
      [VKM_COMPLETES_FOLDERS] = " -a '(__fish_complete_directories)'",
      [VKM_COMPLETES_PROGRAM] = " -a '(__fish_complete_command)' -F",
  };
  if (words->length_bytes > 0) {
    fprintf(to, " -a '%s'", words->data);
  }
  fputs(actions[kind], to);
}

static void print_start(FILE *to, const struct vkm_command *command) {
  fputs("complete -c vkmeter", to);
  if (command != NULL) {
    fprintf(to, " -n '__fish_seen_subcommand_from %s'", command->name);
  }
}

static void print_options(FILE *to, const struct vkm_command *command) {
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    bool of_all = vkm_option_belongs(option, NULL);
    if (!vkm_option_belongs(option, command) || (of_all && command != NULL)) {
      continue;
    }
    struct vkm_text words;
    vkm_text_init(&words, SIZE_MAX);
    enum vkm_completes kind = vkm_words_of_option(option, &words);
    print_start(to, command);
    fprintf(to, " -l %s", option->long_name);
    if (option->short_name) {
      fprintf(to, " -s %c", option->short_name);
    }
    if (option->value != NULL && !vkm_option_is_optional(option)) {
      fputs(kind == VKM_COMPLETES_FILES ? " -r" : " -x", to);
      print_action(to, kind, &words);
    }
    print_brief(to, option->help);
    fputs("\n", to);
    vkm_text_finish(&words);
  }
}

static void print_operands(FILE *to, const struct vkm_command *command) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  enum vkm_completes kind = vkm_words_of_command(command, &words);
  if (kind != VKM_COMPLETES_NOTHING || words.length_bytes > 0) {
    print_start(to, command);
    print_action(to, kind, &words);
    fputs("\n", to);
  }
  vkm_text_finish(&words);
}

void vkm_completion_fish(FILE *to) {
  fputs("# Completion of vkmeter for fish, printed by: vkmeter completion fish\n"
        "complete -c vkmeter -f\n",
        to);
  print_options(to, NULL);
  for (size_t i = 0; i < vkm_command_count; i++) {
    fprintf(to, "complete -c vkmeter -n __fish_use_subcommand -a %s", vkm_commands[i].name);
    print_brief(to, vkm_commands[i].summary);
    fputs("\n", to);
  }
  for (size_t i = 0; i < vkm_command_count; i++) {
    print_options(to, &vkm_commands[i]);
    print_operands(to, &vkm_commands[i]);
  }
}
