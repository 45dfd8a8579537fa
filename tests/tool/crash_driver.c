/* A driver that ends the process of whoever loads it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

int vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  (void)version;
  (void)fputs("crash driver: no firmware\n", stderr);
  abort();
}
