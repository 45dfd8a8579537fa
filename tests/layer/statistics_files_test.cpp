// Internal representations of pipelines, to files on request (pitfall C4, F10).
//
// In: the setting DUMP_ISA. Out: files under the pipeline's identity, and a list of them.
#include <filesystem>

#include <unistd.h>

#include "statistics_case.h"

namespace {

const char kText[] = "v_mov_b32 v0, s0\ns_endpgm\n";

class StatisticsFiles : public StatisticsTest {
protected:
  void SetUp() override {
    StatisticsTest::SetUp();
    isa = folder + "/isa";
    std::filesystem::create_directory(isa);
    Setting("DUMP_ISA", isa);
  }

  std::string Content(const std::string &name) const {
    std::ifstream file(isa + "/" + name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  size_t Files() const {
    size_t count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(isa)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  std::string isa;
};

TEST_F(StatisticsFiles, TextsAndBinariesUnderTheIdentity) {
  Open("executables=2");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics | kRepresentations);
  gpu.Pipeline("a", 1000); // the same once more
  Profile profile = End();
  EXPECT_EQ(Files(), 4U);
  std::string identity = profile.Text("pipelines.0.identity.hash");
  const std::string list = "pipelines.0.executables.1.representations.";
  EXPECT_EQ(profile.Text(list + "0.name"), "Assembly (final)");
  EXPECT_TRUE(profile.Flag(list + "0.text"));
  EXPECT_EQ(profile.Number(list + "0.bytes"), static_cast<int64_t>(sizeof kText - 1));
  std::string name = profile.Text(list + "0.file");
  EXPECT_EQ(name.rfind(identity + "-1-0-Assembly_final_-", 0), 0U) << name;
  EXPECT_EQ(name.substr(name.size() - 4), ".txt");
  EXPECT_EQ(Content(name), kText); // without the NUL
  EXPECT_FALSE(profile.Flag(list + "1.text"));
  name = profile.Text(list + "1.file");
  EXPECT_EQ(name.rfind(identity + "-1-1-Machine_code-", 0), 0U) << name; // no way out of the folder
  EXPECT_EQ(Content(name), std::string("\x7f"
                                       "ELF\0\xff",
                                       6));
  EXPECT_EQ(profile.Number("pipelines.0.executables.1.representations_dropped"), 0);
}

TEST_F(StatisticsFiles, BeyondTheCap) {
  Open("representations=20");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables.0.representations")), 16);
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.representations_dropped"), 4);
  EXPECT_EQ(Files(), 16U);
}

TEST_F(StatisticsFiles, ADriverThatFails) {
  Open();
  fake_fail("vkGetPipelineExecutableInternalRepresentationsKHR", 3, VK_ERROR_OUT_OF_HOST_MEMORY);
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.executables.0.representations.0.file_reason"),
            "the driver or memory failed to give it");
  EXPECT_EQ(Files(), 0U);
}

TEST_F(StatisticsFiles, F10_NothingIsWrittenThroughALink) {
  InChild([this] { // only to know the name
    Open("representations=1");
    gpu.Pipeline("a", 1000);
    gpu.Close();
    CloseInstance();
  });
  std::string name;
  for (const auto &entry : std::filesystem::directory_iterator(isa)) {
    name = entry.path().filename();
  }
  std::string elsewhere = folder + "/elsewhere";
  ASSERT_EQ(std::remove((isa + "/" + name).c_str()), 0);
  ASSERT_EQ(symlink(elsewhere.c_str(), (isa + "/" + name).c_str()), 0);
  Open("representations=1");
  gpu.Pipeline("a", 1000);
  Profile profile = Finish();
  EXPECT_FALSE(std::filesystem::exists(elsewhere));
  EXPECT_TRUE(std::filesystem::is_symlink(isa + "/" + name));
  EXPECT_EQ(profile.Text("pipelines.0.executables.0.representations.0.file_reason"),
            "the folder cannot be written");
}

TEST_F(StatisticsFiles, F10_AFolderThatGoes) {
  Open();
  std::filesystem::remove(isa);
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.executables.0.representations.0.file_reason"),
            "the folder cannot be written");
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics.0.value"), 42);
}

TEST_F(StatisticsFiles, F10_AFolderThatIsNotThere) {
  Setting("DUMP_ISA", folder + "/nowhere");
  Open();
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  Profile profile = End();
  EXPECT_EQ(profile.Text("run.settings_rejected.0.name"), "DUMP_ISA");
  EXPECT_EQ(profile.At("pipelines.0.executables.0.representations"), nullptr);
}

// What is linked of libraries would have to agree with them on the second flag.
TEST_F(StatisticsFiles, C4_NotOfWhatIsLinkedOfLibraries) {
  Open();
  auto *linked = memory.Put(
      VkPipelineLibraryCreateInfoKHR{VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR});
  ASSERT_EQ(Create({Info("a", 0, linked)}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  End();
}

} // namespace
