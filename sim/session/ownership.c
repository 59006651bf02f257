#include "ownership.h"

#include <stdlib.h>
#include <string.h>

enum { NEARBY_EDGE = 9 }; /* blocks along the square around the current one */

static uint32_t cut(int64_t from, int wanted, uint32_t all)
{
    int64_t left = (int64_t)all - from;
    return wanted <= 0 || left <= 0 ? 0 : wanted < left ? (uint32_t)wanted : (uint32_t)left;
}

/* The block that a cell in the window's middle most likely belongs to: where its element lies in the input,
 * the block lies in the grid. */
static void guess_block(const struct session *session, const struct owners_task *task,
                        const struct window *window, uint32_t block[3])
{
    const struct launch *launch = &session->scenario.launch;
    uint64_t row = window->row + window->rows / 2, col = window->col + window->cols / 2;
    uint64_t source_row = task->is_copy ? row : col, source_col = task->is_copy ? col : row;
    block[2] = session->trace.block[2];
    if (launch->grid[1] == 1 && launch->grid[0] > 1) { /* blocks in a row: in the order of the elements */
        long double part = ((long double)source_row * task->cols + (long double)source_col) /
                           ((long double)task->rows * task->cols);
        block[0] = part < 1 ? (uint32_t)(part * launch->grid[0]) : launch->grid[0] - 1;
        block[1] = 0;
        return;
    }
    source_col %= task->cols; /* of several matrices the one that the row lies in */
    source_row %= task->rows;
    block[0] = (uint32_t)(source_col * launch->grid[0] / task->cols);
    block[1] = (uint32_t)(source_row * launch->grid[1] / task->rows);
}

void ownership_init(struct ownership *owners, const struct session *session, int64_t row0, int64_t col0,
                    int rows, int cols)
{
    const struct scenario *s = &session->scenario;
    struct owners_task task = scenario_task(s);
    struct window window = {(uint64_t)row0, (uint64_t)col0, cut(row0, rows, task_out_rows(&task)),
                            cut(col0, cols, task_out_cols(&task))};
    struct problem problem = {0};
    *owners = (struct ownership){.nearby = session->blocks > OWNERSHIP_WHOLE_BLOCKS};
    ownermap_init(&owners->map, &task, &window);
    owners->count = owners->nearby ? NEARBY_EDGE * NEARBY_EDGE : session->blocks;
    guess_block(session, &task, &window, owners->middle);
    owners->execution = execution_new(s->program, &s->launch, true, &problem);
    owners->failed = !owners->execution || s->out < 0;
}

void ownership_free(struct ownership *owners)
{
    ownermap_free(&owners->map);
    execution_free(owners->execution);
    *owners = (struct ownership){0};
}

bool ownership_is_done(const struct ownership *owners)
{
    return owners->failed || owners->done == owners->count;
}

/* The done-th block to run; false where the square around the current block leaves the grid. */
static bool block_to_run(const struct ownership *owners, const struct launch *launch, uint32_t block[3])
{
    if (!owners->nearby) {
        launch_block_at(launch, owners->done, block);
        return true;
    }
    int64_t x = (int64_t)owners->middle[0] + (int64_t)(owners->done % NEARBY_EDGE) - NEARBY_EDGE / 2;
    int64_t y = (int64_t)owners->middle[1] + (int64_t)(owners->done / NEARBY_EDGE) - NEARBY_EDGE / 2;
    if (x < 0 || y < 0 || x >= launch->grid[0] || y >= launch->grid[1])
        return false;
    block[0] = (uint32_t)x;
    block[1] = (uint32_t)y;
    block[2] = owners->middle[2];
    return true;
}

bool ownership_advance(struct ownership *owners, const struct session *session, unsigned blocks)
{
    const struct scenario *s = &session->scenario;
    struct sink sink = {.self = &owners->map, .access = ownermap_access};
    for (; blocks && !ownership_is_done(owners); blocks--, owners->done++) {
        struct problem problem = {0};
        uint32_t block[3];
        if (!block_to_run(owners, &s->launch, block))
            continue;
        bool ok = owners->nearby ? execution_run_block(owners->execution, block, &sink, &problem)
                                 : execution_run_blocks(owners->execution, owners->done, 1, &sink, &problem);
        owners->failed = owners->failed || !ok;
    }
    return !ownership_is_done(owners);
}
