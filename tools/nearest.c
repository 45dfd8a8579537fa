/* Typing mistakes. In: words. Out: how far they are apart. Next: who asks for one. */
#include "nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 63, MOST = 3 };

size_t vkm_edits(const char *left, const char *right) {
  size_t row[LONGEST + 1];
  size_t length = strlen(right);
  if (strlen(left) > LONGEST || length > LONGEST) {
    return SIZE_MAX;
  }
  for (size_t j = 0; j <= length; j++) {
    row[j] = j;
  }
  for (size_t i = 1; left[i - 1]; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      size_t best = diagonal + (left[i - 1] != right[j - 1]);
      best = row[j] + 1 < best ? row[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[length];
}

bool vkm_is_near(const char *word, size_t edits) {
  return edits <= MOST && edits < strlen(word);
}
