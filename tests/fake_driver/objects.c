// Non-dispatchable objects: made, linked into their device, counted when it goes.
//
// In: creations and destructions of all rooms. Out: addresses that serve as handles.
#include "internal.h"

#include <stdlib.h>

pthread_mutex_t fake_mutex = PTHREAD_MUTEX_INITIALIZER;
struct fake_device *fake_devices;
static uint64_t last_serial;
static uint32_t live_count;
static struct fake_object *left_behind;

uint64_t fake_next_serial(void) {
  return __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED);
}

void *fake_object_new(struct fake_device *device, const char *type, size_t size) {
  struct fake_object *object = calloc(1, size);
  if (object == NULL) {
    return NULL;
  }
  object->device = device;
  object->type = type;
  object->serial = fake_next_serial();
  pthread_mutex_lock(&fake_mutex);
  object->previous = &device->objects;
  object->next = device->objects.next;
  if (object->next != NULL) {
    object->next->previous = object;
  }
  device->objects.next = object;
  live_count++;
  pthread_mutex_unlock(&fake_mutex);
  return object;
}

static void unlink_object(struct fake_object *object) {
  pthread_mutex_lock(&fake_mutex);
  object->previous->next = object->next;
  if (object->next != NULL) {
    object->next->previous = object->previous;
  }
  live_count--;
  pthread_mutex_unlock(&fake_mutex);
}

void fake_object_unlink(void *object) {
  unlink_object(object);
}

void fake_object_delete(void *object) {
  if (object != NULL) {
    unlink_object(object);
    free(object);
  }
}

uint32_t fake_live_objects(void) {
  pthread_mutex_lock(&fake_mutex);
  uint32_t count = live_count;
  pthread_mutex_unlock(&fake_mutex);
  return count;
}

// Keeps them reachable: the report is made here, a leak checker need not repeat it.
void fake_objects_report(struct fake_device *device) {
  struct fake_object *last = NULL;
  for (struct fake_object *object = device->objects.next; object != NULL; object = object->next) {
    fake_violate("%s alive at vkDestroyDevice", object->type);
    last = object;
    live_count--;
  }
  if (last != NULL) {
    last->next = left_behind;
    left_behind = device->objects.next;
  }
}
