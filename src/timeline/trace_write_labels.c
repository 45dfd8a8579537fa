/* The labels around what a queue executes, as slices within slices. Viewers sort a track by time
 * and keep the order of what is at one time, so nothing on a track is stamped before what stands
 * in front of it: labels of an execution that began before the one before had ended go to a track
 * of their own. */
#include <string.h>

#include "timeline/trace_write_parts.h"

static int64_t later(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The label at the front of a path; `*path` moves behind it. */
static struct vkm_trace_name *next_label(struct vkm_trace_writer *writer, const char **path) {
  char label[VKM_TRACE_TEXT * 3];
  size_t length = strcspn(*path, "/");
  size_t kept = length < sizeof label - 1 ? length : sizeof label - 1;
  memcpy(label, *path, kept);
  label[kept] = '\0';
  *path += length;
  *path += **path == '/';
  return vkm_trace_name(writer, VKM_TRACE_EVENTS, label);
}

static void start_next(const struct vkm_trace_known_queue *queue, int64_t begin_ns,
                       struct vkm_trace_labels_next *next) {
  memcpy(next->open, queue->open, sizeof next->open);
  next->count = queue->open_count;
  next->lane = queue->label_lane;
  if (next->count == 0) {
    next->lane = 0;
    while (next->lane + 1 < VKM_TRACE_LABEL_LANES && queue->labels[next->lane].at_ns > begin_ns) {
      next->lane++;
    }
  }
  next->at_ns = queue->labels[next->lane].at_ns;
  next->end_ns = queue->label_end_ns;
}

/* Ends what is open beyond `count`, when the latest below it ended, but not behind `limit_ns`. */
static void end_beyond(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                       uint32_t count, int64_t limit_ns, struct vkm_trace_labels_next *next) {
  if (next->count > count) {
    int64_t end_ns = next->end_ns < limit_ns ? next->end_ns : limit_ns;
    next->at_ns = later(next->at_ns, end_ns);
  }
  for (; next->count > count; next->count--) {
    vkm_trace_slice_end(writer, vkm_trace_labels_use(writer, queue, next->lane), next->at_ns);
  }
}

static void begin(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                  struct vkm_trace_name *label, int64_t begin_ns,
                  struct vkm_trace_labels_next *next) {
  Vkm__TrackEvent slice;
  uint64_t category = 0;
  next->at_ns = later(next->at_ns, begin_ns);
  vkm_trace_slice_init(&slice, VKM_SLICE_BEGIN, vkm_trace_labels_use(writer, queue, next->lane));
  vkm_trace_slice_name(writer, &slice, label, &category, VKM_CATEGORY_LABEL);
  vkm_trace_slice_put(writer, &slice, NULL, next->at_ns);
  next->open[next->count++] = label;
}

void vkm_trace_labels_move(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                           const char *path, int64_t begin_ns, int64_t end_ns,
                           struct vkm_trace_labels_next *next) {
  struct vkm_trace_name *wanted[VKM_TRACE_DEPTH];
  uint32_t count = 0;
  while (path != NULL && *path != '\0' && count < VKM_TRACE_DEPTH) {
    wanted[count++] = next_label(writer, &path);
  }
  start_next(queue, begin_ns, next);
  uint32_t same = 0;
  while (same < count && same < next->count && next->open[same] == wanted[same]) {
    same++;
  }
  end_beyond(writer, queue, same, begin_ns, next);
  while (next->count < count) {
    begin(writer, queue, wanted[next->count], begin_ns, next);
  }
  next->end_ns = next->count > 0 ? later(next->end_ns, end_ns) : INT64_MIN;
}

void vkm_trace_labels_keep(struct vkm_trace_known_queue *queue,
                           const struct vkm_trace_labels_next *next) {
  memcpy(queue->open, next->open, sizeof queue->open);
  queue->open_count = next->count;
  queue->label_lane = next->lane;
  queue->labels[next->lane].at_ns = next->at_ns;
  queue->label_end_ns = next->end_ns;
}

void vkm_trace_labels_close(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue) {
  if (queue->open_count == 0) {
    return;
  }
  struct vkm_trace_labels_next next;
  start_next(queue, INT64_MAX, &next);
  end_beyond(writer, queue, 0, INT64_MAX, &next);
  next.end_ns = INT64_MIN;
  if (vkm_trace_batch_end(writer)) {
    vkm_trace_labels_keep(queue, &next);
  }
}
