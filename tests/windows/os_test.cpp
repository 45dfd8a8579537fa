/* What the layer asks of the system, on this one. */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>
#include <windows.h>
// behind windows.h
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <string>

extern "C" {
#include "os/os.h"
#include "profile/profile_write.h"
}

namespace {

std::string contents(const char *path) {
  char text[64];
  ptrdiff_t length = vkm_os_read(path, true, text, sizeof text);
  return length < 0 ? "(none)" : std::string(text, static_cast<size_t>(length));
}

TEST(Os, AFileIsReplacedAndReadBack) {
  ASSERT_EQ(vkm_file_replace("replaced.txt", "one", 3), VKM_OK);
  ASSERT_EQ(vkm_file_replace("replaced.txt", "second", 6), VKM_OK);
  EXPECT_EQ(contents("replaced.txt"), "second");
  EXPECT_EQ(std::remove("replaced.txt"), 0);
  EXPECT_EQ(contents("replaced.txt"), "(none)");
}

TEST(Os, AFolderThatIsNotThereIsSaid) {
  EXPECT_EQ(vkm_file_replace("no_such_folder/x.txt", "one", 3), VKM_IO);
  EXPECT_EQ(errno, ENOENT);
}

TEST(Os, ANameIsTakenOnce) {
  EXPECT_TRUE(vkm_os_claim("vkmeter-test-claim"));
  EXPECT_FALSE(vkm_os_claim("vkmeter-test-claim"));
  EXPECT_TRUE(vkm_os_claim("vkmeter-test-other"));
}

TEST(Os, TheProcessKnowsItself) {
  char *path = vkm_os_executable();
  ASSERT_NE(path, nullptr);
  EXPECT_NE(std::string(path).find("/windows_test"), std::string::npos) << path;
  free(path);
  EXPECT_GT(vkm_os_resident_peak_bytes(), 100000);
  EXPECT_EQ(vkm_os_variable("VKM_NO_SUCH_VARIABLE"), nullptr);
  EXPECT_NE(vkm_os_variable("PATH"), nullptr);
  EXPECT_TRUE(vkm_os_forked([] {}));
}

TEST(Os, PathsAndPatterns) {
  EXPECT_TRUE(vkm_os_is_absolute("C:\\x.json"));
  EXPECT_TRUE(vkm_os_is_absolute("\\\\server\\x.json"));
  EXPECT_TRUE(vkm_os_is_absolute("/x.json"));
  EXPECT_FALSE(vkm_os_is_absolute("x.json"));
  EXPECT_FALSE(vkm_os_is_absolute(""));
  EXPECT_EQ(vkm_os_resolve("no_such_file"), nullptr);
}

TEST(Os, AFileNameIsWhatFollowsTheLastSeparator) {
  EXPECT_STREQ(vkm_os_file_name("C:\\run.1\\out"), "out");
  EXPECT_STREQ(vkm_os_file_name("C:/run.1\\sub/out.json"), "out.json");
  EXPECT_STREQ(vkm_os_file_name("C:out.json"), "out.json");
  EXPECT_STREQ(vkm_os_file_name("out.json"), "out.json");
  EXPECT_STREQ(vkm_os_file_name("C:\\run.1\\"), "");
}

TEST(Os, PatternsAreThoseOfTheShell) {
  const struct {
    const char *pattern, *text;
    bool matches;
  } rows[] = {{"node*", "node.exe", true},
              {"node?", "node.exe", false},
              {"", "", true},
              {"", "a", false},
              {"*", "", true},
              {"**", "a/b", true},
              {"?", "", false},
              {"a*b*c", "aXbYbZc", true},
              {"a*b*c", "aXbYbZ", false},
              {"[a-c]x", "bx", true},
              {"[a-c]x", "dx", false},
              {"[!a-c]x", "dx", true},
              {"[]a]", "]", true},
              {"[a-]", "-", true},
              {"[a", "[a", true},
              {"\\*", "*", true},
              {"\\*", "a", false},
              {"Node*", "node.exe", false},
              {"*.exe;*.dll", "a.exe", false},
              {"*[0-9].exe", "node18.exe", true}};
  for (const auto &row : rows) {
    EXPECT_EQ(vkm_os_glob(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
}

TEST(Os, ExpressionsAreThoseOfPosix) {
  struct vkm_os_regex regex;
  size_t begin = 0, end = 0;
  ASSERT_TRUE(vkm_os_regex(&regex, "mat(mul|vec)_[0-9]{2,}"));
  EXPECT_TRUE(vkm_os_regex_find(&regex, "a matvec_128 \xc3\xa4", &begin, &end));
  EXPECT_EQ(begin, 2U);
  EXPECT_EQ(end, 12U);
  EXPECT_TRUE(vkm_os_regex_find(&regex, "matmul_16", nullptr, nullptr));
  EXPECT_FALSE(vkm_os_regex_find(&regex, "matmul_1", nullptr, nullptr));
  vkm_os_regex_free(&regex);
  EXPECT_FALSE(vkm_os_regex(&regex, "(unclosed"));
}

int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* A wait that ends at once makes a thread of ours spin. */
TEST(Os, AWaitLastsUntilItsTimeAndNoLonger) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition;
  vkm_os_condition(&condition);
  pthread_mutex_lock(&lock);
  int64_t begin_ns = now_ns();
  int64_t until_ns = begin_ns + 300000000;
  int waits = 0;
  for (; now_ns() < until_ns; waits++) {
    vkm_os_wait(&condition, &lock, until_ns);
  }
  EXPECT_LE(waits, 30) << "for 0.3 s";
  vkm_os_wait(&condition, &lock, begin_ns); // is over
  EXPECT_LT(now_ns() - until_ns, 20000000000);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&condition);
}

void leave_with_7() {
  _exit(7);
}

template <typename Function> Function function_of(const char *library, const char *name) {
  return reinterpret_cast<Function>(
      reinterpret_cast<void *>(GetProcAddress(LoadLibraryA(library), name)));
}

/* As a program does that is linked with the one C library or the other; and one that ends without
 * either: the handler is not called when threads have been ended already. */
void end_by(const char *library, const char *name) {
  auto end = function_of<void (*)(int)>(library, name);
  if (vkm_os_at_exit(leave_with_7)) {
    end(3);
  }
}

TEST(OsDeathTest, TheExitHandlerRunsWhileThreadsDo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_by("msvcrt.dll", "exit"), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(end_by("ucrtbase.dll", "exit"), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(end_by("ucrtbase.dll", "quick_exit"), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(end_by("kernel32.dll", "ExitProcess"), testing::ExitedWithCode(3), "");
}

void *count(void *argument) {
  ++*static_cast<int *>(argument);
  return nullptr;
}

TEST(Os, AThreadRuns) {
  pthread_t thread;
  int counted = 0;
  ASSERT_TRUE(vkm_os_thread(&thread, "vkmeter-test", count, &counted));
  pthread_join(thread, nullptr);
  EXPECT_EQ(counted, 1);
}

void *see_itself(void *argument) {
  auto name = static_cast<char *>(argument);
  vkm_os_thread_name(name, 16);
  return vkm_os_thread_id() == GetCurrentThreadId() ? argument : nullptr;
}

TEST(Os, AThreadHasAnIdAndANameThatFits) {
  char name[16] = "not yet written";
  pthread_t thread;
  void *same = nullptr;
  ASSERT_TRUE(vkm_os_thread(&thread, "vkmeter-test", see_itself, name));
  pthread_join(thread, &same);
  EXPECT_EQ(same, name);
  EXPECT_STREQ(name, "");
  using describe_t = HRESULT(WINAPI *)(HANDLE, PCWSTR); // not in all of mingw's headers
  auto describe = reinterpret_cast<describe_t>(reinterpret_cast<void *>(
      GetProcAddress(GetModuleHandleA("kernel32.dll"), "SetThreadDescription")));
  ASSERT_NE(describe, nullptr);
  ASSERT_GE(describe(GetCurrentThread(), L"w\u00f6rker with a long name"), 0);
  vkm_os_thread_name(name, sizeof name);
  EXPECT_STREQ(name, "w?rker with a l");
}

TEST(Os, AFileThatGrowsKeepsItsBytes) {
  uint64_t limit = 5;
  const char *cause = nullptr;
  int file = vkm_os_create("growing.bin", &limit, &cause);
  ASSERT_GE(file, 0) << cause;
  EXPECT_EQ(limit, 5U);
  EXPECT_EQ(write(file, "a\nb\n", 4), 4);
  EXPECT_EQ(ftruncate(file, 2), 0);
  EXPECT_EQ(close(file), 0);
  EXPECT_EQ(contents("growing.bin"), "a\n");
  file = vkm_os_create("growing.bin", &limit, &cause);
  EXPECT_EQ(close(file), 0);
  EXPECT_EQ(contents("growing.bin"), "") << "not empty";
  EXPECT_EQ(std::remove("growing.bin"), 0);
  EXPECT_EQ(vkm_os_create("no_such_folder/x.bin", &limit, &cause), -1);
  EXPECT_STREQ(cause, std::strerror(ENOENT));
}

TEST(Os, TheLayerIsLoadedAndNegotiates) {
  HMODULE layer = LoadLibraryA(VKM_TEST_LAYER);
  ASSERT_NE(layer, nullptr) << GetLastError();
  auto negotiate = reinterpret_cast<PFN_vkNegotiateLoaderLayerInterfaceVersion>(
      reinterpret_cast<void *>(GetProcAddress(layer, "vkNegotiateLoaderLayerInterfaceVersion")));
  ASSERT_NE(negotiate, nullptr);
  VkNegotiateLayerInterface interface_ = {};
  interface_.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT;
  interface_.loaderLayerInterfaceVersion = 2;
  EXPECT_EQ(negotiate(&interface_), VK_SUCCESS);
  ASSERT_NE(interface_.pfnGetInstanceProcAddr, nullptr);
  EXPECT_NE(interface_.pfnGetInstanceProcAddr(nullptr, "vkCreateInstance"), nullptr);
  FreeLibrary(layer);
  EXPECT_NE(GetModuleHandleA("VkLayer_vkmeter.dll"), nullptr) << "it was unloaded";
}

} // namespace
