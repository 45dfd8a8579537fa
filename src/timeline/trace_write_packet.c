/* In: messages. Out: bytes of a batch, and the batch to the sink. Messages stand on the stack and
 * are packed into one buffer that grows to the largest batch. */
#include "base/alloc.h"
#include "timeline/trace_write_parts.h"

enum {
  FIRST_CAPACITY_BYTES = 16 * 1024,
  HEAD_BYTES = 11,  /* tag of a packet in a trace, its length */
  PACKET_TAG = 0x0A /* field 1 of Trace, a message */
};

void vkm_trace_packet_init(const struct vkm_trace_writer *writer, Vkm__TracePacket *packet) {
  vkm__trace_packet__init(packet);
  packet->has_trusted_packet_sequence_id = true;
  packet->trusted_packet_sequence_id = writer->sequence;
  packet->has_sequence_flags = true;
  packet->sequence_flags = 2; /* needs what was said before on the sequence */
}

/* The format knows no times before the clock's zero. */
void vkm_trace_packet_at(Vkm__TracePacket *packet, int64_t at_ns) {
  packet->has_timestamp = true;
  packet->timestamp = at_ns > 0 ? (uint64_t)at_ns : 0;
}

static bool reserve(struct vkm_trace_batch *batch, size_t bytes) {
  if (batch->failed) {
    return false;
  }
  if (bytes <= batch->capacity - batch->used) {
    return true;
  }
  size_t capacity = batch->capacity < FIRST_CAPACITY_BYTES ? FIRST_CAPACITY_BYTES : batch->capacity;
  while (capacity - batch->used < bytes) {
    capacity *= 2;
  }
  unsigned char *grown = vkm_realloc(batch->bytes, capacity);
  if (grown == NULL) {
    batch->failed = true;
    return false;
  }
  batch->bytes = grown;
  batch->capacity = capacity;
  return true;
}

void vkm_trace_packet_put(struct vkm_trace_writer *writer, const Vkm__TracePacket *packet) {
  struct vkm_trace_batch *batch = &writer->batch;
  size_t length = vkm__trace_packet__get_packed_size(packet);
  if (!reserve(batch, length + HEAD_BYTES)) {
    return;
  }
  batch->bytes[batch->used++] = PACKET_TAG;
  size_t rest = length;
  for (; rest >= 0x80; rest >>= 7) {
    batch->bytes[batch->used++] = (unsigned char)(rest | 0x80);
  }
  batch->bytes[batch->used++] = (unsigned char)rest;
  batch->used += vkm__trace_packet__pack(packet, batch->bytes + batch->used);
}

void vkm_trace_data_put(struct vkm_trace_writer *writer, Vkm__InternedData *data) {
  Vkm__TracePacket packet;
  vkm_trace_packet_init(writer, &packet);
  packet.interned_data = data;
  vkm_trace_packet_put(writer, &packet);
}

bool vkm_trace_mark_fresh(struct vkm_trace_writer *writer, struct vkm_trace_mark *mark) {
  if (mark->state != VKM_MARK_NEW) {
    return false;
  }
  mark->state = VKM_MARK_IN_BATCH;
  mark->next = writer->batch.fresh;
  writer->batch.fresh = mark;
  return true;
}

bool vkm_trace_batch_end(struct vkm_trace_writer *writer) {
  struct vkm_trace_batch *batch = &writer->batch;
  bool kept = !batch->failed;
  if (batch->failed) {
    (*writer->lost)++;
  } else if (batch->used > 0) {
    kept = writer->sink(writer->sink_context, batch->bytes, batch->used);
  }
  while (batch->fresh != NULL) {
    struct vkm_trace_mark *mark = batch->fresh;
    batch->fresh = mark->next;
    mark->next = NULL;
    mark->state = kept ? VKM_MARK_WRITTEN : VKM_MARK_NEW;
  }
  batch->used = 0;
  batch->failed = false;
  return kept;
}
