/* What the targets for settings share. In: settings as read. Out: an abort when they cannot be.
 * One thread. */
#ifndef FUZZ_SETTINGS_CHECK_H
#define FUZZ_SETTINGS_CHECK_H

#include "settings.h"

/* Whatever was read: every value in force is one that a setting accepts. */
void fuzz_settings_check(const struct vkm_settings *settings);
/* Gives back the texts of all settings so far, which the layer keeps as long as the process. */
void fuzz_settings_release(void);

#endif
