// Numbers with units of the command line: what is taken, and that nothing else is.
#include <gtest/gtest.h>

extern "C" {
#include "numbers.h"
}

namespace {

TEST(Numbers, Percentages) {
  double value = -1;
  EXPECT_TRUE(vkm_parse_percent("2%", &value));
  EXPECT_DOUBLE_EQ(value, 0.02);
  EXPECT_TRUE(vkm_parse_percent("0.5%", &value));
  EXPECT_DOUBLE_EQ(value, 0.005);
  EXPECT_TRUE(vkm_parse_percent(".5%", &value));
  EXPECT_DOUBLE_EQ(value, 0.005);
  for (const char *wrong : {"", "%", "2", "2 %", " 2%", "+2%", "-2%", "2%%", "0x2%", "inf%", "nan%",
                            "1e3%", "2.%", "1,5%", "1234567890123456789%"}) {
    value = -1;
    EXPECT_FALSE(vkm_parse_percent(wrong, &value)) << wrong;
    EXPECT_EQ(value, -1) << wrong;
  }
}

TEST(Numbers, Fractions) {
  double value = -1;
  EXPECT_TRUE(vkm_parse_fraction("0.95", &value));
  EXPECT_DOUBLE_EQ(value, 0.95);
  EXPECT_TRUE(vkm_parse_fraction("99.9%", &value));
  EXPECT_DOUBLE_EQ(value, 0.999);
  EXPECT_FALSE(vkm_parse_fraction("0.95x", &value));
}

TEST(Numbers, Durations) {
  const struct {
    const char *text;
    double ns;
  } good[] = {{"500ns", 500}, {"1us", 1e3},    {"1.5µs", 1500},
              {"2ms", 2e6},   {"0.25s", 25e7}, {"0ns", 0}};
  for (const auto &one : good) {
    double value = -1;
    EXPECT_TRUE(vkm_parse_duration(one.text, &value)) << one.text;
    EXPECT_DOUBLE_EQ(value, one.ns) << one.text;
  }
  for (const char *wrong : {"", "5", "us", "1 us", "-1us", "1m", "1US", "1uss"}) {
    double value = -1;
    EXPECT_FALSE(vkm_parse_duration(wrong, &value)) << wrong;
    EXPECT_EQ(value, -1) << wrong;
  }
}

} // namespace
