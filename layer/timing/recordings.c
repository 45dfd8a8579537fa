/* Storage of recordings, kept for reuse by the device. In: timing/record. */
#include "base/alloc.h"
#include "device.h"
#include "timing/record.h"

static struct vkm_recording *take(struct vkm_device *device) {
  struct vkm_submissions *submissions = &device->submissions;
  pthread_mutex_lock(&submissions->lock);
  struct vkm_recording *recording = submissions->spare_recordings;
  if (recording) {
    submissions->spare_recordings = recording->next_spare;
  }
  pthread_mutex_unlock(&submissions->lock);
  if (!recording) {
    recording = vkm_calloc(1, sizeof *recording);
    if (recording) {
      vkm_device_record_bytes(device->record, sizeof *recording);
    }
  }
  return recording;
}

struct vkm_mark_chunk *vkm_recording_chunk(struct vkm_device *device) {
  struct vkm_submissions *submissions = &device->submissions;
  pthread_mutex_lock(&submissions->lock);
  struct vkm_mark_chunk *chunk = submissions->spare_chunks;
  if (chunk) {
    submissions->spare_chunks = chunk->next;
  }
  pthread_mutex_unlock(&submissions->lock);
  if (!chunk) {
    chunk = vkm_alloc(sizeof *chunk);
    if (chunk) {
      vkm_device_record_bytes(device->record, sizeof *chunk);
    }
  }
  return chunk;
}

void vkm_recording_retain(struct vkm_recording *recording) {
  atomic_fetch_add_explicit(&recording->references, 1, memory_order_relaxed);
}

void vkm_recording_release(struct vkm_recording *recording) {
  if (!recording ||
      atomic_fetch_sub_explicit(&recording->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  struct vkm_device *device = recording->device;
  for (uint32_t i = 0; i < recording->child_count; i++) {
    vkm_recording_release(recording->children[i]); /* depth: nesting of command buffers */
  }
  recording->child_count = 0;
  vkm_slots_give(device, recording->blocks);
  vkm_arguments_give(device, recording->arguments);
  recording->arguments = NULL;
  pthread_mutex_lock(&device->submissions.lock);
  if (recording->chunks) {
    recording->last_chunk->next = device->submissions.spare_chunks;
    device->submissions.spare_chunks = recording->chunks;
  }
  recording->next_spare = device->submissions.spare_recordings;
  device->submissions.spare_recordings = recording;
  pthread_mutex_unlock(&device->submissions.lock);
}

void vkm_recordings_finish(struct vkm_device *device) {
  struct vkm_recording *recording = device->submissions.spare_recordings;
  while (recording) {
    struct vkm_recording *next = recording->next_spare;
    vkm_free(recording->children);
    vkm_free(recording->ticks);
    vkm_free(recording->scratch);
    vkm_free(recording);
    recording = next;
  }
  struct vkm_mark_chunk *chunk = device->submissions.spare_chunks;
  while (chunk) {
    struct vkm_mark_chunk *next = chunk->next;
    vkm_free(chunk);
    chunk = next;
  }
}

/* A recording starts empty but keeps the arrays it grew in an earlier life. */
static void restart(struct vkm_recording *recording, struct vkm_device *device) {
  struct vkm_recording fresh = {
      .device = device,
      .closing = VKM_NO_STAMP,
      .children = recording->children,
      .child_capacity = recording->child_capacity,
      .ticks = recording->ticks,
      .scratch = recording->scratch,
      .tick_capacity = recording->tick_capacity,
  };
  *recording = fresh;
  atomic_init(&recording->references, 1);
}

struct vkm_recording *vkm_recording_take(struct vkm_device *device) {
  struct vkm_recording *recording = take(device);
  if (recording) {
    restart(recording, device);
  }
  return recording;
}
