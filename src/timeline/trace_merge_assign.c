/* In: the numbers of all files. Out: new ones for those that collide. What other tools wrote keeps
 * its own: it claims them first. */
#include "base/alloc.h"
#include "timeline/trace_merge_parts.h"

static uint64_t mixed(uint64_t number, size_t file) {
  uint64_t hash = number + UINT64_C(0x9E3779B97F4A7C15) * (file + 1);
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94D049BB133111EB);
  return hash ^ (hash >> 31);
}

/* A number that nobody has, from `number` itself on. */
static enum vkm_status take_free(struct vkm_merge *merge, enum vkm_merge_what what, size_t file,
                                 uint64_t most, uint64_t number, uint64_t *taken) {
  uint64_t candidate = number;
  for (;;) {
    uint32_t *found = vkm_lookup_put(&merge->lookup, vkm_merge_key(what, 0), candidate, UINT32_MAX);
    if (found == NULL) {
      return VKM_OUT_OF_MEMORY;
    }
    if (*found == UINT32_MAX && candidate != 0) {
      *found = (uint32_t)file + 1;
      *taken = candidate;
      return VKM_OK;
    }
    candidate = mixed(candidate, file) & most;
  }
}

static enum vkm_status assign_sequences(struct vkm_merge *merge, bool ours) {
  enum vkm_status status = VKM_OK;
  for (size_t i = 0; i < merge->count; i++) {
    struct vkm_merge_file *file = &merge->files[i];
    for (size_t k = 0; status == VKM_OK && k < file->sequence_count; k++) {
      struct vkm_merge_sequence *sequence = &file->sequences[k];
      if (sequence->ours == ours && sequence->id != 0) {
        status = take_free(merge, VKM_MERGE_TAKEN_SEQUENCE, i, UINT32_MAX, sequence->id,
                           &sequence->new_id);
        merge->result->sequences += sequence->new_id != sequence->id;
      }
    }
  }
  return status;
}

/* Tracks of one file. A track that other tools have in several files is mostly the same one. */
static enum vkm_status assign_track(struct vkm_merge *merge, size_t file, uint64_t uuid,
                                    bool ours) {
  uint64_t taken = uuid;
  if (!ours) {
    return vkm_lookup_put(&merge->lookup, vkm_merge_key(VKM_MERGE_UUID, 0), uuid,
                          (uint32_t)file + 1) == NULL
               ? VKM_OUT_OF_MEMORY
               : VKM_OK;
  }
  enum vkm_status status = take_free(merge, VKM_MERGE_UUID, file, UINT64_MAX, uuid, &taken);
  if (status != VKM_OK || taken == uuid) {
    return status;
  }
  merge->result->tracks++;
  bool kept = vkm_lookup_put(&merge->lookup, vkm_merge_key(VKM_MERGE_NEW_UUID, file + 1), uuid,
                             (uint32_t)(taken >> 32)) != NULL &&
              vkm_lookup_put(&merge->lookup, vkm_merge_key(VKM_MERGE_NEW_UUID_LOW, file + 1), uuid,
                             (uint32_t)taken) != NULL;
  return kept ? VKM_OK : VKM_OUT_OF_MEMORY;
}

/* The order in which a table has its entries is the same for the same files. */
static enum vkm_status assign_tracks(struct vkm_merge *merge, bool ours) {
  struct vkm_lookup_entry *found = NULL;
  size_t count = 0;
  size_t capacity = 0;
  enum vkm_status status = VKM_OK;
  for (size_t i = 0; i < merge->lookup.capacity; i++) {
    const struct vkm_lookup_entry *entry = &merge->lookup.entries[i];
    if (entry->used && (entry->first & 0xFF) == VKM_MERGE_OWN_UUID) {
      if (!vkm_room(&found, &capacity, count, sizeof *found)) {
        vkm_free(found);
        return VKM_OUT_OF_MEMORY;
      }
      found[count++] = *entry;
    }
  }
  for (size_t file = 0; file < merge->count; file++) {
    for (size_t i = 0; status == VKM_OK && i < count; i++) {
      if (found[i].first >> 8 == file + 1 &&
          merge->files[file].sequences[found[i].value].ours == ours) {
        status = assign_track(merge, file, found[i].second, ours);
      }
    }
  }
  vkm_free(found);
  return status;
}

/* Numbers of GPU events, which all of a trace shares: from the least to the most that are taken. */
struct range {
  uint64_t least, most;
  bool any;
};

static void assign_events(struct vkm_merge *merge, bool ours, struct range *taken) {
  for (size_t i = 0; i < merge->count; i++) {
    for (size_t k = 0; k < merge->files[i].sequence_count; k++) {
      struct vkm_merge_sequence *sequence = &merge->files[i].sequences[k];
      if (sequence->ours != ours || !sequence->has_events) {
        continue;
      }
      bool collides =
          taken->any && sequence->least <= taken->most && sequence->most >= taken->least;
      if (ours && collides && sequence->most < UINT64_MAX / 2 && taken->most < UINT64_MAX / 2) {
        sequence->event_shift = taken->most + 1 - sequence->least;
        merge->result->event_ids++;
      }
      uint64_t least = sequence->least + sequence->event_shift;
      uint64_t most = sequence->most + sequence->event_shift;
      taken->least = taken->any && taken->least < least ? taken->least : least;
      taken->most = taken->any && taken->most > most ? taken->most : most;
      taken->any = true;
    }
  }
}

static void assign_flows(struct vkm_merge *merge) {
  for (size_t i = 0; i < merge->count; i++) {
    for (size_t k = 0; k < merge->files[i].sequence_count; k++) {
      struct vkm_merge_sequence *sequence = &merge->files[i].sequences[k];
      if (sequence->ours && sequence->flows_collide) {
        sequence->flow_mask = mixed(sequence->new_id, i);
        merge->result->flows++;
      }
    }
  }
}

enum vkm_status vkm_merge_assign(struct vkm_merge *merge) {
  struct range taken = {0, 0, false};
  enum vkm_status status = assign_sequences(merge, false);
  if (status == VKM_OK) {
    status = assign_sequences(merge, true);
  }
  if (status == VKM_OK) {
    status = assign_tracks(merge, false);
  }
  if (status == VKM_OK) {
    status = assign_tracks(merge, true);
  }
  assign_events(merge, false, &taken);
  assign_events(merge, true, &taken);
  assign_flows(merge);
  return status;
}
