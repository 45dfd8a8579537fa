// Memory that runs out, for one library only.
//
// In: which of the library's requests fail. Out: failures; what the library has asked for. The
// functions that give memory out (malloc and its kin), start a thread or register an exit handler
// are replaced in this program: a call that comes from the library's own code is counted and may
// fail, everybody else's goes through. No hook in the library.
#ifndef MEMORY_FAULTS_H
#define MEMORY_FAULTS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a child process did, as its parent sees it. In shared memory.
struct memory_faults {
  unsigned long nth;   // the first request to fail, from 1; 0: none
  bool all;            // and every later one
  unsigned long asked; // requests of the library so far
  unsigned long failed;
};

// The numbers above, shared with all children; one thread, before the first fork.
struct memory_faults *memory_faults_share(void);

// Counts requests of the library at this path from now on; false: it could not be loaded.
bool memory_faults_watch(const char *library);

#ifdef __cplusplus
}
#endif
#endif
