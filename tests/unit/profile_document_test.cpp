// Documents of any kind, and their large arrays, which are read an element at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <string>
#include <vector>

extern "C" {
#include "base/alloc.h"
#include "profile/document.h"
}

using testing::ElementsAre;
using testing::StartsWith;

namespace {

const char *const kLarge[] = {"rows", "places", nullptr};
const struct vkm_document_kind kKinds[] = {
    {"vkmeter.one/1", "no document of ours", "give another", "make it again", kLarge},
    {"vkmeter.two/1", "no other", "give two", "make two again", nullptr},
};

class Document {
public:
  explicit Document(const std::string &text) {
    status = vkm_document_read_bytes(text.data(), text.size(), kKinds, 2, &document, &error);
  }
  ~Document() {
    vkm_document_finish(&document);
  }
  Document(const Document &) = delete;
  Document &operator=(const Document &) = delete;

  // Members "n" of the elements of an array, as many as there are without a failure.
  std::vector<uint64_t> Numbers(const char *name) {
    std::vector<uint64_t> found;
    struct vkm_elements elements;
    size_t count = vkm_elements_begin(&document.parse, &document.root, name, &elements);
    struct vkm_value at;
    while (vkm_elements_next(&document.parse, &elements, cJSON_Object, &at)) {
      uint64_t number = 0;
      vkm_value_u64(&document.parse, &at, "n", VKM_VALUE_NEEDED, &number);
      if (!document.parse.failed) {
        found.push_back(number);
      }
    }
    EXPECT_TRUE(document.parse.failed || count == found.size());
    return found;
  }

  std::string Cause() {
    EXPECT_EQ(vkm_document_conclude(&document, &error), VKM_BAD_INPUT);
    EXPECT_STREQ(error.remedy, "make it again");
    return error.cause;
  }

  enum vkm_status status;
  struct vkm_document document = {};
  struct vkm_read_error error = {};
};

const char kOne[] = R"({"schema": "vkmeter.one/1", )";

} // namespace

TEST(ProfileDocument, LargeArraysAreReadInAnyOrder) {
  Document document(std::string(kOne) + R"("places" : [ {"n": 1, "s": "],"} ,{"n":2}
      ], "small": [{"n": 5}], "rows":[], "last": 7})");
  ASSERT_EQ(document.status, VKM_OK) << document.error.cause;
  EXPECT_EQ(document.document.kind, 0U);
  EXPECT_EQ(document.document.parse.cut_count, 2U);
  EXPECT_THAT(document.Numbers("rows"), ElementsAre());
  EXPECT_THAT(document.Numbers("places"), ElementsAre(1, 2));
  EXPECT_THAT(document.Numbers("places"), ElementsAre(1, 2)); // and again
  EXPECT_THAT(document.Numbers("small"), ElementsAre(5));
  uint64_t last = 0;
  vkm_value_u64(&document.document.parse, &document.document.root, "last", VKM_VALUE_NEEDED, &last);
  EXPECT_EQ(last, 7U);
  EXPECT_EQ(vkm_document_conclude(&document.document, &document.error), VKM_OK);
}

// Spelled so, it is not found in the text, and comes from the tree.
TEST(ProfileDocument, AnEscapedNameIsTheSameName) {
  Document document(std::string(kOne) + R"("r\u006fws": [{"n": 3}]})");
  ASSERT_EQ(document.status, VKM_OK) << document.error.cause;
  EXPECT_EQ(document.document.parse.cut_count, 0U);
  EXPECT_THAT(document.Numbers("rows"), ElementsAre(3));
}

TEST(ProfileDocument, ErrorsInLargeArraysHaveTheirPlace) {
  const std::string start = std::string(kOne) + R"("rows": )";
  Document wrong(start + R"([{"n": 1}, {"n": -1}, {"n": 2}]})");
  ASSERT_EQ(wrong.status, VKM_OK) << wrong.error.cause;
  EXPECT_THAT(wrong.Numbers("rows"), ElementsAre(1));
  EXPECT_EQ(wrong.Cause(), "rows[1].n: the number is out of range, at byte " +
                               std::to_string(start.size() + 17) + " (line 1)");
  Document type(start + R"([{"n": 1}, 2]})");
  EXPECT_THAT(type.Numbers("rows"), ElementsAre(1));
  EXPECT_THAT(type.Cause(), StartsWith("rows[1]: expected an object, found a number"));
  Document none(start + R"("text"})");
  EXPECT_THAT(none.Numbers("rows"), ElementsAre());
  EXPECT_THAT(none.Cause(), StartsWith("rows: expected an array, found text"));
}

TEST(ProfileDocument, KindsAreToldBySchema) {
  Document two(R"({"schema": "vkmeter.two/1", "rows": [1]})");
  EXPECT_EQ(two.status, VKM_OK);
  EXPECT_EQ(two.document.kind, 1U);
  Document later(R"({"schema": "vkmeter.one/2"})");
  EXPECT_STREQ(later.error.cause,
               "its schema is 'vkmeter.one/2', this vkmeter reads 'vkmeter.one/1'");
  Document other(R"({"schema": "vkmeter.oner/1"})");
  EXPECT_STREQ(other.error.cause, "its schema is 'vkmeter.oner/1', so it is no document of ours");
  EXPECT_STREQ(other.error.remedy, "give another");
}

TEST(ProfileDocument, ShortMemoryIsTold) {
  const std::string text = std::string(kOne) + R"("rows": [{"n": 1}, {"n": 2}]})";
  for (unsigned long nth = 1;; nth++) {
    vkm_alloc_fail(nth, ULONG_MAX);
    Document document(text);
    if (document.status == VKM_OK) {
      (void)document.Numbers("rows");
      document.status = vkm_document_conclude(&document.document, &document.error);
    }
    vkm_alloc_fail(0, 0);
    if (document.status == VKM_OK) {
      EXPECT_GT(nth, 10U);
      break;
    }
    ASSERT_EQ(document.status, VKM_OUT_OF_MEMORY) << nth;
  }
}
