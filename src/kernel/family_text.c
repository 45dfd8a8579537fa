/* In: a name as people give it. Out: the family that its words speak of. Next room: family.c. */
#include <string.h>

#include "kernel/family.h"

static const struct {
  const char *words;
  enum vkm_family family;
} TOKENS[] = {
#define VKM_TOKEN(words, family) {words, VKM_FAMILY_##family},
#include "kernel/tokens.def"
#undef VKM_TOKEN
};
enum { TOKEN_COUNT = sizeof TOKENS / sizeof TOKENS[0], TEXT_CAP = 256 };

static bool is_small(char letter) {
  return letter >= 'a' && letter <= 'z';
}

static bool is_capital(char letter) {
  return letter >= 'A' && letter <= 'Z';
}

static bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/* Not tolower, which obeys the locale. */
static char to_small(char letter) {
  static const char small[] = "abcdefghijklmnopqrstuvwxyz";
  if (!is_capital(letter)) {
    return letter;
  }
  return small[letter - 'A'];
}

/* Whether a word begins here though no other sign stands between: "softMax", "GEMMKernel". */
static bool begins_word(const char *text, const char *at) {
  if (at == text || !is_capital(*at)) {
    return false;
  }
  return is_small(at[-1]) || is_digit(at[-1]) || (is_capital(at[-1]) && is_small(at[1]));
}

/* The words in small letters with one blank before, between and behind; and where each begins. */
struct words {
  char text[TEXT_CAP];
  unsigned char begins[TEXT_CAP / 2];
  int count;
};

static void split(const char *text, struct words *split) {
  char *words = split->text;
  size_t length = 0;
  words[length++] = ' ';
  split->count = 0;
  for (const char *at = text; *at != '\0' && length < TEXT_CAP - 3; at++) {
    bool kept = is_small(*at) || is_capital(*at) || is_digit(*at);
    if ((!kept || begins_word(text, at)) && words[length - 1] != ' ') {
      words[length++] = ' ';
    }
    if (kept) {
      if (words[length - 1] == ' ') {
        split->begins[split->count++] = (unsigned char)length;
      }
      words[length++] = to_small(*at);
    }
  }
  if (words[length - 1] != ' ') {
    words[length++] = ' ';
  }
  words[length] = '\0';
}

/* Whether the words stand in there: whole, but for what "2" and "2d" add to the last one. Every
 * name is held against every token, and the first letter tells nearly all of them apart. */
static bool holds(const struct words *words, const char *token) {
  for (int i = 0; i < words->count; i++) {
    const char *at = words->text + words->begins[i];
    if (*at != *token) {
      continue;
    }
    size_t length = strlen(token);
    if (strncmp(at, token, length) == 0) {
      const char *end = at + length;
      while (is_digit(*end)) {
        end++;
      }
      end += end > at + length && *end == 'd';
      if (*end == ' ') {
        return true;
      }
    }
  }
  return false;
}

enum vkm_family vkm_family_of_text(const char *text) {
  struct words words;
  enum vkm_family best = VKM_FAMILY_unclassified;
  size_t best_words = 0;
  split(text, &words);
  for (int i = 0; i < TOKEN_COUNT; i++) {
    if (!holds(&words, TOKENS[i].words)) {
      continue;
    }
    bool several = strchr(TOKENS[i].words, ' ') != NULL;
    /* Words that follow each other say more than one word: "repeat back" is no "repeat". */
    if ((size_t)several > best_words ||
        ((size_t)several == best_words && TOKENS[i].family < best)) {
      best = TOKENS[i].family;
      best_words = several;
    }
  }
  return best;
}
