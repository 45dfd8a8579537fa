/* Judges two sides. In: profiles. Out: panels of judged rows. Next room: views. */
#include "model/comparison.h"

#include <stdlib.h>

#include "message.h"
#include "model/comparison_parts.h"

static bool build_panels(struct vkm_comparison *comparison,
                         const struct vkm_segment_pairs *segments) {
  comparison->panels = calloc(segments->count + 1, sizeof *comparison->panels);
  bool good = comparison->panels != NULL;
  for (size_t i = 0; good && i < segments->count; i++) {
    good = vkm_panel_build(&comparison->panels[comparison->panel_count++], &segments->items[i],
                           comparison->sides, &comparison->settings);
  }
  if (good && comparison->settings.threshold <= 0) {
    good = vkm_holm_correct(comparison);
  }
  for (size_t i = 0; good && i < comparison->panel_count; i++) {
    vkm_panel_sort(&comparison->panels[i]);
    for (int verdict = 0; verdict < VKM_VERDICT_COUNT; verdict++) {
      comparison->verdict_counts[verdict] += comparison->panels[i].verdict_counts[verdict];
    }
  }
  return good;
}

bool vkm_comparison_build(struct vkm_comparison *comparison, const struct vkm_side *base,
                          const struct vkm_side *fresh,
                          const struct vkm_compare_settings *settings) {
  *comparison = (struct vkm_comparison){.settings = *settings, .sides = {base, fresh}};
  struct vkm_segment_pairs segments;
  bool good =
      vkm_segments_pair(&segments, comparison->sides) && build_panels(comparison, &segments);
  vkm_segments_finish(&segments);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
    vkm_comparison_finish(comparison);
  }
  return good;
}

void vkm_comparison_finish(struct vkm_comparison *comparison) {
  for (size_t i = 0; i < comparison->panel_count; i++) {
    vkm_panel_finish(&comparison->panels[i]);
  }
  free(comparison->panels);
  *comparison = (struct vkm_comparison){0};
}
