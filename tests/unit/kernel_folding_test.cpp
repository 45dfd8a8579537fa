/* In: random constant expressions. Out: verdicts on src/kernel's evaluation, by comparison with
 * what spirv-opt folds them to after it was given the same specialization. */
#include <gtest/gtest.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "kernel_module.h"

namespace {

using namespace kernel_module;

constexpr uint32_t SPEC_CONSTANTS = 8;
constexpr uint32_t EXPRESSIONS = 300;

/* Values at the edges, where signs and widths matter. */
uint32_t interesting(std::mt19937 &random) {
  static const uint32_t edges[] = {0, 1, 2, 3, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 77};
  return random() % 3 == 0 ? static_cast<uint32_t>(random()) : edges[random() % 10];
}

/* Text of a module in which each expression is the size of an entry point "e<i>" of its own. */
struct Expressions {
  std::mt19937 random;
  std::ostringstream decorations, constants, entries, modes, functions;
  std::vector<std::string> numbers = {"%one"};
  std::vector<std::string> bools = {"%yes"};
  uint32_t count = 0;

  explicit Expressions(uint32_t seed) : random(seed) {}
  const std::string &pick(const std::vector<std::string> &from) {
    return from[random() % from.size()];
  }
  void number(const std::string &name, const std::string &text) {
    constants << name << " = " << text << "\n";
    numbers.push_back(name);
  }
  void add_spec_constants() {
    for (uint32_t i = 0; i < SPEC_CONSTANTS; i++) {
      std::string name = "%s" + std::to_string(i);
      decorations << "OpDecorate " << name << " SpecId " << i << "\n";
      number(name, "OpSpecConstant %uint " + std::to_string(interesting(random)));
    }
  }
  void add() {
    static const char *const arithmetic[] = {"IAdd",
                                             "ISub",
                                             "IMul",
                                             "BitwiseOr",
                                             "BitwiseXor",
                                             "BitwiseAnd",
                                             "UDiv",
                                             "SDiv",
                                             "UMod",
                                             "SRem",
                                             "SMod",
                                             "ShiftRightLogical",
                                             "ShiftRightArithmetic",
                                             "ShiftLeftLogical"};
    /* Undefined results would spread over everything, and spirv-opt 2023.1 overflows in SMod by a
     * large number (2147483568 by 2147483647 gives it -81). */
    constexpr uint32_t FIRST_SMALL = 6;
    static const char *const compare[] = {
        "IEqual",    "INotEqual",         "UGreaterThan",      "SGreaterThan",   "ULessThan",
        "SLessThan", "UGreaterThanEqual", "SGreaterThanEqual", "ULessThanEqual", "SLessThanEqual"};
    static const char *const logic[] = {"LogicalAnd", "LogicalOr", "LogicalEqual",
                                        "LogicalNotEqual"};
    std::string id = std::to_string(count++);
    std::string result = "%x" + id;
    std::string condition = "%b" + id;
    std::string a = pick(numbers);
    std::string b = pick(numbers);
    if (random() % 2 == 0) {
      constants << condition << " = OpSpecConstantOp %bool " << compare[random() % 10] << " " << a
                << " " << b << "\n";
    } else if (random() % 4 == 0) {
      constants << condition << " = OpSpecConstantOp %bool LogicalNot " << pick(bools) << "\n";
    } else {
      constants << condition << " = OpSpecConstantOp %bool " << logic[random() % 4] << " "
                << pick(bools) << " " << pick(bools) << "\n";
    }
    bools.push_back(condition);
    switch (random() % 6) {
    case 0:
      number(result, "OpSpecConstantOp %uint Select " + pick(bools) + " " + a + " " + b);
      break;
    case 1:
      number(result, std::string("OpSpecConstantOp %uint ") +
                         (random() % 2 == 0 ? "SNegate " : "Not ") + a);
      break;
    default:
      uint32_t which = random() % 14;
      number(result, std::string("OpSpecConstantOp %uint ") + arithmetic[which] + " " + a + " " +
                         (which >= FIRST_SMALL ? "%small" + std::to_string(random() % 4) : b));
    }
    entries << "OpEntryPoint GLCompute %f" << id << " \"e" << id << "\"\n";
    modes << "OpExecutionModeId %f" << id << " LocalSizeId " << result << " %one %one\n";
    decorations << "OpName " << result << " \"x" << id << "\"\n";
    functions << "%f" << id << " = OpFunction %void None %fn\n%l" << id
              << " = OpLabel\nOpReturn\nOpFunctionEnd\n";
  }
  std::string text() const {
    /* OpName stands before OpDecorate. */
    std::string names, rest, line;
    std::istringstream lines(decorations.str());
    while (std::getline(lines, line)) {
      (line.compare(0, 6, "OpName") == 0 ? names : rest) += line + "\n";
    }
    return "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + entries.str() + modes.str() +
           names + rest +
           "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
           "%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%yes = OpConstantTrue %bool\n"
           "%small0 = OpConstant %uint 1\n%small1 = OpConstant %uint 3\n"
           "%small2 = OpConstant %uint 5\n%small3 = OpConstant %uint 31\n" +
           constants.str() + functions.str();
  }
};

/* Name -> value of the plain constants that spirv-opt left: it knows the ids by their OpName. */
std::map<std::string, uint32_t> folded(const Words &words) {
  std::map<uint32_t, std::string> names;
  std::map<std::string, uint32_t> values;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    uint32_t opcode = words[at] & 0xFFFF;
    if (opcode == SpvOpName) {
      names[words[at + 1]] = reinterpret_cast<const char *>(&words[at + 2]);
    } else if (opcode == SpvOpConstant && names.count(words[at + 2]) != 0) {
      values[names[words[at + 2]]] = words[at + 3];
    }
  }
  return values;
}

void run(std::vector<std::string> words) {
  std::vector<char *> arguments;
  for (std::string &word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  ASSERT_EQ(posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ), 0)
      << words[0];
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0) << words[0];
}

class Folding : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Folding, testing::Range(1u, 9u));

TEST_P(Folding, AgreesWithSpirvOpt) {
  Expressions expressions(GetParam());
  expressions.add_spec_constants();
  for (uint32_t i = 0; i < EXPRESSIONS; i++) {
    expressions.add();
  }
  std::string base = testing::TempDir() + "vkm_folding_" + std::to_string(getpid()) + "_" +
                     std::to_string(GetParam());
  std::ofstream(base + ".spvasm") << expressions.text();
  Specialization given;
  std::string defaults;
  for (uint32_t i = 0; i < SPEC_CONSTANTS; i += 2) {
    uint32_t value = interesting(expressions.random);
    given.set<uint32_t>(i, value);
    defaults += " " + std::to_string(i) + ":" + std::to_string(value);
  }
  run({VKM_SPIRV_AS, "--target-env", "spv1.3", "--preserve-numeric-ids", base + ".spvasm", "-o",
       base + ".spv"});
  run({VKM_SPIRV_OPT, "--target-env=spv1.3", "--set-spec-const-default-value=" + defaults,
       "--freeze-spec-const", "--fold-spec-const-op-composite", base + ".spv", "-o",
       base + ".folded.spv"});
  Words words = load_path(base + ".spv");
  std::map<std::string, uint32_t> expected = folded(load_path(base + ".folded.spv"));
  uint32_t compared = 0;
  uint32_t unknown = 0;
  for (uint32_t i = 0; i < EXPRESSIONS; i++) {
    std::string id = std::to_string(i);
    vkm_spirv_kernel kernel = describe(words, ("e" + id).c_str(), &given);
    ASSERT_TRUE(kernel.known) << kernel.reason;
    bool zero = kernel.local_size_reason != nullptr &&
                std::string(kernel.local_size_reason) == "spirv: local size of 0";
    /* Where SPIR-V leaves the result undefined, spirv-opt chooses one and we do not. */
    if (kernel.local_size_reason != nullptr && !zero) {
      unknown++;
      continue;
    }
    auto found = expected.find("x" + id);
    if (found != expected.end()) {
      EXPECT_EQ(kernel.local_size[0], found->second) << "x" << id << " in " << base;
      compared++;
    }
  }
  EXPECT_EQ(unknown, 0u);
  EXPECT_GT(compared, EXPRESSIONS / 2);
  if (!HasFailure()) {
    for (const char *end : {".spvasm", ".spv", ".folded.spv"}) {
      unlink((base + end).c_str());
    }
  }
}

} // namespace
