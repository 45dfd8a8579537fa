/* In: texts that are drained, and bytes of every kind. Out: verdicts on src/base/text: what comes
 * out of the drain is what an undrained text holds, and memory is bounded. */
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

extern "C" {
#include "base/alloc.h"
#include "base/text.h"
}

namespace {

struct Sink {
  std::string taken;
  size_t pieces = 0;
  size_t refused = SIZE_MAX; // number of the piece that it does not take
  static bool Take(void *context, const char *bytes, size_t length) {
    auto *sink = static_cast<Sink *>(context);
    EXPECT_GT(length, 0U);
    if (sink->pieces++ >= sink->refused) {
      return false;
    }
    sink->taken.append(bytes, length);
    return true;
  }
};

// Something of everything, more and longer each time.
void Write(vkm_text *text, int rounds) {
  for (int i = 0; i < rounds; i++) {
    const std::string name(static_cast<size_t>(i * 37 % 700), 'n');
    vkm_text_json(text, name.c_str());
    vkm_text_json(text, (name + "\n\xFF\"\xC3\xA4").c_str());
    vkm_text_i64(text, -i);
    vkm_text_double(text, i / 8.0);
    vkm_text_string(text, name.c_str());
  }
}

std::string Undrained(int rounds) {
  vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  Write(&text, rounds);
  EXPECT_FALSE(text.failed);
  std::string all(text.data, text.length_bytes);
  vkm_text_finish(&text);
  return all;
}

TEST(TextDrain, TheSameComesOutInOrder) {
  for (const int rounds : {1, 10, 57, 58, 59, 60, 1000}) {
    Sink sink;
    vkm_text text;
    vkm_text_init_drained(&text, Sink::Take, &sink);
    Write(&text, rounds);
    EXPECT_LE(text.capacity_bytes, static_cast<size_t>(VKM_TEXT_PIECE_BYTES));
    EXPECT_TRUE(vkm_text_flush(&text));
    EXPECT_EQ(text.length_bytes, 0U);
    EXPECT_STREQ(text.data, "");
    EXPECT_TRUE(sink.taken == Undrained(rounds)) << rounds;
    EXPECT_LE(sink.pieces, sink.taken.size() / (VKM_TEXT_PIECE_BYTES - 4096) + 1);
    vkm_text_finish(&text);
  }
}

TEST(TextDrain, WhatIsLargerThanAPieceIsHeldAsAWhole) {
  Sink sink;
  vkm_text text;
  vkm_text_init_drained(&text, Sink::Take, &sink);
  const std::string large(3UL * VKM_TEXT_PIECE_BYTES, 'x');
  vkm_text_string(&text, "a");
  vkm_text_string(&text, large.c_str());
  vkm_text_json(&text, large.c_str());
  EXPECT_TRUE(vkm_text_flush(&text));
  EXPECT_TRUE(sink.taken == "a" + large + "\"" + large + "\"");
  EXPECT_LT(text.capacity_bytes, large.size() + 10);
  vkm_text_finish(&text);
}

TEST(TextDrain, NothingIsFlushedOfNothing) {
  Sink sink;
  vkm_text text;
  vkm_text_init_drained(&text, Sink::Take, &sink);
  EXPECT_TRUE(vkm_text_flush(&text));
  EXPECT_EQ(sink.pieces, 0U);
  vkm_text_finish(&text);
}

TEST(TextDrain, ADrainThatRefusesIsAFailure) {
  const std::string all = Undrained(1000);
  for (size_t refused = 0; refused < 3; refused++) {
    Sink sink;
    sink.refused = refused;
    vkm_text text;
    vkm_text_init_drained(&text, Sink::Take, &sink);
    Write(&text, 1000);
    EXPECT_TRUE(text.failed);
    EXPECT_FALSE(vkm_text_flush(&text));
    EXPECT_EQ(sink.pieces, refused + 1); // it is not asked again
    EXPECT_TRUE(all.compare(0, sink.taken.size(), sink.taken) == 0);
    vkm_text_finish(&text);
  }
}

TEST(TextDrain, EveryAllocationMayFail) {
  unsigned long nth = 1;
  for (bool failed = true; failed; nth++) {
    Sink sink;
    vkm_text text;
    vkm_text_init_drained(&text, Sink::Take, &sink);
    vkm_alloc_fail(nth, 1);
    Write(&text, 1000);
    vkm_alloc_fail(0, 0);
    failed = text.failed;
    EXPECT_EQ(vkm_text_flush(&text), !failed);
    EXPECT_EQ(sink.taken.empty(), failed); // once it has grown it never grows again
    vkm_text_finish(&text);
  }
  EXPECT_EQ(nth - 2, 11U); // from 64 bytes to a piece by doubling
}

bool MustChange(unsigned char byte) {
  return byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x80;
}

TEST(TextPlain, EveryByteAtEveryPlaceOfEveryLength) {
  for (size_t length = 0; length < 34; length++) {
    for (const char filler : {' ', '!', '#', '[', ']', '0', '~', '\x7f'}) {
      std::string bytes(length, filler);
      ASSERT_TRUE(vkm_text_is_plain(bytes.data(), length)) << length << filler;
      for (size_t place = 0; place < length; place++) {
        for (int byte = 1; byte < 256; byte++) {
          bytes[place] = static_cast<char>(byte);
          ASSERT_EQ(vkm_text_is_plain(bytes.data(), length), !MustChange(bytes[place]))
              << length << " " << place << " " << byte;
        }
        bytes[place] = filler;
      }
    }
  }
}

} // namespace
