/* Completion for zsh. In: the tables. Out: a function for its completion system. */
#include <string.h>

#include "help/completion.h"
#include "help/words.h"

/* Within '...[here]', or 'word:here'. */
static void print_brief(FILE *to, const char *help) {
  struct vkm_text brief;
  vkm_text_init(&brief, SIZE_MAX);
  vkm_words_brief(help, &brief);
  for (const char *c = brief.length_bytes > 0 ? brief.data : ""; *c; c++) {
    if (*c == '\'') {
      fputs("'\\''", to);
    } else {
      vkm_print_escaped(to, (char[]){*c, 0}, "[]:\\", "\\");
    }
  }
  vkm_text_finish(&brief);
}

/* What completes it: the end of a specification. */
static void print_action(FILE *to, enum vkm_completes kind, const struct vkm_text *words) {
  static const char *const actions[] = {
      [VKM_COMPLETES_NOTHING] = "",
      [VKM_COMPLETES_FILES] = "_files",
      [VKM_COMPLETES_FOLDERS] = "_files -/",
      [VKM_COMPLETES_PROGRAM] = "_command_names -e",
  };
  if (words->length_bytes > 0 && kind != VKM_COMPLETES_NOTHING) {
    fprintf(to, "_alternative \"words\\:word\\:(%s)\" \"files\\:file\\:%s\"", words->data,
            actions[kind]);
  } else if (words->length_bytes > 0) {
    fprintf(to, "(%s)", words->data);
  } else {
    fputs(actions[kind], to);
  }
}

/* One specification; `sign` is what ties a value to the option's name. */
static void print_name(FILE *to, const struct vkm_option *option, const char *dashes,
                       const char *name, const char *sign) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  enum vkm_completes kind = vkm_words_of_option(option, &words);
  fprintf(to, " \\\n        '*%s%s%s[", dashes, name, option->value != NULL ? sign : "");
  print_brief(to, option->help);
  fputs("]", to);
  if (option->value != NULL) {
    fputs(vkm_option_is_optional(option) ? "::" : ":", to);
    vkm_print_escaped(to, option->value, "[]:\\", "\\");
    fputs(":", to);
    print_action(to, kind, &words);
  }
  fputs("'", to);
  vkm_text_finish(&words);
}

static void print_options(FILE *to, const struct vkm_command *command) {
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    if (!vkm_option_belongs(option, command)) {
      continue;
    }
    print_name(to, option, "--", option->long_name, vkm_option_is_optional(option) ? "=-" : "=");
    if (option->short_name) {
      print_name(to, option, "-", (char[]){option->short_name, 0}, "+");
    }
  }
}

static void print_command(FILE *to, const struct vkm_command *command) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  enum vkm_completes kind = vkm_words_of_command(command, &words);
  fprintf(to, "    %s)\n      _arguments -S", command->name);
  print_options(to, command);
  if (kind == VKM_COMPLETES_PROGRAM) {
    fputs(" \\\n        '(-)1:program:_command_names -e' '*::argument:_normal'", to);
  } else if (kind != VKM_COMPLETES_NOTHING || words.length_bytes > 0) {
    fputs(" \\\n        '*:operand:", to);
    print_action(to, kind, &words);
    fputs("'", to);
  }
  fputs(" ;;\n", to);
  vkm_text_finish(&words);
}

void vkm_completion_zsh(FILE *to) {
  fputs("#compdef vkmeter\n"
        "# Completion of vkmeter for zsh, printed by: vkmeter completion zsh\n"
        "_vkmeter() {\n"
        "  local curcontext=$curcontext state state_descr line\n"
        "  typeset -A opt_args\n"
        "  local -a commands=(",
        to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    fprintf(to, "\n    '%s:", vkm_commands[i].name);
    print_brief(to, vkm_commands[i].summary);
    fputs("'", to);
  }
  fputs(")\n  _arguments -C", to);
  print_options(to, NULL);
  fputs(" \\\n        '1:command:->command' '*::argument:->argument' && return\n"
        "  case $state in\n"
        "  command) _describe command commands ;;\n"
        "  argument)\n"
        "    case $words[1] in\n",
        to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    print_command(to, &vkm_commands[i]);
  }
  fputs("    esac ;;\n"
        "  esac\n"
        "}\n"
        "if [[ $funcstack[1] == _vkmeter ]]; then _vkmeter \"$@\"; else compdef _vkmeter vkmeter; "
        "fi\n",
        to);
}
