// A file is replaced whole or not at all, and nothing is left behind.
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" {
#include "base/alloc.h"
#include "profile/profile_write.h"
}

namespace {

class ProfileWriteFile : public testing::Test {
protected:
  ProfileWriteFile() {
    std::string name = (std::filesystem::temp_directory_path() / "vkm_fileXXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ProfileWriteFile() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder_);
  }
  std::string Path(const std::string &name) const {
    return (folder_ / name).string();
  }
  std::string Read(const std::string &name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  enum vkm_status Replace(const std::string &name, const std::string &content) const {
    return vkm_file_replace(Path(name).c_str(), content.data(), content.size());
  }
  std::filesystem::path folder_;
};

using Names = std::set<std::string>;

std::string TemporaryName(int number) {
  return ".vkmeter-" + std::to_string(getpid()) + "-" + std::to_string(number) + ".tmp";
}

TEST_F(ProfileWriteFile, MakesAndReplaces) {
  EXPECT_EQ(Replace("a.json", "first"), VKM_OK);
  EXPECT_EQ(Read("a.json"), "first");
  EXPECT_EQ(Replace("a.json", ""), VKM_OK);
  EXPECT_EQ(Read("a.json"), "");
  EXPECT_EQ(Replace("a.json", std::string(3000000, 'x')), VKM_OK);
  EXPECT_EQ(Read("a.json").size(), 3000000U);
  EXPECT_EQ(Names(), ::Names{"a.json"});
}

TEST_F(ProfileWriteFile, ModeObeysTheUmask) {
  mode_t before = umask(027);
  EXPECT_EQ(Replace("a.json", "x"), VKM_OK);
  umask(before);
  struct stat status = {};
  ASSERT_EQ(stat(Path("a.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST_F(ProfileWriteFile, WithoutADirectoryInThePath) {
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_EQ(vkm_file_replace("a.json", "x", 1), VKM_OK);
  std::filesystem::current_path(before);
  EXPECT_EQ(Names(), ::Names{"a.json"});
}

TEST_F(ProfileWriteFile, TheLongestNameIsPossible) {
  std::string name(255, 'n');
  EXPECT_EQ(Replace(name, "x"), VKM_OK);
  EXPECT_EQ(Names(), ::Names{name});
}

TEST_F(ProfileWriteFile, F10_ADirectoryThatIsNotThere) {
  errno = 0;
  EXPECT_EQ(Replace("no/a.json", "x"), VKM_IO);
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(ProfileWriteFile, F10_ADirectoryThatCannotBeWritten) {
  ASSERT_EQ(Replace("a.json", "old"), VKM_OK);
  std::filesystem::permissions(
      folder_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec |
                   std::filesystem::perms::others_read | std::filesystem::perms::others_exec);
  int error = 0;
  if (geteuid() == 0) { // root may write anywhere: somebody else has to try
    pid_t child = fork();
    if (child == 0) {
      errno = 0;
      bool refused = seteuid(65534) == 0 && Replace("a.json", "new") == VKM_IO;
      _exit(refused ? errno : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    error = WEXITSTATUS(status);
  } else {
    EXPECT_EQ(Replace("a.json", "new"), VKM_IO);
    error = errno;
  }
  EXPECT_EQ(error, EACCES);
  EXPECT_EQ(Read("a.json"), "old");
  EXPECT_EQ(Names(), ::Names{"a.json"});
}

TEST_F(ProfileWriteFile, F10_AFullDisk) {
  std::filesystem::create_directory(folder_ / "disk");
  if (mount("none", Path("disk").c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no tmpfs can be mounted here: " << strerror(errno);
  }
  EXPECT_EQ(Replace("disk/a.json", "old"), VKM_OK);
  errno = 0;
  EXPECT_EQ(Replace("disk/a.json", std::string(1 << 20, 'x')), VKM_IO);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(Read("disk/a.json"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "disk"), {}), 1);
  EXPECT_EQ(Replace("disk/a.json", "new"), VKM_OK); // its space is free again
  EXPECT_EQ(Read("disk/a.json"), "new");
  EXPECT_EQ(umount(Path("disk").c_str()), 0);
}

TEST_F(ProfileWriteFile, AFileSizeLimitEndsNobody) {
  ASSERT_EQ(Replace("a.json", "old"), VKM_OK);
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    bool refused = Replace("a.json", std::string(5000, 'x')) == VKM_IO && errno == EFBIG;
    sigset_t pending;
    sigpending(&pending);
    _exit(refused && sigismember(&pending, SIGXFSZ) == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(Read("a.json"), "old");
  EXPECT_EQ(Names(), ::Names{"a.json"});
}

TEST_F(ProfileWriteFile, F10_ALinkAtTheTemporaryNameIsNotFollowed) {
  std::ofstream(folder_ / "victim") << "precious";
  std::filesystem::create_symlink("victim", folder_ / TemporaryName(0));
  std::filesystem::create_symlink("dangling", folder_ / TemporaryName(1));
  EXPECT_EQ(Replace("a.json", "x"), VKM_OK); // takes another name
  EXPECT_EQ(Read("a.json"), "x");
  EXPECT_EQ(Read("victim"), "precious");
  EXPECT_EQ(Names(), (::Names{"a.json", "victim", TemporaryName(0), TemporaryName(1)}));
}

TEST_F(ProfileWriteFile, WhenAllTemporaryNamesAreTakenItSaysSo) {
  for (int i = 0; i < 16; i++) {
    std::filesystem::create_symlink("dangling", folder_ / TemporaryName(i));
  }
  EXPECT_EQ(Replace("a.json", "x"), VKM_IO);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(Names().count("a.json") + Names().count("dangling"), 0U);
}

TEST_F(ProfileWriteFile, OnlyARegularFileIsReplaced) {
  std::ofstream(folder_ / "target") << "precious";
  std::filesystem::create_symlink("target", folder_ / "link");
  std::filesystem::create_directory(folder_ / "folder");
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const struct {
    const char *name;
    int error;
  } cases[] = {{"link", ELOOP}, {"folder", EISDIR}, {"pipe", ENOTSUP}};
  for (const auto &one : cases) {
    errno = 0;
    EXPECT_EQ(Replace(one.name, "x"), VKM_IO) << one.name;
    EXPECT_EQ(errno, one.error) << one.name;
  }
  EXPECT_EQ(vkm_file_replace("/dev/null", "x", 1), VKM_IO);
  EXPECT_EQ(errno, ENOTSUP);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(Read("target"), "precious");
  EXPECT_EQ(Names(), (::Names{"target", "link", "folder", "pipe"}));
}

TEST_F(ProfileWriteFile, WithoutMemoryNothingHappens) {
  ASSERT_EQ(Replace("a.json", "old"), VKM_OK);
  vkm_alloc_fail(1, 1);
  EXPECT_EQ(Replace("a.json", "new"), VKM_OUT_OF_MEMORY);
  vkm_alloc_fail(0, 0);
  EXPECT_EQ(Read("a.json"), "old");
  EXPECT_EQ(Names(), ::Names{"a.json"});
}

} // namespace
