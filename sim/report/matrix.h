/* matrix.h - the matrices of a scenario: the output's shape, and what a lane's address means as row and
 * column.
 */
#ifndef LANESCOPE_REPORT_MATRIX_H
#define LANESCOPE_REPORT_MATRIX_H

#include "../audit/judge.h"
#include "scenario.h"

/* What the kernel is for, as the audit wants it. */
struct owners_task scenario_task(const struct scenario *scenario);

/* "transpose of 100 x 70 elements of 4 bytes" */
void scenario_task_name(const struct scenario *scenario, char *out, size_t size);

/* Of the output, in elements: the input's, or for a transpose the other way round. */
uint32_t scenario_out_rows(const struct scenario *scenario);
uint32_t scenario_out_cols(const struct scenario *scenario);

/* The name of the parameter or shared array that is accessed. */
const char *scenario_buffer_name(const struct scenario *scenario, const struct access *access);

/* Row and column, in elements, of what a lane touches: of its matrix, or of the shared array. A shared array
 * of one dimension has rows of PITCH elements. False where the lane is inactive, below the buffer's start, or
 * the buffer has no rows. */
bool scenario_element(const struct scenario *scenario, const struct access *access, unsigned lane,
                      int64_t *row, int64_t *col);

#endif
