/* In: nothing. Out: the lock and the totals that every other file of the layer works under. Next:
 * the catalogue. */
#include "count_state.h"

#include <pthread.h>
#include <string.h>

#include "count_catalogue.h"
#include "count_clock.h"

static pthread_mutex_t state_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t state_once = PTHREAD_ONCE_INIT;
static struct vkmtest_totals state_totals;

void vkmtest_lock(void) {
  (void)pthread_mutex_lock(&state_mutex);
}

void vkmtest_unlock(void) {
  (void)pthread_mutex_unlock(&state_mutex);
}

struct vkmtest_totals *vkmtest_totals(void) {
  return &state_totals;
}

/* A child has executed nothing yet: what its parent did is in the parent's own file. */
static void start_child(void) {
  memset(&state_totals, 0, sizeof state_totals);
  vkmtest_catalogue_forget_counts();
  vkmtest_clock_forget();
  vkmtest_unlock();
}

static void register_fork(void) {
  (void)pthread_atfork(vkmtest_lock, vkmtest_unlock, start_child);
}

void vkmtest_state_init(void) {
  (void)pthread_once(&state_once, register_fork);
}
