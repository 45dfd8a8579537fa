/* Calls of the program for the timeline, see trace_calls.h. */
#include "trace_calls.h"

#include <string.h>

#include "device.h"
#include "handles.h"
#include "os/os.h"
#include "session.h"
#include "settings.h"

#define NAME_NS INT64_C(1000000000) /* between two looks at a thread's name */

/* The thread, 0: not seen yet; of its name, 0: none was noted; when it was looked at. */
static VKM_THREAD struct {
  uint32_t id, name_hash;
  int64_t looked_ns;
} self;

void vkm_trace_calls_forked(void) {
  self.id = self.name_hash = 0;
  self.looked_ns = 0;
}

/* Never 0. */
static uint32_t hash_of(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name; name++) {
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  }
  return hash | 1;
}

/* Threads are renamed at any time, and nobody is told: a look each second. */
static void note_thread(int64_t now_ns) {
  struct vkm_event event = {.type = VKM_EVENT_THREAD,
                            .device = UINT16_MAX,
                            .begin_ns = now_ns,
                            .end_ns = now_ns,
                            .queue = VKM_EVENT_NONE};
  self.id = self.id ? self.id : vkm_os_thread_id();
  self.looked_ns = now_ns;
  event.thread = self.id;
  vkm_os_thread_name(event.named.name, sizeof event.named.name);
  uint32_t hash = hash_of(event.named.name);
  if (hash != self.name_hash && vkm_trace_push(&event, 1)) {
    self.name_hash = hash;
  }
}

static uint32_t this_thread(int64_t now_ns) {
  if (!self.name_hash || now_ns - self.looked_ns > NAME_NS) {
    note_thread(now_ns);
  }
  return self.id;
}

static uint16_t number_of(const struct vkm_device *device) {
  return device && device->counted ? (uint16_t)device->record->number : UINT16_MAX;
}

static struct vkm_event event_of(const struct vkm_inside *inside, const struct vkm_called *called) {
  bool bytes_known = called->bytes && called->bytes != VK_WHOLE_SIZE;
  return (struct vkm_event){
      .type = VKM_EVENT_CALL,
      .what = (uint8_t)inside->call,
      .device = number_of(called->device),
      .thread = this_thread(inside->ended_ns),
      .begin_ns = inside->began_ns,
      .end_ns = inside->ended_ns,
      .queue = VKM_EVENT_NONE,
      .call = {.result = called->result,
               .made = called->made,
               .cache_hits = called->hits_known ? called->cache_hits : VKM_EVENT_NONE,
               .bytes = bytes_known ? called->bytes : UINT64_MAX}};
}

static bool is_short(const struct vkm_inside *inside) {
  uint64_t least_us = vkm_session_settings()->trace_min_us;
  return least_us && inside->ended_ns - inside->began_ns < (int64_t)least_us * 1000;
}

void vkm_trace_note(const struct vkm_inside *inside, const struct vkm_called *called) {
  if (inside->call != VKM_CALL_QueuePresentKHR && is_short(inside)) {
    vkm_trace_count_short();
    return;
  }
  struct vkm_event event = event_of(inside, called);
  vkm_trace_push(&event, 1);
}

static struct vkm_event range_of(const struct vkm_device *device, const struct vkm_landing *from) {
  return (struct vkm_event){.type = VKM_EVENT_RANGE,
                            .device = number_of(device),
                            .queue = from->queue,
                            .submission = from->submission,
                            .range = {.first = from->first_id, .count = from->id_count}};
}

void vkm_trace_note_wait(const struct vkm_inside *inside, const struct vkm_called *called,
                         const struct vkm_landed *landed, bool always) {
  if (landed->count == 0 && !always) {
    return;
  }
  if (landed->count == 0) {
    vkm_trace_note(inside, called);
    return;
  }
  struct vkm_event event = event_of(inside, called);
  struct vkm_event ranges[VKM_LANDED_CAP];
  for (uint32_t i = 0; i < landed->count; i++) {
    ranges[i] = range_of(called->device, &landed->items[i]);
  }
  event.call.ranges = landed->count;
  vkm_trace_push_call(&event, ranges);
}

void vkm_trace_note_submit(enum vkm_call call, const struct vkm_ticket *ticket, VkResult result) {
  struct vkm_inside inside = {call, ticket->submit_ns, ticket->returned_ns};
  struct vkm_called called = {.device = ticket->device, .result = result};
  struct vkm_landing all = {.queue = ticket->queue ? ticket->queue->record_index : VKM_EVENT_NONE,
                            .submission = ticket->number,
                            .id_count = ticket->id_count,
                            .first_id = ticket->first_id};
  struct vkm_event event = event_of(&inside, &called);
  event.queue = all.queue;
  event.submission = all.submission;
  event.call.ranges = result == VK_SUCCESS && all.id_count ? 1 : 0;
  struct vkm_event range = range_of(ticket->device, &all);
  vkm_trace_push_call(&event, &range);
}
