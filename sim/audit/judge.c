#include "judge.h"

static uint64_t permuted_source(const struct owners_task *task, uint64_t cell)
{
    uint64_t source = 0;
    for (unsigned axis = task->axes; axis-- > 0; cell /= task->extent[axis])
        source += cell % task->extent[axis] * task->stride[axis];
    return source;
}

int64_t task_expected(const struct owners_task *task, uint64_t cell)
{
    uint64_t matrix = (uint64_t)task->rows * task->cols, first = cell / matrix * matrix, source = cell;
    if (task->map)
        source = (uint64_t)task->map->source(task->map->self, cell);
    else if (task->axes)
        source = permuted_source(task, cell);
    else if (!task->is_copy)
        source = first + (cell - first) % task->rows * task->cols + (cell - first) / task->rows;
    return (int64_t)(source * task->elem_bytes);
}

static bool is_right(const struct owners_task *task, const struct access *access, unsigned lane,
                     const struct cell_write *write)
{
    if (task->in < 0)
        return false;
    unsigned part_bytes = access->site->lane_bytes / access->site->components;
    int64_t expected = data_token((unsigned)task->in, task_expected(task, write->cell));
    for (unsigned c = 0; c < write->parts; c++)
        if (data_at(&access->data[write->first + c], lane) != expected + (int64_t)(c * part_bytes))
            return false;
    return true;
}

unsigned cell_writes_of(const struct owners_task *task, const struct access *access, unsigned lane,
                        struct cell_write writes[CELL_WRITES])
{
    const struct site *site = access->site;
    uint64_t offset = (uint64_t)access_offset(access, lane);
    unsigned cells = site->lane_bytes / task->elem_bytes;
    if (!cells || site->components % cells || offset % task->elem_bytes)
        return 0;
    unsigned parts = site->components / cells;
    for (unsigned k = 0; k < cells; k++) {
        writes[k] = (struct cell_write){offset / task->elem_bytes + k, k * parts, parts, false};
        writes[k].right = is_right(task, access, lane, &writes[k]);
    }
    return cells;
}

uint64_t cell_write_value(const struct access *access, unsigned lane, const struct cell_write *write)
{
    uint64_t hash = 1469598103934665603u;
    for (unsigned c = write->first; c < write->first + write->parts; c++)
        hash = (hash ^ (uint64_t)data_at(&access->data[c], lane)) * 1099511628211u;
    return hash | 1;
}

enum cell_state cell_after(enum cell_state state, bool right)
{
    static const enum cell_state next[CELL_STATES][2] = {
        /* after:              a wrong write     a right one */
        [CELL_MISSING] = {CELL_WRONG, CELL_RIGHT},
        [CELL_RIGHT] = {CELL_DISAGREE, CELL_RIGHT_TWICE},
        [CELL_WRONG] = {CELL_WRONG_TWICE, CELL_DISAGREE},
        [CELL_RIGHT_TWICE] = {CELL_DISAGREE, CELL_RIGHT_TWICE},
        [CELL_DISAGREE] = {CELL_DISAGREE, CELL_DISAGREE},
        [CELL_WRONG_TWICE] = {CELL_WRONG_TWICE, CELL_DISAGREE},
        [CELL_WRONG_SAME] = {CELL_WRONG_TWICE, CELL_DISAGREE},
    };
    return next[state][right];
}
