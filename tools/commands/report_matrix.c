/* vkmeter report --matrix. In: profiles of many places. Out: one table, a column a place. */
#include "commands/report_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/matrix.h"
#include "output.h"
#include "views/matrix_views.h"

/* Cuts `words` at its commas; the words that are not empty. */
static size_t split(char *words, const char **tags) {
  size_t count = 0;
  char *rest = words;
  for (char *word = strsep(&rest, ","); word != NULL; word = strsep(&rest, ",")) {
    if (*word && count < VKM_TAGS_MAX) {
      tags[count++] = word;
    }
  }
  return count;
}

bool vkm_report_matrix(const struct vkm_args *args, const struct vkm_side *side) {
  const char *tags[VKM_TAGS_MAX];
  char *words = strdup(args->matrix);
  if (words == NULL) {
    vkm_error("out of memory; end other programs");
    return false;
  }
  size_t count = split(words, tags);
  struct vkm_matrix matrix;
  bool good = vkm_matrix_build(&matrix, side, tags, count, args->warmup);
  if (good) {
    good = vkm_matrix_check(&matrix, &args->view) && vkm_output_matrix(args, &matrix);
    vkm_matrix_finish(&matrix);
  }
  free(words);
  return good;
}
