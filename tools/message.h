/* Everything the tool says on stderr: one line a message, "vkmeter: " in front. Main thread. Never
 * fails. Control characters in what is printed become '?': a file name cannot drive the terminal.
 */
#ifndef VKM_TOOLS_MESSAGE_H
#define VKM_TOOLS_MESSAGE_H

/* Says thing, cause and remedy of something that stops the command. */
void vkm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something the user has to know to read the result rightly. */
void vkm_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something useful. Silent after vkm_message_quiet. */
void vkm_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

void vkm_message_quiet(void);

/* One line on a terminal, rewritten by the next one and taken away by vkm_progress_end and by
 * messages. Nothing where stderr is no terminal, or a dumb one, and after vkm_message_quiet. */
void vkm_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vkm_progress_end(void);

#endif
