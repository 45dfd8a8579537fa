/* The one table of options: parsing, checks and help come from it. A new option: a setter and a
 * line in options.c, a field in struct vkm_args. Main thread. */
#ifndef VKM_TOOLS_OPTIONS_H
#define VKM_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "args.h"

struct vkm_option {
  const char *long_name;
  const char *value; /* what it takes, NULL: nothing; in brackets: only behind =, or nothing */
  const char *help;
  /* False: reported. `value` is NULL for an option that takes none. */
  bool (*set)(struct vkm_args *args, const char *value);
  int commands;    /* enum vkm_command_bit, or-ed */
  char short_name; /* 0: none */
};

extern const struct vkm_option vkm_options[];
extern const size_t vkm_option_count;

bool vkm_option_is_optional(const struct vkm_option *option);
/* Index of `value` in `words` (NULL ends them), or -1 after reporting. */
int vkm_option_choose(const char *option, const char *value, const char *const *words);

/* Its paragraph in help. */
void vkm_args_print_option(FILE *to, const struct vkm_option *option);

/* `command` NULL: whether it is one of those every command has. */
bool vkm_option_belongs(const struct vkm_option *option, const struct vkm_command *command);

#endif
