// What `vkmeter run --repeat --control` leaves in a folder, as a side of a comparison.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" {
#include "model/run_error.h"
#include "model/side.h"
}

namespace {

namespace fs = std::filesystem;

class ModelSide : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "vkmeter-side-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    vkm_side_finish(&side_);
    fs::remove_all(folder_);
  }
  void Copy(const char *name, const char *to) {
    fs::copy_file(fs::path(VKM_TEST_DATA) / "profiles" / name, folder_ / to);
  }
  void Record(const std::string &run, int sequence, const char *to) {
    std::ofstream(folder_ / to) << R"({"schema":"vkmeter.error/1","vkmeter_version":"0.1.0",)"
                                << R"("run":")" << run << R"(","sequence":)" << sequence
                                << R"(,"command":["a","b"],"cause":"exit status 3","status":3,)"
                                << R"("signal":null,"timed_out":false,"started_unix_ns":1,)"
                                << R"("duration_ns":2})";
  }
  bool Load() {
    std::string path = folder_.string();
    char *operands[] = {path.data()};
    struct vkm_side_source source = {};
    source.name = "BASE";
    source.operands = operands;
    source.operand_count = 1;
    return vkm_side_load(&side_, &source);
  }
  fs::path folder_;
  struct vkm_side side_ = {};
};

TEST_F(ModelSide, TheProfileOfAFailedRunIsLeftOut) {
  Copy("tool_gpu.json", "run-0.json");
  Copy("tool_gpu_2.json", "run-1.json");
  Copy("tool_gpu_3.json", "run-2.json");
  Record("run-2", 0, "run-1.error.json"); // tool_gpu_2.json calls its run so
  Record("run-3", 9, "run-9.error.json"); // the third's id, but another number
  ASSERT_TRUE(Load());
  EXPECT_EQ(side_.error_count, 2u);
  EXPECT_EQ(side_.run_count, 2u);
  ASSERT_EQ(side_.profile_count, 2u);
  EXPECT_EQ(side_.paths[0], folder_ / "run-0.json");
  EXPECT_EQ(side_.paths[1], folder_ / "run-2.json");
}

TEST_F(ModelSide, WallTimesAreNoProfile) {
  Copy("tool_gpu.json", "run-0.json");
  std::ofstream(folder_ / "run-0.control.json") << R"({"schema":"vkmeter.run/1"})";
  ASSERT_TRUE(Load());
  EXPECT_EQ(side_.profile_count, 1u);
  EXPECT_EQ(side_.error_count, 0u);
}

} // namespace
