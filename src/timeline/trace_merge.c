/* In: traces. Out: one. Files are read twice: first for their numbers, then packet by packet, so
 * that memory does not grow with their length. Snapshots of clocks have to stand in order of time
 * in the whole, since viewers take a clock that runs back for broken; so files take turns, each
 * from one snapshot to its next. And there is one primary clock, that of the trace whose packets do
 * not say theirs. */
#include "timeline/trace_merge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "timeline/trace_merge_parts.h"

#define BOOT_TOLERANCE_NS (UINT64_C(60) * 1000000000)

static enum vkm_status fail(struct vkm_merge_error *error, size_t file, enum vkm_status status) {
  error->file = file;
  if (status == VKM_BAD_INPUT) {
    return status;
  }
  snprintf(error->cause, sizeof error->cause, "%s",
           status == VKM_IO ? strerror(errno) : "out of memory");
  error->remedy = status == VKM_IO ? "is the path right?" : "close other programs";
  return status;
}

static bool open_file(struct vkm_merge_file *file) {
  file->opened = vkm_trace_file_open(&file->file, file->path);
  return file->opened;
}

static void close_file(struct vkm_merge_file *file) {
  if (file->opened) {
    vkm_trace_file_close(&file->file);
    file->opened = false;
  }
}

static enum vkm_status scan_all(struct vkm_merge *merge, struct vkm_merge_error *error) {
  for (size_t i = 0; i < merge->count; i++) {
    struct vkm_merge_file *file = &merge->files[i];
    enum vkm_status status = open_file(file) ? vkm_merge_scan(merge, i, error) : VKM_IO;
    if (status != VKM_OK) {
      return fail(error, i, status);
    }
    close_file(file);
    merge->result->cut += file->cut;
    merge->result->clockless += !file->has_snapshot;
  }
  return VKM_OK;
}

/* When the machine was started, as a snapshot has it: the same to a moment in all files. */
static bool started(const struct vkm_merge_clocks *clocks, uint64_t *unix_ns) {
  *unix_ns = clocks->ns[VKM_MERGE_REALTIME] - clocks->ns[VKM_MERGE_BOOTTIME];
  return clocks->there[VKM_MERGE_REALTIME] && clocks->there[VKM_MERGE_BOOTTIME];
}

static enum vkm_status check_boots(const struct vkm_merge *merge, struct vkm_merge_error *error) {
  size_t first = SIZE_MAX;
  uint64_t first_ns = 0;
  for (size_t i = 0; i < merge->count; i++) {
    uint64_t ns = 0;
    if (!merge->files[i].has_snapshot || !started(&merge->files[i].first, &ns)) {
      continue;
    }
    if (first == SIZE_MAX) {
      first = i;
      first_ns = ns;
    }
    uint64_t apart = ns > first_ns ? ns - first_ns : first_ns - ns;
    if (apart > BOOT_TOLERANCE_NS) {
      snprintf(error->cause, sizeof error->cause,
               "its machine was started %llu s from that of '%.150s': their clocks have nothing "
               "in common",
               (unsigned long long)(apart / 1000000000), merge->files[first].path);
      error->remedy = "merge traces of one machine without a restart between";
      return fail(error, i, VKM_BAD_INPUT);
    }
  }
  return VKM_OK;
}

/* The clock of all packets that do not say theirs, and that by which snapshots are ordered. */
static void choose_clocks(struct vkm_merge *merge) {
  static const uint64_t known[] = {VKM_MERGE_BOOTTIME, VKM_MERGE_MONOTONIC, VKM_MERGE_REALTIME,
                                   VKM_MERGE_RAW};
  for (size_t i = 0; i < merge->count; i++) {
    const struct vkm_merge_file *file = &merge->files[i];
    if (file->needs_default && file->default_clock != 0) {
      merge->primary = file->default_clock;
      break;
    }
  }
  for (size_t i = 0; i < merge->count && merge->primary == 0; i++) {
    merge->primary = merge->files[i].default_clock;
  }
  size_t best = 0;
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    size_t having = 0;
    for (size_t i = 0; i < merge->count; i++) {
      having += merge->files[i].first.there[known[k]];
    }
    if (having > best || (having == best && known[k] == merge->primary)) {
      best = having;
      merge->key_clock = known[k];
    }
  }
}

/* What the next packet of a file does to clocks. */
struct moment {
  struct vkm_trace_parts parts;
  struct vkm_merge_clocks clocks;
  bool known, snapshot; /* the packet could be read; it has a snapshot of shared clocks */
};

static void look(const struct vkm_merge_file *file, struct moment *moment) {
  moment->known = vkm_trace_take_apart(&file->packet, &moment->parts);
  moment->snapshot =
      moment->known && moment->parts.snapshot.number != 0 && moment->parts.machine == 0 &&
      vkm_merge_read_clocks(&moment->parts.snapshot, &moment->clocks) && moment->clocks.shared;
}

/* Reads on; the key is that of the snapshot that is next or was last. */
static enum vkm_status advance(struct vkm_merge *merge, struct vkm_merge_file *file) {
  struct moment moment;
  enum vkm_status status = vkm_trace_file_next(&file->file, &file->packet);
  if (status == VKM_OK && file->packet.bytes != NULL) {
    look(file, &moment);
    if (moment.snapshot && moment.clocks.there[merge->key_clock]) {
      uint64_t key = moment.clocks.ns[merge->key_clock];
      file->key = key > file->key ? key : file->key;
    }
  }
  return status;
}

/* A snapshot that was taken at nearly the same time as one of another file may lie behind it by one
 * clock and before it by another. */
static bool runs_back(struct vkm_merge *merge, const struct vkm_merge_clocks *clocks) {
  static const uint64_t steady[] = {VKM_MERGE_MONOTONIC, VKM_MERGE_RAW, VKM_MERGE_BOOTTIME};
  bool back = false;
  for (size_t i = 0; i < sizeof steady / sizeof steady[0]; i++) {
    uint64_t clock = steady[i];
    back = back || (clocks->there[clock] && merge->last.there[clock] &&
                    clocks->ns[clock] < merge->last.ns[clock]);
  }
  for (size_t clock = 0; !back && clock < VKM_MERGE_CLOCKS; clock++) {
    if (clocks->there[clock]) {
      merge->last.ns[clock] = clocks->ns[clock];
      merge->last.there[clock] = true;
    }
  }
  return back;
}

struct output {
  vkm_merge_sink sink;
  void *context;
  struct vkm_merge_bytes bytes;
};

static enum vkm_status deliver(struct output *output, const void *bytes, size_t length) {
  return output->sink(output->context, bytes, length) ? VKM_OK : VKM_IO;
}

/* What a packet's clocks need in the whole. */
struct needs {
  bool drop;      /* its snapshot has to go */
  bool primary;   /* its snapshot names another primary clock than the whole has */
  uint64_t clock; /* its time has to be said to be of this one; 0: not */
};

static struct needs needs_of(struct vkm_merge *merge, struct vkm_merge_file *file,
                             const struct vkm_merge_sequence *sequence,
                             const struct moment *moment) {
  const struct vkm_trace_parts *parts = &moment->parts;
  struct needs needs = {false, false, 0};
  if (moment->snapshot) {
    needs.drop = runs_back(merge, &moment->clocks);
    needs.primary =
        vkm_merge_default(&moment->clocks, 0) != 0 && moment->clocks.primary != merge->primary;
    file->default_clock = vkm_merge_default(&moment->clocks, file->default_clock);
  }
  bool silent = parts->has_timestamp && parts->clock == 0 && sequence->clock == 0 &&
                parts->snapshot.number == 0;
  needs.clock = silent && file->default_clock != merge->primary ? file->default_clock : 0;
  merge->result->snapshots += needs.drop;
  return needs;
}

static enum vkm_status write_packet(struct vkm_merge *merge, size_t index, struct output *output) {
  struct vkm_merge_file *file = &merge->files[index];
  const struct vkm_trace_packet *packet = &file->packet;
  struct moment moment;
  look(file, &moment);
  merge->result->packets++;
  if (!moment.known) {
    return deliver(output, packet->whole, packet->whole_bytes);
  }
  struct vkm_merge_sequence *sequence = vkm_merge_sequence_of(merge, index, moment.parts.sequence);
  if (sequence == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  vkm_merge_read_state(sequence, &moment.parts);
  struct needs needs = needs_of(merge, file, sequence, &moment);
  if (!needs.drop && !needs.primary && needs.clock == 0 && !vkm_merge_changes(sequence)) {
    return deliver(output, packet->whole, packet->whole_bytes);
  }
  vkm_merge_rewrite(merge, index, sequence, packet, needs.clock, needs.drop, &output->bytes);
  return output->bytes.failed ? VKM_OUT_OF_MEMORY
                              : deliver(output, output->bytes.data, output->bytes.length);
}

/* The file whose turn it is; SIZE_MAX: all are at their end. */
static size_t next_file(const struct vkm_merge *merge) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < merge->count; i++) {
    if (merge->files[i].packet.bytes != NULL &&
        (best == SIZE_MAX || merge->files[i].key < merge->files[best].key)) {
      best = i;
    }
  }
  return best;
}

static enum vkm_status write_all(struct vkm_merge *merge, struct output *output,
                                 struct vkm_merge_error *error) {
  for (size_t i = 0; i < merge->count; i++) {
    struct vkm_merge_file *file = &merge->files[i];
    for (size_t k = 0; k < file->sequence_count; k++) {
      file->sequences[k].clock = 0;
      file->sequences[k].event_note = 0;
    }
    file->default_clock = 0;
    /* What stands before the first snapshot comes with it; what has none, behind all. */
    file->key = file->has_snapshot ? file->first.ns[merge->key_clock] : UINT64_MAX;
    enum vkm_status status = open_file(file) ? advance(merge, file) : VKM_IO;
    if (status != VKM_OK) {
      return fail(error, i, status);
    }
  }
  for (size_t i = next_file(merge); i != SIZE_MAX; i = next_file(merge)) {
    uint64_t key = merge->files[i].key;
    enum vkm_status status = VKM_OK;
    while (status == VKM_OK && merge->files[i].packet.bytes != NULL && merge->files[i].key == key) {
      status = write_packet(merge, i, output);
      if (status != VKM_OK) {
        return fail(error, status == VKM_IO ? SIZE_MAX : i, status);
      }
      status = advance(merge, &merge->files[i]);
    }
    if (status != VKM_OK) {
      return fail(error, i, status);
    }
  }
  return VKM_OK;
}

static enum vkm_status merge_all(struct vkm_merge *merge, struct output *output,
                                 struct vkm_merge_error *error) {
  enum vkm_status status = scan_all(merge, error);
  if (status == VKM_OK) {
    status = check_boots(merge, error);
  }
  if (status != VKM_OK) {
    return status;
  }
  choose_clocks(merge);
  status = vkm_merge_assign(merge);
  if (status != VKM_OK) {
    return fail(error, 0, status);
  }
  return write_all(merge, output, error);
}

enum vkm_status vkm_trace_merge(const char *const *paths, size_t count, vkm_merge_sink sink,
                                void *context, struct vkm_merge_result *result,
                                struct vkm_merge_error *error) {
  struct vkm_merge merge = {.count = count, .result = result};
  struct output output = {.sink = sink, .context = context};
  *result = (struct vkm_merge_result){0};
  merge.files = vkm_calloc(count + 1, sizeof *merge.files);
  if (merge.files == NULL) {
    return fail(error, 0, VKM_OUT_OF_MEMORY);
  }
  for (size_t i = 0; i < count; i++) {
    merge.files[i].path = paths[i];
  }
  enum vkm_status status = merge_all(&merge, &output, error);
  for (size_t i = 0; i < count; i++) {
    close_file(&merge.files[i]);
    vkm_free(merge.files[i].sequences);
  }
  vkm_free(merge.files);
  vkm_free(output.bytes.data);
  vkm_lookup_finish(&merge.lookup);
  return status;
}
