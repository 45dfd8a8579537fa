/* Keeps strings that come from documents, equal ones mostly once. One thread at a time. */
#ifndef VKM_PROFILE_KEEP_H
#define VKM_PROFILE_KEEP_H

struct vkm_keep;

/* NULL: out of memory. */
struct vkm_keep *vkm_keep_new(void) __attribute__((warn_unused_result));
/* A copy of `text` that lives until vkm_keep_finish; NULL: out of memory. */
const char *vkm_keep_text(struct vkm_keep *keep, const char *text)
    __attribute__((warn_unused_result));
/* Takes NULL. */
void vkm_keep_finish(struct vkm_keep *keep);

#endif
