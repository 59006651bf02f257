/* scenario_parts.h - what the files of a scenario need of each other; others include scenario.h.
 *
 * scenario_open() calls the steps below in this order. Each returns false after filling the problem.
 */
#ifndef LANESCOPE_REPORT_SCENARIO_PARTS_H
#define LANESCOPE_REPORT_SCENARIO_PARTS_H

#include <stdarg.h>

#include "../lang/host.h"
#include "scenario.h"

/* scenario_macros.c: the text with the macros that the options give it; fills unit and definitions. */
bool scenario_open_unit(struct scenario *s, struct problem *problem);
/* ... then tile, block_rows and pitch as the text has them; options that would change nothing are refused. */
bool scenario_take_macros(struct scenario *s, struct problem *problem);

/* scenario_task.c: the shape of a permutation as rows and cols; then, when sizes are known, the task. */
bool scenario_take_shape(struct scenario *s, struct problem *problem);
bool scenario_set_task(struct scenario *s, struct problem *problem);

/* scenario_arguments.c: which parameters are the matrices ... */
bool scenario_find_matrices(struct scenario *s, struct problem *problem);

/* ... and a value or a buffer for each parameter. */
bool scenario_set_arguments(struct scenario *s, struct problem *problem);

/* The value that options or the headnote give a scalar parameter; *given false: none do. */
bool scenario_given_argument(struct scenario *s, unsigned index, int64_t *value, bool *given,
                             struct problem *problem);

/* What a launch of the text says, part by part. */
struct scenario_launch {
    struct host *host;
    struct host_launch launch;
    bool found;       /* a launch of this kernel */
    bool block, grid; /* are these known? */
    uint32_t block_size[3], grid_size[3];
    const struct token *block_lacks, *grid_lacks; /* what has no value, where they are unknown */
    struct host_value shared;
    struct host_value
        values[64];              /* a parameter's argument; of a pointer how far it is shifted, in elements */
    struct host_value bytes[64]; /* of a pointer: its allocation */
    int rows_of, cols_of, total_of; /* the parameters that hold rows, columns, their product; or -1 */
    unsigned elem_bytes; /* of a cell, where vector pointers are indexed by another width; 0: no sign */
    bool assumed;
    bool assumed_values[64]; /* scenario_assume.c: of a scalar that nothing says */
};

/* scenario_launch.c: reads the launch of the kernel in the text's host code, finds by use which parameters
 * are the matrix's sizes, and settles rows and cols. Never fails but by a contradiction: what is unknown is
 * asked for by scenario_check_missing(). */
bool scenario_read_launch(struct scenario *s, struct problem *problem);

/* scenario_roles.c: fills rows_of, cols_of, total_of and elem_bytes by trying the kernel with numbers that
 * can be told apart. */
void scenario_find_roles(struct scenario *s, const bool known[64], const int64_t values[64]);

/* The elements from one row to the next of a matrix, as the kernel with all its values walks it; 0: it shows
 * none. */
int64_t scenario_measure_row(struct scenario *s, int parameter);

/* Everything that the launch's expressions come to, as the host's variables stand. */
void scenario_evaluate_launch(struct scenario *s);
/* The host's variable that the launch passes for that parameter has this value from now on. */
void scenario_override_argument(struct scenario *s, int parameter, int64_t value);

/* scenario_assume.c: where the options ask for it, values for all that nothing says; fills s->assumed. */
void scenario_assume(struct scenario *s);

/* scenario_missing.c: everything that nothing says, in one problem. */
bool scenario_check_missing(struct scenario *s, struct problem *problem);
bool scenario_has_value(struct scenario *s, unsigned parameter);
bool scenario_has_block(const struct scenario *s);
bool scenario_has_grid(const struct scenario *s);
bool scenario_has_shared(const struct scenario *s);
/* A block that such a kernel is likely launched with; false: the text gives no sign, it is the usual one. */
bool scenario_guess_block(struct scenario *s, uint32_t size[2]);

/* Adds to the sentence that says where the numbers come from. */
void scenario_note(struct scenario *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A further clause of a list of `size` bytes, after `between` where it is not the first; what does not fit is
 * cut. */
void scenario_append(char *list, size_t size, const char *between, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

/* scenario_shape.c: block and grid. */
bool scenario_set_shapes(struct scenario *s, struct problem *problem);

/* scenario.c: an integer formula over the text's macros, rows and cols. A formula that is part of the text
 * is complained of at its place there. */
bool scenario_evaluate(struct scenario *s, const struct source *formula, int64_t *value,
                       struct problem *problem);

/* A copy of `text` that lives as long as the scenario; `name` must outlive it. */
struct source scenario_text(struct scenario *s, const char *name, const char *text);

/* scenario_data.c: where the next comma outside parentheses is, or the end. */
const char *scenario_item_end(const char *at, const char *end);

#endif
