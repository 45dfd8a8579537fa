/* Fills the cells of a row from its table's columns: included by what makes rows, where `cells` and
 * `at` are the row and the next place in it. A value is looked at only where it is known. */
#ifndef VKM_TOOLS_EXPORT_FILL_H
#define VKM_TOOLS_EXPORT_FILL_H

#define VKM_TEXT(name, value, about) cells[at++] = vkm_cell_text(value);
#define VKM_INTEGER(name, known, value, about)                                                     \
  cells[at++] = vkm_cell_integer(known, (known) ? (value) : 0);
#define VKM_AMOUNT(name, known, value, about)                                                      \
  cells[at++] = vkm_cell_count(known, (known) ? (value) : 0);
#define VKM_REAL(name, known, value, about)                                                        \
  cells[at++] = vkm_cell_real(known, (known) ? (value) : 0);
#define VKM_BOOL(name, known, value, about)                                                        \
  cells[at++] = vkm_cell_bool(known, (known) ? (value) : 0);

#endif
