/* Noise as a document, vkmeter.noise/1 (noise.schema.json). Main thread. */
#ifndef VKM_TOOLS_MODEL_NOISE_FILE_H
#define VKM_TOOLS_MODEL_NOISE_FILE_H

#include "base/text.h"
#include "model/noise.h"

/* Appends the document, one row a line; deterministic. */
void vkm_noise_write(const struct vkm_noise *noise, struct vkm_text *text);
/* Reads one back, strictly. False: reported, and nothing is held. */
bool vkm_noise_read(struct vkm_noise *noise, const char *path) __attribute__((warn_unused_result));

#endif
