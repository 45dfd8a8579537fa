// Which row of the base is which of the new side.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "comparison_sides.hpp"

namespace {

const std::vector<uint32_t> kSmall = {32, 1, 1};

struct vkm_compare_settings By(enum vkm_match match) {
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.match = match;
  return settings;
}

// "NAME BASE_NAME how code" of each row, by name; times tell which rows were paired.
std::string Pairs(const Kernels &base, const Kernels &fresh,
                  struct vkm_compare_settings settings = Comparison::Defaults()) {
  Side one;
  Side other;
  Comparison comparison(one.Add(base), other.Add(fresh), settings);
  static const char *const matched[] = {"-", "name", "code", "name+code", "order", "rename"};
  std::vector<std::string> lines;
  for (size_t i = 0; i < comparison.Panel().row_count; i++) {
    const struct vkm_compared_row &row = comparison.Panel().rows[i];
    std::string line =
        std::string(row.name) + (row.base_name ? std::string("<") + row.base_name : std::string());
    line += std::string(" ") + matched[row.matched_by];
    for (const struct vkm_compared_side &side : row.sides) {
      line += side.present ? " " + std::to_string((int)side.center_ns) : " .";
    }
    lines.push_back(line + (row.code == VKM_CODE_SAME      ? " ="
                            : row.code == VKM_CODE_CHANGED ? " *"
                                                           : " ?"));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string &line : lines) {
    text += line + "\n";
  }
  return text;
}

// The same without the digits that tell names apart.
std::string Plain(const Kernels &base, const Kernels &fresh, struct vkm_compare_settings settings) {
  return std::regex_replace(Pairs(base, fresh, settings), std::regex("#[0-9a-f]+"), "");
}

} // namespace

TEST(ComparisonMatch, ByNameAndGroupsFirst) {
  EXPECT_EQ(Pairs({{"a", "1", {10}}, {"b", "2", {20}}}, {{"b", "3", {21}}, {"a", "1", {11}}}),
            "a name 10 11 =\n"
            "b name 20 21 *\n");
  // Group counts are part of what a row is.
  EXPECT_EQ(Pairs({{"a", "1", {10}}, {"a", "1", {20}, kSmall}}, {{"a", "1", {11}, kSmall}}),
            "a - 10 . ?\n"
            "a name 20 11 =\n");
}

TEST(ComparisonMatch, ARenamedKernelIsFoundByItsCode) {
  EXPECT_EQ(Pairs({{"old", "1", {10}}, {"b", "2", {20}}}, {{"fresh", "1", {11}}, {"b", "2", {21}}}),
            "b name 20 21 =\n"
            "fresh<old code 10 11 =\n");
  // With other groups it is other work.
  EXPECT_EQ(Pairs({{"old", "1", {10}}}, {{"fresh", "1", {11}, kSmall}}), "fresh - . 11 ?\n"
                                                                         "old - 10 . ?\n");
  // A name that is there on both sides wins over code.
  EXPECT_EQ(Pairs({{"a", "1", {10}}}, {{"a", "2", {11}}, {"b", "1", {12}}}), "a name 10 11 *\n"
                                                                             "b - . 12 ?\n");
}

TEST(ComparisonMatch, EqualNamesAreToldApartByCode) {
  const Kernels base = {{"", "1", {10}}, {"", "2", {20}}, {"", "3", {30}}};
  Kernels fresh = {{"", "3", {31}}, {"", "1", {11}}, {"", "2", {21}}};
  std::string text = Pairs(base, fresh);
  EXPECT_NE(text.find(" code 10 11 =\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" code 20 21 =\n"), std::string::npos) << text;
  EXPECT_NE(text.find("main#"), std::string::npos) << text;
  // The only one that is left over on both sides is the one that changed.
  fresh[0].code = "4";
  text = Pairs(base, fresh);
  EXPECT_NE(text.find(" name 30 31 *\n"), std::string::npos) << text;
  // Of several they are taken as they come, when there are as many.
  fresh[1].code = "5";
  text = Pairs(base, fresh);
  EXPECT_NE(text.find(" order 10 31 *\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" order 30 11 *\n"), std::string::npos) << text;
  fresh.push_back({"", "6", {61}});
  text = Pairs(base, fresh);
  EXPECT_NE(text.find(" - 10 . ?\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" - . 61 ?\n"), std::string::npos) << text;
}

TEST(ComparisonMatch, WeakNamesComeAfterCode) {
  // "main" is nobody's name: the code that came under a real name is the same kernel.
  EXPECT_EQ(Pairs({{"", "1", {10}}}, {{"", "9", {90}}, {"fresh", "1", {11}}}),
            "fresh<main code 10 11 =\n"
            "main - . 90 ?\n");
  // That of a module is one.
  EXPECT_EQ(Pairs({{"!m", "1", {10}}}, {{"!m", "9", {90}}, {"fresh", "1", {11}}}),
            "fresh - . 11 ?\n"
            "m name 10 90 *\n");
}

TEST(ComparisonMatch, RenamesAreTakenFromTheUser) {
  const struct vkm_rename renames[] = {{"old", "fresh"}, {"nobody", "b"}};
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.renames = renames;
  settings.rename_count = 2;
  EXPECT_EQ(Pairs({{"old", "1", {10}}, {"b", "2", {20}}}, {{"fresh", "3", {11}}, {"b", "2", {21}}},
                  settings),
            "b name 20 21 =\n"
            "fresh<old rename 10 11 *\n");
  settings.match = VKM_MATCH_NAME;
  EXPECT_EQ(Pairs({{"old", "1", {10}}}, {{"fresh", "3", {11}}}, settings),
            "fresh<old rename 10 11 *\n");
}

TEST(ComparisonMatch, RenamesMayHaveTheDigitsThatTellNamesApart) {
  const Kernels base = {{"", "1", {10}}, {"", "2", {20}}};
  const Kernels fresh = {{"", "3", {31}}, {"", "4", {41}}};
  EXPECT_EQ(Plain(base, fresh, Comparison::Defaults()), "main order 20 41 *\nmain order 10 31 *\n");
  std::string names[2];
  for (int side = 0; side < 2; side++) {
    std::string shown = Pairs({side == 0 ? base[0] : fresh[1], {"", "9", {90}, kSmall}},
                              {side == 0 ? base[1] : fresh[0]}, By(VKM_MATCH_CODE));
    std::smatch match;
    std::regex row(side == 0 ? "(main#[0-9a-f]+) - 10" : "(main#[0-9a-f]+) - 41");
    ASSERT_TRUE(std::regex_search(shown, match, row)) << shown;
    names[side] = match[1];
  }
  const struct vkm_rename rename = {names[0].c_str(), names[1].c_str()};
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.renames = &rename;
  settings.rename_count = 1;
  EXPECT_EQ(Plain(base, fresh, settings), "main rename 10 41 *\nmain name 20 31 *\n");
}

TEST(ComparisonMatch, FormsThatAreAskedFor) {
  const Kernels base = {{"a", "1", {10}}, {"b", "2", {20}}, {"c", "3", {30}}, {"d", "4", {40}}};
  const Kernels fresh = {{"a", "1", {11}}, {"x", "2", {21}}, {"c", "9", {31}}};
  EXPECT_EQ(Plain(base, fresh, By(VKM_MATCH_NAME)), "a name 10 11 =\n"
                                                    "b - 20 . ?\n"
                                                    "c name 30 31 *\n"
                                                    "d - 40 . ?\n"
                                                    "x - . 21 ?\n");
  EXPECT_EQ(Plain(base, fresh, By(VKM_MATCH_CODE)), "a code 10 11 =\n"
                                                    "c - 30 . ?\n"
                                                    "c - . 31 ?\n"
                                                    "d - 40 . ?\n"
                                                    "x<b code 20 21 =\n");
  EXPECT_EQ(Plain(base, fresh, By(VKM_MATCH_NAME_CODE)), "a name+code 10 11 =\n"
                                                         "b - 20 . ?\n"
                                                         "c - 30 . ?\n"
                                                         "c - . 31 ?\n"
                                                         "d - 40 . ?\n"
                                                         "x - . 21 ?\n");
  EXPECT_EQ(Plain({{"a", "1", {10}}, {"b", "2", {20}, kSmall}, {"c", "3", {30}}},
                  {{"x", "9", {11}}, {"y", "8", {21}}}, By(VKM_MATCH_ORDER)),
            "c - 30 . ?\n"
            "x<a order 10 11 *\n"
            "y<b order 20 21 *\n");
}

TEST(ComparisonMatch, CommandsWithoutAPipelineAreMatchedByKind) {
  EXPECT_EQ(Pairs({{"", "", {10}, {}, -1, 0, "copy_buffer"}, {"", "", {5}, kSmall}},
                  {{"", "", {11}, {}, -1, 0, "copy_buffer"}, {"", "", {6}, kSmall}}),
            "(no pipeline) name 5 6 ?\n"
            "copy_buffer name 10 11 ?\n");
}

TEST(ComparisonMatch, NamesAreUniqueWithTheirGroups) {
  // A row that is gone has the name of one that is there.
  std::string text = Pairs({{"k", "1", {10}}, {"k", "2", {20}}}, {{"k", "1", {11}}});
  EXPECT_EQ(text.find("k -"), std::string::npos) << text;
  EXPECT_NE(text.find("k#"), std::string::npos) << text;
  // In order, one shader may be both.
  text = Pairs({{"x", "9", {30}}, {"k", "1", {10}}}, {{"k", "1", {11}}}, By(VKM_MATCH_ORDER));
  EXPECT_NE(text.find("/2 "), std::string::npos) << text;
}

TEST(ComparisonMatch, AnotherDeviceIsAnotherRow) {
  Side base;
  Side fresh;
  auto second = [](std::string text) {
    size_t begin = text.find("\"devices\": [") + 12;
    size_t end = text.find("\n ],", begin);
    std::string device = text.substr(begin, end - begin);
    return text.insert(end, "," + Replaced(device, "Example GPU 9000", "Second GPU"));
  };
  base.edit = second;
  fresh.edit = second;
  base.Add({{"k", "1", {10, 10, 10}}, {"k", "1", {70}, {64, 1, 1}, -1, 1}});
  fresh.Add({{"k", "1", {70}, {64, 1, 1}, -1, 1}, {"k", "1", {10, 10, 10}}});
  Comparison comparison(base, fresh);
  ASSERT_EQ(comparison.Panel().row_count, 2U);
  for (size_t i = 0; i < 2; i++) {
    const struct vkm_compared_row &row = comparison.Panel().rows[i];
    EXPECT_STREQ(row.name, "k");
    EXPECT_EQ(row.device != nullptr, row.sides[VKM_BASE].center_ns == 70);
    EXPECT_EQ(row.sides[VKM_BASE].center_ns, row.sides[VKM_NEW].center_ns);
  }
}
