/* Is a text exactly one JSON document, as RFC 8259 has it? The parser takes more than that, and
 * does not always say where it stopped. Pure, any thread. */
#ifndef VKM_PROFILE_JSON_CHECK_H
#define VKM_PROFILE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

enum {
  VKM_JSON_DEEPEST = 64,      /* levels of arrays and objects */
  VKM_JSON_NUMBER_BYTES = 63, /* what the parser takes of a number */
};

struct vkm_json_fault {
  size_t offset;      /* byte of the text */
  bool truncated;     /* it breaks off */
  bool out_of_memory; /* nothing is known; the rest is not set */
  char cause[128];    /* without the place; empty: there is none, memory was short */
};

/* True: it is. False: `fault` holds the first thing that is wrong. Refused is, besides what is no
 * JSON: bytes that are no UTF-8, a byte order mark, the character NUL, a name that an object has
 * twice, more levels or longer numbers than above. Numbers are not looked at for their size. */
bool vkm_json_check(const char *text, size_t length, struct vkm_json_fault *fault)
    __attribute__((warn_unused_result));

#endif
