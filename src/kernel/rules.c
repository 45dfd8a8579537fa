/* Rules of a user, see rules.h. */
#include "kernel/rules.h"

#include <string.h>

#include "base/alloc.h"

static const char KEYS[] = "name, module, entry, hash, label, family or phase, then = and a value";
static const char FAMILIES[] = ""
#define VKM_FAMILY(name, meaning) #name " "
#include "kernel/families.def"
#undef VKM_FAMILY
    ;

/* ---- patterns ---- */

bool vkm_glob(const char *pattern, const char *text) {
  const char *star = NULL, *resume = NULL; /* behind the last star, and where it goes on */
  while (*text != '\0') {
    if (*pattern == '*') {
      star = ++pattern;
      resume = text;
    } else if (*pattern == '?' || *pattern == *text) {
      pattern++;
      text++;
    } else if (star != NULL) {
      pattern = star;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*') {
    pattern++;
  }
  return *pattern == '\0';
}

static bool matches(const char *pattern, const char *text) {
  return pattern == NULL || (text != NULL && vkm_glob(pattern, text));
}

static bool label_matches(const char *pattern, const char *path) {
  const char *last = path != NULL ? strrchr(path, '/') : NULL;
  return matches(pattern, path) || (last != NULL && matches(pattern, last + 1));
}

const struct vkm_rule *vkm_rules_find(const struct vkm_rules *rules,
                                      const struct vkm_rule_subject *subject, bool phase) {
  for (size_t i = 0; i < rules->count; i++) {
    const struct vkm_rule *rule = &rules->rules[i];
    bool answers = phase ? rule->phase != NULL : rule->family != VKM_FAMILY_COUNT;
    if (answers && matches(rule->name, subject->name) && matches(rule->module, subject->module) &&
        matches(rule->entry, subject->entry) &&
        (matches(rule->hash, subject->hash) || matches(rule->hash, subject->spirv_hash)) &&
        label_matches(rule->label, subject->label)) {
      return rule;
    }
  }
  return NULL;
}

/* ---- text ---- */

/* One line while it is read. */
struct line {
  char *at;
  uint32_t number;
  struct vkm_rule rule;
  struct vkm_rule_fault fault; /* cause NULL: none so far */
};

static void fail(struct line *line, const char *word, const char *cause, const char *accepted) {
  if (line->fault.cause == NULL) {
    line->fault = (struct vkm_rule_fault){line->number, word, cause, accepted};
  }
}

static bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r';
}

/* Cuts the next KEY=VALUE out. False: the line is over, or wrong. */
static bool next_word(struct line *line, char **key, char **value) {
  while (is_blank(*line->at)) {
    line->at++;
  }
  *key = line->at;
  if (*line->at == '\0' || *line->at == '#') {
    return false;
  }
  size_t length = strcspn(line->at, "= \t\r\"");
  if (line->at[length] != '=') {
    line->at[strcspn(line->at, " \t\r")] = '\0';
    fail(line, *key, "a word without =", KEYS);
    return false;
  }
  line->at[length] = '\0';
  *value = line->at + length + 1;
  bool quoted = **value == '"';
  *value += quoted;
  char *end = *value + strcspn(*value, quoted ? "\"" : " \t\r");
  if (quoted && *end != '"') {
    fail(line, *key, "a quote that does not end", "a second double quote in the same line");
    return false;
  }
  line->at = *end == '\0' ? end : end + 1;
  *end = '\0';
  return true;
}

static const char **text_of(struct vkm_rule *rule, const char *key) {
  const struct {
    const char *key, **text;
  } texts[] = {{"name", &rule->name}, {"module", &rule->module}, {"entry", &rule->entry},
               {"hash", &rule->hash}, {"label", &rule->label},   {"phase", &rule->phase}};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(texts[i].key, key) == 0) {
      return texts[i].text;
    }
  }
  return NULL;
}

static void take_word(struct line *line, const char *key, const char *value) {
  const char **text = text_of(&line->rule, key);
  bool family = strcmp(key, "family") == 0;
  if (text == NULL && !family) {
    fail(line, key, "an unknown key", KEYS);
  } else if (*value == '\0') {
    fail(line, key, "a key without a value", "a text behind =");
  } else if (family ? line->rule.family != VKM_FAMILY_COUNT : *text != NULL) {
    fail(line, key, "a key that comes twice", "each key once in a line");
  } else if (family) {
    line->rule.family = vkm_family_named(value, strlen(value));
    if (line->rule.family == VKM_FAMILY_COUNT) {
      fail(line, value, "an unknown family", FAMILIES);
    }
  } else {
    *text = value;
  }
}

static bool add_rule(struct vkm_rules *rules, const struct vkm_rule *rule) {
  if (rules->count == rules->capacity) {
    size_t capacity = rules->capacity != 0 ? 2 * rules->capacity : 16;
    void *grown = vkm_realloc(rules->rules, capacity * sizeof *rules->rules);
    if (grown == NULL) {
      return false;
    }
    rules->rules = grown;
    rules->capacity = capacity;
  }
  rules->rules[rules->count++] = *rule;
  rules->by_label = rules->by_label || rule->label != NULL;
  return true;
}

static void add_fault(struct vkm_rules *rules, const struct vkm_rule_fault *fault) {
  if (rules->fault_count < VKM_RULE_FAULT_CAP) {
    rules->faults[rules->fault_count++] = *fault;
  } else {
    rules->faults_beyond++;
  }
}

void vkm_rules_fault(struct vkm_rules *rules, const char *word, const char *cause,
                     const char *accepted) {
  struct vkm_rule_fault fault = {0, word, cause, accepted};
  add_fault(rules, &fault);
}

/* False without memory. */
static bool parse_line(struct vkm_rules *rules, char *text, uint32_t number) {
  struct line line = {.at = text, .number = number, .rule = {.family = VKM_FAMILY_COUNT}};
  char *key = NULL, *value = NULL;
  bool any = false;
  while (next_word(&line, &key, &value)) {
    any = true;
    take_word(&line, key, value);
  }
  const struct vkm_rule *rule = &line.rule;
  if (any && rule->family == VKM_FAMILY_COUNT && rule->phase == NULL) {
    fail(&line, text, "a rule that says nothing", "family= or phase=");
  } else if (any && !rule->name && !rule->module && !rule->entry && !rule->hash && !rule->label) {
    fail(&line, text, "a rule for no kernel", "name=, module=, entry=, hash= or label=");
  } else if (any && rules->count == VKM_RULE_CAP) {
    fail(&line, text, "one rule too many", "at most 1024 rules");
  }
  if (line.fault.cause != NULL) {
    add_fault(rules, &line.fault);
    return true;
  }
  return !any || add_rule(rules, rule);
}

enum vkm_status vkm_rules_parse(const char *bytes, size_t length, struct vkm_rules *rules) {
  *rules = (struct vkm_rules){.text = vkm_alloc(length + 1)};
  bool room = rules->text != NULL;
  uint32_t number = 0;
  if (room && length > 0) {
    memcpy(rules->text, bytes, length);
  }
  for (size_t begin = 0; room && begin < length;) {
    char *line = rules->text + begin;
    const char *end = memchr(line, '\n', length - begin);
    begin = end != NULL ? (size_t)(end - rules->text) + 1 : length + 1;
    rules->text[begin - 1] = '\0';
    room = parse_line(rules, line, ++number);
  }
  if (!room) {
    vkm_rules_finish(rules);
  }
  return room ? VKM_OK : VKM_OUT_OF_MEMORY;
}

void vkm_rules_finish(struct vkm_rules *rules) {
  vkm_free(rules->rules);
  vkm_free(rules->text);
  *rules = (struct vkm_rules){.text = NULL};
}
