/* What the option table and the command table say of values and operands, for those who print them
 * elsewhere: completion of shells, the man page. Main thread. */
#ifndef VKM_TOOLS_HELP_WORDS_H
#define VKM_TOOLS_HELP_WORDS_H

#include "base/text.h"
#include "commands/commands.h"
#include "options.h"

enum vkm_completes {
  VKM_COMPLETES_NOTHING = 0, /* beside the words, where there are some */
  VKM_COMPLETES_FILES,
  VKM_COMPLETES_FOLDERS,
  VKM_COMPLETES_PROGRAM, /* and what completes that */
};

/* Appends the words that the option's value may be, with blanks between. */
enum vkm_completes vkm_words_of_option(const struct vkm_option *option, struct vkm_text *words);
/* The same of the command's operands. */
enum vkm_completes vkm_words_of_command(const struct vkm_command *command, struct vkm_text *words);

/* Appends the first part of a help text, one line of at most 72 bytes. */
void vkm_words_brief(const char *help, struct vkm_text *brief);

/* Prints bytes with `escape` before each that is in `special`. */
void vkm_print_escaped(FILE *to, const char *bytes, const char *special, const char *escape);

#endif
