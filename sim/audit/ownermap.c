#include "ownermap.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

struct window window_whole(const struct owners_task *task)
{
    return (struct window){0, 0, task_out_rows(task), task_out_cols(task)};
}

void ownermap_init(struct ownermap *map, const struct owners_task *task, const struct window *window)
{
    *map = (struct ownermap){.task = *task, .window = *window};
    map->cells = memory_take((size_t)window->rows * window->cols, sizeof *map->cells);
}

void ownermap_free(struct ownermap *map)
{
    free(map->cells);
    *map = (struct ownermap){0};
}

static struct owner *owner_at(struct ownermap *map, uint64_t cell)
{
    const struct window *w = &map->window;
    uint64_t row = cell / task_out_cols(&map->task), col = cell % task_out_cols(&map->task);
    if (row < w->row || col < w->col || row - w->row >= w->rows || col - w->col >= w->cols)
        return NULL;
    return &map->cells[(row - w->row) * w->cols + (col - w->col)];
}

/* Here every value is seen, so that writers of wrong ones agree or do not at once. */
static enum cell_state state_after(const struct owner *owner, bool right, uint64_t value)
{
    enum cell_state state = cell_after(owner->state, right);
    if (state != CELL_WRONG_TWICE)
        return state;
    return owner->value == value ? CELL_WRONG_SAME : CELL_DISAGREE;
}

static void record(struct ownermap *map, const struct access *access, unsigned lane)
{
    struct cell_write writes[CELL_WRITES];
    unsigned count = cell_writes_of(&map->task, access, lane, writes);
    map->misfit = map->misfit || !count;
    for (unsigned k = 0; k < count; k++) {
        struct owner *owner = owner_at(map, writes[k].cell);
        if (!owner)
            continue;
        uint64_t value = cell_write_value(access, lane, &writes[k]);
        bool changes = cell_changes(owner->state, access);
        *owner = (struct owner){.state = changes ? state_after(owner, writes[k].right, value) : owner->state,
                                .writes = owner->writes + 1,
                                .warp = access->warp,
                                .lane = lane,
                                .visit = access->visit,
                                .step = access->step,
                                .token = data_at(&access->data[writes[k].first], lane),
                                .value = value};
        memcpy(owner->block, access->block, sizeof owner->block);
    }
}

void ownermap_access(void *self, const struct access *access)
{
    struct ownermap *map = self;
    if (!task_is_output(&map->task, access))
        return;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1)
        record(map, access, (unsigned)__builtin_ctz(lanes));
}
