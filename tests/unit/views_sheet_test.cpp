// One sheet of every kind of column through every format.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

extern "C" {
#include "views/sheet.h"
}

namespace {

struct Row {
  const char *name;
  double value;
  bool known;
};

void print_name(const void *at, const vkm_column *, const vkm_view_settings *settings,
                vkm_text *text) {
  vkm_sheet_name(static_cast<const Row *>(at)->name, settings, text);
}

bool value_of(const void *at, const vkm_column *column, double *out) {
  const auto *row = static_cast<const Row *>(at);
  *out = row->value * *static_cast<const double *>(column->key);
  return row->known;
}

const double ONE = 1;
const double THOUSAND = 1000;

vkm_column number(const char *id, vkm_column_kind kind, const double *key = &ONE) {
  vkm_column column = {};
  column.id = id;
  column.header = id;
  column.kind = kind;
  column.value = value_of;
  column.key = key;
  return column;
}

class Sheet : public ::testing::Test {
protected:
  Sheet() {
    name.id = "name";
    name.header = "what";
    name.kind = VKM_COLUMN_TEXT;
    name.print = print_name;
    settings.ascii = true;
  }
  void show(const vkm_column &column) {
    columns[0] = &name;
    columns[1] = &column;
    sheet.id = "things";
    sheet.columns = sheet.all = columns;
    sheet.column_count = sheet.all_count = 2;
    sheet.rows = rows;
    sheet.stride = sizeof rows[0];
    sheet.row_count = sheet.shown = 3;
    sheet.scope_id = "device";
    sheet.scope = "d<1>";
  }
  template <typename Format> std::string text(Format format) {
    vkm_text out;
    vkm_text_init(&out, SIZE_MAX);
    format(&out);
    EXPECT_FALSE(out.failed);
    std::string result(out.data ? out.data : "", out.length_bytes);
    vkm_text_finish(&out);
    return result;
  }
  std::string table() {
    return text([this](vkm_text *out) { vkm_sheet_table(&sheet, &settings, out); });
  }

  Row rows[3] = {{"a|b", 0.0746, true}, {"c\n", -12.5, true}, {"d,\"e", 0, false}};
  vkm_column name = {};
  const vkm_column *columns[2] = {};
  vkm_sheet sheet = {};
  vkm_view_settings settings = {};
};

TEST_F(Sheet, AChangeHasItsSignAndAbsentIsBlank) {
  const vkm_column change = number("change", VKM_COLUMN_CHANGE);
  show(change);
  EXPECT_EQ(table(), "        change\n"
                     "what         %\n"
                     "a|b       +7.5\n"
                     "c?    -1,250.0\n"
                     "d,\"e\n");
  settings.ascii = false;
  EXPECT_NE(table().find("−1,250.0"), std::string::npos);
}

TEST_F(Sheet, WhatReadsAsNoChangeHasNoSign) {
  const vkm_column change = number("change", VKM_COLUMN_CHANGE);
  rows[0].value = -0.0004;
  show(change);
  EXPECT_NE(table().find("0.0\n"), std::string::npos);
  EXPECT_EQ(table().find("-0.0"), std::string::npos);
}

TEST_F(Sheet, AnImpactHasItsSignAndTheUnitOfTheLargest) {
  const vkm_column impact = number("impact_ns", VKM_COLUMN_IMPACT, &THOUSAND);
  show(impact);
  EXPECT_EQ(table(), "      impact_ns\n"
                     "what         us\n"
                     "a|b      +0.075\n"
                     "c?      -12.5\n"
                     "d,\"e\n");
}

TEST_F(Sheet, BytesNumbersRatios) {
  rows[0].value = 20480;
  rows[1].value = 512;
  const vkm_column bytes = number("bytes", VKM_COLUMN_BYTES);
  show(bytes);
  EXPECT_NE(table().find("KiB\na|b   20.0\nc?     0.500\n"), std::string::npos) << table();
  const vkm_column any = number("any", VKM_COLUMN_NUMBER);
  show(any);
  EXPECT_NE(table().find("a|b   20,480\nc?       512\n"), std::string::npos) << table();
  rows[0].value = 1.0081;
  const vkm_column ratio = number("ratio", VKM_COLUMN_RATIO);
  show(ratio);
  EXPECT_NE(table().find("a|b     1.008\n"), std::string::npos) << table();
}

TEST_F(Sheet, NamesAreCutToTheWidth) {
  const vkm_column count = number("count", VKM_COLUMN_COUNT);
  rows[0] = {"a name that is longer than the line", 3, true};
  rows[1].value = 2;
  show(count);
  settings.width = 22;
  EXPECT_NE(table().find("a name...e line      3\n"), std::string::npos) << table();
}

TEST_F(Sheet, RowsThatArePickedStandInTheirOrder) {
  const vkm_column count = number("count", VKM_COLUMN_COUNT);
  rows[1].value = 7;
  show(count);
  const void *const picked[] = {&rows[1], &rows[0]};
  sheet.picked = picked;
  sheet.row_count = 2;
  sheet.shown = 1;
  EXPECT_EQ(text([this](vkm_text *out) { vkm_sheet_csv_rows(&sheet, &settings, out); }),
            "d<1>,\"c\n\",7\n");
}

TEST_F(Sheet, ProgramsGetEveryDigitAndEveryName) {
  const vkm_column change = number("change", VKM_COLUMN_CHANGE);
  show(change);
  EXPECT_EQ(text([this](vkm_text *out) {
              vkm_sheet_csv_head(&sheet, out);
              vkm_sheet_csv_rows(&sheet, &settings, out);
            }),
            "device,name,change\n"
            "d<1>,a|b,0.0746\n"
            "d<1>,\"c\n\",-12.5\n"
            "d<1>,\"d,\"\"e\",\n");
  EXPECT_EQ(text([this](vkm_text *out) { vkm_sheet_ndjson(&sheet, &settings, out); }),
            R"({"sheet":"things","device":"d<1>","name":"a|b","change":0.0746})"
            "\n"
            R"({"sheet":"things","device":"d<1>","name":"c\u000a","change":-12.5})"
            "\n"
            R"({"sheet":"things","device":"d<1>","name":"d,\"e","change":null})"
            "\n");
}

TEST_F(Sheet, MarkdownAndHtmlEscapeNames) {
  const vkm_column change = number("change", VKM_COLUMN_CHANGE);
  rows[1].name = "<b>&";
  show(change);
  EXPECT_EQ(text([this](vkm_text *out) { vkm_sheet_md(&sheet, &settings, out); }),
            "| what | change, % |\n"
            "| :-- | --: |\n"
            "| a\\|b | +7.5 |\n"
            "| &lt;b>&amp; | -1,250.0 |\n"
            "| d,\"e | |\n");
  const std::string html = text([this](vkm_text *out) { vkm_sheet_html(&sheet, &settings, out); });
  EXPECT_NE(html.find("<th scope=\"row\" class=\"text\">&lt;b&gt;&amp;</th>"
                      "<td class=\"number\" data-value=\"-12.5\">-1,250.0</td>"),
            std::string::npos)
      << html;
}

} // namespace
