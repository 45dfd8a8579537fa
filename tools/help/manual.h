/* The man page vkmeter(1), made from the tables and the topics. Main thread. */
#ifndef VKM_TOOLS_HELP_MANUAL_H
#define VKM_TOOLS_HELP_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

/* In the language of man(7). False: out of memory, reported. */
bool vkm_manual_print(FILE *to) __attribute__((warn_unused_result));

#endif
