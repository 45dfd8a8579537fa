// The fields of a packet that reading and merging know, from bytes that the test puts together by
// Perfetto's published field numbers.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

extern "C" {
#include "timeline/trace_merge.h"
#include "timeline/trace_packet.h"
#include "timeline/trace_read.h"
}

#include "timeline_wire.hpp"

namespace {

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value > 0x7F; value >>= 7) {
    bytes.push_back(static_cast<char>(value | 0x80));
  }
  bytes.push_back(static_cast<char>(value));
  return bytes;
}
std::string Number(uint32_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
std::string Message(uint32_t field, const std::string &bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}

// Messages of `parts` lie in `bytes`.
struct Taken {
  explicit Taken(std::string packet) : bytes(std::move(packet)) {
    vkm_trace_packet whole = {};
    whole.bytes = reinterpret_cast<const uint8_t *>(bytes.data());
    whole.length_bytes = bytes.size();
    good = vkm_trace_take_apart(&whole, &parts);
  }
  static std::string Text(const vkm_wire_field &field) {
    return {reinterpret_cast<const char *>(field.bytes), field.length_bytes};
  }
  std::string bytes;
  vkm_trace_parts parts = {};
  bool good = false;
};

TEST(TimelinePacket, AnEmptyOneHasNothing) {
  const Taken taken("");
  EXPECT_TRUE(taken.good);
  EXPECT_FALSE(taken.parts.has_timestamp || taken.parts.cleared || taken.parts.compressed);
  EXPECT_EQ(taken.parts.timestamp + taken.parts.clock + taken.parts.sequence + taken.parts.machine,
            0U);
  for (const vkm_wire_field *field :
       {&taken.parts.snapshot, &taken.parts.event, &taken.parts.interned, &taken.parts.stage,
        &taken.parts.defaults, &taken.parts.descriptor}) {
    EXPECT_EQ(field->number, 0U);
  }
}

TEST(TimelinePacket, NumbersAndMessagesInAnyOrder) {
  const std::string first = Number(8, 1234567890123) + Number(10, 77) + Number(58, 64) +
                            Number(98, 3000000000) + Number(79, 4242) + Number(42, 1);
  const std::string second = Message(6, "s") + Message(11, "event") + Message(12, "names") +
                             Message(53, "stage") + Message(59, "of all") + Message(60, "") +
                             Message(33, "config");
  for (const std::string &bytes : {first + second, second + first}) {
    const Taken taken(bytes);
    ASSERT_TRUE(taken.good);
    EXPECT_TRUE(taken.parts.has_timestamp);
    EXPECT_EQ(taken.parts.timestamp, 1234567890123U);
    EXPECT_EQ(taken.parts.sequence, 77U);
    EXPECT_EQ(taken.parts.clock, 64U);
    EXPECT_EQ(taken.parts.machine, 3000000000U);
    EXPECT_EQ(Taken::Text(taken.parts.snapshot), "s");
    EXPECT_EQ(Taken::Text(taken.parts.event), "event");
    EXPECT_EQ(Taken::Text(taken.parts.interned), "names");
    EXPECT_EQ(Taken::Text(taken.parts.stage), "stage");
    EXPECT_EQ(Taken::Text(taken.parts.defaults), "of all");
    EXPECT_EQ(taken.parts.descriptor.number, 60U);
    EXPECT_FALSE(taken.parts.cleared || taken.parts.compressed);
  }
}

TEST(TimelinePacket, EitherFormSaysThatTheStateIsCleared) {
  EXPECT_TRUE(Taken(Number(13, 1)).parts.cleared);
  EXPECT_TRUE(Taken(Number(13, 3)).parts.cleared);
  EXPECT_TRUE(Taken(Number(41, 1)).parts.cleared);
  EXPECT_TRUE(Taken(Number(41, 1) + Number(13, 2)).parts.cleared);
  EXPECT_TRUE(Taken(Number(13, 2) + Number(41, 1)).parts.cleared);
  EXPECT_TRUE(Taken(Number(13, 1) + Number(41, 0)).parts.cleared);
  EXPECT_FALSE(Taken(Number(13, 2) + Number(41, 0)).parts.cleared);
}

TEST(TimelinePacket, BothKindsOfCompressionAreSeen) {
  EXPECT_TRUE(Taken(Message(50, "x")).parts.compressed);
  EXPECT_TRUE(Taken(Message(133, "x")).parts.compressed);
  EXPECT_FALSE(Taken(Message(132, "x")).parts.compressed);
}

TEST(TimelinePacket, DamageIsSaid) {
  EXPECT_FALSE(Taken(Message(11, "event").substr(0, 4)).good);
  EXPECT_FALSE(Taken(Number(8, 5) + "\x80").good);
}

TEST(TimelinePacket, DefaultsOfASequence) {
  const auto read = [](const std::string &message, vkm_trace_defaults *defaults) {
    const Taken taken(Message(59, message));
    return vkm_trace_defaults_in(&taken.parts.defaults, defaults);
  };
  vkm_trace_defaults defaults = {1, 1};
  EXPECT_TRUE(read("", &defaults));
  EXPECT_EQ(defaults.clock + defaults.track, 0U);
  EXPECT_TRUE(read(Number(58, 6) + Message(11, Number(11, 4711)), &defaults));
  EXPECT_EQ(defaults.clock, 6U);
  EXPECT_EQ(defaults.track, 4711U);
  EXPECT_FALSE(read(Number(58, 3) + Message(11, "\x80"), &defaults));
  EXPECT_EQ(defaults.clock, 3U);
}

std::string Packet(const std::string &body) {
  return Message(1, body);
}

// A timeline that ends with the test.
struct Read {
  explicit Read(const std::string &bytes) {
    vkm_timeline_error error = {};
    status = vkm_timeline_read_bytes(bytes.data(), bytes.size(), &timeline, &error);
  }
  Read(const Read &) = delete;
  Read &operator=(const Read &) = delete;
  ~Read() {
    vkm_timeline_finish(&timeline);
  }
  vkm_timeline timeline = {};
  vkm_status status = VKM_IO;
};

TEST(TimelinePacket, TheReaderCountsWhatItCannotSee) {
  const std::string plain = Packet(Number(10, 1));
  const Read read(plain + Packet(Message(133, "zstd")) + plain + Packet(Message(50, "deflate")));
  ASSERT_EQ(read.status, VKM_OK);
  EXPECT_EQ(read.timeline.compressed, 2U);
  EXPECT_EQ(read.timeline.compressed_at_byte, plain.size());
  const Read without(plain);
  EXPECT_EQ(without.timeline.compressed, 0U);
}

TEST(TimelinePacket, TheReaderPlacesNothingOfOtherMachines) {
  const std::string process = Packet(Number(10, 1) + Message(60, Number(1, 5) + Message(3, "")));
  const std::string event =
      Message(11, Message(22, "vulkan.event") + Message(23, "lost") + Number(9, 3) + Number(11, 5));
  for (const uint64_t machine : {0, 2}) {
    std::string bytes = process;
    bytes.append(Packet(Number(10, 1) + Number(8, 1000) + Number(98, machine) + event));
    const Read read(bytes);
    ASSERT_EQ(read.status, VKM_OK);
    EXPECT_EQ(read.timeline.damaged, 0U);
    EXPECT_EQ(read.timeline.unplaced, machine == 0 ? 0U : 1U);
    EXPECT_EQ(read.timeline.instant_count, machine == 0 ? 1U : 0U);
  }
}

// What merging makes of traces.
std::string Merged(const std::vector<std::string> &traces) {
  std::vector<std::string> paths;
  std::vector<const char *> names;
  for (const std::string &bytes : traces) {
    paths.push_back(testing::TempDir() + "timeline_packet_" + std::to_string(paths.size()));
    std::ofstream(paths.back(), std::ios::binary) << bytes;
  }
  for (const std::string &path : paths) {
    names.push_back(path.c_str());
  }
  std::string whole;
  const auto sink = [](void *context, const void *bytes, size_t length) {
    static_cast<std::string *>(context)->append(static_cast<const char *>(bytes), length);
    return true;
  };
  vkm_merge_result result = {};
  vkm_merge_error error = {};
  EXPECT_EQ(vkm_trace_merge(names.data(), names.size(), sink, &whole, &result, &error), VKM_OK)
      << error.cause;
  for (const std::string &path : paths) {
    std::remove(path.c_str());
  }
  return whole;
}

// A name of an interned annotation means another thing when the state was cleared: only numbers of
// GPU events are moved when two traces have the same.
TEST(TimelinePacket, MergingForgetsNamesThatAreCleared) {
  const std::string ours = Message(22, "vulkan") + Number(9, 3);
  const std::string note = Message(11, ours + Message(4, Number(1, 1) + Number(3, 5)));
  const auto called = [](const std::string &name) {
    return Message(12, Message(3, Number(1, 1) + Message(2, name)));
  };
  const std::string event_ids = Packet(Number(10, 1) + called("event_id") + note);
  const std::string others = Number(10, 1) + called("submission") + note;
  for (const std::string &clear : {Number(13, 1), Number(41, 1)}) {
    std::string renamed = clear;
    renamed.append(others);
    std::string cleared = event_ids;
    cleared.append(Packet(renamed));
    const wire::Message whole(Merged({event_ids, cleared}));
    std::vector<uint64_t> numbers;
    for (const wire::Message &packet : whole.messages(1)) {
      numbers.push_back(packet.message(11).message(4).number(3));
    }
    EXPECT_EQ(numbers, (std::vector<uint64_t>{5, 6, 5}));
  }
}

} // namespace
