/* Completion for bash. In: the tables. Out: a script. It needs no bash-completion, but hands the
 * arguments of a profiled program on to it where it is there. */
#include <string.h>

#include "help/completion.h"
#include "help/words.h"

static void print_options(FILE *to, const struct vkm_command *command, bool valued) {
  const char *between = "";
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    bool takes = option->value != NULL && !vkm_option_is_optional(option);
    if (!vkm_option_belongs(option, command) || (valued && !takes)) {
      continue;
    }
    fprintf(to, "%s--%s%s", between, option->long_name, takes && !valued ? "=" : "");
    between = " ";
    if (option->short_name) {
      fprintf(to, " -%c", option->short_name);
    }
  }
}

static const char *const kinds[] = {
    [VKM_COMPLETES_NOTHING] = "",
    [VKM_COMPLETES_FILES] = "file",
    [VKM_COMPLETES_FOLDERS] = "directory",
    [VKM_COMPLETES_PROGRAM] = "program",
};

static void print_value(FILE *to, const struct vkm_command *command,
                        const struct vkm_option *option) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  enum vkm_completes kind = vkm_words_of_option(option, &words);
  if (words.length_bytes > 0 || kind != VKM_COMPLETES_NOTHING) {
    fprintf(to, "    '%s --%s'", command->name, option->long_name);
    if (option->short_name) {
      fprintf(to, " | '%s -%c'", command->name, option->short_name);
    }
    fprintf(to, ") words='%s' kind='%s' ;;\n", words.length_bytes > 0 ? words.data : "",
            kinds[kind]);
  }
  vkm_text_finish(&words);
}

static void print_command(FILE *to, const struct vkm_command *command) {
  struct vkm_text words;
  vkm_text_init(&words, SIZE_MAX);
  enum vkm_completes kind = vkm_words_of_command(command, &words);
  fprintf(to, "    %s)\n      options='", command->name);
  print_options(to, command, false);
  fputs("'\n      valued=' ", to);
  print_options(to, command, true);
  fprintf(to, " '\n      words='%s' kind='%s' ;;\n", words.length_bytes > 0 ? words.data : "",
          kinds[kind]);
  vkm_text_finish(&words);
}

static const char head[] =
    "# Completion of vkmeter for bash, printed by: vkmeter completion bash\n"
    "_vkmeter() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} command='' option='' options='' valued='' words=''\n"
    "  local kind='' word='' i=1 program=0\n"
    "  COMPREPLY=()\n"
    "  while ((i < COMP_CWORD)) && [[ ${COMP_WORDS[i]} == -* ]]; do ((i++)); done\n"
    "  ((i < COMP_CWORD)) && command=${COMP_WORDS[i]}\n"
    "  case $command in\n";

/* bash takes an = for a word of its own. */
static const char walk[] =
    "  esac\n"
    "  for ((i++; i < COMP_CWORD; i++)); do\n"
    "    word=${COMP_WORDS[i]}\n"
    "    if [[ $word == -- ]]; then program=$((i + 1)); break; fi\n"
    "    if [[ $word != -* ]]; then program=$i; break; fi\n"
    "    if [[ $valued == *\" $word \"* ]]; then\n"
    "      [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))\n"
    "      ((i++))\n"
    "    fi\n"
    "  done\n"
    "  if [[ $kind == program ]] && ((program)); then\n"
    "    if declare -F _comp_command_offset >/dev/null; then _comp_command_offset \"$program\"\n"
    "    elif declare -F _command_offset >/dev/null; then _command_offset \"$program\"\n"
    "    elif ((program == COMP_CWORD)); then\n"
    "      mapfile -t COMPREPLY < <(compgen -c -f -- \"$cur\")\n"
    "    else mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "    fi\n"
    "    return\n"
    "  fi\n"
    "  if [[ $cur == = ]]; then option=${COMP_WORDS[COMP_CWORD - 1]} cur=''\n"
    "  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
    "    option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  elif [[ $valued == *\" ${COMP_WORDS[COMP_CWORD - 1]} \"* ]]; then\n"
    "    option=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "  fi\n"
    "  [[ -n $option ]] && words='' kind=''\n"
    "  case \"$command $option\" in\n";

static const char tail[] =
    "  esac\n"
    "  if [[ -z $option && $cur == -* ]]; then words=$options kind=''; fi\n"
    "  [[ $kind == program ]] && mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
    "  [[ $kind == file ]] && mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "  [[ $kind == directory ]] && mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
    "  [[ -n $kind ]] && compopt -o filenames 2>/dev/null\n"
    "  while IFS='' read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$words\" -- "
    "\"$cur\")\n"
    "  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "  return 0\n"
    "}\n"
    "complete -F _vkmeter vkmeter\n";

void vkm_completion_bash(FILE *to) {
  fputs(head, to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    print_command(to, &vkm_commands[i]);
  }
  fputs("    *)\n      options='", to);
  print_options(to, NULL, false);
  fputs("'\n      words='", to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    fprintf(to, "%s%s", i > 0 ? " " : "", vkm_commands[i].name);
  }
  fputs("' ;;\n", to);
  fputs(walk, to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    for (size_t j = 0; j < vkm_option_count; j++) {
      if (vkm_option_belongs(&vkm_options[j], &vkm_commands[i])) {
        print_value(to, &vkm_commands[i], &vkm_options[j]);
      }
    }
  }
  fputs(tail, to);
}
