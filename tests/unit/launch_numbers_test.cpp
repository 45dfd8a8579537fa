// File names of numbered runs: where the number goes, and what the layer's placeholders become.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" {
#include "launch/numbers.h"
}

namespace {

namespace fs = std::filesystem;

// Takes over what C allocated.
std::string Text(char *owned) {
  std::string text = owned != nullptr ? owned : "(null)";
  free(owned); // NOLINT(cppcoreguidelines-no-malloc): C's memory
  return text;
}

std::string Pattern(const std::string &output, bool repeated) {
  return Text(vkm_numbers_pattern(output.c_str(), repeated));
}

TEST(LaunchNumbers, WhereTheNumberGoes) {
  EXPECT_EQ(Pattern("/no/x.y.json", true), "/no/x.y-%n.json");
  EXPECT_EQ(Pattern("/no.dot/x", true), "/no.dot/x-%n");
  EXPECT_EQ(Pattern("/no/%n-x.json", true), "/no/%n-x.json");
  EXPECT_EQ(Pattern("/no/x%%n.json", true), "/no/x%%n-%n.json");
  EXPECT_EQ(Pattern("/no/x.json", false), "/no/x.json");      // one run: as it stands
  EXPECT_EQ(Pattern("/no/%h/", false), "/no/%h/run-%n.json"); // a folder that is not known yet
}

TEST(LaunchNumbers, PlacesOfTheNumber) {
  EXPECT_TRUE(vkm_numbers_in("x-%n"));
  EXPECT_TRUE(vkm_numbers_in("%%%n"));
  EXPECT_FALSE(vkm_numbers_in("%%n"));
  EXPECT_FALSE(vkm_numbers_in("%p%"));
  EXPECT_EQ(Text(vkm_numbers_name("a%%n-%n-%p.json", 12, nullptr)), "a%%n-12-%p.json");
  EXPECT_EQ(Text(vkm_numbers_name("run-%n.json", 3, ".error")), "run-3.error.json");
  EXPECT_EQ(Text(vkm_numbers_name("/a.b/run-%n", 3, ".error")), "/a.b/run-3.error");
  EXPECT_EQ(Text(vkm_numbers_name("x%", 3, nullptr)), "x%");
}

TEST(LaunchNumbers, PlaceholdersAsTheLayerPutsThem) {
  char host[256] = "";
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  setenv("OMPI_COMM_WORLD_RANK", "7", 1);
  EXPECT_EQ(Text(vkm_numbers_expand("%e_%p_%h_%r_%t_%%_%x%", "/bin/prog", 42, 1700000000999999999)),
            "prog_42_" + std::string(host) + "_7_1700000000_%_%x%");
  unsetenv("OMPI_COMM_WORLD_RANK");
}

TEST(LaunchNumbers, FoldersAndFreeNumbers) {
  std::string name = testing::TempDir() + "vkmeter-numbers-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::string folder = name + "/a%%b/c";
  EXPECT_EQ(Pattern(folder + "/", false), folder + "/run-%n.json");
  EXPECT_TRUE(fs::is_directory(name + "/a%b/c"));
  EXPECT_EQ(Pattern(folder, false), folder + "/run-%n.json"); // it is there now
  const std::string pattern = folder + "/run-%n.json";
  for (const char *taken : {"run-0.json", "run-1.error.json", "run-2-4711.json", "run-3-r1.json",
                            "run-10.json", "run-4.control.json"}) {
    std::ofstream(name + "/a%b/c/" + taken) << "x";
  }
  uint32_t number = 99;
  EXPECT_TRUE(vkm_numbers_free(pattern.c_str(), 0, &number));
  EXPECT_EQ(number, 5u);
  EXPECT_TRUE(vkm_numbers_free(pattern.c_str(), 10, &number));
  EXPECT_EQ(number, 11u);
  fs::remove_all(name);
}

} // namespace
