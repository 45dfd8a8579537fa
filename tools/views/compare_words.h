/* Words for what a comparison holds, for programs; those for people are in the views. Static. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_WORDS_H
#define VKM_TOOLS_VIEWS_COMPARE_WORDS_H

#include "base/text.h"
#include "model/comparison.h"

const char *vkm_compare_code(enum vkm_code code);                /* "same" */
const char *vkm_compare_matched_by(enum vkm_matched_by matched); /* "name"; NULL: not matched */
const char *vkm_compare_evidence(enum vkm_evidence evidence);    /* "runs"; NULL: none */
const char *vkm_compare_stat(enum vkm_stat stat);                /* "median" */
const char *vkm_compare_match(enum vkm_match match);             /* "auto" */
const char *vkm_compare_rule(enum vkm_rule rule);                /* "runs" */
const char *vkm_compare_allow(unsigned index);                   /* of bit 1 << index */
enum { VKM_COMPARE_ALLOWS = 4 };

/* The device of the panel, as the new side calls it, else base; NULL: none. Borrowed. */
const char *vkm_compare_device(const struct vkm_panel *panel);
/* What tells the row from the others of its panel: name/4096,1,1. */
void vkm_compare_id(const struct vkm_compared_row *row, struct vkm_text *text);

#endif
