/* In: snapshots of clocks. Out: every time on CLOCK_MONOTONIC. A trace of vkmeter is on that clock
 * already; a system's is mostly on CLOCK_BOOTTIME, and each snapshot says how far that is away. */
#include "timeline/trace_read_state.h"

struct reading {
  uint64_t clock, ns;
  bool usable;
};

static struct reading read_clock(const struct vkm_wire_field *field, bool *bad) {
  struct reading reading = {0, 0, true};
  uint64_t multiplier = 1;
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (vkm_wire_next(&wire, &part)) {
    switch (part.number) {
    case 1:
      reading.clock = part.value;
      break;
    case 2:
      reading.ns = part.value;
      break;
    case 3:
      reading.usable = reading.usable && part.value == 0;
      break;
    case 4:
      multiplier = part.value;
      break;
    default:
      break;
    }
  }
  reading.usable = reading.usable && multiplier <= 1 && reading.ns <= INT64_MAX;
  *bad = *bad || wire.bad;
  return reading;
}

static void take(struct vkm_reader *reader, const uint64_t ns[VKM_CLOCKS],
                 const bool there[VKM_CLOCKS]) {
  if (!there[VKM_CLOCK_MONOTONIC]) {
    return;
  }
  if (there[VKM_CLOCK_REALTIME] && !reader->to->has_unix) {
    reader->to->has_unix = true;
    reader->first_monotonic_ns = (int64_t)ns[VKM_CLOCK_MONOTONIC];
    reader->first_unix_ns = (int64_t)ns[VKM_CLOCK_REALTIME];
  }
  for (size_t clock = 0; clock < VKM_CLOCKS; clock++) {
    if (there[clock]) {
      reader->has_clock[clock] = true;
      /* The distance, modulo 2^64, to what is added to a time of that clock. */
      reader->clock_ns[clock] = ns[VKM_CLOCK_MONOTONIC] - ns[clock];
    }
  }
}

enum vkm_status vkm_read_snapshot(struct vkm_reader *reader, const struct vkm_wire_field *field) {
  uint64_t ns[VKM_CLOCKS] = {0};
  bool there[VKM_CLOCKS] = {false};
  uint64_t primary = 0;
  bool bad = false;
  struct vkm_wire wire = vkm_wire_in(field);
  struct vkm_wire_field part;
  while (vkm_wire_next(&wire, &part)) {
    if (part.number == 1) {
      struct reading reading = read_clock(&part, &bad);
      if (reading.clock < VKM_CLOCKS && reading.usable) {
        ns[reading.clock] = reading.ns;
        there[reading.clock] = true;
      }
    } else if (part.number == 2) {
      primary = part.value;
    }
  }
  if (wire.bad || bad) {
    return VKM_BAD_INPUT;
  }
  reader->snapshot = true;
  if (primary != 0) {
    reader->default_clock = primary;
  } else if (there[VKM_CLOCK_BOOTTIME]) { /* as traces without a primary clock are understood */
    reader->default_clock = VKM_CLOCK_BOOTTIME;
  }
  take(reader, ns, there);
  return VKM_OK;
}

bool vkm_read_time(const struct vkm_reader *reader, const struct vkm_read_packet *packet,
                   int64_t *ns) {
  const struct vkm_trace_parts *parts = &packet->parts;
  uint64_t clock = parts->clock != 0              ? parts->clock
                   : packet->sequence->clock != 0 ? packet->sequence->clock
                                                  : reader->default_clock;
  /* Clocks of another machine have nothing in common with ours. */
  if (!parts->has_timestamp || parts->timestamp > VKM_READ_TIME_LIMIT || parts->machine != 0) {
    return false;
  }
  uint64_t at = parts->timestamp;
  if (clock == VKM_CLOCK_MONOTONIC || (clock == 0 && !reader->snapshot)) {
    *ns = (int64_t)at;
    return true;
  }
  if (clock >= VKM_CLOCKS || !reader->has_clock[clock]) {
    return false;
  }
  at += reader->clock_ns[clock];
  *ns = (int64_t)at;
  return at <= VKM_READ_TIME_LIMIT;
}
