/* Numbers as text: one rule for all views. Every function appends to `text`. Pure. */
#ifndef VKM_TOOLS_VIEWS_UNITS_H
#define VKM_TOOLS_VIEWS_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "views/view.h"

/* The unit in which a column whose largest value is `largest_ns` reads best. */
enum vkm_unit vkm_unit_for(double largest_ns);
/* The same of sizes. */
enum vkm_unit vkm_bytes_unit_for(double largest_bytes);
/* "ns", "µs" ("us" in ASCII), "ms", "s", "B", "KiB". Static. */
const char *vkm_unit_name(enum vkm_unit unit, bool ascii);

/* 41204 as 41,204. */
void vkm_format_count(struct vkm_text *text, uint64_t count);
/* Any number: whole ones with all their digits, others with three significant digits or more. */
void vkm_format_number(struct vkm_text *text, double value);
/* With three decimals. */
void vkm_format_ratio(struct vkm_text *text, double value);
/* `ns` in `unit` (or bytes, in one of sizes), without the unit's name: three significant digits or
 * more, at most three decimals. What would read as 0 and is not, becomes <0.001. */
void vkm_format_time(struct vkm_text *text, double ns, enum vkm_unit unit);
/* In the unit that suits it, with its name: 2.41 s. */
void vkm_format_duration(struct vkm_text *text, double ns, bool ascii);
/* In seconds with all nine decimals, '.' always, for programs: 0.000182400. */
void vkm_format_seconds(struct vkm_text *text, double ns);
/* A level of confidence: 95 %, 99.9 %. */
void vkm_format_level(struct vkm_text *text, double fraction);
/* Four significant digits. */
void vkm_format_figure(struct vkm_text *text, double value);
/* Which of `columns` columns from `least` to `most` the value falls into. */
size_t vkm_place_on(double value, double least, double most, size_t columns);
/* A fraction in percent, one decimal, without the sign. */
void vkm_format_percent(struct vkm_text *text, double fraction);
/* The same with its sign; a minus is U+2212 but in ASCII. */
void vkm_format_change(struct vkm_text *text, double fraction, bool ascii);
/* As vkm_format_time, with its sign as vkm_format_change has it. */
void vkm_format_impact(struct vkm_text *text, double ns, enum vkm_unit unit, bool ascii);
/* For programs: whole numbers with all their digits, others with nine, always with '.'. */
void vkm_format_exact(struct vkm_text *text, double value);
/* 2023-11-14 22:13:20 UTC. */
void vkm_format_date(struct vkm_text *text, int64_t unix_ns);
/* 1.5 MiB. */
void vkm_format_bytes(struct vkm_text *text, uint64_t bytes);
/* A bar of at most `columns`, in eighths of one; in ASCII in whole ones. The least shows, too. */
void vkm_format_bar(struct vkm_text *text, double fraction, int columns, bool ascii);
/* A number with its unit, or % or nothing, and nothing behind it: as machine formats have it, in
 * ns, bytes or as a fraction. False: it is none. */
bool vkm_parse_quantity(const char *text, double *out);

#endif
