/* How many elements an array has. */
#ifndef VKM_TOOLS_COUNT_H
#define VKM_TOOLS_COUNT_H

#define VKM_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
