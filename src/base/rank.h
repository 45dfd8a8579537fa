/* Which of the processes of an MPI or batch job this is. */
#ifndef VKM_BASE_RANK_H
#define VKM_BASE_RANK_H

enum { VKM_RANK_DIGITS = 18 };

/* Digits, at most VKM_RANK_DIGITS; "0" where nobody says. Part of the environment: good until that
 * changes. Any thread. */
const char *vkm_rank(void);

#endif
