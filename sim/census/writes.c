/* writes.c - stores to boxes of cells. */
#include "writes.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

void writes_init(struct writes *writes, const struct owners_task *task, bool flat)
{
    uint64_t rows = task_out_rows(task), cols = task_out_cols(task);
    *writes = (struct writes){.task = task, .flat = flat};
    writes->cover.rows = flat ? 1 : rows;
    writes->cover.cols = flat ? rows * cols : cols;
}

void writes_free(struct writes *writes)
{
    cover_free(&writes->cover);
    free(writes->groups);
    free(writes->writes);
}

static int64_t times_count(const struct axis *axis, int64_t slope)
{
    return axis->count > 1 ? slope : 0;
}

/* A slope in cells, taken apart into whole rows and the rest. */
static void part_slope(const struct writes *w, const struct motion *motion, struct slope *row,
                       struct slope *col)
{
    int64_t width = (int64_t)w->cover.cols, bytes = w->task->elem_bytes;
    for (int k = 0; k < AXES; k++) {
        int64_t cells = times_count(&motion->region->axis[k], motion->address.at[k]) / bytes;
        row->at[k] = cells / width;
        col->at[k] = cells % width;
    }
}

static void cut(struct region *region, const struct slope *slope, int128 down, int128 up)
{
    int128 rising[AXES], falling[AXES];
    for (int k = 0; k < AXES; k++) {
        rising[k] = slope->at[k];
        falling[k] = -(int128)slope->at[k];
    }
    region_cut(region, rising, up);
    region_cut(region, falling, -down);
}

/* Slopes of what should arrive and of what does; the latter of a lane that may be still. */
static int128 slope_of_error(const struct writes *w, const struct motion *motion, const struct slope *row,
                             const struct slope *col, unsigned c, unsigned lane, int k)
{
    int64_t width = (int64_t)w->cover.cols;
    int128 cells = w->task->is_copy ? (int128)row->at[k] * width + col->at[k]
                                    : (int128)col->at[k] * w->task->cols + row->at[k];
    int128 comes =
        motion->still[c] >> lane & 1 ? 0 : times_count(&motion->region->axis[k], motion->data[c].at[k]);
    return comes - cells * w->task->elem_bytes;
}

/* What arrives is either what should at each block, or at none. */
static void narrow_values(const struct writes *w, const struct access *access, struct region *region,
                          unsigned lane, const struct cell_write *write, const struct slope *row,
                          const struct slope *col)
{
    unsigned bytes = access->site->lane_bytes / access->site->components;
    int64_t should = data_token((unsigned)w->task->in, task_expected(w->task, write->cell));
    for (unsigned i = 0; i < write->parts; i++) {
        unsigned c = write->first + i;
        int128 error = (int128)data_at(&access->data[c], lane) - should - (int64_t)(i * bytes);
        int128 rising[AXES], falling[AXES];
        for (int k = 0; k < AXES; k++) {
            rising[k] = slope_of_error(w, access->motion, row, col, c, lane, k);
            falling[k] = -rising[k];
        }
        if (error <= 0)
            region_cut(region, rising, error == 0 ? 0 : -1 - error);
        if (error >= 0)
            region_cut(region, falling, error == 0 ? 0 : error - 1);
    }
}

/* Do two axes that move one line make an even one of it? */
static bool are_even(const struct axis *a, int64_t x, const struct axis *b, int64_t y)
{
    return llabs(x) == llabs(y) * (int64_t)b->count || llabs(y) == llabs(x) * (int64_t)a->count;
}

/* One block along axes that move rows and columns at once, or two that do not lie evenly. */
static void straighten(struct region *region, const struct slope *row, const struct slope *col)
{
    for (int k = 0; k < AXES; k++)
        if (row->at[k] && col->at[k])
            region_keep_one(region, k);
    for (int k = 0; k < AXES; k++)
        for (int j = 0; j < k; j++) {
            struct axis *a = &region->axis[k], *b = &region->axis[j];
            bool rows = row->at[k] && row->at[j] && !are_even(a, row->at[k], b, row->at[j]);
            bool cols = col->at[k] && col->at[j] && !are_even(a, col->at[k], b, col->at[j]);
            if (a->count > 1 && b->count > 1 && (rows || cols))
                region_keep_one(region, a->count < b->count ? k : j);
        }
}

void writes_narrow(const struct writes *w, const struct access *access, struct region *region)
{
    int64_t width = (int64_t)w->cover.cols, bytes = w->task->elem_bytes;
    struct slope row, col;
    if (!task_is_output(w->task, access))
        return;
    for (int k = 0; k < AXES; k++)
        if (times_count(&region->axis[k], access->motion->address.at[k]) % bytes)
            region_keep_one(region, k);
    part_slope(w, access->motion, &row, &col);
    if (!w->flat) { /* that is given up at once, and tried again by rows */
        straighten(region, &row, &col);
        part_slope(w, access->motion, &row, &col);
    }
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct cell_write writes[CELL_WRITES];
        unsigned count = cell_writes_of(w->task, access, lane, writes);
        for (unsigned i = 0; i < count; i++) {
            int64_t at = (int64_t)(writes[i].cell % (uint64_t)width);
            cut(region, &col, -(int128)at, (int128)width - 1 - at);
            narrow_values(w, access, region, lane, &writes[i], &row, &col);
        }
    }
}

/* How an axis moves a write along its row or its column, forwards. */
struct stride {
    uint64_t step, count;
    int64_t by[4]; /* what each step brings more */
};

/* One axis more for a line, if the line stays even, and what it brings too. */
static bool extend(struct cover_line *line, int64_t by[4], const struct stride *s, unsigned parts)
{
    bool is_outer = s->step == line->step * line->count, is_inner = line->step == s->step * s->count;
    for (unsigned i = 0; i < parts && line->count > 1; i++)
        if (is_outer ? s->by[i] != by[i] * (int64_t)line->count : by[i] != s->by[i] * (int64_t)s->count)
            return false;
    if (line->count > 1 && is_outer) {
        line->count *= s->count;
        return true;
    }
    if (line->count > 1 && !is_inner)
        return false;
    line->step = s->step;
    line->count *= s->count;
    memcpy(by, s->by, sizeof s->by);
    return true;
}

/* The stride of axis k. Backwards the box begins at its end. */
static struct stride stride_of(const struct access *access, const struct cell_write *write, unsigned lane,
                               int k, int64_t slope, struct cover_line *line, struct cover_box *box)
{
    const struct motion *m = access->motion;
    int64_t count = m->region->axis[k].count;
    struct stride s = {.step = (uint64_t)llabs(slope), .count = (uint64_t)count};
    for (unsigned i = 0; i < write->parts; i++) {
        unsigned c = write->first + i;
        s.by[i] = m->still[c] >> lane & 1 ? 0 : m->data[c].at[k];
        box->token[i] += slope < 0 ? s.by[i] * (count - 1) : 0;
        s.by[i] = slope < 0 ? -s.by[i] : s.by[i];
    }
    if (slope < 0)
        line->first -= s.step * (s.count - 1);
    return s;
}

static const char why_diagonal[] = "this store moves along rows and columns at once";
static const char why_uneven[] = "the cells of this store do not lie evenly";

/* Where the region has a band the box has one: of two axes of which one moves rows and the other columns. */
static const char *band_box(const struct region *r, const struct slope *row, const struct slope *col,
                            struct cover_box *box)
{
    int a = r->band.a, b = r->band.b, c = AXES - a - b;
    bool third = r->axis[c].count > 1 && (row->at[c] || col->at[c]);
    if (!third && col->at[a] > 0 && row->at[b] > 0 && !row->at[a] && !col->at[b]) {
        box->low = r->band.low;
        box->high = r->band.high;
    } else if (!third && row->at[a] > 0 && col->at[b] > 0 && !col->at[a] && !row->at[b]) {
        box->low = -r->band.high;
        box->high = -r->band.low;
    } else {
        return why_uneven;
    }
    box->banded = true;
    return NULL;
}

/* The box of one write. NULL, or why there is none. */
static const char *box_of(const struct access *access, const struct cell_write *write, unsigned lane,
                          const struct slope *row, const struct slope *col, struct cover_box *box)
{
    const struct motion *m = access->motion;
    for (int k = 0; k < AXES; k++) {
        uint64_t count = m->region->axis[k].count;
        if (count == 1)
            continue;
        if (row->at[k] && col->at[k])
            return why_diagonal;
        if (!row->at[k] && !col->at[k]) {
            box->turns *= count;
            for (unsigned i = 0; i < write->parts; i++)
                box->turns_differ = box->turns_differ || (!(m->still[write->first + i] >> lane & 1) &&
                                                          m->data[write->first + i].at[k]);
            continue;
        }
        bool rows = row->at[k] != 0;
        int64_t slope = rows ? row->at[k] : col->at[k];
        struct cover_line *line = rows ? &box->row : &box->col;
        struct stride stride = stride_of(access, write, lane, k, slope, line, box);
        if (!extend(line, rows ? box->by_row : box->by_col, &stride, write->parts))
            return why_uneven;
    }
    return region_is_banded(m->region) ? band_box(m->region, row, col, box) : NULL;
}

static struct write_group *add_group(struct writes *w, const struct access *access)
{
    if (w->group_count == w->group_capacity) {
        w->group_capacity = w->group_capacity ? 2 * w->group_capacity : 64;
        w->groups = memory_resize(w->groups, w->group_capacity, sizeof *w->groups);
    }
    struct write_group *group = &w->groups[w->group_count++];
    *group = (struct write_group){
        .region = *access->motion->region, .warp = access->warp, .step = access->step, .site = access->site};
    part_slope(w, access->motion, &group->row, &group->col);
    return group;
}

static void add_write(struct writes *w, const struct access *access, unsigned lane,
                      const struct cell_write *write, const struct write_group *group)
{
    uint64_t width = w->cover.cols;
    struct cover_box box = {.row = {write->cell / width, 1, 1},
                            .col = {write->cell % width, 1, 1},
                            .turns = 1,
                            .right = write->right,
                            .parts = write->parts,
                            .source = (uint32_t)w->write_count};
    for (unsigned i = 0; i < write->parts; i++)
        box.token[i] = data_at(&access->data[write->first + i], lane);
    int64_t token = box.token[0];
    const char *why = box_of(access, write, lane, &group->row, &group->col, &box);
    if (box.row.first >= w->cover.rows)
        why = why_uneven;
    if (why || w->cover.too_much) {
        w->why = why ? why : "there are too many of these stores";
        return;
    }
    cover_add(&w->cover, &box);
    if (w->write_count == w->write_capacity) {
        w->write_capacity = w->write_capacity ? 2 * w->write_capacity : 1024;
        w->writes = memory_resize(w->writes, w->write_capacity, sizeof *w->writes);
    }
    w->writes[w->write_count++] = (struct write){.group = (uint32_t)(w->group_count - 1),
                                                 .lane = (uint8_t)lane,
                                                 .part = (uint8_t)write->first,
                                                 .row = write->cell / width,
                                                 .col = write->cell % width,
                                                 .token = token};
}

void writes_access(struct writes *w, const struct access *access)
{
    if (!task_is_output(w->task, access) || w->why)
        return;
    if (access->site->kind->op == ACCESS_ATOMIC) {
        w->why = "this updates the output by atomics";
        return;
    }
    const struct write_group *group = add_group(w, access);
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes && !w->why; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct cell_write writes[CELL_WRITES];
        unsigned count = cell_writes_of(w->task, access, lane, writes);
        for (unsigned i = 0; i < count && !w->why; i++)
            add_write(w, access, lane, &writes[i], group);
    }
}

/* As many steps along an axis as a distance has, at most the axis's. */
static int64_t steps_along(int64_t slope, uint32_t count, int64_t *distance)
{
    int64_t steps = slope ? *distance / slope : 0;
    steps = steps < 0 ? 0 : steps >= (int64_t)count ? (int64_t)count - 1 : steps;
    *distance -= steps * slope;
    return steps;
}

bool writes_find_block(const struct writes *w, const struct write *write, uint64_t row, uint64_t col,
                       uint32_t block[3], int64_t along[AXES])
{
    const struct write_group *group = &w->groups[write->group];
    int64_t down = (int64_t)row - (int64_t)write->row, right = (int64_t)col - (int64_t)write->col;
    bool done[AXES] = {false};
    for (int turn = 0; turn < AXES; turn++) { /* the longest steps first */
        int k = -1;
        for (int i = 0; i < AXES; i++) {
            int64_t own = llabs(group->row.at[i]) + llabs(group->col.at[i]);
            if (!done[i] && (k < 0 || own > llabs(group->row.at[k]) + llabs(group->col.at[k])))
                k = i;
        }
        const struct axis *axis = &group->region.axis[k];
        done[k] = true;
        along[k] = group->row.at[k] ? steps_along(group->row.at[k], axis->count, &down)
                                    : steps_along(group->col.at[k], axis->count, &right);
        block[k] = axis->first + (uint32_t)along[k] * axis->step;
    }
    return down == 0 && right == 0;
}
