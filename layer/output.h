/* The profile's file: where it goes and how it gets there. In: a snapshot. Out: the file, or one
 * line on stderr. */
#ifndef VKM_LAYER_OUTPUT_H
#define VKM_LAYER_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <vulkan/vulkan.h>

#include "kernel/identity.h"
#include "os/os.h"
#include "place.h"
#include "settings.h"

struct vkm_snapshot_request;

/* What is known of the process. Texts are owned and live as long as the process. */
struct vkm_session_facts {
  pid_t pid;
  int64_t started_ns;      /* CLOCK_MONOTONIC */
  int64_t started_unix_ns; /* CLOCK_REALTIME at the same moment */
  char *executable;        /* NULL: unknown */
  char *application_name, *engine_name;
  uint32_t application_version, engine_version, api_version;
  struct vkm_os_machine machine;
};
void vkm_session_facts_start(struct vkm_session_facts *facts);
/* The first application's word counts. */
void vkm_session_facts_application(struct vkm_session_facts *facts, const VkApplicationInfo *info);

struct vkm_output {
  const char *run;  /* id of the run */
  char own_run[64]; /* when the environment gave none */
  struct vkm_place place;
  bool failed; /* said so once */
};
/* Resolves the path now: the program may change its directory later. */
void vkm_output_start(struct vkm_output *output, const struct vkm_settings *settings,
                      const struct vkm_session_facts *facts);
/* The id that other processes of the run have too; NULL: there are none. */
const char *vkm_output_shared_run(const struct vkm_output *output);
/* Writes the profile, whole or not at all: false. The caller sees to it that one thread writes at a
 * time. */
bool vkm_output_write(struct vkm_output *output, const struct vkm_snapshot_request *request);
/* Says on stderr that there will be no profile, once. */
void vkm_output_say_failed(struct vkm_output *output, const char *cause);
/* Says on stderr that the timeline at `path` (NULL: not kept) ends here. The caller sees to it that
 * it is said once. */
void vkm_output_say_no_trace(const char *path, const char *cause);
/* Writes a module's code to FOLDER/HASH.spv unless it is there. The first failure of the process is
 * said on stderr. Any thread. */
void vkm_output_spirv(const char *folder, struct vkm_hash hash, const void *code, size_t length);

#endif
