// What is different where pointers have 32 bits (pitfalls F13). Runs in the build of 64 bits, too.
//
// In: a file of a later date. Out: nothing is cut off. Handles: handles_test.cpp.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "layer_test_case.h"

namespace {

using NarrowLayer = LayerTest;

// stat() of a 32-bit program fails over dates and sizes that its old structure cannot hold.
TEST_F(NarrowLayer, F13_ASettingsFolderFromAfter2038) {
  std::string place = folder + "/settings";
  std::filesystem::create_directory(place);
  std::ofstream(place + "/vk_layer_settings.txt") << "vkmeter_profile.samples = 77\n";
  // In seconds of 64 bits, whatever time_t is here.
  std::string command = "touch -d 2100-01-01 '" + place + "'";
  // NOLINTNEXTLINE(cert-env33-c): a name of our own making
  ASSERT_EQ(std::system(command.c_str()), 0);
  setenv("VK_LAYER_SETTINGS_PATH", place.c_str(), 1);
  Open("period=1");
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("run.settings.SAMPLES"), "77");
}

} // namespace
