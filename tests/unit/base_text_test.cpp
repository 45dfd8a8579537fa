/* In: hostile bytes, numbers, locales, short memory. Out: verdicts on src/base/text. */
#include <gtest/gtest.h>

#include <cjson/cJSON.h>

#include <cfloat>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

extern "C" {
#include "base/alloc.h"
#include "base/text.h"
}

namespace {

struct Text {
  vkm_text text;
  explicit Text(size_t limit_bytes = 1 << 20) {
    vkm_text_init(&text, limit_bytes);
  }
  ~Text() {
    vkm_text_finish(&text);
  }
  Text(const Text &) = delete;
  Text &operator=(const Text &) = delete;
  std::string str() const {
    return text.data == nullptr ? "" : std::string(text.data, text.length_bytes);
  }
};

std::string json(const std::string &bytes) {
  Text t;
  vkm_text_json(&t.text, bytes.c_str());
  EXPECT_FALSE(t.text.failed);
  return t.str();
}

std::string number(double value) {
  Text t;
  vkm_text_double(&t.text, value);
  return t.str();
}

/* `parts` with every '?' standing for one U+FFFD, quoted. */
std::string expected(const std::string &parts) {
  std::string out = "\"";
  for (char c : parts) {
    out += c == '?' ? std::string("\xEF\xBF\xBD") : std::string(1, c);
  }
  return out + "\"";
}

TEST(Text, StartsEmptyAndIsTerminated) {
  Text t;
  EXPECT_EQ(t.text.data, nullptr);
  vkm_text_append(&t.text, nullptr, 0);
  ASSERT_NE(t.text.data, nullptr);
  EXPECT_STREQ(t.text.data, "");
  vkm_text_append(&t.text, "a\0b", 3);
  EXPECT_EQ(t.text.length_bytes, 3u);
  EXPECT_EQ(t.text.data[3], '\0');
}

TEST(Text, GrowsToTheLimitExactly) {
  for (size_t limit : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    Text t(limit);
    for (size_t i = 0; i < limit; i++) {
      vkm_text_string(&t.text, "x");
      ASSERT_FALSE(t.text.failed) << limit;
    }
    EXPECT_LE(t.text.capacity_bytes, limit + 1);
    vkm_text_string(&t.text, "y");
    EXPECT_TRUE(t.text.failed);
    EXPECT_EQ(t.str(), std::string(limit, 'x'));
  }
}

TEST(Text, AfterAFailureNothingIsAppendedUntilCleared) {
  Text t(4);
  vkm_text_string(&t.text, "abc");
  vkm_text_string(&t.text, "de");
  EXPECT_TRUE(t.text.failed);
  vkm_text_string(&t.text, "f");
  EXPECT_EQ(t.str(), "abc");
  vkm_text_clear(&t.text);
  EXPECT_FALSE(t.text.failed);
  EXPECT_EQ(t.str(), "");
  vkm_text_string(&t.text, "f");
  EXPECT_EQ(t.str(), "f");
}

TEST(Text, FinishLeavesAUsableText) {
  Text t(8);
  vkm_text_string(&t.text, "abc");
  vkm_text_finish(&t.text);
  vkm_text_string(&t.text, "d");
  EXPECT_EQ(t.str(), "d");
  EXPECT_EQ(t.text.limit_bytes, 8u);
}

TEST(Text, LargestLimitAndHugeAppendDoNotWrap) {
  Text t(SIZE_MAX);
  vkm_text_string(&t.text, "abc");
  EXPECT_EQ(t.str(), "abc");
  t.text.limit_bytes = 100;
  vkm_text_append(&t.text, "", SIZE_MAX - 1);
  EXPECT_TRUE(t.text.failed);
  EXPECT_EQ(t.str(), "abc");
}

TEST(Text, HalfAJsonStringIsNeverLeft) {
  for (size_t limit = 0; limit < 40; limit++) {
    Text t(limit);
    vkm_text_string(&t.text, "ab");
    std::string before = t.str();
    vkm_text_json(&t.text, "\n12\xFF\"4567890");
    EXPECT_EQ(t.str(), t.text.failed ? before : before + json("\n12\xFF\"4567890")) << limit;
  }
}

TEST(Text, EveryAllocationMayFail) {
  for (unsigned long nth = 1;; nth++) {
    Text t;
    vkm_alloc_fail(nth, 1);
    std::string wanted;
    for (int i = 0; i < 100 && !t.text.failed; i++) {
      wanted = t.str();
      vkm_text_json(&t.text, "abc\xC3\xA4");
      vkm_text_double(&t.text, 1.5);
      vkm_text_u64(&t.text, 7);
    }
    vkm_alloc_fail(0, 0);
    if (!t.text.failed) {
      EXPECT_GT(nth, 3u);
      break;
    }
    EXPECT_EQ(t.str().compare(0, wanted.size(), wanted), 0);
    vkm_text_clear(&t.text);
    vkm_text_string(&t.text, "again");
    EXPECT_EQ(t.str(), "again");
  }
}

TEST(Text, Integers) {
  Text t;
  vkm_text_u64(&t.text, 0);
  vkm_text_string(&t.text, " ");
  vkm_text_u64(&t.text, UINT64_MAX);
  vkm_text_string(&t.text, " ");
  vkm_text_i64(&t.text, INT64_MIN);
  vkm_text_string(&t.text, " ");
  vkm_text_i64(&t.text, INT64_MAX);
  EXPECT_EQ(t.str(), "0 18446744073709551615 -9223372036854775808 9223372036854775807");
}

TEST(Text, Doubles) {
  EXPECT_EQ(number(0.0), "0");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1.0 / 3.0), "0.333333333");
  EXPECT_EQ(number(-1234.5), "-1234.5");
  EXPECT_EQ(number(1e300), "1e+300");
  EXPECT_EQ(number(123456789.0), "123456789");
  EXPECT_EQ(number(HUGE_VAL), "null");
  EXPECT_EQ(number(-HUGE_VAL), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
  for (double value : {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 5e-9, 99999999.95}) {
    double back = std::strtod(number(value).c_str(), nullptr);
    if (value == DBL_MAX || value == -DBL_MAX) {
      EXPECT_NE(number(value).find("1.79769313e+308"), std::string::npos);
    } else {
      EXPECT_NEAR(back / value, 1.0, 1e-8) << number(value);
    }
  }
}

std::string exact(double value) {
  struct vkm_text text;
  vkm_text_init(&text, 100);
  vkm_text_double_exact(&text, value);
  std::string out = text.data;
  vkm_text_finish(&text);
  return out;
}

TEST(Text, ExactDoublesReadBackToTheLastBit) {
  EXPECT_EQ(exact(0.1), "0.1");
  EXPECT_EQ(exact(3.0), "3");
  EXPECT_EQ(exact(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(exact(INFINITY), "null");
  for (double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308}) {
    EXPECT_EQ(std::strtod(exact(value).c_str(), nullptr), value);
  }
}

std::string printed(double value, int digits) {
  char text[64];
  snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/* Those are written without printf: from whole to not whole, and where an exponent begins. */
TEST(Text, WholeDoublesAreWrittenAsPrintfWould) {
  for (double limit : {0.0, 1.0, 100.0, 1e8, 1e9, 1e10, 1e14, 1e15, 1e16, 9007199254740992.0, 1e18,
                       9223372036854775808.0, 1e19}) {
    for (double away : {0.0, 1.0, 0.5, 0.25, 1e-5, 1e-9}) {
      for (double value : {limit + away, limit - away, -limit + away, -limit - away}) {
        EXPECT_EQ(number(value), printed(value, 9));
        int digits = 15;
        while (digits < 17 && std::strtod(printed(value, digits).c_str(), nullptr) != value) {
          digits++;
        }
        EXPECT_EQ(exact(value), printed(value, digits));
      }
    }
  }
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(exact(-0.0), "-0");
  EXPECT_EQ(number(999999999.0), "999999999");
  EXPECT_EQ(number(1e9), "1e+09");
  EXPECT_EQ(exact(999999999999999.0), "999999999999999");
  EXPECT_EQ(exact(1e15), "1e+15");
}

/* de_DE has a comma, ps_AF a decimal point of two bytes. Built from sources at build time:
 * VKM_TEST_LOCALES. */
TEST(Text, F12_DoublesIgnoreTheLocale) {
#ifndef VKM_TEST_LOCALES
  GTEST_SKIP() << "localedef or its sources are missing: install the package locales";
#else
  setenv("LOCPATH", VKM_TEST_LOCALES, 1);
  for (const char *name : {"de_DE.UTF-8", "ps_AF.UTF-8"}) {
    ASSERT_NE(std::setlocale(LC_ALL, name), nullptr) << name;
    EXPECT_STRNE(std::localeconv()->decimal_point, ".");
    EXPECT_EQ(number(1234567.5), "1234567.5");
    EXPECT_EQ(number(-1.25e-30), "-1.25e-30");
    EXPECT_EQ(exact(0.1 + 0.2), "0.30000000000000004");
    std::setlocale(LC_ALL, "C");
  }
  unsetenv("LOCPATH");
#endif
}

TEST(TextJson, EscapesWhatJsonForbids) {
  EXPECT_EQ(json(""), "\"\"");
  EXPECT_EQ(json("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(json("\n\t\x01\x1f"), R"("\u000a\u0009\u0001\u001f")");
  EXPECT_EQ(json("\x7f"), "\"\x7f\"");
}

TEST(TextJson, KeepsGoodUtf8) {
  for (const char *good :
       {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xE2\x80\xA8"}) {
    EXPECT_EQ(json(good), std::string("\"") + good + "\"");
  }
}

/* The examples of the Unicode standard, tables 3-8 to 3-11 of version 15 and its text. */
TEST(TextJson, OneReplacementPerMaximalPart) {
  EXPECT_EQ(json("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), expected("????????A"));
  EXPECT_EQ(json("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), expected("????????A"));
  EXPECT_EQ(json("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), expected("?????A??B"));
  EXPECT_EQ(json("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), expected("????A"));
  EXPECT_EQ(json("\xF1\xBF\xBF"), expected("?"));
  EXPECT_EQ(json("\xC3"), expected("?"));
  EXPECT_EQ(json("\xC3\""), "\"\xEF\xBF\xBD\\\"\"");
}

/* Every two bytes in the middle of plain text: cJSON reads back what it should be. */
TEST(TextJson, F10_AnyBytesParse) {
  for (int first = 1; first < 256; first++) {
    for (int second = 1; second < 256; second++) {
      std::string bytes = {'a', static_cast<char>(first), static_cast<char>(second), 'z'};
      std::string written = json(bytes);
      cJSON *parsed = cJSON_Parse(written.c_str());
      ASSERT_NE(parsed, nullptr) << written;
      std::string back = cJSON_GetStringValue(parsed);
      cJSON_Delete(parsed);
      ASSERT_EQ(back.front(), 'a');
      ASSERT_EQ(back.back(), 'z');
      if (first < 0x80 && second < 0x80) {
        ASSERT_EQ(back, bytes);
      }
    }
  }
}

TEST(BaseText, CleanedIsWholeCharacters) {
  const auto clean = [](const char *text, size_t size) {
    std::string to(size, 'x');
    const size_t length = vkm_text_clean(to.data(), size, text);
    EXPECT_EQ(to.at(length), '\0');
    return to.substr(0, length);
  };
  EXPECT_EQ(clean("plain", 64), "plain");
  EXPECT_EQ(clean("\"\\\n", 64), "\"\\\n"); // control characters are the reader's
  EXPECT_EQ(clean("a\xFF\xC3\xA4", 64), "a\xEF\xBF\xBD\xC3\xA4");
  EXPECT_EQ(clean("a\xC3\xA4", 3), "a");
  EXPECT_EQ(clean("a\xC3\xA4", 4), "a\xC3\xA4");
  EXPECT_EQ(clean("a", 1), "");
}

} // namespace
