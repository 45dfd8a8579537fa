/* Which part of the run is timed: settings PROCESS and CAPTURE_*. In: what the application is about
 * to do. Out: yes or no. Everything is counted, chosen or not.
 *
 * A command is chosen when all settings in force choose it. Submission, time and trigger are looked
 * at when it is submitted; what was recorded with stamps and is then not chosen is
 * missed.not_chosen. Kernel and label are looked at when it is recorded. Stamps are left out
 * (untimed.not_chosen) where nothing chosen can run: see vkm_choice_recording and
 * vkm_choice_command. Any thread, without a lock unless said. */
#ifndef VKM_LAYER_CHOICE_H
#define VKM_LAYER_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/reasons.h"
#include "settings.h"

struct vkm_cmdbuf;
struct vkm_device_record;
struct vkm_mark;
struct vkm_pipeline_record;

enum { VKM_CHOICE_NAMES = 5 };

/* Whether a program with this path (NULL: unknown) is profiled at all. `globs`: setting PROCESS. */
bool vkm_choice_process(const char *globs, const char *executable);

/* Once a process, before anything below. The settings stay the caller's and live as long as the
 * process. */
void vkm_choice_start(const struct vkm_settings *settings);
/* A device was created; the first one starts the clock of CAPTURE_TIME. */
void vkm_choice_device_created(void);
/* After fork, in the child: counts from the start. */
void vkm_choice_forked(void);

/* One submit call is made: counts it, and whether it is chosen. */
bool vkm_choice_submission(void);
/* Whether a recording that is begun now may be submitted when it is chosen. One-time recordings are
 * expected to be submitted soon: at most 64 submissions or a second later, or, with a trigger, in
 * the state it is in. */
bool vkm_choice_recording(bool one_time);
/* True when commands are chosen one by one: by kernel or label. */
bool vkm_choice_by_command(void);
/* Why the mark added last gets no stamps; VKM_UNTIMED_COUNT: it may. By label: it may also where
 * queues of the device have labels, and vkm_choice_counted decides. */
enum vkm_untimed vkm_choice_command(struct vkm_cmdbuf *cmdbuf, const struct vkm_mark *mark);
/* Whether a mark that has stamps is chosen, with the labels open on its queue. The caller holds the
 * record's lock. */
bool vkm_choice_counted(struct vkm_device_record *record, uint32_t queue_phase,
                        const struct vkm_mark *mark);
/* A kernel was made or named: looks whether it is chosen. Takes the record's lock. */
void vkm_choice_kernel(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline);

/* What is in force of CAPTURE_*, as the profile names it; returns how many. */
size_t vkm_choice_names(const struct vkm_settings *settings,
                        struct vkm_named_text names[VKM_CHOICE_NAMES]);

#endif
