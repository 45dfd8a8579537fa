// A comparison in the formats for programs, and in those of others: what stands where.
#include <gtest/gtest.h>

#include <string>

#include <cjson/cJSON.h>

#include "compare_example.hpp"

extern "C" {
#include "base/text.h"
#include "views/view.h"
}

namespace {

std::string print(const CompareExample &example, const std::string &format,
                  size_t bytes_before = 0) {
  const vkm_view *view = vkm_view_find(format.data(), format.size());
  vkm_view_settings settings{};
  settings.bytes_before = bytes_before;
  vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  view->compare(&example.comparison, &settings, &text);
  std::string printed(text.data, text.length_bytes);
  EXPECT_FALSE(text.failed);
  vkm_text_finish(&text);
  return printed;
}

size_t count(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    found++;
  }
  return found;
}

struct Document {
  cJSON *root;
  explicit Document(const std::string &text)
      : root(cJSON_ParseWithLengthOpts(text.data(), text.size(), nullptr, 0)) {}
  ~Document() {
    cJSON_Delete(root);
  }
};

cJSON *at(cJSON *of, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(of, name);
}

TEST(ViewsCompare, JsonHoldsRowsInOrderAndNullWhereNothingIsKnown) {
  CompareExample example;
  Document document(print(example, "json"));
  ASSERT_NE(document.root, nullptr);
  cJSON *panel = cJSON_GetArrayItem(at(document.root, "panels"), 0);
  cJSON *slower = cJSON_GetArrayItem(at(panel, "rows"), 0);
  EXPECT_STREQ(at(slower, "id")->valuestring, "softmax_rows/64,2,1");
  EXPECT_STREQ(at(slower, "verdict")->valuestring, "slower");
  EXPECT_EQ(cJSON_GetArraySize(at(at(slower, "new"), "run_ns")), 5);
  EXPECT_EQ(cJSON_GetArrayItem(at(at(slower, "new"), "run_ns"), 1)->valuedouble, 197200);
  cJSON *fresh = cJSON_GetArrayItem(at(panel, "rows"), 3);
  EXPECT_STREQ(at(fresh, "verdict")->valuestring, "new");
  for (const char *name : {"base", "change", "low", "high", "evidence", "t", "matched_by"}) {
    EXPECT_TRUE(cJSON_IsNull(at(fresh, name))) << name;
  }
  EXPECT_TRUE(cJSON_IsNull(at(at(document.root, "settings"), "floor_ns")));
  EXPECT_EQ(at(at(document.root, "verdicts"), "gone")->valueint, 1);
  EXPECT_EQ(cJSON_GetArraySize(at(at(document.root, "new"), "errors")), 1);
}

TEST(ViewsCompare, LinesOfJsonHoldTheSameRows) {
  CompareExample example;
  std::string lines = print(example, "ndjson");
  EXPECT_EQ(count(lines, "\n"), 1 + 2 + 9u);
  EXPECT_EQ(count(lines, "{\"sheet\":\"rows\",\"panel\":0,"), 8u);
  EXPECT_EQ(count(lines, "{\"sheet\":\"panels\",\"panel\":"), 2u);
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = lines.find('\n', begin);
    Document line(lines.substr(begin, end - begin));
    EXPECT_NE(line.root, nullptr) << lines.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(ViewsCompare, MarkdownFoldsWhatIsTheSameAndEscapesNames) {
  CompareExample example;
  std::string page = print(example, "md");
  EXPECT_EQ(page.rfind("### vkmeter compare: 1 SLOWER, 1 likely slower, 1 UNCLEAR", 0), 0u);
  size_t folded = page.find("<details><summary>2 rows SAME</summary>");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_LT(page.find("softmax\\_rows"), folded);
  EXPECT_GT(page.find("layernorm\\_0"), folded);
  EXPECT_NE(page.find("&lt;img src=x onerror=alert(1)>\\|a?\\[31m?"), std::string::npos) << page;
  EXPECT_NE(page.find("VGPRs 96 → 128"), std::string::npos);
  EXPECT_EQ(page.find("left out"), std::string::npos);
}

TEST(ViewsCompare, MarkdownEndsWithinTheSummaryAndSaysWhatIsMissing) {
  CompareExample example(20000);
  std::string whole = print(example, "md");
  EXPECT_LE(whole.size(), 900 * 1024u);
  EXPECT_GT(whole.size(), 850 * 1024u);
  EXPECT_NE(whole.find(" rows were left out"), std::string::npos);
  EXPECT_EQ(count(whole, "<details>"), count(whole, "</details>"));
  std::string behind = print(example, "md", 800 * 1024);
  EXPECT_LE(behind.size(), 100 * 1024u);
  EXPECT_NE(behind.find("softmax\\_rows"), std::string::npos);
  std::string full = print(example, "md", 2000 * 1024);
  EXPECT_LE(full.size(), 16 * 1024u);
}

TEST(ViewsCompare, JunitCountsWhatItHolds) {
  CompareExample example;
  std::string cases = print(example, "junit");
  EXPECT_NE(cases.find("<testsuites name=\"vkmeter compare\" tests=\"12\" failures=\"1\" "
                       "errors=\"1\" skipped=\"6\">"),
            std::string::npos)
      << cases;
  EXPECT_EQ(count(cases, "<testcase "), 12u);
  EXPECT_EQ(count(cases, "<failure "), 1u);
  EXPECT_EQ(count(cases, "<error "), 1u);
  EXPECT_EQ(count(cases, "<skipped "), 6u);
  EXPECT_NE(cases.find("name=\"softmax_rows [64×2×1]\" time=\"0.000196100\""), std::string::npos);
  EXPECT_EQ(cases.find('\x1b'), std::string::npos);
}

TEST(ViewsCompare, JunitMakesErrorsOfWhatAGateAsksFor) {
  CompareExample example;
  vkm_gate_judge(&example.comparison,
                 1U << VKM_GATE_GONE | 1U << VKM_GATE_UNCLEAR | 1U << VKM_GATE_INCOMPARABLE);
  std::string cases = print(example, "junit");
  EXPECT_NE(cases.find("failures=\"2\" errors=\"4\" skipped=\"2\">"), std::string::npos) << cases;
  EXPECT_EQ(count(cases, "<error "), 4u); // gone, the row and the panel elsewhere, the failed run
}

TEST(ViewsCompare, AnnotationsAreTenAtMostAndOneLineEach) {
  CompareExample example;
  auto &rows = example.rows[0];
  rows.insert(rows.begin(), 30, rows[0]);
  example.panels[0].rows = rows.data();
  example.panels[0].row_count = rows.size();
  std::string lines = print(example, "github");
  EXPECT_EQ(count(lines, "\n"), 10u);
  std::string slower = "::warning title=SLOWER%3A softmax_rows [64×2×1]::182.4 µs → ";
  EXPECT_EQ(count(lines, slower), 8u) << lines;
  EXPECT_EQ(lines.rfind("::error title=runs of new failed::1 run of ", 0), 0u);
  EXPECT_NE(lines.find("\n::notice title=vkmeter compare::"), std::string::npos);
}

TEST(ViewsCompare, AnnotationsOfGatesAreErrorsAndComeFirst) {
  CompareExample example;
  vkm_gate_judge(&example.comparison, 1U << VKM_GATE_NEW);
  std::string lines = print(example, "github");
  size_t gated = lines.find("::error title=NEW%3A attn%2Cfused%3A 100%25 [64×2×1]::not there");
  ASSERT_NE(gated, std::string::npos) << lines;
  EXPECT_LT(gated, lines.find("::warning title=SLOWER"));
  EXPECT_NE(lines.find("\n::error title=vkmeter compare::"), std::string::npos);
}

TEST(ViewsCompare, BencherGetsTheNewSide) {
  CompareExample example;
  Document document(print(example, "bmf"));
  ASSERT_NE(document.root, nullptr);
  EXPECT_EQ(cJSON_GetArraySize(document.root), 7);
  cJSON *row = at(document.root, "softmax_rows/64,2,1@Example GPU 9000 <&>");
  ASSERT_NE(row, nullptr);
  cJSON *time = at(row, "gpu-time");
  EXPECT_EQ(at(time, "value")->valuedouble, 196100);
  EXPECT_EQ(at(time, "lower_value")->valuedouble, 194900);
  EXPECT_EQ(at(time, "upper_value")->valuedouble, 197200);
}

TEST(ViewsCompare, CsvQuotesNamesWithCommas) {
  CompareExample example;
  std::string lines = print(example, "csv");
  EXPECT_EQ(lines.rfind("segment_device,name,base_name,kind", 0), 0u) << lines;
  EXPECT_NE(lines.find("\nExample GPU 9000 <&>,\"attn,fused: 100%\",,dispatch"), std::string::npos);
  EXPECT_NE(lines.find(",slower,runs,interval-above-threshold,"), std::string::npos);
}

} // namespace
