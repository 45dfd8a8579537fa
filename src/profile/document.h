/* Any JSON document of vkmeter (profiles, baselines, noise, error records), read strictly. Main
 * thread: the parser's state is shared. How to read a kind of document:
 *
 *   static const struct vkm_document_kind kind = {"vkmeter.noise/1", "no noise file of vkmeter",
 *                                                 "give ...", "... is damaged: ...", NULL};
 *   struct vkm_document document;
 *   struct vkm_read_error error;
 *   enum vkm_status status = vkm_document_read(path, &kind, 1, &document, &error);
 *   if (status == VKM_OK) {
 *     vkm_value_text(&document.parse, &document.root, "device", VKM_VALUE_NEEDED, &device);
 *     ...                                      // more of profile_read_value.h; copy what is kept
 *     status = vkm_document_conclude(&document, &error);
 *     vkm_document_finish(&document);
 *   }
 *   if (status != VKM_OK) {
 *     vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
 *   }
 */
#ifndef VKM_PROFILE_DOCUMENT_H
#define VKM_PROFILE_DOCUMENT_H

#include <stddef.h>

#include "base/status.h"
#include "profile/profile_read.h"
#include "profile/profile_read_value.h"

struct vkm_document_kind {
  const char *schema;       /* "vkmeter.profile/1" */
  const char *foreign;      /* what another document is instead: "no profile of vkmeter" */
  const char *give;         /* remedies: where it is something else, */
  const char *again;        /* and where it is damaged */
  const char *const *large; /* arrays of the outermost object to be read with vkm_elements_begin, at
                             * most VKM_CUTS, NULL behind them; NULL: none */
};

struct vkm_document {
  struct vkm_parse parse;
  struct vkm_value root;                 /* an object */
  size_t kind;                           /* index into the kinds that were asked for */
  const struct vkm_document_kind *kinds; /* borrowed */
  char *text;                            /* private, as the next one; owned */
  void *tree;
};

/* Reads `path` ("-": standard input) as one of the kinds; they have to outlive the document.
 * Errors, with byte and line: what is no JSON (vkm_json_check), a file that is empty or beyond 1
 * GiB, a schema that is none of the kinds'. On any status but VKM_OK (VKM_IO, VKM_BAD_INPUT,
 * VKM_OUT_OF_MEMORY) `document` holds nothing and `error` says why; remedies are of kinds[0]. */
VKM_MUST_CHECK enum vkm_status vkm_document_read(const char *path,
                                                 const struct vkm_document_kind *kinds,
                                                 size_t kind_count, struct vkm_document *document,
                                                 struct vkm_read_error *error);
/* The same from memory; `bytes` is borrowed for the time of the call and need not end in NUL. */
VKM_MUST_CHECK enum vkm_status vkm_document_read_bytes(const char *bytes, size_t length,
                                                       const struct vkm_document_kind *kinds,
                                                       size_t kind_count,
                                                       struct vkm_document *document,
                                                       struct vkm_read_error *error);
/* Whether the getters found all they were asked for; else why not. */
VKM_MUST_CHECK enum vkm_status vkm_document_conclude(const struct vkm_document *document,
                                                     struct vkm_read_error *error);
/* Frees the document, and the strings that getters borrowed from it. */
void vkm_document_finish(struct vkm_document *document);

#endif
