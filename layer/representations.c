/* Internal representations of pipelines, see representations.h. */
#include "representations.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "device.h"
#include "profile/profile_write.h"
#include "session.h"

enum { NAME_BYTES = 40 };
#define DATA_LIMIT ((size_t)64 << 20)

typedef VkPipelineExecutableInternalRepresentationKHR representation;

/* What a driver calls it, as far as it may stand in the name of a file. */
static void plain_name(const char *name, char plain[NAME_BYTES]) {
  size_t length = 0;
  for (size_t i = 0; i < VK_MAX_DESCRIPTION_SIZE && name[i] && length + 1 < NAME_BYTES; i++) {
    char letter = name[i];
    bool kept = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                (letter >= 'a' && letter <= 'z');
    if (kept) {
      plain[length++] = letter;
    } else if (length && plain[length - 1] != '_') {
      plain[length++] = '_';
    }
  }
  plain[length] = '\0';
}

struct place {
  struct vkm_hash identity;
  uint32_t executable, number;
};

static void write_file(const struct place *place, const representation *from, size_t length,
                       struct vkm_profile_representation *to) {
  char identity[VKM_HASH_TEXT_BYTES], content[VKM_HASH_TEXT_BYTES], name[NAME_BYTES];
  char path[PATH_MAX];
  vkm_hash_text(place->identity, identity);
  vkm_hash_text(vkm_hash_bytes(from->pData, length), content);
  plain_name(from->name, name);
  (void)snprintf(to->file, sizeof to->file, "%s-%u-%u-%s-%.8s.%s", identity,
                 (unsigned)place->executable, (unsigned)place->number, name, content,
                 from->isText ? "txt" : "bin");
  int written = snprintf(path, sizeof path, "%s/%s", vkm_session_settings()->dump_isa, to->file);
  if (written <= 0 || (size_t)written >= sizeof path) {
    to->no_file_reason = "the path is too long";
  } else if (access(path, F_OK) != 0 && vkm_file_replace(path, from->pData, length) != VKM_OK) {
    to->no_file_reason = errno == ENOSPC ? "the disk is full" : "the folder cannot be written";
  }
}

static void keep(const struct place *place, const representation *from, bool read,
                 struct vkm_profile_representation *to, char **text) {
  size_t length = from->dataSize;
  if (from->isText && from->pData && length && ((const char *)from->pData)[length - 1] == '\0') {
    length--; /* the text's own end */
  }
  *to = (struct vkm_profile_representation){.text = from->isText, .bytes = length};
  size_t name_bytes = strnlen(from->name, VK_MAX_DESCRIPTION_SIZE);
  size_t description_bytes = strnlen(from->description, VK_MAX_DESCRIPTION_SIZE);
  to->name = memcpy(*text, from->name, name_bytes);
  to->description = memcpy(*text + name_bytes + 1, from->description, description_bytes);
  *text += name_bytes + description_bytes + 2;
  if (!read || !from->pData) {
    to->no_file_reason = from->dataSize > DATA_LIMIT ? "it is larger than 64 MiB"
                                                     : "the driver or memory failed to give it";
  } else {
    write_file(place, from, length, to);
  }
}

/* One block: the representations, then their texts, zeroed. */
static struct vkm_profile_representation *make_list(const representation *list, uint32_t count,
                                                    char **text) {
  struct vkm_profile_representation *made = NULL;
  size_t bytes = count * sizeof *made + 1;
  for (uint32_t i = 0; i < count; i++) {
    bytes += strnlen(list[i].name, VK_MAX_DESCRIPTION_SIZE) +
             strnlen(list[i].description, VK_MAX_DESCRIPTION_SIZE) + 2;
  }
  made = vkm_calloc(1, bytes);
  *text = made ? (char *)(made + count) : NULL;
  return made;
}

/* Gives each a buffer of the size that the driver named. */
static void take_buffers(representation *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    list[i].pData = NULL;
    if (list[i].dataSize <= DATA_LIMIT) {
      list[i].pData = vkm_calloc(1, list[i].dataSize ? list[i].dataSize : 1);
    }
  }
}

void vkm_representations_write(const struct vkm_device *device, VkPipeline pipeline,
                               uint32_t executable_index, struct vkm_hash identity,
                               struct vkm_profile_executable *executable) {
  const VkPipelineExecutableInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
      .pipeline = pipeline,
      .executableIndex = executable_index,
  };
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR get =
      device->statistics.get_representations;
  uint32_t total = 0;
  if (get(device->handle, &info, &total, NULL) < VK_SUCCESS || total == 0) {
    return;
  }
  uint32_t count = total < VKM_REPRESENTATION_CAP ? total : VKM_REPRESENTATION_CAP;
  representation *list = vkm_calloc(count, sizeof *list);
  if (!list) {
    executable->representations_dropped = total;
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  }
  VkResult sizes = get(device->handle, &info, &count, list);
  if (sizes < VK_SUCCESS) {
    executable->representations_dropped = total;
    vkm_free(list);
    return;
  }
  take_buffers(list, count);
  uint32_t again = count;
  bool read = get(device->handle, &info, &again, list) >= VK_SUCCESS && again == count;
  char *text;
  executable->representations = make_list(list, count, &text);
  executable->representation_count = executable->representations ? count : 0;
  executable->representations_dropped = total - executable->representation_count;
  for (uint32_t i = 0; i < count; i++) {
    struct place place = {identity, executable_index, i};
    if (executable->representations) {
      keep(&place, &list[i], read, &executable->representations[i], &text);
    }
    vkm_free(list[i].pData);
  }
  vkm_free(list);
}
