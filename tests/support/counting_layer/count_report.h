/* The document that the layer leaves behind, at VKMTEST_COUNT_OUTPUT (%p becomes the process id).
 */
#ifndef VKMTEST_COUNT_REPORT_H
#define VKMTEST_COUNT_REPORT_H

/* Writes everything counted so far, atomically; nothing when the variable is unset or the process
 * (or this fork of it) made no instance. `reason` is what triggered it: "device", "instance" or
 * "exit". A file that cannot be written is one line on stderr. Takes the lock; any thread. */
void vkmtest_report_write(const char *reason);

#endif
