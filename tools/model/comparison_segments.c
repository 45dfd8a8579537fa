/* Which profiles stand against which. In: two sides. Out: one pair of lists an environment segment.
 * Next: comparison_panel. Segments that are equal come together; what is left over on both sides is
 * paired with the one that differs least, so that what differs can be said. */
#include <stdlib.h>
#include <string.h>

#include "model/comparison_parts.h"

struct item {
  char key[VKM_SEGMENT_KEY_BYTES];
  int side;
  size_t index; /* among the side's profiles */
};

static int compare_items(const void *a, const void *b) {
  const struct item *left = a;
  const struct item *right = b;
  int order = strcmp(left->key, right->key);
  order = order != 0 ? order : left->side - right->side;
  return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

/* Where a segment was seen first; the base comes before the new side. */
static int compare_pairs(const void *a, const void *b) {
  const struct vkm_segment_pair *left = a;
  const struct vkm_segment_pair *right = b;
  int side = left->counts[VKM_BASE] > 0 && right->counts[VKM_BASE] > 0 ? VKM_BASE : VKM_NEW;
  int order = (left->counts[VKM_BASE] == 0) - (right->counts[VKM_BASE] == 0);
  if (order != 0) {
    return order;
  }
  return (left->profiles[side][0] > right->profiles[side][0]) -
         (left->profiles[side][0] < right->profiles[side][0]);
}

/* items[0..count) are of one segment. */
static bool add_pair(struct vkm_segment_pairs *pairs, const struct item *items, size_t count) {
  struct vkm_segment_pair *pair = &pairs->items[pairs->count++];
  for (int side = 0; side < VKM_SIDES; side++) {
    pair->profiles[side] = calloc(count, sizeof *pair->profiles[side]);
    if (pair->profiles[side] == NULL) {
      return false;
    }
    memcpy(pair->keys[side], items[0].key, sizeof pair->keys[side]);
  }
  for (size_t i = 0; i < count; i++) {
    int side = items[i].side;
    pair->profiles[side][pair->counts[side]++] = items[i].index;
  }
  return true;
}

static const struct vkm_read_profile *first_of(const struct vkm_segment_pair *pair,
                                               const struct vkm_side *const *sides, int side) {
  return &sides[side]->profiles[pair->profiles[side][0]];
}

/* Of the pairs that have only a new side, the one that is nearest to `pair`; NULL: there is none.
 */
static struct vkm_segment_pair *nearest(struct vkm_segment_pairs *pairs,
                                        const struct vkm_segment_pair *pair,
                                        const struct vkm_side *const *sides) {
  struct vkm_segment_pair *best = NULL;
  unsigned least = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    struct vkm_segment_pair *other = &pairs->items[i];
    if (other->counts[VKM_BASE] > 0 || other->counts[VKM_NEW] == 0) {
      continue;
    }
    unsigned distance =
        vkm_environment_distance(first_of(pair, sides, VKM_BASE), first_of(other, sides, VKM_NEW));
    if (best == NULL || distance < least) {
      best = other;
      least = distance;
    }
  }
  return best;
}

static void move_side(struct vkm_segment_pair *to, struct vkm_segment_pair *from, int side) {
  size_t *unused = to->profiles[side];
  to->profiles[side] = from->profiles[side];
  to->counts[side] = from->counts[side];
  memcpy(to->keys[side], from->keys[side], sizeof to->keys[side]);
  from->profiles[side] = unused;
  from->counts[side] = 0;
}

static void finish_pair(struct vkm_segment_pair *pair) {
  free(pair->profiles[VKM_BASE]);
  free(pair->profiles[VKM_NEW]);
}

static void pair_left_over(struct vkm_segment_pairs *pairs, const struct vkm_side *const *sides) {
  for (size_t i = 0; i < pairs->count; i++) {
    struct vkm_segment_pair *pair = &pairs->items[i];
    struct vkm_segment_pair *other = NULL;
    if (pair->counts[VKM_BASE] > 0 && pair->counts[VKM_NEW] == 0) {
      other = nearest(pairs, pair, sides);
    }
    if (other != NULL) {
      move_side(pair, other, VKM_NEW);
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    if (pairs->items[i].counts[VKM_BASE] + pairs->items[i].counts[VKM_NEW] > 0) {
      pairs->items[kept++] = pairs->items[i];
    } else {
      finish_pair(&pairs->items[i]);
    }
  }
  pairs->count = kept;
}

static bool group(struct vkm_segment_pairs *pairs, struct item *items, size_t count,
                  const struct vkm_side *const *sides) {
  bool good = true;
  if (count > 1) {
    qsort(items, count, sizeof *items, compare_items);
  }
  for (size_t begin = 0; good && begin < count;) {
    size_t end = begin + 1;
    while (end < count && strcmp(items[begin].key, items[end].key) == 0) {
      end++;
    }
    good = add_pair(pairs, items + begin, end - begin);
    begin = end;
  }
  if (good && pairs->count > 1) {
    qsort(pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    pair_left_over(pairs, sides);
  }
  return good;
}

bool vkm_segments_pair(struct vkm_segment_pairs *pairs, const struct vkm_side *const *sides) {
  size_t count = sides[VKM_BASE]->profile_count + sides[VKM_NEW]->profile_count;
  struct item *items = calloc(count + 1, sizeof *items);
  *pairs = (struct vkm_segment_pairs){calloc(count + 1, sizeof *pairs->items), 0};
  bool good = items != NULL && pairs->items != NULL;
  size_t used = 0;
  for (int side = 0; side < VKM_SIDES; side++) {
    for (size_t i = 0; good && i < sides[side]->profile_count; i++) {
      items[used].side = side;
      items[used].index = i;
      good = vkm_segment_key(&sides[side]->profiles[i], items[used++].key);
    }
  }
  good = good && group(pairs, items, count, sides);
  free(items);
  return good;
}

void vkm_segments_finish(struct vkm_segment_pairs *pairs) {
  for (size_t i = 0; i < pairs->count; i++) {
    finish_pair(&pairs->items[i]);
  }
  free(pairs->items);
  *pairs = (struct vkm_segment_pairs){NULL, 0};
}
