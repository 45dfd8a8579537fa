/* In: texts of rule files, right and wrong. Out: verdicts on src/kernel/rules. */
#include <gtest/gtest.h>

#include <cstring>
#include <string>

extern "C" {
#include "base/alloc.h"
#include "kernel/rules.h"
}

namespace {

struct Rules {
  explicit Rules(const std::string &text) {
    status = vkm_rules_parse(text.data(), text.size(), &rules);
  }
  ~Rules() {
    vkm_rules_finish(&rules);
  }
  Rules(const Rules &) = delete;
  Rules &operator=(const Rules &) = delete;
  std::string Fault(size_t i) const {
    if (i >= rules.fault_count) {
      return "(none)";
    }
    const vkm_rule_fault &fault = rules.faults[i];
    EXPECT_GT(std::strlen(fault.accepted), 0u);
    return std::to_string(fault.line) + ": " + fault.cause + ": " + fault.word;
  }
  const char *Family(const vkm_rule_subject &subject) const {
    const vkm_rule *rule = vkm_rules_find(&rules, &subject, false);
    return rule ? vkm_family_names[rule->family] : "(none)";
  }
  std::string Phase(const vkm_rule_subject &subject) const {
    const vkm_rule *rule = vkm_rules_find(&rules, &subject, true);
    return rule ? rule->phase : "(none)";
  }
  vkm_rules rules = {};
  vkm_status status;
};

TEST(KernelRules, Patterns) {
  EXPECT_TRUE(vkm_glob("", ""));
  EXPECT_TRUE(vkm_glob("*", ""));
  EXPECT_TRUE(vkm_glob("a*b*c", "a--b--b-c"));
  EXPECT_TRUE(vkm_glob("*gemm*", "my_gemm_3"));
  EXPECT_TRUE(vkm_glob("gemm?", "gemm3"));
  EXPECT_TRUE(vkm_glob("**x", "x"));
  EXPECT_FALSE(vkm_glob("gemm?", "gemm"));
  EXPECT_FALSE(vkm_glob("", "a"));
  EXPECT_FALSE(vkm_glob("a*b", "a-c"));
  EXPECT_FALSE(vkm_glob("gemm", "GEMM"));
  EXPECT_FALSE(vkm_glob("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a').c_str())); // soon
}

TEST(KernelRules, LinesOfAFile) {
  Rules rules("# ours\r\n"
              "\n"
              "  name=*gemm* family=matrix   phase=decode # of the second part\n"
              "entry=\"my kernel\"\tfamily=attention\r\n"
              "hash=0123* phase=\"warm up\"\n"
              "label=layer#/attn family=attention #/attn\n"
              "module=m family=pointwise");
  ASSERT_EQ(rules.status, VKM_OK);
  EXPECT_EQ(rules.rules.fault_count, 0u) << rules.Fault(0);
  ASSERT_EQ(rules.rules.count, 5u);
  EXPECT_TRUE(rules.rules.by_label);
  EXPECT_STREQ(rules.rules.rules[0].name, "*gemm*");
  EXPECT_STREQ(rules.rules.rules[0].phase, "decode");
  EXPECT_STREQ(rules.rules.rules[1].entry, "my kernel");
  EXPECT_STREQ(rules.rules.rules[2].phase, "warm up");
  EXPECT_STREQ(rules.rules.rules[3].label, "layer#/attn"); // phases are spelt so
}

TEST(KernelRules, TheFirstThatMatchesCounts) {
  Rules rules("name=a* entry=main phase=first\n"
              "name=a* family=matrix\n"
              "name=ab family=pointwise phase=second\n"
              "hash=ffee* family=transform\n"
              "label=attn family=attention\n");
  vkm_rule_subject subject = {"ab", nullptr, "main", "0000", "ffee00", nullptr};
  EXPECT_STREQ(rules.Family(subject), "matrix");
  EXPECT_EQ(rules.Phase(subject), "first");
  subject.entry = "other";
  EXPECT_EQ(rules.Phase(subject), "second");
  subject.name = nullptr;
  EXPECT_STREQ(rules.Family(subject), "transform"); // by the hash of the code
  EXPECT_EQ(rules.Phase(subject), "(none)");
  subject.spirv_hash = nullptr;
  EXPECT_STREQ(rules.Family(subject), "(none)");
  subject.label = "layer#/attn"; // its last part
  EXPECT_STREQ(rules.Family(subject), "attention");
  subject.label = "layer#/attn/inner";
  EXPECT_STREQ(rules.Family(subject), "(none)");
}

TEST(KernelRules, EachWrongLineIsSaid) {
  struct Case {
    const char *line, *fault;
  };
  const Case cases[] = {
      {"nam=x family=matrix", "an unknown key: nam"},
      {"name=x family=matrices", "an unknown family: matrices"},
      {"name=x family=", "a key without a value: family"},
      {"name= family=matrix", "a key without a value: name"},
      {"name=x name=y family=matrix", "a key that comes twice: name"},
      {"name=x family=matrix family=matrix", "a key that comes twice: family"},
      {"name=x", "a rule that says nothing: name"},
      {"family=matrix", "a rule for no kernel: family"},
      {"name=x matrix", "a word without =: matrix"},
      {"name=\"x family=matrix", "a quote that does not end: name"},
      {"[families]", "a word without =: [families]"},
      {"=x family=matrix", "an unknown key: "},
  };
  for (const Case &each : cases) {
    Rules rules(std::string("name=good family=matrix\n") + each.line + "\nname=*b family=matrix");
    EXPECT_EQ(rules.Fault(0), std::string("2: ") + each.fault);
    EXPECT_EQ(rules.rules.fault_count, 1u) << each.line;
    EXPECT_EQ(rules.rules.count, 2u) << each.line; // the others hold
  }
}

TEST(KernelRules, FaultsAndRulesAreBounded) {
  std::string text;
  for (int i = 0; i < 100; i++) {
    text += "wrong\n";
  }
  for (int i = 0; i < 1030; i++) {
    text += "name=x" + std::to_string(i) + " family=matrix\n";
  }
  Rules rules(text);
  EXPECT_EQ(rules.rules.fault_count, static_cast<size_t>(VKM_RULE_FAULT_CAP));
  EXPECT_EQ(rules.rules.faults_beyond, 100u - VKM_RULE_FAULT_CAP + 6u);
  EXPECT_EQ(rules.rules.count, static_cast<size_t>(VKM_RULE_CAP));
}

TEST(KernelRules, AnyBytes) {
  Rules none("");
  EXPECT_EQ(none.rules.count, 0u);
  Rules zero(std::string("name=a\0b family=matrix\nname=c family=matrix", 43));
  EXPECT_EQ(zero.Fault(0), "1: a rule that says nothing: name");
  EXPECT_EQ(zero.rules.count, 1u);
}

TEST(KernelRules, MemoryThatIsShort) {
  const char text[] = "name=a family=matrix\n";
  for (unsigned long nth = 1; nth <= 2; nth++) {
    vkm_rules rules;
    vkm_alloc_fail(nth, 1);
    EXPECT_EQ(vkm_rules_parse(text, sizeof text - 1, &rules), VKM_OUT_OF_MEMORY) << nth;
    vkm_alloc_fail(0, 0);
    EXPECT_EQ(rules.count, 0u);
    vkm_rules_finish(&rules);
  }
}

} // namespace
