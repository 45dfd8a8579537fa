/* Drawings within a row. In: times, parts of a whole. Out: SVG whose coordinates are the numbers
 * themselves: the browser scales them. Next: html. */
#include <math.h>
#include <string.h>

#include "views/html_page.h"

static void append_lane(struct vkm_text *text, const struct vkm_html_lane *lane, double from,
                        double lane_at) {
  vkm_text_string(text, "<path class=\"");
  vkm_text_string(text, lane->class_name);
  vkm_text_string(text, "\" d=\"");
  for (size_t i = 0; i < lane->count; i++) {
    vkm_text_string(text, "M");
    vkm_text_double(text, lane->values_ns[i] - from);
    vkm_text_string(text, " ");
    vkm_text_double(text, lane_at + 0.15);
    vkm_text_string(text, "v.7");
  }
  vkm_text_string(text, "\"/>");
  if (lane->has_center) {
    vkm_text_string(text, "<path class=\"center ");
    vkm_text_string(text, lane->class_name);
    vkm_text_string(text, "\" d=\"M");
    vkm_text_double(text, lane->center_ns - from);
    vkm_text_string(text, " ");
    vkm_text_double(text, lane_at + 0.05);
    vkm_text_string(text, "v.9\"/>");
  }
}

void vkm_html_strip(struct vkm_text *text, const struct vkm_html_lane *lanes, size_t lane_count,
                    const char *label) {
  double low = INFINITY;
  double high = -INFINITY;
  for (size_t lane = 0; lane < lane_count; lane++) {
    for (size_t i = 0; i < lanes[lane].count; i++) {
      low = fmin(low, lanes[lane].values_ns[i]);
      high = fmax(high, lanes[lane].values_ns[i]);
    }
  }
  if (low > high) {
    return;
  }
  /* Nothing is drawn in a box without width: equal values stand in the middle of one. */
  bool equal = high - low < 1;
  double from = equal ? low - 0.5 : low;
  vkm_text_string(text, "<svg class=\"strip\" role=\"img\" preserveAspectRatio=\"none\" viewBox=\""
                        "0 0 ");
  vkm_text_double(text, equal ? 1 : high - low);
  vkm_text_string(text, " ");
  vkm_text_u64(text, lane_count);
  vkm_text_string(text, "\"><title>");
  vkm_html_escaped(text, label, strlen(label));
  vkm_text_string(text, "</title>");
  for (size_t lane = 0; lane < lane_count; lane++) {
    append_lane(text, &lanes[lane], from, (double)lane);
  }
  vkm_text_string(text, "</svg>");
}

void vkm_html_bar(struct vkm_text *text, double part) {
  vkm_text_string(text, "<svg class=\"bar\" aria-hidden=\"true\" preserveAspectRatio=\"none\" "
                        "viewBox=\"0 0 1 1\"><rect width=\"");
  vkm_text_double(text, part);
  vkm_text_string(text, "\" height=\"1\"/></svg>");
}

void vkm_html_print_nothing(const void *row, const struct vkm_column *column,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  (void)row;
  (void)column;
  (void)settings;
  (void)text;
}
