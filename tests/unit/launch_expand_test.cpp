// Variables in workloads, and where programs are. In: texts, the environment. Judged by literals.
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
#include "launch/expand.h"
#include "launch/folder.h"
}

namespace {

std::string Expanded(const char *text) {
  char *out = nullptr;
  char missing[64] = "";
  switch (vkm_expand(text, "/the/folder", &out, missing, sizeof missing)) {
  case VKM_EXPANDED:
    break;
  case VKM_EXPAND_MISSING:
    return std::string("missing ") + missing;
  default:
    return "no memory";
  }
  std::string result = out;
  free(out); // NOLINT(cppcoreguidelines-no-malloc): C's memory
  return result;
}

TEST(LaunchExpand, VariablesAreReplaced) {
  setenv("EXPANDED_A", "one", 1);
  setenv("EXPANDED_EMPTY", "", 1);
  unsetenv("EXPANDED_NOT");
  EXPECT_EQ(Expanded("${EXPANDED_A}/x-${EXPANDED_A}"), "one/x-one");
  EXPECT_EQ(Expanded("${SUITE_DIR}/page.html"), "/the/folder/page.html");
  EXPECT_EQ(Expanded("[${EXPANDED_EMPTY}]"), "[]");
  EXPECT_EQ(Expanded("a ${EXPANDED_NOT} b"), "missing EXPANDED_NOT");
}

TEST(LaunchExpand, EverythingElseStays) {
  EXPECT_EQ(Expanded(""), "");
  EXPECT_EQ(Expanded("$HOME $1 ${ ${} %n $"), "$HOME $1 ${ ${} %n $");
  EXPECT_EQ(Expanded("$${HOME} $$"), "${HOME} $$");
}

TEST(LaunchExpand, ProgramsAreInThePathOrBesideTheFile) {
  EXPECT_TRUE(vkm_is_there("sh", "/"));
  EXPECT_FALSE(vkm_is_there("no-such-program-anywhere", "/"));
  EXPECT_TRUE(vkm_is_there("/bin/sh", "/nowhere"));
  EXPECT_TRUE(vkm_is_there("bin/sh", "/"));
  EXPECT_FALSE(vkm_is_there("./none", "/"));
  char *path = vkm_program_path("bin/sh", "/the/folder");
  EXPECT_STREQ(path, "/the/folder/bin/sh");
  free(path); // NOLINT(cppcoreguidelines-no-malloc)
  path = vkm_program_path("sh", "/the/folder");
  EXPECT_STREQ(path, "sh");
  free(path); // NOLINT(cppcoreguidelines-no-malloc)
}

TEST(LaunchFolder, IsMadeEmptiedAndRemoved) {
  char name[] = "/tmp/vkmeter-folder-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  std::string below = std::string(name) + "/a/b/c";
  ASSERT_TRUE(vkm_folder_make(below.c_str()));
  ASSERT_TRUE(vkm_folder_make(below.c_str())) << "it may be there";
  std::ofstream(below + "/file") << "x";
  ASSERT_EQ(symlink("/bin", (below + "/link").c_str()), 0);
  ASSERT_TRUE(vkm_folder_renew((std::string(name) + "/a").c_str()));
  EXPECT_NE(access(below.c_str(), F_OK), 0);
  EXPECT_EQ(access("/bin/sh", X_OK), 0) << "what links point to stays";
  EXPECT_TRUE(vkm_folder_remove(name));
  EXPECT_NE(access(name, F_OK), 0);
  EXPECT_TRUE(vkm_folder_remove(name)) << "nothing was there";
  EXPECT_FALSE(vkm_folder_make("/bin/sh/x"));
}

} // namespace
