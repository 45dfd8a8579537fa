// See validate_client.h.
#include "validate_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// Connected to the validator, or -1.
int Connected() {
  const char *path = getenv("VKM_VALIDATOR");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path == nullptr || strlen(path) >= sizeof address.sun_path) {
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path) + 1);
  int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (to >= 0 && connect(to, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
    close(to);
    return -1;
  }
  return to;
}

// One name a line; the answer is "ok", or what is wrong, and its end that of the connection.
std::string Asked(int to, const std::vector<std::string> &files) {
  std::string question, answer;
  for (const std::string &file : files) {
    question += file + "\n";
  }
  size_t sent = 0;
  while (sent < question.size()) {
    ssize_t step = send(to, question.data() + sent, question.size() - sent, MSG_NOSIGNAL);
    if (step <= 0) {
      return "the validator takes no question";
    }
    sent += static_cast<size_t>(step);
  }
  shutdown(to, SHUT_WR);
  char bytes[4096];
  ssize_t got;
  while ((got = recv(to, bytes, sizeof bytes, 0)) > 0) {
    answer.append(bytes, static_cast<size_t>(got));
  }
  return answer == "ok\n" ? "" : "the validator: " + answer;
}

std::string Ran(const std::vector<std::string> &files) {
  std::string command = VKM_TEST_VALIDATE;
  for (const std::string &file : files) {
    command += " '" + file + "'";
  }
  // NOLINTNEXTLINE(cert-env33-c): our own script, on names of our own making
  FILE *output = popen((command + " 2>&1").c_str(), "re");
  if (output == nullptr) {
    return "the validator does not run";
  }
  std::string said;
  char bytes[4096];
  size_t got;
  while ((got = fread(bytes, 1, sizeof bytes, output)) > 0) {
    said.append(bytes, got);
  }
  int status = pclose(output);
  return status == 0 ? "" : "status " + std::to_string(status) + ": " + said;
}

} // namespace

std::string ProfileFaults(const std::vector<std::string> &files) {
  int to = Connected();
  if (to < 0) {
    return Ran(files);
  }
  std::string faults = Asked(to, files);
  close(to);
  return faults;
}
