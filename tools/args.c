/* The command line. In: argv. Out: struct vkm_args for a command. Next room: commands/. */
#include "args.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "options_export.h"
#include "options_report.h"

const char *vkm_args_nearest(const char *word, const char *(*name_at)(size_t index), size_t count) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    size_t edits = vkm_edits(word, name_at(i));
    if (edits < least && vkm_is_near(word, edits)) {
      least = edits;
      nearest = name_at(i);
    }
  }
  return nearest;
}

static const char *option_name_at(size_t index) {
  return vkm_options[index].long_name;
}

static bool unknown_option(const struct vkm_args *args, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *near =
      word[1] == '-' ? vkm_args_nearest(name, option_name_at, vkm_option_count) : NULL;
  const char *command = args->command ? args->command->name : NULL;
  if (near != NULL) {
    vkm_error("unknown option '%s'; did you mean --%s?", word, near);
  } else {
    vkm_error("unknown option '%s'; see vkmeter %s%s", word, command ? "help " : "help",
              command ? command : "");
  }
  return false;
}

/* An option of two commands can have two lines in the table: that of the command is meant. */
static const struct vkm_option *find_long(const struct vkm_args *args, const char *name,
                                          size_t length) {
  const struct vkm_option *found = NULL;
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    if (strlen(option->long_name) == length && strncmp(option->long_name, name, length) == 0 &&
        (found == NULL || vkm_option_belongs(option, args->command))) {
      found = option;
    }
  }
  return found;
}

static const struct vkm_option *find_short(const struct vkm_args *args, char name) {
  const struct vkm_option *found = NULL;
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    if (option->short_name == name &&
        (found == NULL || vkm_option_belongs(option, args->command))) {
      found = option;
    }
  }
  return found;
}

/* The words that are being read. */
struct words {
  int count;
  char **words;
  int index; /* of the one being read; moves over what an option takes */
};

/* `attached`: the value that stands in the same word, NULL when there is none. */
static bool apply(struct vkm_args *args, const struct vkm_option *option, const char *attached,
                  struct words *words) {
  const char *word = words->words[words->index];
  if (!vkm_option_belongs(option, args->command)) {
    vkm_error("--%s does not belong to %s; see vkmeter help %s", option->long_name,
              args->command ? args->command->name : "vkmeter without a command",
              args->command ? args->command->name : "");
    return false;
  }
  if (option->value == NULL && attached != NULL) {
    vkm_error("--%s takes no value, but '%s' gives one; leave it out", option->long_name, word);
    return false;
  }
  if (option->value != NULL && attached == NULL && !vkm_option_is_optional(option)) {
    if (words->index + 1 >= words->count) {
      vkm_error("--%s needs a value; write --%s=%s", option->long_name, option->long_name,
                option->value);
      return false;
    }
    attached = words->words[++words->index];
  }
  return option->set(args, attached);
}

static bool parse_long(struct vkm_args *args, struct words *words) {
  const char *name = words->words[words->index] + 2;
  size_t length = strcspn(name, "=");
  const struct vkm_option *option = find_long(args, name, length);
  if (option == NULL) {
    return unknown_option(args, name - 2);
  }
  return apply(args, option, name[length] ? name + length + 1 : NULL, words);
}

/* Several letters in one word; the first that takes a value takes the rest of it. */
static bool parse_short(struct vkm_args *args, struct words *words) {
  const char *word = words->words[words->index];
  for (const char *letter = word + 1; *letter; letter++) {
    const struct vkm_option *option = find_short(args, *letter);
    if (option == NULL) {
      return unknown_option(args, word);
    }
    bool last = option->value != NULL || letter[1] == 0;
    if (!apply(args, option, option->value != NULL && letter[1] ? letter + 1 : NULL, words)) {
      return false;
    }
    if (last) {
      return true;
    }
  }
  return true;
}

/* `vkmeter help --repeat` asks about the option, of whatever command. */
static bool is_asked_about(const struct vkm_args *args, const char *word) {
  if (args->command == NULL || args->command->bit != VKM_FOR_HELP) {
    return false;
  }
  const struct vkm_option *option =
      word[1] == '-' ? find_long(args, word + 2, strlen(word + 2)) : find_short(args, word[1]);
  return option == NULL || !vkm_option_belongs(option, args->command);
}

static const char *command_name_at(size_t index) {
  return vkm_commands[index].name;
}

static bool parse_command(struct vkm_args *args, const char *word) {
  args->command = vkm_command_find(word);
  if (args->command != NULL) {
    return true;
  }
  const char *near = vkm_args_nearest(word, command_name_at, vkm_command_count);
  if (near != NULL) {
    vkm_error("unknown command '%s'; did you mean %s?", word, near);
  } else {
    vkm_error("unknown command '%s'; see vkmeter help", word);
  }
  return false;
}

/* A word that is no option: the command, then its operands, moved to the front of argv[1..]. */
static bool parse_word(struct vkm_args *args, char *word) {
  if (args->command == NULL) {
    return parse_command(args, word);
  }
  args->operands[args->operand_count++] = word;
  if (args->list != VKM_NO_LIST) {
    args->lists[args->list].count++;
  }
  return true;
}

static bool check_operands(const struct vkm_args *args) {
  const struct vkm_command *command = args->command;
  if (command == NULL || !command->operands_needed || args->operand_count > 0 || args->help ||
      args->version || vkm_wants_columns(args)) {
    return true;
  }
  vkm_error("%s needs %s; see vkmeter help %s", command->name, command->operands, command->name);
  return false;
}

bool vkm_args_parse(struct vkm_args *args, int argc, char **argv) {
  *args = (struct vkm_args){.warmup = 1,
                            .repeat = 1,
                            .list = VKM_NO_LIST,
                            .compare = {.threshold = 0.02, .floor_ns = -1, .confidence = 0.95},
                            .operands = argv + 1};
  args->view.top = 20;
  vkm_export_defaults(&args->export);
  struct words words = {argc, argv, 1};
  bool options_over = false;
  for (; words.index < argc; words.index++) {
    char *word = argv[words.index];
    if (!options_over && strcmp(word, "--") == 0) {
      options_over = true;
      continue;
    }
    bool good = true;
    if (options_over || word[0] != '-' || word[1] == 0 || is_asked_about(args, word)) {
      good = parse_word(args, word);
    } else {
      good = word[1] == '-' ? parse_long(args, &words) : parse_short(args, &words);
    }
    if (!good) {
      return false;
    }
    /* Behind the program's name every word is the program's. */
    options_over = options_over || (args->operand_count > 0 && args->command->program);
  }
  args->operands[args->operand_count] = NULL;
  return check_operands(args);
}
