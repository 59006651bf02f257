#include "owner_bins.h"

#include <stdlib.h>
#include <string.h>

#include "../../sim/report/matrix.h"

static struct owner_bin *bin_at(struct owner_bins *bins, uint64_t row, uint64_t col)
{
    uint64_t scale = (uint64_t)bins->scale;
    if (row / scale >= (uint64_t)bins->rows || col / scale >= (uint64_t)bins->cols)
        return NULL;
    return &bins->at[row / scale * (uint64_t)bins->cols + col / scale];
}

static void note_owner(struct owner_bin *bin, const uint32_t block[3], uint32_t warp, uint32_t lane)
{
    if (bin->written++)
        return;
    memcpy(bin->block, block, sizeof bin->block);
    bin->warp = warp;
    bin->lane = lane;
}

/* Each cell by what is known of it after the whole launch. */
static void add_cells(struct owner_bins *bins)
{
    const struct ownermap *map = &bins->run.map;
    for (uint64_t row = 0; row < map->window.rows; row++)
        for (uint64_t col = 0; col < map->window.cols; col++) {
            const struct owner *owner = &map->cells[row * map->window.cols + col];
            struct owner_bin *bin = bin_at(bins, row, col);
            if (!bin)
                continue;
            bin->cells++;
            bin->missing += !owner->writes;
            bin->wrong += owner->writes && cell_is_wrong(owner->state);
            bin->disagreeing += owner->writes && owner->state == CELL_DISAGREE;
            bin->twice += owner->writes && cell_is_written_twice(owner->state);
            if (owner->writes)
                note_owner(bin, owner->block, owner->warp, owner->lane);
        }
}

struct sampler {
    struct owner_bins *bins;
    struct owners_task task;
};

static void take_access(void *self, const struct access *access)
{
    struct sampler *sampler = self;
    if (!task_is_output(&sampler->task, access))
        return;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        struct cell_write writes[CELL_WRITES];
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        unsigned count = cell_writes_of(&sampler->task, access, lane, writes);
        for (unsigned k = 0; k < count; k++) {
            uint64_t cols = task_out_cols(&sampler->task);
            struct owner_bin *bin = bin_at(sampler->bins, writes[k].cell / cols, writes[k].cell % cols);
            if (!bin)
                continue;
            bin->cells++;
            bin->wrong += !writes[k].right;
            note_owner(bin, access->block, access->warp, lane);
        }
    }
}

/* How many samples along each axis: all blocks of a short one, so many of long ones that the product stays
 * within the limit. */
static void plan(const uint32_t grid[3], uint64_t samples[3])
{
    static const int order[] = {2, 1, 0};
    uint64_t left = OWNER_BINS_BLOCKS, most[3] = {64, 64, 64};
    if (grid[1] == 1)
        most[0] = OWNER_BINS_BLOCKS;
    for (int i = 0; i < 3; i++) {
        int axis = order[i];
        uint64_t bound = most[axis] < left ? most[axis] : left;
        samples[axis] = grid[axis] < bound ? grid[axis] : bound;
        left /= samples[axis];
        left = left ? left : 1;
    }
}

static bool sample(struct owner_bins *bins, const struct scenario *s, struct problem *problem)
{
    struct sampler sampler = {bins, scenario_task(s)};
    const struct sink sink = {.self = &sampler, .access = take_access};
    struct execution *execution = execution_new(s->program, &s->launch, true, problem);
    const uint32_t *grid = s->launch.grid;
    uint64_t samples[3];
    plan(grid, samples);
    bins->samples = samples[0] * samples[1] * samples[2];
    bool ok = execution != NULL;
    for (uint64_t i = 0; ok && i < bins->samples; i++) {
        uint64_t x = i % samples[0], y = i / samples[0] % samples[1], z = i / samples[0] / samples[1];
        uint32_t block[3] = {(uint32_t)(x * grid[0] / samples[0]), (uint32_t)(y * grid[1] / samples[1]),
                             (uint32_t)(z * grid[2] / samples[2])};
        ok = execution_run_block(execution, block, &sink, problem);
    }
    execution_free(execution);
    const struct proof_example *e = &bins->run.proof.example;
    struct owner_bin *bin = ok && bins->run.proof.has_example ? bin_at(bins, e->row, e->col) : NULL;
    if (bin)
        bin->has_example = true;
    return ok;
}

static int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Pieces small enough for so many, that begin and end where tiles do. */
static int64_t fitting_scale(int64_t out_rows, int64_t out_cols, int rows, int cols, int64_t tile)
{
    int64_t by_rows = ceiling(out_rows, rows), by_cols = ceiling(out_cols, cols);
    int64_t scale = by_rows > by_cols ? by_rows : by_cols;
    if (scale > tile)
        return ceiling(scale, tile) * tile;
    while (tile % scale)
        scale++;
    return scale;
}

bool owner_bins_count(struct owner_bins *bins, const struct subject *subject, const struct options *options,
                      int rows, int cols, struct problem *problem)
{
    const struct scenario *s = &subject->session->scenario;
    struct owners_task task = scenario_task(s);
    *bins = (struct owner_bins){.blocks = launch_blocks(&s->launch)};
    bins->sampled = task_cells(&task) > OWNER_BINS_EXACT;
    bins->scale = fitting_scale(task_out_rows(&task), task_out_cols(&task), rows, cols,
                                s->tile ? (int64_t)s->tile : s->launch.block[0]);
    bins->rows = (int)ceiling(task_out_rows(&task), bins->scale);
    bins->cols = (int)ceiling(task_out_cols(&task), bins->scale);
    bins->by_order = bins->blocks * 6 > (uint64_t)bins->rows * (uint64_t)bins->cols;
    bins->at = memory_take((size_t)(bins->rows * bins->cols) + 1, sizeof *bins->at);
    bins->run = (struct owners_run){.has_map = !bins->sampled, .workers = options_workers(options)};
    bool ok = owners_run_all(&bins->run, s, false, problem);
    bins->overflow = bins->run.noticed.overflow.lanes != 0;
    if (ok && bins->sampled)
        return sample(bins, s, problem);
    if (ok)
        add_cells(bins);
    return ok;
}

void owner_bins_free(struct owner_bins *bins)
{
    owners_run_free(&bins->run);
    free(bins->at);
    *bins = (struct owner_bins){0};
}
