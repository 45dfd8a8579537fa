/* Expressions of POSIX, see os.h: of the C library, and of TRE on Windows, whose C library has
 * none. */
#include "os/os.h"

bool vkm_os_regex(struct vkm_os_regex *regex, const char *text) {
  return regcomp(&regex->compiled, text, REG_EXTENDED) == 0;
}

void vkm_os_regex_free(struct vkm_os_regex *regex) {
  regfree(&regex->compiled);
}

bool vkm_os_regex_find(const struct vkm_os_regex *regex, const char *text, size_t *begin,
                       size_t *end) {
  regmatch_t match;
  /* Whether one lies there is found faster than where. */
  if (regexec(&regex->compiled, text, begin && end ? 1 : 0, &match, 0) != 0) {
    return false;
  }
  if (begin && end) {
    *begin = (size_t)match.rm_so;
    *end = (size_t)match.rm_eo;
  }
  return true;
}
