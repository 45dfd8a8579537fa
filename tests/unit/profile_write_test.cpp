// The document: byte for byte against a committed one, valid by the independent check, and whole or
// not at all when memory is short.
#include <algorithm>
#include <climits>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <cjson/cJSON.h>
#include <gtest/gtest.h>

#include "profile_example.hpp"
#include "validate_client.h"

extern "C" {
#include "base/alloc.h"
}

namespace {

const std::filesystem::path kTests = std::filesystem::path(__FILE__).parent_path().parent_path();
const std::filesystem::path kGolden = kTests / "data" / "profiles" / "example.json";

std::string Read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What is wrong with the document.
std::string Faults(const std::string &document) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                 ("vkm_profile_write_test_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "document.json", std::ios::binary) << document;
  std::string faults = ProfileFaults({(folder / "document.json").string()});
  std::filesystem::remove_all(folder);
  return faults;
}

cJSON *Parse(const std::string &document) {
  return cJSON_ParseWithLength(document.data(), document.size());
}

std::string String(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  return cJSON_IsString(item) ? item->valuestring : "(no string)";
}

// The value of the first member with this key, as it stands in the document.
std::string Member(const std::string &document, const std::string &key) {
  size_t at = document.find("\"" + key + "\": ");
  if (at == std::string::npos) {
    return "(absent)";
  }
  at += key.size() + 4;
  std::string value = document.substr(at, document.find('\n', at) - at);
  return value.back() == ',' ? value.substr(0, value.size() - 1) : value;
}

TEST(ProfileWrite, IsTheCommittedDocument) {
  std::string document = Example().Format();
  if (std::getenv("VKM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kGolden, std::ios::binary) << document;
  }
  std::istringstream got(document);
  std::istringstream wanted(Read(kGolden));
  std::string got_line;
  std::string wanted_line;
  for (int line = 1; std::getline(wanted, wanted_line); line++) {
    std::getline(got, got_line);
    ASSERT_EQ(got_line, wanted_line)
        << kGolden << ":" << line << " (VKM_UPDATE_GOLDEN=1 rewrites it)";
  }
  EXPECT_EQ(document, Read(kGolden));
}

TEST(ProfileWrite, TheExampleIsValid) {
  EXPECT_EQ(Faults(Example().Format()), "");
}

TEST(ProfileWrite, TheCheckSeesWhatIsWrong) {
  std::string document = Example().Format();
  const struct {
    const char *from, *to, *fault;
  } plants[] = {
      {"\"measured\": 4,", "\"measured\": 5,", ".kernels[0]: executions is 5"},
      {"\"median\": 1005", "\"median\": 1007", "median is 1007"},
      {"\"mad\": 3,", "\"mad\": 4,", "mad is 4"},
      {"\"pipeline\": \"p0\"", "\"pipeline\": \"p17\"", "there is no pipeline p17"},
      {"\"pipeline\": \"p0\"", "\"pipeline\": \"p2\"", "belongs to another device"},
      {"\"busy_ns\": 5500", "\"busy_ns\": 8600", "exceeds"},
      {"\"idle_ns\": 3000", "\"idle_ns\": 3001", "busy_ns + idle_ns"},
      {"\"not_finished\": 1", "\"gone_fishing\": 1", "gone_fishing"},
      {"\"first_use\": 0\n", "\"first_use\": 4\n", "no index of a sample"},
      {"\"api_version\": \"1.3.230\"", "\"api_version\": null", "null without api_version_reason"},
      {"\"invocations\": 1024", "\"invocations\": 1025", "invocations is 1025"},
      {"\"executed\": 44", "\"executed\": 45", "executed is 45"},
      {"\"overlap_ns\": 500", "\"overlap_ns\": 501", "its parts give"},
      {"\"bytes\": 8192", "\"bytes\": 8193", ".h2d.bytes is 8193"},
      {"\"direction\": \"h2d\"", "\"direction\": \"d2h\"", ".h2d.executions is 2"},
      {"\"peak_bytes\": 4096", "\"peak_bytes\": 1000", "more allocated than at the peak"},
      {"\"mapped_peak_bytes\": 4096", "\"mapped_peak_bytes\": 5", "exceeds mapped_peak_bytes"},
      {"\"ns\": 600", "\"ns\": 40", "the worst are in no order"},
      {"\"unaccounted_ns\": 12000", "\"unaccounted_ns\": 7", "unaccounted_ns is less than"},
      {"\"complete\": true", "\"complete\": 1", ".complete"},
      {"\"pid\": 4242", "\"pid\": 4242, \"pid\": 4242", "comes twice"},
      {"\"pid\": 4242", "\"pid\": NaN", "NaN"},
      {"\"share_percent\": 88.5\n", "\"share_percent\": 88.49\n", "do not add up to 100"},
      {"\"sum_of_medians_ns\": 77", "\"sum_of_medians_ns\": 78", "sum_of_medians_ns of matrix"},
      {"\"kernels_not_measured\": 2", "\"kernels_not_measured\": 1", "kernels_not_measured of"},
      {"\"name\": \"by rule\"", "\"name\": \"by nobody\"", "it lists"},
      {"\"family_source\": \"rule\"", "\"family_source\": \"none\"", "nobody said so"},
  };
  for (const auto &plant : plants) {
    std::string damaged = document;
    size_t at = damaged.find(plant.from);
    ASSERT_NE(at, std::string::npos) << plant.from;
    damaged.replace(at, std::string(plant.from).size(), plant.to);
    EXPECT_NE(Faults(damaged).find(plant.fault), std::string::npos) << plant.to << "\n"
                                                                    << Faults(damaged);
  }
}

TEST(ProfileWrite, EqualProfilesGiveEqualBytes) {
  Example example;
  EXPECT_EQ(example.Format(), example.Format()); // formatting changes nothing either
  EXPECT_EQ(example.Format(), Example().Format());
}

TEST(ProfileWrite, WithoutADeviceItIsValidToo) {
  Example example;
  example.devices.clear();
  example.Link();
  example.profile.devices = nullptr;
  EXPECT_EQ(Faults(example.Format()), "");
}

TEST(ProfileWrite, HardlyAnythingKnownIsValidToo) {
  struct vkm_profile profile = {};
  struct vkm_profile_device device = {};
  profile.end_reason = "layer_disabled:out of memory";
  profile.mode = "inline";
  profile.run.id = "x";
  profile.run.vkmeter_version = "0";
  device.end = "alive";
  profile.devices = &device;
  profile.device_count = 1;
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  ASSERT_EQ(vkm_profile_format(&profile, &text), VKM_OK);
  EXPECT_EQ(Faults(text.data), "");
  vkm_text_finish(&text);
}

TEST(ProfileWrite, F10_HostileStringsStayInTheirStrings) {
  const char hostile[] = "a\"b\\c\n\t\x01\x7f\xff\xc0\x80 \xed\xa0\x80 \xe2\x82\xac </script>";
  const char read_back[] = "a\"b\\c\n\t\x01\x7f\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                           "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xe2\x82\xac </script>";
  Example example;
  example.profile.run.executable = hostile;
  example.profile.run.application_name = hostile;
  example.profile.host.cpu = hostile;
  example.devices[0].name = hostile;
  example.devices[2].not_profiled_reason = hostile;
  example.pipelines[0][0].name = hostile;
  example.pipelines[0][0].entry_point = hostile;
  example.tags.push_back({hostile, hostile});
  example.tags.push_back({nullptr, "no name"});
  example.tags.push_back({"no value", nullptr});
  example.rejected.push_back({hostile, hostile, hostile});
  example.not_intercepted.push_back({hostile, 1});
  example.not_intercepted.push_back({nullptr, 1});
  const char *phases[] = {"", hostile, nullptr, nullptr};
  example.devices[0].phases = phases;
  const struct vkm_profile_capability capabilities[] = {
      {hostile, false, hostile}, {"twice", true, nullptr}, {"twice", false, nullptr}};
  example.devices[0].capabilities = capabilities;
  example.devices[0].capability_count = 3;
  example.Link();
  std::string document = example.Format();
  EXPECT_EQ(Faults(document), "");
  cJSON *root = Parse(document);
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(String(cJSON_GetObjectItem(root, "run"), "executable"), read_back);
  const cJSON *tags = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "run"), "tags");
  EXPECT_EQ(String(tags, read_back), read_back);
  EXPECT_EQ(String(tags, "workload"), "blur");
  cJSON_Delete(root);
}

TEST(ProfileWrite, F12_NumbersDoNotObeyTheLocale) {
  std::string before = Example().Format();
#ifdef VKM_TEST_LOCALES
  setenv("LOCPATH", VKM_TEST_LOCALES, 1);
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
#else
  GTEST_SKIP() << "no locale with another decimal point could be made here";
#endif
  std::string after = Example().Format();
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(before, after);
}

TEST(ProfileWrite, EachFailingAllocationIsReported) {
  Example example;
  std::string whole = example.Format();
  unsigned long failures = 0;
  for (unsigned long i = 0; i < 200; i++) {
    unsigned long nth = i / 2 + 1;
    struct vkm_text text;
    vkm_text_init(&text, SIZE_MAX);
    vkm_alloc_fail(nth, i % 2 == 0 ? 1 : ULONG_MAX); // one, or all from there on
    enum vkm_status status = vkm_profile_format(&example.profile, &text);
    vkm_alloc_fail(0, 0);
    if (status == VKM_OK) {
      EXPECT_EQ(std::string(text.data, text.length_bytes), whole) << nth;
    } else {
      EXPECT_EQ(status, VKM_OUT_OF_MEMORY) << nth;
      failures++;
    }
    vkm_text_finish(&text);
  }
  EXPECT_GT(failures, 20U);
  EXPECT_LT(failures, 198U); // the last ones did not happen any more
}

TEST(ProfileWrite, ATextThatIsTooShortIsReported) {
  Example example;
  for (size_t limit : {0, 1, 100, 3000, 6000}) {
    struct vkm_text text;
    vkm_text_init(&text, limit);
    EXPECT_EQ(vkm_profile_format(&example.profile, &text), VKM_OUT_OF_MEMORY) << limit;
    vkm_text_finish(&text);
  }
}

TEST(ProfileWrite, SegmentIsOfTheDeviceThatExecutedMost) {
  Example example;
  EXPECT_EQ(Member(example.Format(), "device_name"), "\"Example GPU\"");
  example.rows[1][0]->outcomes.untimed[VKM_UNTIMED_query_cap] += 1000;
  EXPECT_EQ(Member(example.Format(), "device_name"), "\"Second GPU\"");
  example.devices[1].profiled = false; // the work was there all the same
  EXPECT_EQ(Member(example.Format(), "device_name"), "\"Second GPU\"");
  example.devices[0].overflow[VKM_KIND_DISPATCH].measured += 5000;
  EXPECT_EQ(Member(example.Format(), "device_name"), "\"Example GPU\"");
}

TEST(ProfileWrite, SegmentKeyIsAHashOfTheSegment) {
  std::string canonical = "os=\"Debian GNU/Linux 12\"\nkernel=\"6.1.0-18-amd64\"\narch=\"x86_64\"\n"
                          "cpu=null\ndevice_name=\"Example GPU\"\nvendor_id=65541\ndevice_id=0\n"
                          "device_type=\"cpu\"\ndriver_id=13\ndriver_name=\"example\"\n"
                          "driver_info=\"build 5\"\ndriver_version=92286982\n"
                          "vkmeter_version=\"0.1.0\"\nmode=\"inline\"\nworkload_tag=\"blur\"\n"
                          "plan_fingerprint=";
  Example example;
  std::string document = example.Format();
  canonical += Member(document, "plan_fingerprint") + "\n";
  char key[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_hash_bytes(canonical.data(), canonical.size()), key);
  EXPECT_EQ(Member(document, "segment_key"), "\"" + std::string(key) + "\"");
  example.profile.run.pid++; // not part of it
  EXPECT_EQ(Member(example.Format(), "segment_key"), "\"" + std::string(key) + "\"");
  example.devices[0].driver_version++;
  EXPECT_NE(Member(example.Format(), "segment_key"), "\"" + std::string(key) + "\"");
}

TEST(ProfileWrite, FingerprintIsOfTheSetOfWhatWasExecuted) {
  Example example;
  std::string before = Member(example.Format(), "plan_fingerprint");
  example.rows[0][0]->outcomes.measured += 5; // how often does not matter
  std::swap(example.rows[0][0], example.rows[0][2]);
  example.rows[0][1]->key.phase = 0;
  EXPECT_EQ(Member(example.Format(), "plan_fingerprint"), before);
  struct vkm_kernel_row *row = example.AddRow(0, 1, VKM_KIND_DISPATCH, 1, 2, 3);
  example.Link();
  EXPECT_EQ(Member(example.Format(), "plan_fingerprint"), before); // not executed
  row->outcomes.control = 1;
  EXPECT_NE(Member(example.Format(), "plan_fingerprint"), before);
}

TEST(ProfileWrite, SampleTimesAreWrittenWhenAskedFor) {
  Example example;
  EXPECT_EQ(example.Format().find("sample_begins_ns"), std::string::npos);
  example.settings[1].value = "1";
  std::string document = example.Format();
  EXPECT_EQ(Member(document, "sample_begins_ns"), "[1000, 3000, 5000, 7000]");
  EXPECT_NE(document.find("[null, null, null, null, null]"), std::string::npos);
  EXPECT_EQ(Faults(document), "");
  example.settings[1].name = "SAMPLE_TIMES"; // as the environment has it
  document = example.Format();
  EXPECT_EQ(Member(document, "sample_begins_ns"), "[1000, 3000, 5000, 7000]");
  EXPECT_EQ(Faults(document), "");
}

TEST(ProfileWrite, SamplesThatFoundNoMemoryLeaveTheFigures) {
  Example example;
  struct vkm_kernel_row *row = example.AddRow(0, 1, VKM_KIND_DISPATCH, 9, 9, 9);
  vkm_alloc_fail(1, 2);
  vkm_kernel_row_measured(row, 70, 4, 0, true, false);
  vkm_alloc_fail(0, 0);
  example.Link();
  std::string document = example.Format();
  EXPECT_NE(document.find("\"p25_reason\": \"memory was short: no sample was kept\""),
            std::string::npos);
  EXPECT_EQ(Faults(document), "");
}

TEST(ProfileWrite, MeansRoundHalvesAwayFromZero) {
  Example example;
  for (auto [low, high, mean] :
       {std::tuple{1, 2, "2"}, {-1, -2, "-2"}, {1, 3, "2"}, {-1, 2, "1"}}) {
    example.rows[0].clear();
    struct vkm_kernel_row *row = example.AddRow(0, 0, VKM_KIND_DISPATCH, 1, 1, 1);
    vkm_kernel_row_measured(row, low, VKM_NO_GAP, 0, false, false);
    vkm_kernel_row_measured(row, high, VKM_NO_GAP, 0, false, false);
    example.Link();
    EXPECT_EQ(Member(example.Format(), "mean"), mean);
  }
}

// The least of three, in seconds of the processor: others may run beside.
double SecondsToWrite(uint32_t rows) {
  Example example;
  for (uint32_t i = 0; i < rows; i++) {
    struct vkm_kernel_row *row = example.AddRow(0, 0, VKM_KIND_DISPATCH, i + 10, 1, 1);
    for (int64_t sample = 0; sample < 101; sample++) { // one more than are kept: they get sorted
      vkm_kernel_row_measured(row, 100000 + sample * 7919 % 1000, 50, 0, false, false);
    }
  }
  example.Link();
  double least = 1e9;
  for (int i = 0; i < 3; i++) {
    std::clock_t start = std::clock();
    std::string document = example.Format();
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_GT(document.size(), rows * size_t{800});
    least = std::min(least, seconds);
  }
  return least;
}

// Ten times the rows take ten times as long, not a hundred.
TEST(ProfileWrite, TimeGrowsWithTheRows) {
  EXPECT_LT(SecondsToWrite(5000), 50 * SecondsToWrite(500));
}

} // namespace
