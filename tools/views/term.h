/* What a terminal can show, and how wide text is on it. Main thread. */
#ifndef VKM_TOOLS_VIEWS_TERM_H
#define VKM_TOOLS_VIEWS_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "views/view.h"

/* Replaces every "as it suits" of `settings` by what suits the stream with descriptor `fd` (-1: a
 * file that is written): colour, character set, width. */
void vkm_term_resolve(struct vkm_view_settings *settings, int fd);

/* Columns that `bytes` take. */
size_t vkm_term_width(const char *bytes, size_t length);

/* Appends a name from a profile so that it stays one line and drives no terminal: control
 * characters and bytes that are no UTF-8 become '?'. With `most` > 0 it is cut in the middle to
 * `most` columns. */
void vkm_term_name(struct vkm_text *text, const char *name, size_t most, bool ascii);

enum vkm_style { VKM_STYLE_PLAIN = 0, VKM_STYLE_STRONG, VKM_STYLE_FAINT, VKM_STYLE_WARN };
/* Begins a style; VKM_STYLE_PLAIN ends it. Appends nothing without colour. */
void vkm_term_style(struct vkm_text *text, const struct vkm_view_settings *settings,
                    enum vkm_style style);

#endif
