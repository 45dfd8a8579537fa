/* The fields of a packet that reading and merging know, taken apart in one place: what one of them
 * knows of Perfetto's packets, the other knows too. In: a packet. Out: where its parts are. Any
 * thread. */
#ifndef VKM_TIMELINE_TRACE_PACKET_H
#define VKM_TIMELINE_TRACE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/trace_file.h"
#include "timeline/wire.h"

struct vkm_trace_parts {
  uint64_t timestamp; /* by `clock` */
  uint64_t clock;     /* of the packet itself; 0 none */
  uint64_t sequence;
  uint64_t machine; /* in a trace of several machines; 0: the one that wrote it */
  bool has_timestamp;
  bool cleared;    /* interned names and defaults of the sequence are forgotten before this */
  bool compressed; /* it holds other packets, which cannot be seen */
  /* Messages in place, borrowed from the packet; number 0: there is none. */
  struct vkm_wire_field snapshot, event, interned, stage, defaults, descriptor;
};

/* False: it is damaged; nothing is known of it. */
bool vkm_trace_take_apart(const struct vkm_trace_packet *packet, struct vkm_trace_parts *parts)
    __attribute__((warn_unused_result));

/* What packets of a sequence have that do not say it themselves. */
struct vkm_trace_defaults {
  uint64_t clock; /* 0 none */
  uint64_t track; /* uuid; 0 none */
};
/* Of a packet's `defaults`. False: they are damaged; what was read before that is there. */
bool vkm_trace_defaults_in(const struct vkm_wire_field *field, struct vkm_trace_defaults *defaults);

#endif
