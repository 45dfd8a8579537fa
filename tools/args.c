/* The command line. In: argv. Out: struct vkm_args for a command. Next room: commands/. */
#include "args.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "count.h"
#include "message.h"
#include "model/require.h"

struct option {
  const char *long_name;
  const char *value; /* what it takes, NULL: nothing */
  const char *help;
  /* False: reported. `value` is NULL for an option that takes none. */
  bool (*set)(struct vkm_args *args, const char *value);
  int commands;    /* enum vkm_command_bit, or-ed */
  char short_name; /* 0: none */
};

static bool set_help(struct vkm_args *args, const char *value) {
  (void)value;
  args->help = true;
  return true;
}

static bool set_version(struct vkm_args *args, const char *value) {
  (void)value;
  args->version = true;
  return true;
}

static bool set_quiet(struct vkm_args *args, const char *value) {
  (void)value;
  args->quiet = true;
  return true;
}

static bool set_profile(struct vkm_args *args, const char *value) {
  if (!*value) {
    vkm_error("--profile is empty; give the path of the file to write");
    return false;
  }
  args->profile = value;
  return true;
}

static bool set_require(struct vkm_args *args, const char *value) {
  char cause[128];
  if (!vkm_requirement_check(value, cause, sizeof cause)) {
    vkm_error("--require=%s is no extended regular expression: %s; give gpu, discrete, integrated, "
              "virtual, cpu, software or name~REGEX",
              value, cause);
    return false;
  }
  args->require = value;
  return true;
}

static bool set_selftest(struct vkm_args *args, const char *value) {
  (void)value;
  args->selftest = true;
  return true;
}

static bool set_tag(struct vkm_args *args, const char *value) {
  const char *equals = strchr(value, '=');
  if (equals == NULL || equals == value) {
    vkm_error("--tag %s is not KEY=VALUE; write for example --tag commit=a1b2c3d", value);
    return false;
  }
  for (const char *c = value; *c; c++) {
    if (iscntrl((unsigned char)*c)) {
      vkm_error("--tag %s holds a control character; tags are plain text", value);
      return false;
    }
  }
  if (args->tag_count == VKM_TAGS_MAX) {
    vkm_error("more than %d tags; give fewer --tag options", VKM_TAGS_MAX);
    return false;
  }
  args->tags[args->tag_count++] = value;
  return true;
}

static bool set_output(struct vkm_args *args, const char *value) {
  size_t length = strcspn(value, ":");
  struct vkm_output_request request = {vkm_view_find(value, length), NULL};
  if (request.view == NULL) {
    vkm_error("unknown format '%.*s'; see vkmeter help formats", (int)length, value);
    return false;
  }
  if (value[length] == ':') {
    request.path = value + length + 1;
    if (!*request.path) {
      vkm_error("--output=%s names no file after the colon; write %.*s:PATH", value, (int)length,
                value);
      return false;
    }
  }
  if (args->output_count == VKM_OUTPUTS_MAX) {
    vkm_error("more than %d outputs; give fewer --output options", VKM_OUTPUTS_MAX);
    return false;
  }
  args->outputs[args->output_count++] = request;
  return true;
}

/* Index of `value` in `words`, or -1 after reporting. */
static int choose(const char *option, const char *value, const char *const *words) {
  char known[128] = "";
  for (int index = 0; words[index] != NULL; index++) {
    if (strcmp(value, words[index]) == 0) {
      return index;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", index ? ", " : "", words[index]);
  }
  vkm_error("--%s=%s is not known; give one of %s", option, value, known);
  return -1;
}

static bool set_color(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"auto", "always", "never", NULL};
  int index = choose("color", value, words);
  args->view.color = (enum vkm_color)(index < 0 ? 0 : index);
  return index >= 0;
}

static bool set_unit(struct vkm_args *args, const char *value) {
  static const char *const words[] = {"auto", "ns", "us", "ms", "s", NULL};
  int index = choose("unit", value, words);
  args->view.unit = (enum vkm_unit)(index < 0 ? 0 : index);
  return index >= 0;
}

static bool set_ascii(struct vkm_args *args, const char *value) {
  (void)value;
  args->view.ascii = true;
  return true;
}

static bool number(const char *option, const char *value, unsigned long largest,
                   unsigned long *out) {
  char *end = NULL;
  errno = 0;
  *out = strtoul(value, &end, 10);
  if (!isdigit((unsigned char)*value) || *end || errno != 0 || *out > largest) {
    vkm_error("--%s=%s is no whole number from 0 to %lu; give one", option, value, largest);
    return false;
  }
  return true;
}

static bool set_width(struct vkm_args *args, const char *value) {
  unsigned long width = 0;
  bool good = number("width", value, 10000, &width);
  args->view.width = width;
  args->view.width_given = true;
  return good;
}

static bool set_top(struct vkm_args *args, const char *value) {
  unsigned long top = 0;
  bool good = number("top", value, 1000000000, &top);
  args->view.top = top;
  args->view.top_given = true;
  return good;
}

static bool set_warmup(struct vkm_args *args, const char *value) {
  unsigned long warmup = 0;
  bool good = number("warmup", value, 1, &warmup);
  args->warmup = (unsigned)warmup;
  return good;
}

static const struct option options[] = {
    {"profile", "PATH",
     "write the profile to PATH. %e is the program, %p its pid, %t the time, %h the host, %r the\n"
     "MPI or SLURM rank. Without it: $VKMETER_OUTPUT, else vkmeter-%e-%p.json here",
     set_profile, VKM_FOR_RUN, 'p'},
    {"require", "KIND|name~REGEX",
     "exit 1 unless all the program's GPU work was executed on such devices, and there was some.\n"
     "KIND is gpu (any hardware), discrete, integrated, virtual, cpu or software; REGEX is an\n"
     "extended regular expression for the device's name",
     set_require, VKM_FOR_RUN, 0},
    {"selftest", NULL,
     "run heavy and light work in known patterns on each device and see whether every time is "
     "that\n"
     "of the work it stands at; 1 when it is not",
     set_selftest, VKM_FOR_DOCTOR, 0},
    {"tag", "KEY=VALUE", "store KEY=VALUE in the profile; may be repeated", set_tag, VKM_FOR_RUN,
     0},
    {"top", "N", "show the N rows with most time; 0 shows all (default 20)", set_top,
     VKM_FOR_REPORT, 'n'},
    {"output", "FORMAT[:PATH]",
     "print FORMAT to stdout, or write it to PATH; may be repeated (default table; see\n"
     "vkmeter help formats)",
     set_output, VKM_FOR_REPORT, 'o'},
    {"warmup", "0|1",
     "executions of a pipeline set aside at its first use (default 1; 0 keeps them)", set_warmup,
     VKM_FOR_REPORT, 0},
    {"unit", "auto|ns|us|ms|s", "unit of times in tables (default auto)", set_unit, VKM_FOR_REPORT,
     0},
    {"width", "N",
     "cut names so that lines fit N columns; 0 never cuts (default: the terminal's, 0 in a pipe)",
     set_width, VKM_FOR_REPORT | VKM_FOR_INFO, 0},
    {"color", "auto|always|never",
     "colour (default auto; NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM=dumb are obeyed)",
     set_color, VKM_FOR_REPORT | VKM_FOR_INFO | VKM_FOR_DOCTOR, 0},
    {"ascii", NULL,
     "only ASCII in what vkmeter adds: us, x, +/- (default where the locale is not UTF-8)",
     set_ascii, VKM_FOR_REPORT | VKM_FOR_INFO | VKM_FOR_DOCTOR, 0},
    {"quiet", NULL, "no notes on stderr; errors and warnings stay", set_quiet, VKM_FOR_ALL, 'q'},
    {"help", NULL, "help for the command", set_help, VKM_FOR_ALL, 'h'},
    {"version", NULL, "the version", set_version, VKM_FOR_ALL, 0},
};
enum { OPTION_COUNT = VKM_COUNT(options) };

static bool belongs(const struct option *option, const struct vkm_command *command) {
  return option->commands == VKM_FOR_ALL ||
         (command != NULL && (option->commands & (int)command->bit) != 0);
}

void vkm_args_print_options(FILE *to, const struct vkm_command *command) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = &options[i];
    if (!belongs(option, command)) {
      continue;
    }
    fprintf(to, "  %c%c%s --%s%s%s\n", option->short_name ? '-' : ' ',
            option->short_name ? option->short_name : ' ', option->short_name ? "," : " ",
            option->long_name, option->value ? "=" : "", option->value ? option->value : "");
    for (const char *line = option->help; line != NULL;) {
      int length = (int)strcspn(line, "\n");
      fprintf(to, "          %.*s\n", length, line);
      line = line[length] ? line + length + 1 : NULL;
    }
  }
}

/* Edits (insert, delete, replace) from `a` to `b`, both at most 31 bytes long. */
static size_t distance(const char *a, const char *b) {
  size_t row[32];
  size_t b_length = strlen(b);
  for (size_t j = 0; j <= b_length; j++) {
    row[j] = j;
  }
  for (size_t i = 1; a[i - 1]; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      best = row[j] + 1 < best ? row[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b_length];
}

const char *vkm_args_nearest(const char *word, const char *(*name_at)(size_t index), size_t count) {
  const char *nearest = NULL;
  size_t least = 4; /* further off than this it is no typing mistake */
  for (size_t i = 0; i < count; i++) {
    const char *name = name_at(i);
    if (strlen(word) > 31 || strlen(name) > 31) {
      continue;
    }
    size_t edits = distance(word, name);
    if (edits < least && edits < strlen(word)) {
      least = edits;
      nearest = name;
    }
  }
  return nearest;
}

static const char *option_name_at(size_t index) {
  return options[index].long_name;
}

static bool unknown_option(const struct vkm_args *args, const char *word) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *near = word[1] == '-' ? vkm_args_nearest(name, option_name_at, OPTION_COUNT) : NULL;
  const char *command = args->command ? args->command->name : NULL;
  if (near != NULL) {
    vkm_error("unknown option '%s'; did you mean --%s?", word, near);
  } else {
    vkm_error("unknown option '%s'; see vkmeter %s%s", word, command ? "help " : "help",
              command ? command : "");
  }
  return false;
}

static const struct option *find_long(const char *name, size_t length) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (strlen(options[i].long_name) == length &&
        strncmp(options[i].long_name, name, length) == 0) {
      return &options[i];
    }
  }
  return NULL;
}

static const struct option *find_short(char name) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (options[i].short_name == name) {
      return &options[i];
    }
  }
  return NULL;
}

/* The words that are being read. */
struct words {
  int count;
  char **words;
  int index; /* of the one being read; moves over what an option takes */
};

/* `attached`: the value that stands in the same word, NULL when there is none. */
static bool apply(struct vkm_args *args, const struct option *option, const char *attached,
                  struct words *words) {
  const char *word = words->words[words->index];
  if (!belongs(option, args->command)) {
    vkm_error("--%s does not belong to %s; see vkmeter help %s", option->long_name,
              args->command ? args->command->name : "vkmeter without a command",
              args->command ? args->command->name : "");
    return false;
  }
  if (option->value == NULL && attached != NULL) {
    vkm_error("--%s takes no value, but '%s' gives one; leave it out", option->long_name, word);
    return false;
  }
  if (option->value != NULL && attached == NULL) {
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
  const struct option *option = find_long(name, length);
  if (option == NULL) {
    return unknown_option(args, name - 2);
  }
  return apply(args, option, name[length] ? name + length + 1 : NULL, words);
}

/* Several letters in one word; the first that takes a value takes the rest of it. */
static bool parse_short(struct vkm_args *args, struct words *words) {
  const char *word = words->words[words->index];
  for (const char *letter = word + 1; *letter; letter++) {
    const struct option *option = find_short(*letter);
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
  return true;
}

static bool check_operands(const struct vkm_args *args) {
  const struct vkm_command *command = args->command;
  if (command == NULL || !command->operands_needed || args->operand_count > 0 || args->help ||
      args->version) {
    return true;
  }
  vkm_error("%s needs %s; see vkmeter help %s", command->name, command->operands, command->name);
  return false;
}

bool vkm_args_parse(struct vkm_args *args, int argc, char **argv) {
  *args = (struct vkm_args){.warmup = 1, .operands = argv + 1};
  args->view.top = 20;
  struct words words = {argc, argv, 1};
  bool options_over = false;
  for (; words.index < argc; words.index++) {
    char *word = argv[words.index];
    if (!options_over && strcmp(word, "--") == 0) {
      options_over = true;
      continue;
    }
    bool good = true;
    if (options_over || word[0] != '-' || word[1] == 0) {
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
