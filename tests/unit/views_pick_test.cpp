// Rows and columns as asked for: what stays, in which order, and how much is hidden.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "views/filter.h"
#include "views/pick.h"
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Row {
  const char *name, *phase;
  double share, time;
  bool timed;
};

void print_name(const void *at, const vkm_column *, const vkm_view_settings *settings,
                vkm_text *text) {
  vkm_sheet_name(static_cast<const Row *>(at)->name, settings, text);
}

void print_phase(const void *at, const vkm_column *, const vkm_view_settings *settings,
                 vkm_text *text) {
  vkm_sheet_name(static_cast<const Row *>(at)->phase, settings, text);
}

bool share_of(const void *at, const vkm_column *, double *out) {
  *out = static_cast<const Row *>(at)->share;
  return static_cast<const Row *>(at)->timed;
}

bool time_of(const void *at, const vkm_column *, double *out) {
  *out = static_cast<const Row *>(at)->time;
  return static_cast<const Row *>(at)->timed;
}

vkm_column text_column(const char *id, decltype(vkm_column::print) print) {
  vkm_column column = {};
  column.id = column.header = id;
  column.kind = VKM_COLUMN_TEXT;
  column.print = print;
  return column;
}

vkm_column number_column(const char *id, const char *header, vkm_column_kind kind,
                         decltype(vkm_column::value) value) {
  vkm_column column = {};
  column.id = id;
  column.header = header;
  column.kind = kind;
  column.value = value;
  return column;
}

class Pick : public ::testing::Test {
protected:
  Pick() {
    sheet.id = "things";
    sheet.columns = sheet.all = columns;
    sheet.column_count = sheet.all_count = 4;
    sheet.rows = rows.data();
    sheet.stride = sizeof rows[0];
    sheet.row_count = sheet.shown = rows.size();
  }
  void filter(const char *expression) {
    settings.pick.filters[settings.pick.filter_count++] = expression;
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    EXPECT_TRUE(vkm_pick(&sheet, &settings, &picked));
    for (size_t i = 0; i < picked.sheet.shown; i++) {
      found.emplace_back(static_cast<const Row *>(vkm_sheet_row(&picked.sheet, i))->name);
    }
    hidden = picked.hidden;
    hidden_share = picked.hidden_share;
    cut_share = picked.cut_share;
    filtered = picked.filtered;
    column_count = picked.sheet.column_count;
    vkm_picked_finish(&picked);
    settings.pick.filter_count = 0;
    return found;
  }
  bool check() {
    testing::internal::CaptureStderr();
    bool good = vkm_pick_check(&settings.pick, &sheet, 1);
    said = testing::internal::GetCapturedStderr();
    settings.pick.filter_count = 0;
    return good;
  }

  vkm_column name = text_column("name", print_name);
  vkm_column phase = text_column("phase", print_phase);
  vkm_column share = number_column("share", "part", VKM_COLUMN_PERCENT, share_of);
  vkm_column time = number_column("time_ns", "took", VKM_COLUMN_TIME, time_of);
  const vkm_column *columns[4] = {&name, &phase, &share, &time};
  std::vector<Row> rows = {{"matmul<float>", "a/b", 0.5, 5000, true},
                           {"soft:max", "a", 0.25, 1000, true},
                           {"copy", nullptr, 0.25, 1000, true},
                           {"idle", "c", 0, 0, false}};
  vkm_sheet sheet = {};
  vkm_view_settings settings = {};
  vkm_picked picked = {};
  std::string said;
  size_t hidden = 0, column_count = 0;
  double hidden_share = 0, cut_share = 0;
  bool filtered = false;
};

TEST_F(Pick, WithoutAnythingAskedAllStays) {
  EXPECT_THAT(names(), ElementsAre("matmul<float>", "soft:max", "copy", "idle"));
  EXPECT_FALSE(filtered);
}

TEST_F(Pick, APartOfTheName) {
  filter("o");
  EXPECT_THAT(names(), ElementsAre("matmul<float>", "soft:max", "copy"));
  EXPECT_TRUE(filtered);
  EXPECT_EQ(hidden, 1U);
  EXPECT_EQ(hidden_share, 0);
}

TEST_F(Pick, WhatIsHiddenIsCounted) {
  filter("/^c|^s/");
  EXPECT_THAT(names(), ElementsAre("soft:max", "copy"));
  EXPECT_EQ(hidden, 2U);
  EXPECT_DOUBLE_EQ(hidden_share, 0.5);
}

TEST_F(Pick, NumbersHaveUnitsAndAbsentOnesNeverHold) {
  filter("share>=25%");
  EXPECT_THAT(names(), ElementsAre("matmul<float>", "soft:max", "copy"));
  filter("share<50%");
  EXPECT_THAT(names(), ElementsAre("soft:max", "copy"));
  filter("time = 1us");
  EXPECT_THAT(names(), ElementsAre("soft:max", "copy"));
  filter("took>0.001 ms");
  EXPECT_THAT(names(), ElementsAre("matmul<float>"));
  filter("time_ns<=0");
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(Pick, LabelIsThePhase) {
  filter("label:a");
  EXPECT_THAT(names(), ElementsAre("matmul<float>", "soft:max"));
}

TEST_F(Pick, AllFiltersHaveToHold) {
  filter("phase:a");
  filter("share<0.3");
  EXPECT_THAT(names(), ElementsAre("soft:max"));
  EXPECT_EQ(hidden, 3U);
  EXPECT_DOUBLE_EQ(hidden_share, 0.75);
}

TEST_F(Pick, WhatIsNoComparisonIsAName) {
  filter("matmul<float>");
  EXPECT_THAT(names(), ElementsAre("matmul<float>"));
}

TEST_F(Pick, NumbersDescendTextsAscendAbsentIsLast) {
  settings.pick.sort = "time";
  EXPECT_THAT(names(), ElementsAre("matmul<float>", "soft:max", "copy", "idle"));
  settings.pick.sort = "time:asc"; // equal ones stay in their order
  EXPECT_THAT(names(), ElementsAre("soft:max", "copy", "matmul<float>", "idle"));
  settings.pick.sort = "phase";
  EXPECT_THAT(names(), ElementsAre("soft:max", "matmul<float>", "idle", "copy"));
  settings.pick.sort = "phase:desc";
  EXPECT_THAT(names(), ElementsAre("idle", "matmul<float>", "soft:max", "copy"));
}

TEST_F(Pick, TopComesAfterOrder) {
  settings.pick.sort = "name";
  settings.top = 2;
  EXPECT_THAT(names(), ElementsAre("copy", "idle"));
  EXPECT_DOUBLE_EQ(cut_share, 0.75);
}

TEST_F(Pick, ColumnsThatTheSheetHas) {
  settings.pick.columns = "took, nothing,name";
  names();
  EXPECT_EQ(column_count, 2U);
  settings.pick.columns = "nothing"; // of another sheet: this one stays as it is
  names();
  EXPECT_EQ(column_count, 4U);
}

TEST_F(Pick, WhatIsNotKnownIsAnErrorThatListsWhatIs) {
  settings.pick.columns = "name,nothing";
  EXPECT_FALSE(check());
  EXPECT_THAT(said, HasSubstr("no 'nothing'; there is name, phase, share, time_ns"));
  settings.pick.columns = nullptr;
  filter("soft:max");
  EXPECT_FALSE(check());
  EXPECT_THAT(said, HasSubstr("no 'soft'; there is name, phase\n"));
  filter("phase>1");
  EXPECT_FALSE(check());
  EXPECT_THAT(said, HasSubstr("no 'phase'; there is share, time_ns\n"));
  filter("/[/");
  EXPECT_FALSE(check());
  filter("");
  EXPECT_FALSE(check());
  settings.pick.sort = "share:down";
  EXPECT_FALSE(check());
  EXPECT_THAT(said, HasSubstr("give asc or desc"));
  settings.pick.sort = "share:desc";
  EXPECT_TRUE(check());
}

} // namespace
