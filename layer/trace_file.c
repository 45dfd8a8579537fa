/* The trace's file, see trace_file.h. */
#include "trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/os.h"
#include "output.h"
#include "session.h"
#include "trace_names.h"

/* CLOSING: what the last packets may take of the limit. */
enum { PACKETS_BYTES = 256 * 1024, CLOSING_BYTES = 64 * 1024 };
#define CLOCKS_NS INT64_C(10000000000)

void vkm_trace_file_start(struct vkm_trace_file *file, const char *pattern) {
  vkm_place_start(&file->place, pattern, file->facts);
  file->file = -1;
}

void vkm_trace_file_forget(struct vkm_trace_file *file) {
  if (file->file >= 0) {
    close(file->file);
  }
  /* The writer is left: a thread of the parent may have been in the middle of it. */
  *file = (struct vkm_trace_file){.facts = file->facts,
                                  .run = file->run,
                                  .shared_run = file->shared_run,
                                  .style = file->style,
                                  .limit_bytes = file->limit_bytes,
                                  .packets = file->packets,
                                  .file = -1};
}

/* Ends the trace early, once. */
static void fail(struct vkm_trace_file *file, const char *cause) {
  file->failed = true;
  file->lost += file->waiting;
  file->waiting = 0;
  file->packet_bytes = 0;
  snprintf(file->cause, sizeof file->cause, "%s", cause);
  vkm_output_say_no_trace(file->place.path, cause);
}

bool vkm_trace_file_allocate(struct vkm_trace_file *file) {
  file->packets = vkm_alloc(PACKETS_BYTES);
  return file->packets != NULL;
}

void vkm_trace_file_refuse(struct vkm_trace_file *file) {
  if (!file->failed) {
    fail(file, "out of memory");
  }
}

/* ---- bytes ---- */

/* False: an error, and nothing of it stays in the file. */
static bool put(struct vkm_trace_file *file, const unsigned char *bytes, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t now = write(file->file, bytes + done, length - done);
    if (now < 0 && errno == EINTR) {
      continue;
    }
    if (now <= 0) {
      int error = now < 0 ? errno : EIO;
      if (ftruncate(file->file, (off_t)file->bytes) != 0) {
        errno = error; /* no file that could be cut: a reader stops at the last whole packet */
      }
      errno = error;
      return false;
    }
    done += (size_t)now;
  }
  file->bytes += length;
  return true;
}

void vkm_trace_file_flush(struct vkm_trace_file *file) {
  if (file->failed || file->packet_bytes == 0) {
    return;
  }
  if (!put(file, file->packets, file->packet_bytes)) {
    fail(file, strerror(errno));
    return;
  }
  file->packet_bytes = 0;
  file->written += file->waiting;
  file->waiting = 0;
}

static bool take_packets(void *context, const void *bytes, size_t length) {
  struct vkm_trace_file *file = context;
  uint64_t used = file->bytes + file->packet_bytes + (file->closing ? 0 : CLOSING_BYTES);
  file->full = file->full || used + length > file->limit_bytes;
  if (length > PACKETS_BYTES - file->packet_bytes) {
    vkm_trace_file_flush(file);
  }
  file->refused = file->failed || (file->full && !file->closing);
  if (file->refused) {
    return false;
  }
  if (length > PACKETS_BYTES) {
    if (!put(file, bytes, length)) {
      fail(file, strerror(errno));
    }
    file->refused = file->failed;
    return !file->failed;
  }
  memcpy(file->packets + file->packet_bytes, bytes, length);
  file->packet_bytes += length;
  return true;
}

/* ---- opening ---- */

static bool open_file(struct vkm_trace_file *file) {
  const char *cause;
  vkm_place_claim(&file->place, file->facts, file->shared_run);
  if (!file->place.path) {
    fail(file, "out of memory");
    return false;
  }
  file->file = vkm_os_create(file->place.path, &file->limit_bytes, &cause);
  if (file->file < 0) {
    fail(file, cause);
    return false;
  }
  return true;
}

/* The process's first event may lie before the session's start: the instance was created then. */
static struct vkm_trace_facts facts_of(const struct vkm_trace_file *file,
                                       const struct vkm_event *events, uint32_t count) {
  const struct vkm_session_facts *facts = file->facts;
  int64_t earlier_ns = 0;
  for (uint32_t i = 0; i < count; i++) {
    int64_t before_ns = facts->started_ns - events[i].begin_ns;
    bool call = events[i].type == VKM_EVENT_CALL;
    earlier_ns = call && before_ns > earlier_ns ? before_ns : earlier_ns;
  }
  struct vkm_trace_facts answer = {.pid = facts->pid,
                                   .started_ns = facts->started_ns - earlier_ns,
                                   .started_unix_ns = facts->started_unix_ns - earlier_ns,
                                   .style = file->style};
  snprintf(answer.process_name, sizeof answer.process_name, "%s",
           facts->executable ? vkm_os_file_name(facts->executable) : "unknown");
  snprintf(answer.run, sizeof answer.run, "%s", file->run);
  return answer;
}

static bool start(struct vkm_trace_file *file, const struct vkm_event *events, uint32_t count) {
  if (file->file < 0 && !open_file(file)) {
    return true; /* failed: what comes is lost */
  }
  struct vkm_trace_facts facts = facts_of(file, events, count);
  file->writer = vkm_trace_writer_open(&facts, &vkm_trace_names, take_packets, file);
  file->clocks_ns = vkm_now_ns();
  return file->writer != NULL || file->failed;
}

/* ---- events ---- */

/* How many events from the first on belong together: the sink takes or leaves them as one. */
static uint32_t unit(const struct vkm_event *events, uint32_t count) {
  uint32_t size = events[0].type == VKM_EVENT_CALL ? 1 + events[0].call.ranges : 1;
  return size < count ? size : count;
}

static void add_unit(struct vkm_trace_file *file, const struct vkm_event *events, uint32_t size) {
  uint64_t short_of_memory = 0;
  file->refused = file->failed || file->full;
  if (!file->refused) {
    vkm_trace_writer_add(file->writer, events, size, &short_of_memory);
  }
  if (file->refused) {
    file->lost += size;
    return;
  }
  file->memory_short += short_of_memory;
  file->waiting += size - short_of_memory;
}

bool vkm_trace_file_add(struct vkm_trace_file *file, const struct vkm_event *events,
                        uint32_t count) {
  if (!file->writer && !file->failed && !start(file, events, count)) {
    return false;
  }
  if (!file->failed && !file->full && vkm_now_ns() - file->clocks_ns > CLOCKS_NS) {
    file->clocks_ns = vkm_now_ns();
    vkm_trace_writer_clocks(file->writer);
  }
  for (uint32_t at = 0; at < count;) {
    uint32_t size = unit(&events[at], count - at);
    add_unit(file, &events[at], size);
    at += size;
  }
  return true;
}

void vkm_trace_file_close(struct vkm_trace_file *file, const struct vkm_trace_counts *counts) {
  file->closing = true;
  if (file->writer) {
    vkm_trace_writer_close(file->writer, counts);
    file->writer = NULL;
  }
  vkm_trace_file_flush(file);
  if (file->file >= 0) {
    close(file->file);
    file->file = -1;
  }
}
