/* The subcommands. A new one: a file here, a line in commands.c, its options in options.c. */
#ifndef VKM_TOOLS_COMMANDS_COMMANDS_H
#define VKM_TOOLS_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "outcome.h"

struct vkm_args;

/* Bits, so that an option can name the commands it belongs to. */
enum vkm_command_bit {
  VKM_FOR_RUN = 1 << 0,
  VKM_FOR_REPORT = 1 << 1,
  VKM_FOR_INFO = 1 << 2,
  VKM_FOR_HELP = 1 << 3,
  VKM_FOR_DOCTOR = 1 << 4,
  VKM_FOR_COMPARE = 1 << 5,
  VKM_FOR_BASELINE = 1 << 6,
  VKM_FOR_NOISE = 1 << 7,
  VKM_FOR_COMPLETION = 1 << 8,
  VKM_FOR_EXPORT = 1 << 9,
  VKM_FOR_TRACE = 1 << 10,
  VKM_FOR_MERGE = 1 << 11,
  VKM_FOR_SUITE = 1 << 12,
  VKM_FOR_INGEST = 1 << 13,
  VKM_FOR_ALL = ~0,
};

struct vkm_command {
  const char *name;
  const char *operands; /* for the usage line */
  const char *summary;  /* one line */
  const char *about;    /* for `help NAME`, whole lines */
  struct vkm_outcome (*execute)(const struct vkm_args *args);
  enum vkm_command_bit bit;
  bool program; /* options end at the first operand: the rest is another program's */
  bool operands_needed;
};

extern const struct vkm_command vkm_commands[];
extern const size_t vkm_command_count;

/* NULL when there is none of that name. */
const struct vkm_command *vkm_command_find(const char *name);

struct vkm_outcome vkm_command_run(const struct vkm_args *args);
struct vkm_outcome vkm_command_report(const struct vkm_args *args);
struct vkm_outcome vkm_command_info(const struct vkm_args *args);
struct vkm_outcome vkm_command_doctor(const struct vkm_args *args);
struct vkm_outcome vkm_command_compare(const struct vkm_args *args);
struct vkm_outcome vkm_command_baseline(const struct vkm_args *args);
struct vkm_outcome vkm_command_suite(const struct vkm_args *args);
struct vkm_outcome vkm_command_noise(const struct vkm_args *args);
struct vkm_outcome vkm_command_export(const struct vkm_args *args);
struct vkm_outcome vkm_command_trace(const struct vkm_args *args);
struct vkm_outcome vkm_command_merge_traces(const struct vkm_args *args);
struct vkm_outcome vkm_command_ingest(const struct vkm_args *args);
struct vkm_outcome vkm_command_completion(const struct vkm_args *args);
struct vkm_outcome vkm_command_help(const struct vkm_args *args);

/* The text of a command, topic or option, or the list of commands when `topic` is NULL. False: no
 * such topic, nothing printed. */
bool vkm_help_print(FILE *to, const char *topic);

#endif
