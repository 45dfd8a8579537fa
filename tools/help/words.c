/* Words for completion. In: the tables. Out: words. Next: completion. */
#include "help/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "help/topics.h"
#include "model/suite_results.h"
#include "views/view.h"

enum { BRIEF_BYTES = 72 };

static void add(struct vkm_text *words, const char *word, size_t length) {
  if (words->length_bytes > 0) {
    vkm_text_string(words, " ");
  }
  vkm_text_append(words, word, length);
}

/* Written as it is typed; in capitals it stands for something else. */
static bool is_literal(const char *word, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (!islower((unsigned char)word[i]) && !isdigit((unsigned char)word[i]) && word[i] != '+' &&
        word[i] != '-') {
      return false;
    }
  }
  return length > 0;
}

/* The literal ones among words with `separators` between. */
static void add_literals(struct vkm_text *words, const char *text, const char *separators) {
  while (*text) {
    size_t length = strcspn(text, separators);
    if (is_literal(text, length)) {
      add(words, text, length);
    }
    text += length;
    text += strspn(text, separators);
  }
}

/* "the tables: kernels, plans or queues (default ...)". NULL: nothing is listed. */
static void add_listed(struct vkm_text *words, const char *help) {
  size_t length = help != NULL ? strcspn(help, "(.;") : 0;
  char *list = strndup(help != NULL ? help : "", length);
  for (char * or = list; or != NULL && (or = strstr(or, " or ")) != NULL;) {
    memset(or, ' ', strlen(" or "));
  }
  add_literals(words, list != NULL ? list : "", " ,:\n");
  free(list);
}

static void add_gates(struct vkm_text *words, bool of_suite) {
  for (size_t gate = 0; gate < (of_suite ? VKM_SUITE_GATE_COUNT : (int)VKM_GATE_COUNT); gate++) {
    const char *name = vkm_suite_gate_name(gate);
    add(words, name, strlen(name));
  }
}

static void add_formats(struct vkm_text *words) {
  for (size_t i = 0; i < vkm_view_count; i++) {
    add(words, vkm_views[i]->name, strlen(vkm_views[i]->name));
  }
}

enum vkm_completes vkm_words_of_option(const struct vkm_option *option, struct vkm_text *words) {
  const char *value = option->value;
  if (value == NULL || value[0] == '[') {
    return VKM_COMPLETES_NOTHING;
  }
  if (strncmp(value, "FORMAT", strlen("FORMAT")) == 0) {
    add_formats(words);
  } else if (strcmp(option->long_name, "fail-on") == 0) {
    add_gates(words, (option->commands & VKM_FOR_SUITE) != 0);
  } else if (strcmp(value, "LIST") == 0) { /* its words are listed behind a colon */
    add_listed(words, strchr(option->help, ':'));
  } else {
    add_literals(words, value, "|");
  }
  if (strncmp(value, "FILE", strlen("FILE")) == 0 || strcmp(value, "PATH") == 0) {
    return VKM_COMPLETES_FILES;
  }
  return strcmp(value, "DIR") == 0 ? VKM_COMPLETES_FOLDERS : VKM_COMPLETES_NOTHING;
}

enum vkm_completes vkm_words_of_command(const struct vkm_command *command, struct vkm_text *words) {
  if (command->program) {
    return VKM_COMPLETES_PROGRAM;
  }
  if (command->bit == VKM_FOR_HELP) {
    for (size_t i = 0; i < vkm_command_count; i++) {
      add(words, vkm_commands[i].name, strlen(vkm_commands[i].name));
    }
    for (size_t i = 0; i < vkm_topic_count; i++) {
      add(words, vkm_topics[i].name, strlen(vkm_topics[i].name));
    }
    return VKM_COMPLETES_NOTHING;
  }
  add_literals(words, command->operands, " |[]");
  bool files = strstr(command->operands, "FILE") != NULL || strstr(command->operands, "BASE");
  return files ? VKM_COMPLETES_FILES : VKM_COMPLETES_NOTHING;
}

void vkm_words_brief(const char *help, struct vkm_text *brief) {
  size_t length = strcspn(help, ".:;(");
  const char *end = strstr(help, " (");
  for (const char *at = strchr(help, '.'); at != NULL && at[1] && !isspace((unsigned char)at[1]);
       at = strchr(at + 1, '.')) {
    length = (size_t)(at - help) + 1 + strcspn(at + 1, ".:;("); /* a dot within a word */
  }
  if (end != NULL && (size_t)(end - help) < length) {
    length = (size_t)(end - help);
  }
  while (length > BRIEF_BYTES) {
    do {
      length--;
    } while (length > 0 && !isspace((unsigned char)help[length]));
  }
  length -= length > 0 && help[length - 1] == ',';
  for (size_t i = 0; i < length; i++) {
    vkm_text_append(brief, help[i] == '\n' ? " " : help + i, 1);
  }
}

void vkm_print_escaped(FILE *to, const char *bytes, const char *special, const char *escape) {
  for (; *bytes; bytes++) {
    if (strchr(special, *bytes) != NULL) {
      fputs(escape, to);
    }
    fputc(*bytes, to);
  }
}
