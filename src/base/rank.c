/* Ranks, see rank.h. */
#include "base/rank.h"

#include <string.h>

#include "os/os.h"

/* Of Open MPI; MPICH, Intel MPI and others that are started by Hydra or PMI; PMIx; MVAPICH; Cray;
 * Flux. SLURM comes last: a batch script's own rank is inherited by what another starter started in
 * it. */
const char *vkm_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",    "PMIX_RANK",
                                      "MV2_COMM_WORLD_RANK",  "ALPS_APP_PE", "FLUX_TASK_RANK",
                                      "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *rank = vkm_os_variable(names[i]);
    if (rank && *rank && strlen(rank) <= VKM_RANK_DIGITS && !rank[strspn(rank, "0123456789")]) {
      return rank;
    }
  }
  return "0";
}
