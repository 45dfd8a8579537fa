/* Terminals. In: environment, streams, bytes. Out: settings, widths, safe text. Next: the views. */
#include "views/term.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && *value;
}

static bool is_forced(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && *value && strcmp(value, "0") != 0;
}

/* The order is documented in `help report`: the option was looked at before. */
static bool suits_color(int fd) {
  if (is_set("NO_COLOR")) {
    return false;
  }
  if (is_forced("CLICOLOR_FORCE") || is_forced("FORCE_COLOR")) {
    return fd >= 0;
  }
  const char *term = getenv("TERM");
  if (term == NULL || strcmp(term, "dumb") == 0) {
    return false;
  }
  return fd >= 0 && isatty(fd);
}

static size_t terminal_width(int fd) {
  struct winsize size;
  if (fd < 0 || !isatty(fd)) {
    return 0;
  }
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void vkm_term_resolve(struct vkm_view_settings *settings, int fd) {
  if (settings->color == VKM_COLOR_AUTO) {
    settings->color = suits_color(fd) ? VKM_COLOR_ALWAYS : VKM_COLOR_NEVER;
  }
  settings->ascii = settings->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
  if (!settings->width_given) {
    settings->width = terminal_width(fd);
  }
}

/* Bytes of the character at `bytes`, its code in `code`; 0: no UTF-8. */
static size_t decode(const unsigned char *bytes, size_t length, wchar_t *code) {
  static const wchar_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = bytes[0];
  size_t size = first < 0x80             ? 1
                : (first & 0xe0) == 0xc0 ? 2
                : (first & 0xf0) == 0xe0 ? 3
                : (first & 0xf8) == 0xf0 ? 4
                                         : 0;
  if (size == 0 || size > length) {
    return 0;
  }
  wchar_t value = size == 1 ? first : first & (0xff >> (size + 1));
  for (size_t i = 1; i < size; i++) {
    if ((bytes[i] & 0xc0) != 0x80) {
      return 0;
    }
    value = value << 6 | (bytes[i] & 0x3f);
  }
  bool surrogate = value >= 0xd800 && value <= 0xdfff;
  *code = value;
  return value < least[size] || value > 0x10ffff || surrogate ? 0 : size;
}

static size_t columns_of(wchar_t code) {
  int columns = wcwidth(code);
  return columns < 0 ? 1
                     : (size_t)columns; /* a locale that does not know it still shows something */
}

size_t vkm_term_width(const char *bytes, size_t length) {
  size_t width = 0;
  for (size_t at = 0; at < length;) {
    wchar_t code = 0;
    size_t size = decode((const unsigned char *)bytes + at, length - at, &code);
    width += size > 0 ? columns_of(code) : 1;
    at += size > 0 ? size : 1;
  }
  return width;
}

static bool is_control(wchar_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069); /* the last two turn the direction of a line */
}

/* Appends the characters of name[begin..] that lie in columns [from, to). */
static void append_columns(struct vkm_text *text, const char *name, size_t from, size_t to) {
  size_t length = strlen(name);
  size_t column = 0;
  for (size_t at = 0; at < length;) {
    wchar_t code = 0;
    size_t size = decode((const unsigned char *)name + at, length - at, &code);
    bool good = size > 0 && !is_control(code);
    size_t columns = good ? columns_of(code) : 1;
    if (column >= from && column + columns <= to) {
      vkm_text_append(text, good ? name + at : "?", good ? size : 1);
    }
    column += columns;
    at += size > 0 ? size : 1;
  }
}

static size_t shown_width(const char *name) {
  size_t length = strlen(name);
  size_t width = 0;
  for (size_t at = 0; at < length;) {
    wchar_t code = 0;
    size_t size = decode((const unsigned char *)name + at, length - at, &code);
    width += size > 0 && !is_control(code) ? columns_of(code) : 1;
    at += size > 0 ? size : 1;
  }
  return width;
}

void vkm_term_name(struct vkm_text *text, const char *name, size_t most, bool ascii) {
  size_t width = shown_width(name);
  const char *gap = ascii ? "..." : "…";
  size_t gap_width = ascii ? 3 : 1;
  if (most == 0 || width <= most || most <= gap_width) {
    append_columns(text, name, 0, SIZE_MAX);
    return;
  }
  size_t kept = most - gap_width;
  append_columns(text, name, 0, kept / 2);
  vkm_text_string(text, gap);
  append_columns(text, name, width - (kept - kept / 2), SIZE_MAX);
}

void vkm_term_style(struct vkm_text *text, const struct vkm_view_settings *settings,
                    enum vkm_style style) {
  static const char *const codes[] = {
      [VKM_STYLE_PLAIN] = "\033[0m",
      [VKM_STYLE_STRONG] = "\033[1m",
      [VKM_STYLE_FAINT] = "\033[2m",
      [VKM_STYLE_WARN] = "\033[33m",
  };
  if (settings->color == VKM_COLOR_ALWAYS) {
    vkm_text_string(text, codes[style]);
  }
}
