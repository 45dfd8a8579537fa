// A document is written in pieces, and there whole or not at all: on a full disk, beyond a limit of
// size, without memory at any moment.
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "profile_example.hpp"

extern "C" {
#include "base/alloc.h"
}

namespace {

class ProfilePieces : public testing::Test {
protected:
  ProfilePieces() {
    std::string name = (std::filesystem::temp_directory_path() / "vkm_piecesXXXXXX").string();
    folder_ = mkdtemp(name.data());
    // Names of several pieces' length together, before most of the document and behind it.
    for (int i = 0; i < 100; i++) {
      names_.push_back(std::to_string(i) + std::string(2000, 'n'));
    }
    for (const std::string &name : names_) {
      example_.tags.push_back({name.c_str(), name.c_str()});
      example_.not_intercepted.push_back({name.c_str(), 1});
    }
    example_.Link();
    document_ = example_.Format();
    EXPECT_GT(document_.size(), 9U * VKM_TEXT_PIECE_BYTES);
  }
  ~ProfilePieces() override {
    std::filesystem::remove_all(folder_);
  }
  std::string Path(const std::string &name) const {
    return (folder_ / name).string();
  }
  enum vkm_status Write(const std::string &name) const {
    errno = 0;
    return vkm_profile_write(&example_.profile, Path(name).c_str());
  }
  void Put(const std::string &name, const std::string &content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  // `name` holds that, and beside it nothing was left.
  void ExpectOnly(const std::filesystem::path &name, const std::string &content) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == content) << text.str().size() << " bytes";
    const std::filesystem::directory_iterator names((folder_ / name).parent_path());
    EXPECT_EQ(std::distance(names, {}), 1);
  }
  std::filesystem::path folder_;
  std::vector<std::string> names_;
  Example example_;
  std::string document_;
};

TEST_F(ProfilePieces, TheFileIsTheDocument) {
  Put("a.json", "old");
  EXPECT_EQ(Write("a.json"), VKM_OK);
  ExpectOnly("a.json", document_);
}

TEST_F(ProfilePieces, ADocumentSmallerThanAPieceToo) {
  const Example small;
  EXPECT_EQ(vkm_profile_write(&small.profile, Path("a.json").c_str()), VKM_OK);
  ExpectOnly("a.json", small.Format());
}

TEST_F(ProfilePieces, F10_WhatIsNoPlaceForAFileIsRefused) {
  EXPECT_EQ(Write("no/a.json"), VKM_IO);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(Write("."), VKM_IO);
  EXPECT_EQ(errno, EISDIR);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ProfilePieces, F10_AFullDiskAfterSomePieces) {
  std::filesystem::create_directory(folder_ / "disk");
  const std::string size = "size=" + std::to_string(4 * VKM_TEXT_PIECE_BYTES);
  if (mount("none", Path("disk").c_str(), "tmpfs", 0, size.c_str()) != 0) {
    GTEST_SKIP() << "no tmpfs can be mounted here: " << strerror(errno);
  }
  Put("disk/a.json", "old");
  EXPECT_EQ(Write("disk/a.json"), VKM_IO);
  EXPECT_EQ(errno, ENOSPC);
  ExpectOnly("disk/a.json", "old");
  EXPECT_EQ(umount(Path("disk").c_str()), 0);
}

TEST_F(ProfilePieces, AFileSizeLimitEndsNobody) {
  Put("a.json", "old");
  for (const rlim_t size : {rlim_t{1000}, rlim_t{3} * VKM_TEXT_PIECE_BYTES}) {
    pid_t child = fork();
    if (child == 0) {
      struct rlimit limit = {size, size};
      setrlimit(RLIMIT_FSIZE, &limit);
      bool refused = Write("a.json") == VKM_IO && errno == EFBIG;
      sigset_t pending;
      sigpending(&pending);
      _exit(refused && sigismember(&pending, SIGXFSZ) == 0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    ExpectOnly("a.json", "old");
  }
}

TEST_F(ProfilePieces, WithoutMemoryTheOldFileStays) {
  Put("a.json", "old");
  unsigned long nth = 1;
  for (bool refused = true; refused; nth++) {
    for (const unsigned long count : {1UL, ULONG_MAX}) { // one, or all from there on
      unsigned long before = vkm_alloc_count();
      vkm_alloc_fail(nth, count);
      enum vkm_status status = Write("a.json");
      vkm_alloc_fail(0, 0);
      refused = vkm_alloc_count() - before >= nth;
      if (status != VKM_OK) {
        EXPECT_EQ(status, VKM_OUT_OF_MEMORY) << nth;
        ExpectOnly("a.json", "old");
      } else { // nothing was refused, or what the document can do without
        ExpectOnly("a.json", document_);
        Put("a.json", "old");
      }
    }
  }
  EXPECT_GT(nth, 20UL);
}

} // namespace
