/* vkmeter help. In: a command, a topic or an option. Out: its text on stdout. */
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "help/manual.h"
#include "help/topics.h"
#include "message.h"
#include "options.h"

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
    fprintf(to, "  %-10s %s\n", vkm_commands[i].name, vkm_commands[i].summary);
  }
  fputs("\nTopics of help\n", to);
  for (size_t i = 0; i < vkm_topic_count; i++) {
    fprintf(to, "  %-11s %s\n", vkm_topics[i].name, vkm_topics[i].title);
  }
  fputs("\nOptions of every command\n", to);
  vkm_args_print_options(to, NULL);
}

static bool has_owner(const struct vkm_option *option) {
  for (size_t i = 0; i < vkm_command_count; i++) {
    if (vkm_option_belongs(option, &vkm_commands[i])) {
      return true;
    }
  }
  return false;
}

static void print_owners(FILE *to, const struct vkm_option *option) {
  if (vkm_option_belongs(option, NULL)) {
    fputs("\nOf every command\n", to);
    return;
  }
  const char *between = "\nOf vkmeter ";
  for (size_t i = 0; i < vkm_command_count; i++) {
    if (vkm_option_belongs(option, &vkm_commands[i])) {
      fprintf(to, "%s%s", between, vkm_commands[i].name);
      between = ", ";
    }
  }
  fputs("\n", to);
}

/* Of all options of that name; the name with its dashes or without. False: there is none. */
static bool print_option(FILE *to, const char *name) {
  bool found = false;
  bool letter = name[0] == '-' && name[1] != '-' && name[1] && !name[2];
  const char *bare = name + strspn(name, "-");
  for (size_t i = 0; i < vkm_option_count; i++) {
    const struct vkm_option *option = &vkm_options[i];
    bool named = letter ? option->short_name == name[1] : strcmp(option->long_name, bare) == 0;
    if (named && has_owner(option)) {
      fputs(found ? "\n" : "", to);
      vkm_args_print_option(to, option);
      print_owners(to, option);
      found = true;
    }
  }
  return found;
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
  for (size_t i = 0; i < vkm_topic_count; i++) {
    if (strcmp(vkm_topics[i].name, topic) == 0) {
      vkm_topics[i].print(to);
      return true;
    }
  }
  return print_option(to, topic);
}

/* Commands, topics, then options. */
static const char *name_at(size_t index) {
  if (index < vkm_command_count) {
    return vkm_commands[index].name;
  }
  index -= vkm_command_count;
  return index < vkm_topic_count ? vkm_topics[index].name
                                 : vkm_options[index - vkm_topic_count].long_name;
}

struct vkm_outcome vkm_command_help(const struct vkm_args *args) {
  struct vkm_outcome trouble = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_outcome done = {VKM_OUTCOME_DONE, 0};
  const char *topic = args->operand_count > 0 ? args->operands[0] : NULL;
  if (topic != NULL && strcmp(topic, "man") == 0) {
    return vkm_manual_print(stdout) ? done : trouble;
  }
  if (vkm_help_print(stdout, topic)) {
    return done;
  }
  const char *near = vkm_args_nearest(topic + strspn(topic, "-"), name_at,
                                      vkm_command_count + vkm_topic_count + vkm_option_count);
  if (near != NULL) {
    vkm_error("no help on '%s'; did you mean %s?", topic, near);
  } else {
    vkm_error("no help on '%s'; see vkmeter help", topic);
  }
  return trouble;
}
