/* Words in a trace that its writer and its reader share: viewers show them, the reader knows events
 * by them. */
#ifndef VKM_TIMELINE_WORDS_H
#define VKM_TIMELINE_WORDS_H

/* Category of an event: what it is. */
#define VKM_WORD_CALL "vulkan"          /* begin and end of a call, on the track of its thread */
#define VKM_WORD_GPU "vulkan.gpu"       /* a timed command as a track event, on a lane */
#define VKM_WORD_LABEL "vulkan.label"   /* a label, on the label lane of its queue */
#define VKM_WORD_INSTANT "vulkan.event" /* an instant on the label lane: a rejected execution */
#define VKM_WORD_COUNTS "vkmeter"       /* the instant with the counts, in the last packet */

/* The description of the track of a process whose sequence is vkmeter's begins with it. */
#define VKM_WORD_PROCESS "vkmeter"

/* A queue is called "queue FAMILY.INDEX (DEVICE)". Its further lanes have " lane N" behind that,
 * from 2; the track of its labels " labels", the counter of what it has in flight " in flight". */
#define VKM_WORD_QUEUE "queue "
#define VKM_WORD_LANE " lane "
#define VKM_WORD_LABELS " labels"
#define VKM_WORD_IN_FLIGHT " in flight"

/* Debug annotations of calls: unsigned, but result. */
#define VKM_WORD_SUBMISSION "submission"
#define VKM_WORD_RESULT "result"
#define VKM_WORD_BYTES "bytes"
#define VKM_WORD_MADE "made"
#define VKM_WORD_CACHE_HITS "cache_hits"
#define VKM_WORD_LEFT_OUT "event_ids_left_out"

/* Of timed commands. As render stages the kind is the name of the stage; identity, family and the
 * driver's statistics are arguments of the kernel, phase and bytes of the launch or, where nothing
 * is launched, extra data. As track events all of them are annotations, and with them submission,
 * event_id and the sizes: group counts and local size as "X,Y,Z". */
#define VKM_WORD_EVENT_ID "event_id"
#define VKM_WORD_KIND "kind"
#define VKM_WORD_IDENTITY "identity"
#define VKM_WORD_FAMILY "family"
#define VKM_WORD_PHASE "phase"
#define VKM_WORD_DIRECTION "direction" /* of what moves bytes */
#define VKM_WORD_GROUPS "groups"
#define VKM_WORD_LOCAL_SIZE "local_size"
#define VKM_WORD_WHOLE "command_buffer" /* kind of an execution that was timed as a whole */

/* Of the counts: unsigned. */
#define VKM_WORD_EVENTS "events"
#define VKM_WORD_DROPPED_FULL "dropped_full"
#define VKM_WORD_DROPPED_RATE "dropped_rate"
#define VKM_WORD_DROPPED_SIZE "dropped_size"
#define VKM_WORD_SHORT_CALLS "short_calls"
#define VKM_WORD_OVERLAPPING                                                                       \
  "overlapping" /* timed commands for which there was no lane; not there: 0 */

#endif
