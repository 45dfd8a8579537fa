/* In: any bytes, as the content of a rule file. Out: nothing; a crash, a sanitizer report or an
 * abort is a fault of src/kernel/rules.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"
#include "kernel/rules.h"

size_t fuzz_accepted;

static void check(bool holds) {
  if (!holds) {
    abort();
  }
}

static void check_rule(const struct vkm_rule *rule) {
  check(rule->name || rule->module || rule->entry || rule->hash || rule->label);
  check(rule->family != VKM_FAMILY_COUNT || rule->phase != NULL);
  check(rule->family <= VKM_FAMILY_COUNT);
  check(rule->phase == NULL || rule->phase[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct vkm_rule_subject subject = {"mul_mat_vec", "module",   "main",
                                                  "0123456789",  "89abcdef", "layer#/attn"};
  struct vkm_rules rules;
  check(vkm_rules_parse((const char *)data, size, &rules) == VKM_OK);
  check(rules.count <= VKM_RULE_CAP && rules.fault_count <= VKM_RULE_FAULT_CAP);
  for (size_t i = 0; i < rules.count; i++) {
    check_rule(&rules.rules[i]);
  }
  size_t length = 0;
  for (size_t i = 0; i < rules.fault_count; i++) {
    const struct vkm_rule_fault *fault = &rules.faults[i];
    length += strlen(fault->word) + strlen(fault->cause) + strlen(fault->accepted);
    check(fault->line > 0);
  }
  check((length > 0) == (rules.fault_count > 0));
  const struct vkm_rule *family = vkm_rules_find(&rules, &subject, false);
  const struct vkm_rule *phase = vkm_rules_find(&rules, &subject, true);
  check(family == NULL || family->family < VKM_FAMILY_COUNT);
  check(phase == NULL || phase->phase != NULL);
  fuzz_accepted += rules.fault_count == 0;
  vkm_rules_finish(&rules);
  return 0;
}
