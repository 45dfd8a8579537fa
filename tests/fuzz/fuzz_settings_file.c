/* In: any bytes, as the content of vk_layer_settings.txt. Out: nothing; a crash, a sanitizer report
 * or an abort is a fault of src/base/pairs.c or layer/settings*.c. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_settings_check.h"
#include "fuzz_target.h"

static int file = -1;

static void create_file(void) {
  char path[64];
  file = memfd_create("settings", MFD_CLOEXEC);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file < 0 || setenv("VK_LAYER_SETTINGS_PATH", path, 1) != 0) {
    abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct vkm_settings settings;
  if (file < 0) {
    create_file();
  }
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) {
    abort();
  }
  vkm_settings_start(&settings);
  vkm_settings_file(&settings);
  fuzz_settings_check(&settings);
  fuzz_settings_release();
  return 0;
}
