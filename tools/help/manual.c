/* The man page. In: tables and topics. Out: its source. */
#include "help/manual.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "help/topics.h"
#include "help/words.h"
#include "message.h"
#include "options.h"

/* One line, so that no byte of it is a request or an escape. A hyphen that is typed has to stay
 * one, and nobody knows which are. */
static void print_line(FILE *to, const char *line, size_t length) {
  if (length > 0 && (line[0] == '.' || line[0] == '\'')) {
    fputs("\\&", to);
  }
  for (size_t i = 0; i < length; i++) {
    switch (line[i]) {
    case '\\':
      fputs("\\e", to);
      break;
    case '-':
      fputs("\\-", to);
      break;
    case '\'':
      fputs("\\(aq", to);
      break;
    case '`':
      fputs("\\(ga", to);
      break;
    case '^':
      fputs("\\(ha", to);
      break;
    case '~':
      fputs("\\(ti", to);
      break;
    default:
      fputc(line[i], to);
    }
  }
}

static void print_word(FILE *to, const char *word) {
  print_line(to, word, strlen(word));
}

/* Whole lines: paragraphs are filled, what begins with a blank stays as it is laid out, an empty
 * line parts two paragraphs. */
static void print_text(FILE *to, const char *text) {
  bool laid_out = false;
  bool parted = false;
  while (*text) {
    size_t length = strcspn(text, "\n");
    bool blank = length > 0 && text[0] == ' ';
    if (length > 0 && (blank || laid_out) && blank != laid_out) {
      fputs(blank ? ".PP\n.nf\n" : ".fi\n", to);
      parted = parted && !blank;
      laid_out = blank;
    }
    if (length > 0 && parted) {
      fputs(laid_out ? "\n" : ".PP\n", to);
    }
    parted = length == 0;
    if (length > 0) {
      print_line(to, text, length);
      fputs("\n", to);
    }
    text += length;
    text += *text == '\n';
  }
  if (laid_out) {
    fputs(".fi\n", to);
  }
}

static void print_option(FILE *to, const struct vkm_option *option) {
  bool optional = vkm_option_is_optional(option);
  fputs(".TP\n.B ", to);
  if (option->short_name) {
    fprintf(to, "\\-%c, ", option->short_name);
  }
  fputs("\\-\\-", to);
  print_word(to, option->long_name);
  if (option->value != NULL) {
    fputs(optional ? "[=" : "=", to);
    print_word(to, option->value + optional);
  }
  fputs("\n", to);
  for (const char *line = option->help; line != NULL;) {
    size_t length = strcspn(line, "\n");
    print_line(to, line, length);
    fputs("\n", to);
    line = line[length] ? line + length + 1 : NULL;
  }
}

static void print_options(FILE *to, const struct vkm_command *command) {
  for (size_t i = 0; i < vkm_option_count; i++) {
    if (vkm_option_belongs(&vkm_options[i], command) &&
        (command == NULL || !vkm_option_belongs(&vkm_options[i], NULL))) {
      print_option(to, &vkm_options[i]);
    }
  }
}

static void print_command(FILE *to, const struct vkm_command *command) {
  fprintf(to, ".SS vkmeter %s", command->name);
  if (*command->operands) {
    fputs(" [OPTION...] ", to);
    print_word(to, command->operands);
  }
  fputs("\n", to);
  if (*command->about) {
    print_text(to, command->about);
  } else {
    print_word(to, command->summary);
    fputs("\n", to);
  }
  print_options(to, command);
}

static void print_title(FILE *to, const char *name) {
  fputs(".SH ", to);
  for (; *name; name++) {
    fputc(toupper((unsigned char)*name), to);
  }
  fputs("\n", to);
}

/* Printed topics come through a stream of memory. */
static bool print_topic(FILE *to, const struct vkm_topic *topic) {
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  if (memory == NULL) {
    return false;
  }
  topic->print(memory);
  bool good = fclose(memory) == 0;
  if (good) {
    print_title(to, strcmp(topic->name, "exit") == 0 ? "exit status" : topic->name);
    print_text(to, text);
  }
  free(text);
  return good;
}

bool vkm_manual_print(FILE *to) {
  fputs(
      ".TH VKMETER 1 " VKM_VERSION_DATE " \"vkmeter " VKM_VERSION "\" \"User Commands\"\n"
      ".nh\n"
      ".ad l\n"
      ".SH NAME\n"
      "vkmeter \\- profile the GPU work of a Vulkan program\n"
      ".SH SYNOPSIS\n"
      ".B vkmeter\n"
      ".I COMMAND\n"
      "[OPTION...] [OPERAND...]\n"
      ".SH DESCRIPTION\n"
      "vkmeter measures every dispatch, copy and render pass of any Vulkan program with hardware\n"
      "timestamps, without changing the program. It runs programs under an implicit layer, which\n"
      "writes a profile, and shows, compares and judges profiles.\n"
      ".SH COMMANDS\n",
      to);
  for (size_t i = 0; i < vkm_command_count; i++) {
    print_command(to, &vkm_commands[i]);
  }
  fputs(".SH OPTIONS OF EVERY COMMAND\n", to);
  print_options(to, NULL);
  bool good = true;
  for (size_t i = 0; i < vkm_topic_count; i++) {
    good = print_topic(to, &vkm_topics[i]) && good;
  }
  fputs(".SH SEE ALSO\n"
        ".BR vulkaninfo (1)\n",
        to);
  if (!good) {
    vkm_error("out of memory");
  }
  return good;
}
