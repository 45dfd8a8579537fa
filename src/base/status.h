/* How functions of src/ say that they failed. */
#ifndef VKM_BASE_STATUS_H
#define VKM_BASE_STATUS_H

/* Marks a function whose result the caller has to look at. */
#define VKM_MUST_CHECK __attribute__((warn_unused_result))

enum vkm_status {
  VKM_OK = 0,
  VKM_OUT_OF_MEMORY, /* an allocation failed; the object is as it was before the call */
  VKM_FULL,          /* a cap was reached; the object is as it was, what was lost is counted */
  VKM_BAD_INPUT,     /* the data given is malformed */
  VKM_IO,            /* the operating system refused; errno says why */
};

#endif
