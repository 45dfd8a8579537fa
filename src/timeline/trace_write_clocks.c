/* Clocks beside each other. Events are stamped with CLOCK_MONOTONIC; a viewer converts them to
 * CLOCK_BOOTTIME, which is what traces of whole systems count in, by the snapshot before. So all
 * snapshots give those two the same distance while the machine does not sleep: else spans that a
 * snapshot lies in would change their lengths by what reading a clock takes. */
#include <time.h>

#include "timeline/trace_write_parts.h"

enum {
  REALTIME = 1,
  MONOTONIC = 3,
  MONOTONIC_RAW = 5,
  BOOTTIME = 6,
  CLOCKS = 4,
  STATE_CLEARED = 1,
  NS_PER_S = 1000 * 1000 * 1000,
  SLEPT_NS = 1000 * 1000 /* more than reading two clocks takes, less than any sleep */
};

static int64_t read_clock(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void put_snapshot(struct vkm_trace_writer *writer, Vkm__ClockSnapshot__Clock *clocks,
                         size_t count, bool primary) {
  Vkm__ClockSnapshot__Clock *list[CLOCKS];
  Vkm__ClockSnapshot snapshot;
  Vkm__TracePacket packet;
  for (size_t i = 0; i < count; i++) {
    list[i] = &clocks[i];
  }
  vkm__clock_snapshot__init(&snapshot);
  snapshot.n_clocks = count;
  snapshot.clocks = list;
  snapshot.has_primary_trace_clock = primary;
  snapshot.primary_trace_clock = BOOTTIME;
  vkm_trace_packet_init(writer, &packet);
  packet.clock_snapshot = &snapshot;
  vkm_trace_packet_put(writer, &packet);
}

static void set_clock(Vkm__ClockSnapshot__Clock *clock, uint32_t id, int64_t at_ns) {
  vkm__clock_snapshot__clock__init(clock);
  clock->has_clock_id = true;
  clock->clock_id = id;
  clock->has_timestamp = true;
  clock->timestamp = at_ns > 0 ? (uint64_t)at_ns : 0;
}

/* All clocks as they stood when CLOCK_MONOTONIC was at_ns, or now, if that comes first. */
static void write_clocks(struct vkm_trace_writer *writer, int64_t at_ns) {
  int64_t monotonic_ns = read_clock(CLOCK_MONOTONIC);
  int64_t ago_ns = monotonic_ns > at_ns ? monotonic_ns - at_ns : 0;
  int64_t offset_ns = read_clock(CLOCK_BOOTTIME) - monotonic_ns;
  int64_t change_ns = offset_ns - writer->boot_offset_ns;
  if (!writer->has_boot_offset || change_ns > SLEPT_NS || change_ns < -SLEPT_NS) {
    writer->has_boot_offset = true;
    writer->boot_offset_ns = offset_ns;
  }
  Vkm__ClockSnapshot__Clock clocks[CLOCKS];
  set_clock(&clocks[0], MONOTONIC, monotonic_ns - ago_ns);
  set_clock(&clocks[1], BOOTTIME, monotonic_ns - ago_ns + writer->boot_offset_ns);
  set_clock(&clocks[2], REALTIME, read_clock(CLOCK_REALTIME) - ago_ns);
  set_clock(&clocks[3], MONOTONIC_RAW, read_clock(CLOCK_MONOTONIC_RAW) - ago_ns);
  put_snapshot(writer, clocks, CLOCKS, true);
  writer->snapshot_ns = monotonic_ns - ago_ns;
}

void vkm_trace_write_clocks(struct vkm_trace_writer *writer) {
  write_clocks(writer, INT64_MAX);
}

static void put_defaults(struct vkm_trace_writer *writer) {
  Vkm__TracePacketDefaults defaults;
  Vkm__TracePacket packet;
  vkm__trace_packet_defaults__init(&defaults);
  defaults.has_timestamp_clock_id = true;
  defaults.timestamp_clock_id = MONOTONIC;
  vkm_trace_packet_init(writer, &packet);
  packet.sequence_flags = STATE_CLEARED;
  packet.has_first_packet_on_sequence = true;
  packet.first_packet_on_sequence = true;
  packet.trace_packet_defaults = &defaults;
  vkm_trace_packet_put(writer, &packet);
}

bool vkm_trace_start(struct vkm_trace_writer *writer) {
  if (!writer->started) {
    put_defaults(writer);
    /* What is written first happened before this moment: nothing may lie before all clocks. */
    write_clocks(writer, writer->facts.started_ns);
    vkm_trace_process_use(writer);
    writer->started = vkm_trace_batch_end(writer);
  }
  return writer->started;
}

/* A clock that seems to go backwards would make viewers give up all that was stamped with it. */
void vkm_trace_write_queue_clock(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_known_queue *queue = vkm_trace_queue(writer, event->device, event->queue);
  if (queue == NULL) {
    writer->batch.failed = true; /* beyond the cap of queues, or memory was short */
    vkm_trace_batch_end(writer);
    return;
  }
  if (queue->number >= VKM_TRACE_CLOCKS || event->clock.line_ns < 0 ||
      event->begin_ns <= queue->clock_ns || event->begin_ns < writer->snapshot_ns ||
      event->clock.line_ns < queue->clock_line_ns) {
    return;
  }
  Vkm__ClockSnapshot__Clock clocks[2];
  set_clock(&clocks[0], VKM_TRACE_CLOCK_FIRST + queue->number, event->clock.line_ns);
  set_clock(&clocks[1], MONOTONIC, event->begin_ns);
  put_snapshot(writer, clocks, 2, false);
  if (vkm_trace_batch_end(writer)) {
    queue->clock_ns = event->begin_ns;
    writer->snapshot_ns = event->begin_ns;
    queue->clock_line_ns = event->clock.line_ns;
  }
}
