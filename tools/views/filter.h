/* One --filter. Main thread. */
#ifndef VKM_TOOLS_VIEWS_FILTER_H
#define VKM_TOOLS_VIEWS_FILTER_H

#include <regex.h>

#include "views/sheet.h"

enum vkm_filter_kind {
  VKM_FILTER_PART,   /* a part of the name: TEXT */
  VKM_FILTER_REGEX,  /* /REGEX/ on the name */
  VKM_FILTER_TEXT,   /* KEY:TEXT, a part of another text */
  VKM_FILTER_NUMBER, /* KEY>NUMBER and the like */
};

struct vkm_filter {
  enum vkm_filter_kind kind;
  const char *key; /* borrowed, key_length long */
  size_t key_length;
  const char *text; /* borrowed */
  char comparison[3];
  double number; /* in the unit of machine formats */
  regex_t regex; /* of VKM_FILTER_REGEX; owned */
};

/* Reads `expression`, which has to outlive the filter. False: `cause` says why, nothing is held. */
bool vkm_filter_init(struct vkm_filter *filter, const char *expression, char *cause,
                     size_t cause_size) __attribute__((warn_unused_result));
void vkm_filter_finish(struct vkm_filter *filter);

/* Whether the filter can speak of the sheet's rows: its key is a column of the right kind. */
bool vkm_filter_applies(const struct vkm_filter *filter, const struct vkm_sheet *sheet);
/* Whether the row stays; where the filter does not apply every row does. */
bool vkm_filter_keeps(const struct vkm_filter *filter, const struct vkm_sheet *sheet,
                      const void *row);

#endif
