#include "heatmap.h"

#include <stdlib.h>
#include <string.h>

static const unsigned ratio_quarters[HEAT_LEVELS - 1] = {4, 5, 8, 16, 32}; /* 1x, 1.25x, 2x, 4x, 8x */
static const unsigned sectors_most[HEAT_LEVELS] = {1, 4, 8, 16, LANES - 1, LANES};

unsigned heat_ratio_level(uint64_t cost, uint64_t ideal)
{
    unsigned level = 0;
    while (level < HEAT_LEVELS - 1 && 4 * cost > ratio_quarters[level] * ideal)
        level++;
    return level;
}

double heat_ratio_most(unsigned level)
{
    return ratio_quarters[level] / 4.0;
}

unsigned heat_sectors_level(uint64_t sectors, uint64_t requests)
{
    unsigned level = 0;
    while (level < HEAT_LEVELS - 1 && sectors > sectors_most[level] * requests)
        level++;
    return level;
}

unsigned heat_sectors_most(unsigned level)
{
    return sectors_most[level];
}

static int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A scale of at least `least` at which tiles begin and end with pieces. */
static int64_t fitting_scale(int64_t least, int64_t tile)
{
    if (tile < 1)
        return least;
    if (least > tile)
        return ceiling(least, tile) * tile;
    while (tile % least)
        least++;
    return least;
}

static int64_t zoomed_scale(int64_t scale, int64_t tile, unsigned zoom)
{
    for (; zoom && scale > 1; zoom--) {
        scale = (scale + 1) / 2;
        if (tile > 0 && scale >= tile)
            scale -= scale % tile;
        while (tile > 0 && scale < tile && tile % scale)
            scale--;
    }
    return scale;
}

/* The first element shown of `length` elements when `cells` pieces fit and `middle` should be among them. */
static int64_t first_shown(int64_t length, int64_t scale, int64_t cells, int64_t middle)
{
    int64_t all = ceiling(length, scale), first = middle / scale - cells / 2;
    first = smaller(first, all - cells);
    return larger(first, 0) * scale;
}

static void place_view(struct map_geometry *geometry, struct map_view *view, int rows, int cols,
                       const struct box *box)
{
    int64_t scale = geometry->scale;
    view->cell_rows = (int)smaller(rows, ceiling(view->rows, scale));
    view->cell_cols = (int)smaller(cols, ceiling(view->cols, scale));
    view->row0 = first_shown(view->rows, scale, view->cell_rows, (box->row0 + box->row1) / 2);
    view->col0 = first_shown(view->cols, scale, view->cell_cols, (box->col0 + box->col1) / 2);
    geometry->is_zoomed =
        geometry->is_zoomed || view->cell_rows * scale < view->rows || view->cell_cols * scale < view->cols;
}

struct map_geometry map_geometry_of(const struct session *session, int rows, int cols, unsigned zoom)
{
    const struct scenario *s = &session->scenario;
    struct map_geometry g = {.char_cols = 1, .scale = 1};
    struct map_view *source = &g.view[MAP_SOURCE], *target = &g.view[MAP_TARGET];
    source->rows = s->rows;
    source->cols = s->cols;
    target->rows = scenario_out_rows(s);
    target->cols = scenario_out_cols(s);
    if (rows < 1 || cols < 1)
        return g;
    int64_t most_rows = larger(source->rows, target->rows), most_cols = larger(source->cols, target->cols);
    int64_t tile = (int64_t)s->tile;
    int64_t least = larger(ceiling(most_rows, rows), ceiling(most_cols, cols));
    g.scale = zoomed_scale(fitting_scale(larger(least, 1), tile), tile, zoom);
    /* a piece two columns wide looks square; taken where it does not cost resolution */
    if (ceiling(most_cols, g.scale) * 2 <= cols)
        g.char_cols = 2;
    place_view(&g, source, rows, cols / g.char_cols, &session->trace.source);
    place_view(&g, target, rows, cols / g.char_cols, &session->trace.target);
    return g;
}

bool map_cell_of(const struct map_geometry *geometry, int map, int64_t row, int64_t col, int *cell_row,
                 int *cell_col)
{
    const struct map_view *view = &geometry->view[map];
    if (row < view->row0 || col < view->col0 || row >= view->rows || col >= view->cols)
        return false;
    int64_t r = (row - view->row0) / geometry->scale, c = (col - view->col0) / geometry->scale;
    if (r >= view->cell_rows || c >= view->cell_cols)
        return false;
    *cell_row = (int)r;
    *cell_col = (int)c;
    return true;
}

/* How many of `grid` blocks over `length` elements lie wholly before `element`, rounded down. Elements are at
 * most 2^31 - 1, so the product stays below 2^63. */
static uint64_t blocks_before(int64_t element, int64_t length, uint32_t grid)
{
    return (uint64_t)element * grid / (uint64_t)length;
}

/* The blocks of one direction that lie where the views look, and how many of them to run. Both matrices are
 * shown around the same block, so the wider of the two views decides. */
static void plan(struct heatmap *map, int direction, uint32_t grid, int64_t length, int64_t middle, int cells)
{
    int64_t span = larger(map->geometry.scale * cells, 1);
    int64_t first = 0, last = length;
    if (map->geometry.is_zoomed) {
        first = smaller(larger(middle - span, 0), length);
        last = larger(smaller(middle + span, length), 0);
    }
    uint64_t low = blocks_before(first, length, grid), high = blocks_before(last, length, grid) + 1;
    high = high > grid ? grid : high;
    low = low >= high ? high - 1 : low;
    map->first[direction] = low;
    map->count[direction] = high - low;
    uint64_t most = (uint64_t)(map->geometry.is_zoomed ? 2 * cells : cells);
    map->samples[direction] = high - low < most ? high - low : most;
}

void heatmap_init(struct heatmap *map, const struct session *session, const struct map_geometry *geometry)
{
    const struct scenario *s = &session->scenario;
    const struct box *box = &session->trace.source;
    struct problem problem = {0};
    *map = (struct heatmap){.geometry = *geometry};
    int most = 1;
    for (int i = 0; i < MAP_COUNT; i++) {
        const struct map_view *view = &geometry->view[i];
        map->cells[i] = memory_take((size_t)(view->cell_rows * view->cell_cols) + 1, sizeof *map->cells[i]);
        most = view->cell_rows > most ? view->cell_rows : most;
        most = view->cell_cols > most ? view->cell_cols : most;
    }
    plan(map, 0, s->launch.grid[0], s->cols, (box->col0 + box->col1) / 2, most);
    plan(map, 1, s->launch.grid[1], s->rows, (box->row0 + box->row1) / 2, most);
    map->sampled =
        map->samples[0] < map->count[0] || map->samples[1] < map->count[1] || s->launch.grid[2] > 1;
    map->execution = execution_new(s->program, &s->launch, false, &problem);
    map->failed = !map->execution;
}

void heatmap_free(struct heatmap *map)
{
    for (int i = 0; i < MAP_COUNT; i++)
        free(map->cells[i]);
    execution_free(map->execution);
    *map = (struct heatmap){0};
}

struct heat_sink {
    struct heatmap *map;
    const struct session *session;
};

static void take_access(void *self, const struct access *access)
{
    struct heat_sink *sink = self;
    const struct scenario *s = &sink->session->scenario;
    bool stores = access->site->kind->writes;
    int which = stores ? MAP_TARGET : MAP_SOURCE;
    if (access->site->kind->space == SPACE_SHARED) {
        struct access_cost shared = access_cost_of(access);
        sink->map->wavefronts += shared.units;
        sink->map->wave_ideal += shared.ideal;
        return;
    }
    if (access->site->kind->space != SPACE_GLOBAL || access->buffer != (stores ? s->out : s->in))
        return;
    struct access_cost cost = access_cost_of(access);
    struct heat_cell *seen[LANES] = {NULL};
    unsigned count = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t row, col;
        int r, c;
        if (!session_element(sink->session, access, lane, &row, &col) ||
            !map_cell_of(&sink->map->geometry, which, row, col, &r, &c))
            continue;
        struct heat_cell *cell = &sink->map->cells[which][r * sink->map->geometry.view[which].cell_cols + c];
        unsigned i = 0;
        while (i < count && seen[i] != cell)
            i++;
        if (i < count)
            continue;
        seen[count++] = cell;
        cell->requests++;
        cell->block = sink->map->done + 1;
        cell->sectors += cost.units;
        cell->ideal += cost.ideal;
    }
}

/* What the block took in shared memory, on each piece that it touched. */
static void share_wavefronts(struct heatmap *map)
{
    for (int which = 0; which < MAP_COUNT; which++) {
        const struct map_view *view = &map->geometry.view[which];
        for (int i = 0; i < view->cell_rows * view->cell_cols; i++) {
            struct heat_cell *cell = &map->cells[which][i];
            if (cell->block != map->done + 1)
                continue;
            cell->wavefronts += map->wavefronts;
            cell->wave_ideal += map->wave_ideal;
        }
    }
}

bool heatmap_is_done(const struct heatmap *map)
{
    return map->failed || map->done == map->samples[0] * map->samples[1];
}

bool heatmap_advance(struct heatmap *map, const struct session *session, unsigned blocks)
{
    struct heat_sink self = {map, session};
    struct sink sink = {.self = &self, .access = take_access};
    for (; blocks && !heatmap_is_done(map); blocks--, map->done++) {
        struct problem problem = {0};
        uint64_t x = map->done % map->samples[0], y = map->done / map->samples[0];
        uint32_t block[3] = {(uint32_t)(map->first[0] + x * map->count[0] / map->samples[0]),
                             (uint32_t)(map->first[1] + y * map->count[1] / map->samples[1]), 0};
        map->wavefronts = map->wave_ideal = 0;
        if (!execution_run_block(map->execution, block, &sink, &problem))
            map->failed = true;
        if (map->wavefronts)
            share_wavefronts(map);
    }
    return !heatmap_is_done(map);
}

const struct heat_cell *heatmap_at(const struct heatmap *map, int which, int row, int col)
{
    return &map->cells[which][row * map->geometry.view[which].cell_cols + col];
}
