/* Rules that a user writes to name families and phases. In: the text of a rule file, any bytes.
 * Out: rules, and what was wrong with each line that is none. Next room: profile.
 *
 * One rule a line, words KEY=VALUE with blanks between, a value with blanks in double quotes; a
 * word that begins with '#' and all behind it is a comment. name, module, entry, hash and label say
 * which kernels: all that are given have to match, with * for any text and ? for any one letter.
 * family and phase say what they are. Of the rules that match the first counts, for each of the two
 * by itself. */
#ifndef VKM_KERNEL_RULES_H
#define VKM_KERNEL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/family.h"

enum { VKM_RULE_CAP = 1024, VKM_RULE_FAULT_CAP = 32, VKM_RULE_FILE_CAP = 256 * 1024 };

struct vkm_rule {
  const char *name, *module, *entry, *hash, *label; /* patterns; NULL: anything */
  enum vkm_family family;                           /* VKM_FAMILY_COUNT: it names none */
  const char *phase;                                /* NULL: it names none */
};

/* A line that was not understood: as a whole it has no effect. */
struct vkm_rule_fault {
  uint32_t line;        /* counts from 1; 0: the file as a whole */
  const char *word;     /* what in it; not NULL */
  const char *cause;    /* static */
  const char *accepted; /* static: what would have been */
};

struct vkm_rules {
  char *text; /* owned: patterns point into it */
  struct vkm_rule *rules;
  size_t count, capacity;
  struct vkm_rule_fault faults[VKM_RULE_FAULT_CAP];
  size_t fault_count;
  uint64_t faults_beyond; /* further lines that were not understood */
  bool by_label;          /* at least one rule looks at labels */
};

/* VKM_OUT_OF_MEMORY: there are no rules then. finish takes what was zeroed too. */
VKM_MUST_CHECK enum vkm_status vkm_rules_parse(const char *bytes, size_t length,
                                               struct vkm_rules *rules);
void vkm_rules_finish(struct vkm_rules *rules);
/* Adds a fault of the file as a whole; texts are borrowed. */
void vkm_rules_fault(struct vkm_rules *rules, const char *word, const char *cause,
                     const char *accepted);

/* What a rule may look at; NULL: not known, and no pattern matches it. */
struct vkm_rule_subject {
  const char *name, *module, *entry;
  const char *hash, *spirv_hash; /* either may match */
  const char *label;             /* the path of labels: it or its last part may match */
};
/* The first rule that matches and names a family, or a phase; NULL. Any thread. */
const struct vkm_rule *vkm_rules_find(const struct vkm_rules *rules,
                                      const struct vkm_rule_subject *subject, bool phase);

/* '*' any text, '?' any letter. */
bool vkm_glob(const char *pattern, const char *text);

#endif
