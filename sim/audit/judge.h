/* judge.h - does what a store brings to an output cell belong there?
 *
 * The one judgement behind the totals (owners.h), the maps (ownermap.h) and what the program shows of either.
 * It is made against mathematics: transpose means out[j][i] = in[i][j], copy means out = in; axes may be
 * permuted, and any map may be given. A cell of 16
 * bytes that a store fills from four components is right only if all four are: a float4 whose .y and .z are
 * exchanged is wrong.
 *
 * Values are compared by where they came from: two results of arithmetic, or two reads of unset memory, count
 * as one and the same value.
 */
#ifndef LANESCOPE_AUDIT_JUDGE_H
#define LANESCOPE_AUDIT_JUDGE_H

#include "../exec/exec.h"

enum { TASK_AXES = 5 };

/* Which cell of the input belongs in cell `cell` of the output; -1: none, whatever comes is wrong. */
struct task_map {
    const void *self;
    int64_t (*source)(const void *self, uint64_t cell);
};

struct owners_task {
    uint32_t rows, cols; /* of the input */
    unsigned elem_bytes; /* of a cell */
    int in, out;         /* parameters; in < 0: there is no input, and nothing is right */
    bool is_copy;        /* otherwise transpose */
    uint64_t
        followed;   /* bit i: what buffer i holds is followed (exec/launch.h): it may be read and written */
    uint64_t known; /* bit i: what buffer i holds is followed as numbers: it may be read and written */
    uint32_t batch; /* so many matrices behind one another, each for itself; 0: one */
    unsigned axes;  /* not 0: axes are permuted, and rows x cols is all but the last x the last axis */
    uint32_t extent[TASK_AXES]; /* then: of the output, the slowest first */
    uint64_t stride[TASK_AXES]; /* ... and how far a step along each of these is in the input, in cells */
    const struct task_map *map; /* not NULL: that is the task */
};

static inline uint64_t task_cells(const struct owners_task *task)
{
    return (uint64_t)task->rows * task->cols * (task->batch ? task->batch : 1);
}

/* Rows and columns of the output; those of a batch are below one another. */
static inline uint32_t task_out_cols(const struct owners_task *task)
{
    return task->axes ? task->extent[task->axes - 1] : task->is_copy || task->map ? task->cols : task->rows;
}

static inline uint32_t task_out_rows(const struct owners_task *task)
{
    return (uint32_t)(task_cells(task) / task_out_cols(task));
}

/* Where the element that belongs in output cell `cell` stands in the input, in bytes. */
int64_t task_expected(const struct owners_task *task, uint64_t cell);

/* Does the access store to the output? */
static inline bool task_is_output(const struct owners_task *task, const struct access *access)
{
    return access->site->kind->writes && access->site->kind->space == SPACE_GLOBAL &&
           access->buffer == task->out;
}

/* What one lane's store does to one cell. */
struct cell_write {
    uint64_t cell;
    unsigned first, parts; /* components of the access that fill the cell */
    bool right;
};

#define CELL_WRITES 4u /* cells that a lane fills at most */

/* The cells that an output store's lane, within bounds, fills. Returns how many; 0: the store does not fit
 * the cells (narrower than one, or across two). */
unsigned cell_writes_of(const struct owners_task *task, const struct access *access, unsigned lane,
                        struct cell_write writes[CELL_WRITES]);

/* One number for the value that the lane brings: equal for equal values, never 0. */
uint64_t cell_write_value(const struct access *access, unsigned lane, const struct cell_write *write);

/* What is known of a cell after all its writes so far. */
enum cell_state {
    CELL_MISSING,
    CELL_RIGHT,
    CELL_WRONG,
    CELL_RIGHT_TWICE, /* twice: or more often */
    CELL_DISAGREE,    /* its writers brought different values: which of them stays is not defined */
    CELL_WRONG_TWICE, /* whether its writers agree is not known yet */
    CELL_WRONG_SAME,  /* they do */
    CELL_STATES
};

/* The state after one more write. CELL_WRONG_TWICE is left to the caller, who sees the values. */
enum cell_state cell_after(enum cell_state state, bool right);

/* Does this write give the cell a new state? Atomics may meet in a cell: what they leave is wrong once. */
static inline bool cell_changes(enum cell_state state, const struct access *access)
{
    return access->site->kind->op != ACCESS_ATOMIC || state != CELL_WRONG;
}

static inline bool cell_is_wrong(enum cell_state state) /* with one consistent value */
{
    return state == CELL_WRONG || state == CELL_WRONG_SAME;
}

static inline bool cell_is_written_twice(enum cell_state state)
{
    return state == CELL_RIGHT_TWICE || state == CELL_DISAGREE || state == CELL_WRONG_SAME;
}

#endif
