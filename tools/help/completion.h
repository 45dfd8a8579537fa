/* Completion scripts, made from the tables of commands and options. Main thread. */
#ifndef VKM_TOOLS_HELP_COMPLETION_H
#define VKM_TOOLS_HELP_COMPLETION_H

#include <stdio.h>

void vkm_completion_bash(FILE *to);
void vkm_completion_zsh(FILE *to);
void vkm_completion_fish(FILE *to);

#endif
