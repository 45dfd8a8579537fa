/* Loads the loader, uses Vulkan, and unloads the loader again, twice. usage: unloader PLUGIN WAY
 * WAY: destroyed (everything is destroyed before), live (nothing is). In: a plugin that links the
 * loader. Out: what the plugin prints; "loader gone" when no page of the loader is left. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool loader_is_mapped(void) {
  char line[4096];
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    found = found || strstr(line, "libvulkan.so") != NULL;
  }
  if (maps != NULL) {
    (void)fclose(maps);
  }
  return found;
}

int main(int count, char *arguments[]) {
  for (int round = 0; count == 3 && round < 2; round++) {
    void *plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    void (*run)(bool) = plugin != NULL ? (void (*)(bool))dlsym(plugin, "plugin_run") : NULL;
    if (run == NULL) {
      (void)fprintf(stderr, "%s\n", dlerror());
      return EXIT_FAILURE;
    }
    run(strcmp(arguments[2], "destroyed") == 0);
    (void)dlclose(plugin);
    (void)printf("loader %s\n", loader_is_mapped() ? "there" : "gone");
  }
  return count == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
