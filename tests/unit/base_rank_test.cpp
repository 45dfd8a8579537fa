// The rank of a process in an MPI or batch job.
#include <gtest/gtest.h>

#include <cstdlib>

extern "C" {
#include "base/rank.h"
}

namespace {

class BaseRank : public testing::Test {
protected:
  void SetUp() override {
    Forget();
  }
  void TearDown() override {
    Forget();
  }
  void Forget() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
      unsetenv(name);
    }
  }
};

TEST_F(BaseRank, NobodySays) {
  EXPECT_STREQ(vkm_rank(), "0");
}

TEST_F(BaseRank, SlurmComesLast) {
  setenv("SLURM_PROCID", "3", 1);
  EXPECT_STREQ(vkm_rank(), "3");
  setenv("PMI_RANK", "17", 1);
  EXPECT_STREQ(vkm_rank(), "17");
}

TEST_F(BaseRank, OnlyDigitsThatFit) {
  for (const char *wrong : {"", "1a", "-1", "../x", "1234567890123456789"}) {
    setenv("OMPI_COMM_WORLD_RANK", wrong, 1);
    EXPECT_STREQ(vkm_rank(), "0") << wrong;
  }
  setenv("OMPI_COMM_WORLD_RANK", "123456789012345678", 1);
  EXPECT_STREQ(vkm_rank(), "123456789012345678");
}

} // namespace
