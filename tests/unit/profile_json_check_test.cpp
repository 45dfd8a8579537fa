// What a strict reader of JSON takes, and what it says of all else. The texts are those that
// RFC 8259 speaks of, and what parsers are known to let pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <string>

extern "C" {
#include "base/alloc.h"
#include "profile/json_check.h"
}

using testing::HasSubstr;

namespace {

bool Good(const std::string &text) {
  struct vkm_json_fault fault;
  bool good = vkm_json_check(text.data(), text.size(), &fault);
  EXPECT_EQ(good, fault.cause[0] == 0) << fault.cause;
  return good;
}

struct vkm_json_fault FaultOf(const std::string &text) {
  struct vkm_json_fault fault;
  EXPECT_FALSE(vkm_json_check(text.data(), text.size(), &fault)) << text;
  return fault;
}

} // namespace

TEST(ProfileJsonCheck, TakesWhatIsJson) {
  for (const char *text :
       {"0", "-0", "-0.5e+07", "1E400", "true", " false\r\n", "null", "\"\"", "[]", "{ }",
        "[1,\t[ ], {\"a\" : {}}]", R"("\" \\ \/ \b\f\n\r\t \u00e4 \ud83d\uDE00")", "\"\x7f\"",
        "\"\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xf0\x90\x80\x80 "
        "\xf4\x8f\xbf\xbf\"",
        "{\"a\": 1, \"b\": {\"a\": 2}, \"A\": 3}", R"({"\u0061b": 1, "a\u0062c": 2, "": 3})"}) {
    EXPECT_TRUE(Good(text)) << text;
  }
  EXPECT_TRUE(Good(std::string(64, '[') + std::string(64, ']')));
}

TEST(ProfileJsonCheck, SaysWhatIsWrongAndWhere) {
  const struct {
    std::string text;
    size_t offset;
    const char *cause;
  } cases[] = {
      {"nul0", 3, "expected true, false or null, found '0'"},
      {"[1 2]", 3, "expected ',' or ']', found '2'"},
      {"[1,]", 3, "expected a value, found ']'"},
      {"{\"a\" 1}", 5, "expected ':', found '1'"},
      {"{\"a\": 1,}", 8, "expected a name in quotes, found '}'"},
      {"{a: 1}", 1, "expected a name in quotes, found 'a'"},
      {"{\"a\": 1 \"b\"", 8, "expected ',' or '}', found '\"'"},
      {"[01]", 2, "expected ',' or ']', found '1'"},
      {"[+1]", 1, "expected a value, found '+'"},
      {"[.5]", 1, "expected a value, found '.'"},
      {"[5.]", 3, "expected a digit, found ']'"},
      {"[1e+]", 4, "expected a digit, found ']'"},
      {"[-x]", 2, "expected a digit, found 'x'"},
      {"[NaN]", 1, "NaN is no number"},
      {"[nan]", 1, "nan is no number"},
      {"[-Infinity]", 1, "Infinity is no number"},
      {"[inf]", 1, "inf is no number"},
      {"[1" + std::string(63, '0') + "]", 1, "a number of more than 63 characters"},
      {"\xef\xbb\xbf{}", 0, "byte order mark"},
      {std::string("[\0]", 3), 1, "expected a value, found the byte 0x00"},
      {std::string("[]\0", 3), 2, "expected the end of the file, found the byte 0x00"},
      {std::string("[\"a\0\"]", 6), 3, "a NUL byte in a text"},
      {"[\"a\nb\"]", 3, "a control character that is not escaped"},
      {R"(["\x41"])", 2, "an escape that is none"},
      {R"(["\u12g4"])", 2, "an escape that is none"},
      {R"(["\u0000"])", 2, "the character NUL"},
      {R"(["\udc00"])", 2, "half a surrogate pair"},
      {R"(["\ud800 and more"])", 2, "half a surrogate pair"},
      {R"(["\ud800\u0041"])", 2, "half a surrogate pair"},
      {"[\"\x80\"]", 2, "bytes that are not UTF-8"},
      {"[\"\xc0\xaf\"]", 2, "bytes that are not UTF-8"},         // longer than need be
      {"[\"\xe0\x9f\xbf\"]", 2, "bytes that are not UTF-8"},     // the same
      {"[\"\xed\xa0\x80\"]", 2, "bytes that are not UTF-8"},     // a surrogate
      {"[\"\xf4\x90\x80\x80\"]", 2, "bytes that are not UTF-8"}, // beyond the last
      {"[\"\xe2\x82\"]", 2, "bytes that are not UTF-8"},
      {std::string(65, '['), 64, "nested deeper than 64 levels"},
      {R"({"a": 1, "b": 2, "a": 3})", 17, "\"a\" is there twice"},
      {R"({"b": {"a": 1, "\u0061": 3}})", 15, "\"\\u0061\" is there twice"},
      {R"({"😀": 1, "\ud83d\ude00": 3})", 12, "is there twice"},
      {R"({"c": 1, "b": 2, "b": 3, "c": 4})", 17, "\"b\" is there twice"},
  };
  for (const auto &one : cases) {
    struct vkm_json_fault fault = FaultOf(one.text);
    EXPECT_THAT(fault.cause, HasSubstr(one.cause)) << one.text;
    EXPECT_EQ(fault.offset, one.offset) << one.text;
    EXPECT_FALSE(fault.truncated) << one.text;
  }
}

TEST(ProfileJsonCheck, EveryPrefixBreaksOff) {
  const std::string text =
      R"([{"aä": "\n\ud83d\ude00\u00e4é€😀", "b": [true, false, null, -1.5e-7]}])";
  for (size_t length = 0; length < text.size(); length++) {
    struct vkm_json_fault fault = FaultOf(text.substr(0, length));
    EXPECT_TRUE(fault.truncated) << length << fault.cause;
    EXPECT_EQ(fault.offset, length);
  }
}

TEST(ProfileJsonCheck, LongNamesAreShortenedBetweenCharacters) {
  std::string name = "x";
  for (int i = 0; i < 30; i++) {
    name += "ä";
  }
  struct vkm_json_fault fault = FaultOf("{\"" + name + "\": 1, \"" + name + "\": 1}");
  EXPECT_EQ(fault.cause, "\"" + name.substr(0, 39) + "\" is there twice in one object");
}

TEST(ProfileJsonCheck, ManyNamesInOneObject) {
  std::string text = "{";
  for (int i = 0; i < 20000; i++) {
    text += "\"n" + std::to_string(i) + "\": 0, ";
  }
  EXPECT_TRUE(Good(text + "\"last\": 0}"));
  EXPECT_THAT(FaultOf(text + "\"n777\": 0}").cause, HasSubstr("\"n777\" is there twice"));
}

TEST(ProfileJsonCheck, ShortMemoryIsNoFaultOfTheText) {
  vkm_alloc_fail(1, ULONG_MAX);
  struct vkm_json_fault fault = FaultOf("{\"a\": 1}");
  vkm_alloc_fail(0, 0);
  EXPECT_TRUE(fault.out_of_memory);
  EXPECT_EQ(fault.cause[0], 0);
}
