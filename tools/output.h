/* Everything that --output asks for, from one model in one pass. Main thread. */
#ifndef VKM_TOOLS_OUTPUT_H
#define VKM_TOOLS_OUTPUT_H

#include <stdbool.h>

#include "args.h"

struct vkm_report;
struct vkm_comparison;
struct vkm_matrix;

/* Each output of `args`, the table to stdout when there is none. One that cannot be written is
 * reported and does not keep the others from being written. False: there was one. */
bool vkm_output_report(const struct vkm_args *args, const struct vkm_report *report)
    __attribute__((warn_unused_result));
bool vkm_output_comparison(const struct vkm_args *args, const struct vkm_comparison *comparison)
    __attribute__((warn_unused_result));

/* Formats that a matrix has; another one is an error. */
bool vkm_output_matrix(const struct vkm_args *args, const struct vkm_matrix *matrix)
    __attribute__((warn_unused_result));

#endif
