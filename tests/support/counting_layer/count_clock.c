/* In: submissions and waits as they happen. Out: a list of times. Next: the report. */
#include "count_clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "count_state.h"

enum { EVENT_CAP = 1 << 20 };

struct event {
  int64_t ns;
  const char *call; /* static; NULL for a submission */
  uint64_t dispatches;
};

static struct event *events;
static size_t event_count, event_room;
static uint64_t events_dropped;
static bool wanted;
static pthread_once_t wanted_once = PTHREAD_ONCE_INIT;

static void ask_environment(void) {
  const char *value = getenv("VKMTEST_CLOCK");
  wanted = value != NULL && strcmp(value, "1") == 0;
}

int64_t vkmtest_clock_now(void) {
  (void)pthread_once(&wanted_once, ask_environment);
  if (!wanted) {
    return 0;
  }
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool make_room(void) {
  if (event_count < event_room) {
    return true;
  }
  size_t room = event_room == 0 ? 1024 : event_room * 2;
  struct event *grown = room > EVENT_CAP ? NULL : realloc(events, room * sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  events = grown;
  event_room = room;
  return true;
}

static void add(int64_t ns, const char *call, uint64_t dispatches) {
  if (!make_room()) {
    events_dropped++;
    return;
  }
  events[event_count++] = (struct event){.ns = ns, .call = call, .dispatches = dispatches};
}

void vkmtest_clock_submit(int64_t now_ns, uint64_t dispatches) {
  if (now_ns != 0) {
    add(now_ns, NULL, dispatches);
  }
}

void vkmtest_clock_wait(const char *call) {
  int64_t now_ns = vkmtest_clock_now();
  if (now_ns != 0) {
    vkmtest_lock();
    add(now_ns, call, 0);
    vkmtest_unlock();
  }
}

static int compare_events(const void *left, const void *right) {
  const struct event *a = left;
  const struct event *b = right;
  return (a->ns > b->ns) - (a->ns < b->ns);
}

void vkmtest_clock_print(FILE *out) {
  /* A submission is noted when its call returns, but under the time at which it began. */
  if (event_count > 0) {
    qsort(events, event_count, sizeof *events, compare_events);
  }
  for (size_t i = 0; i < event_count; i++) {
    const char *comma = i == 0 ? "" : ",";
    if (events[i].call == NULL) {
      fprintf(out,
              "%s\n    {\"event\": \"submit\", \"ns\": %" PRId64 ", \"dispatches\": %" PRIu64 "}",
              comma, events[i].ns, events[i].dispatches);
    } else {
      fprintf(out, "%s\n    {\"event\": \"wait\", \"ns\": %" PRId64 ", \"call\": \"%s\"}", comma,
              events[i].ns, events[i].call);
    }
  }
}

uint64_t vkmtest_clock_dropped(void) {
  return events_dropped;
}

void vkmtest_clock_forget(void) {
  event_count = 0;
  events_dropped = 0;
}
