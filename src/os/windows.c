/* Windows, see os.h. An elevated process of Windows is one that its user made so: its environment
 * is its own, and the loader leaves implicit layers of a user's registry out by itself. */
#include <windows.h>
/* behind windows.h */
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <psapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "os/os.h"

enum { PATH_LIMIT = 4096, NS_PER_S = 1000000000 };

static FARPROC function_of(const char *library, const char *name) {
  HMODULE module = GetModuleHandleA(library);
  return module ? GetProcAddress(module, name) : NULL;
}

/* In the process's own copy, which nobody frees. */
const char *vkm_os_variable(const char *name) {
  size_t length = strlen(name);
  for (char **at = _environ; at && *at; at++) {
    if (_strnicmp(*at, name, length) == 0 && (*at)[length] == '=') {
      return *at + length + 1;
    }
  }
  return NULL;
}

bool vkm_os_elevated(void) {
  return false;
}

ptrdiff_t vkm_os_read(const char *path, bool follow, char *bytes, size_t size) {
  DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  HANDLE file = CreateFileA(path, GENERIC_READ, share, NULL, OPEN_EXISTING,
                            follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT, NULL);
  DWORD got = 0;
  if (file == INVALID_HANDLE_VALUE) {
    return -1;
  }
  size_t length = 0;
  BOOL good = TRUE;
  while (good && length < size) {
    good = ReadFile(file, bytes + length, (DWORD)(size - length), &got, NULL);
    if (!good || got == 0) {
      break;
    }
    length += got;
  }
  CloseHandle(file);
  return good ? (ptrdiff_t)length : -1;
}

int vkm_os_create(const char *path, uint64_t *limit_bytes, const char **cause) {
  (void)limit_bytes; /* there is none */
  int file =
      _open(path, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  if (file < 0) {
    *cause = strerror(errno);
    return -1;
  }
  if (GetFileType((HANDLE)_get_osfhandle(file)) == FILE_TYPE_PIPE) {
    (void)_close(file);
    *cause = "it is a pipe";
    return -1;
  }
  return file;
}

static void read_registry(const char *key, const char *value, char *text, size_t size) {
  DWORD length = (DWORD)size;
  if (RegGetValueA(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, NULL, text, &length) !=
      ERROR_SUCCESS) {
    text[0] = '\0';
  }
}

void vkm_os_machine(struct vkm_os_machine *machine) {
  *machine = (struct vkm_os_machine){.os = "Windows"};
  read_registry("SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion", "CurrentBuildNumber",
                machine->kernel, sizeof machine->kernel);
  read_registry("HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", "ProcessorNameString",
                machine->cpu, sizeof machine->cpu);
  SYSTEM_INFO info;
  GetNativeSystemInfo(&info);
  const char *arch = info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64   ? "x86_64"
                     : info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64"
                     : info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_INTEL ? "i686"
                                                                                   : "";
  (void)snprintf(machine->arch, sizeof machine->arch, "%s", arch);
}

void vkm_os_host(char *name, size_t size) {
  DWORD length = (DWORD)size;
  (void)GetComputerNameA(name, &length);
}

char *vkm_os_executable(void) {
  char path[PATH_LIMIT];
  DWORD length = GetModuleFileNameA(NULL, path, sizeof path);
  if (length == 0 || length >= sizeof path) {
    return NULL;
  }
  for (char *at = path; *at; at++) {
    *at = *at == '\\' ? '/' : *at;
  }
  return vkm_strdup(path);
}

int64_t vkm_os_resident_peak_bytes(void) {
  PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
  return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
             ? (int64_t)counters.PeakWorkingSetSize
             : -1;
}

/* The handle is kept open on purpose. */
bool vkm_os_claim(const char *name) {
  HANDLE mutex = CreateMutexA(NULL, FALSE, name);
  if (mutex && GetLastError() == ERROR_ALREADY_EXISTS) {
    CloseHandle(mutex);
    return false;
  }
  return true;
}

bool vkm_os_thread(pthread_t *thread, const char *name, void *(*run)(void *), void *argument) {
  bool started = pthread_create(thread, NULL, run, argument) == 0;
  if (started) {
    (void)pthread_setname_np(*thread, name);
  }
  return started;
}

/* Conditions of mingw's threads know CLOCK_REALTIME alone, which is set at times, and lengths. */
void vkm_os_condition(pthread_cond_t *condition) {
  (void)pthread_cond_init(condition, NULL);
}

void vkm_os_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until_ns) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t left_ns = until_ns - ((int64_t)now.tv_sec * NS_PER_S + now.tv_nsec);
  left_ns = left_ns > 0 ? left_ns : 0;
  struct timespec left = {.tv_sec = left_ns / NS_PER_S, .tv_nsec = (long)(left_ns % NS_PER_S)};
  (void)pthread_cond_timedwait_relative_np(condition, lock, &left);
}

uint32_t vkm_os_thread_id(void) {
  return GetCurrentThreadId();
}

/* A description that the program gave, of any length: what fits of it. Older than Windows 10: none.
 */
void vkm_os_thread_name(char *name, size_t size) {
  typedef HRESULT(WINAPI * describe_t)(HANDLE, PWSTR *);
  describe_t describe =
      (describe_t)(void (*)(void))function_of("kernel32.dll", "GetThreadDescription");
  PWSTR given = NULL;
  name[0] = '\0';
  if (!describe || FAILED(describe(GetCurrentThread(), &given))) {
    return;
  }
  size_t length = 0;
  for (; given[length] && length + 1 < size; length++) {
    name[length] = given[length] < 0x80 ? (char)given[length] : '?';
  }
  name[length] = '\0';
  (void)LocalFree(given);
}

bool vkm_os_forked(void (*child)(void)) {
  (void)child; /* there is no fork */
  return true;
}

static void (*exit_handler)(void);

/* Not where Windows has ended the other threads already: they may have held locks. */
static void at_exit(void) {
  typedef BOOLEAN(WINAPI * ending_t)(void);
  ending_t ending = (ending_t)(void (*)(void))function_of("ntdll.dll", "RtlDllShutdownInProgress");
  if (!ending || !ending()) {
    exit_handler();
  }
}

/* A library's own atexit comes too late, see above: the program's C library is asked, whichever of
 * the two it has. */
bool vkm_os_at_exit(void (*run)(void)) {
  typedef void (*handler_t)(void);
  typedef handler_t (*onexit_t)(handler_t);
  typedef int (*atexit_t)(handler_t);
  onexit_t old = (onexit_t)(void (*)(void))function_of("msvcrt.dll", "_onexit");
  atexit_t new = (atexit_t)(void (*)(void))function_of("ucrtbase.dll", "_crt_atexit");
  atexit_t quick = (atexit_t)(void (*)(void))function_of("ucrtbase.dll", "_crt_at_quick_exit");
  exit_handler = run;
  bool known = old && old(at_exit) != NULL;
  known = (new && new (at_exit) == 0) || known;
  if (quick) {
    (void)quick(at_exit);
  }
  return known;
}

char *vkm_os_resolve(const char *path) {
  char resolved[PATH_LIMIT];
  DWORD length = GetFullPathNameA(path, sizeof resolved, resolved, NULL);
  return length > 0 && length < sizeof resolved &&
                 GetFileAttributesA(resolved) != INVALID_FILE_ATTRIBUTES
             ? vkm_strdup(resolved)
             : NULL;
}

static bool is_separator(char letter) {
  return letter == '/' || letter == '\\';
}

bool vkm_os_is_absolute(const char *path) {
  bool drive = ((path[0] | 0x20) >= 'a' && (path[0] | 0x20) <= 'z') && path[1] == ':';
  return drive || is_separator(path[0]);
}

const char *vkm_os_file_name(const char *path) {
  const char *name = path;
  for (const char *at = path; *at; at++) {
    name = is_separator(*at) || *at == ':' ? at + 1 : name;
  }
  return name;
}

/* The library stays: threads of ours and exit handlers run until the process ends. */
__attribute__((constructor)) static void stay(void) {
  vkm_os_keep((const void *)vkm_os_keep);
}

void vkm_os_keep(const void *code) {
  HMODULE module;
  (void)GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                           (LPCSTR)code, &module);
}

/* Whether the set [...] at `pattern` has the letter; *end is behind it, NULL where it has no end.
 */
static bool in_set(const char *pattern, unsigned char letter, const char **end) {
  bool without = pattern[1] == '!';
  const char *at = pattern + 1 + without;
  const char *begin = at;
  bool found = false;
  while (*at && (at == begin || *at != ']')) {
    bool range = at[1] == '-' && at[2] && at[2] != ']';
    unsigned char low = (unsigned char)at[0];
    unsigned char high = (unsigned char)(range ? at[2] : at[0]);
    found = found || (low <= letter && letter <= high);
    at += range ? 3 : 1;
  }
  *end = *at ? at + 1 : NULL;
  return found != without;
}

/* What follows in the pattern when the letter fits its first piece, which is no star; else NULL. */
static const char *match_one(const char *pattern, char letter) {
  const char *end;
  if (*pattern == '?') {
    return pattern + 1;
  }
  if (*pattern == '[') {
    bool in = in_set(pattern, (unsigned char)letter, &end);
    if (end) {
      return in ? end : NULL;
    }
  }
  pattern += *pattern == '\\' && pattern[1];
  return *pattern == letter ? pattern + 1 : NULL;
}

/* The system's own patterns know no sets, and no difference between great and small letters. */
bool vkm_os_glob(const char *pattern, const char *text) {
  const char *star = NULL, *from = NULL; /* behind the last star; where the text goes on there */
  while (*text) {
    const char *next = *pattern == '*' ? NULL : match_one(pattern, *text);
    if (*pattern == '*') {
      star = ++pattern;
      from = text;
    } else if (next) {
      pattern = next;
      text++;
    } else if (star) {
      pattern = star;
      text = ++from;
    } else {
      return false;
    }
  }
  return pattern[strspn(pattern, "*")] == '\0';
}
