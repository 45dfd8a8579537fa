// The layer's map of handles for a test in C++, which cannot include handles.h.
//
// In: handles and values. Out: what handles.c says. Any thread, as handles.h.
#ifndef HANDLES_WORLD_H
#define HANDLES_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *handles_new(void);
void handles_delete(void *map);
bool handles_put(void *map, uint64_t handle, void *value);
void *handles_get(void *map, uint64_t handle);
void *handles_take(void *map, uint64_t handle);

#ifdef __cplusplus
}
#endif

#endif
