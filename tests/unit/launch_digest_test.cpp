// Checksums of what programs leave.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

extern "C" {
#include "launch/digest.h"
}

namespace {

class LaunchDigest : public testing::Test {
protected:
  void SetUp() override {
    int file = mkstemp(path_);
    ASSERT_GE(file, 0);
    close(file);
  }
  void TearDown() override {
    unlink(path_);
  }
  std::string Of(const std::string &text, int decimals = -1) {
    std::ofstream(path_, std::ios::binary) << text;
    vkm_output_digest digest{};
    EXPECT_TRUE(vkm_digest_file(&digest, path_, decimals));
    EXPECT_EQ(digest.bytes, text.size());
    return digest.sha256;
  }
  char path_[64] = "/tmp/vkmeter-digest-XXXXXX";
};

// The vectors of FIPS 180-2, appendix B.
TEST_F(LaunchDigest, IsSha256) {
  EXPECT_EQ(Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(LaunchDigest, RoundsNumbersThatStandAlone) {
  const char *const cases[][2] = {
      {"0.12345678", "0.123"},
      {"loss=0.1234999,[1e3;-2.0005001]\n", "loss=0.123,[1000.000;-2.001]\n"},
      {"-0.0001 +.5 5.", "0.000 0.500 5.000"},
      {"12 -7 +3", "12 -7 +3"},
      {"v1.2345 1.2345s 1.2345\xc2\xb5s 1.2.34567 1-2.34567", nullptr},
      {"1e400 . e + - nan inf 0x1.8p3", nullptr},
      {"", nullptr},
  };
  for (const auto &[text, rounded] : cases) {
    EXPECT_EQ(Of(text, 3), Of(rounded != nullptr ? rounded : text)) << text;
  }
  EXPECT_EQ(Of("1.5 2.5", 0), Of("2 2"));
  EXPECT_EQ(Of("1e300", 15), Of(std::to_string(1e300) + "000000000")); // six decimals, and more
}

TEST_F(LaunchDigest, WordsLieAcrossPieces) {
  for (size_t before = 65530; before <= 65540; before++) {
    std::string blanks(before, ' ');
    EXPECT_EQ(Of(blanks + "0.12345678\n", 3), Of(blanks + "0.123\n")) << before;
  }
  for (size_t digits = 60; digits <= 130; digits++) {
    std::string word = "0." + std::string(digits, '3');
    EXPECT_EQ(Of(word, 3), Of(digits < 62 ? "0.333" : word)) << digits;
  }
}

TEST_F(LaunchDigest, OtherKindsOfFilesAreRefused) {
  vkm_output_digest digest{};
  EXPECT_FALSE(vkm_digest_file(&digest, "/dev/null", -1));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_FALSE(vkm_digest_file(&digest, "/no/such/file", -1));
  EXPECT_EQ(errno, ENOENT);
}

} // namespace
