/* hole.c - missing cells, from sums over boxes: which row first has fewer cells than columns. */
#include "hole.h"

#include <stdlib.h>

#include "../../base/arena.h"

/* Where along an axis boxes begin and end: at + i * step. */
struct edge {
    uint64_t rest, at; /* modulo the step; in steps */
    int64_t cells;     /* so many more from here on */
};

struct scan { /* one axis: sums over the lines that lie on a place of it */
    struct edge *edges;
    size_t count;
    uint64_t step, length;
    int64_t full; /* a place with this sum lacks nothing */
};

static int by_place(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->rest != y->rest)
        return x->rest < y->rest ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void add_line(struct scan *s, const struct cover_line *line, int64_t cells)
{
    uint64_t rest = line->first % s->step, at = line->first / s->step;
    s->edges[s->count++] = (struct edge){rest, at, cells};
    s->edges[s->count++] = (struct edge){rest, at + line->count, -cells};
}

/* The edges of one rest, from `from` on: the first place in it that lacks something; at least `length`: none.
 */
static uint64_t first_short_of(const struct scan *s, size_t from, size_t to)
{
    int64_t sum = 0;
    uint64_t at = 0;
    for (size_t i = from; i < to; i++) {
        if (s->edges[i].at > at && sum < s->full)
            break;
        at = s->edges[i].at;
        sum += s->edges[i].cells;
    }
    return at * s->step + s->edges[from].rest;
}

/* The first place of the axis that lacks something; `length`: none does. */
static uint64_t first_short(struct scan *s)
{
    uint64_t first = s->length, next = 0; /* the smallest rest that no box has so far */
    if (s->count)
        qsort(s->edges, s->count, sizeof *s->edges, by_place);
    for (size_t from = 0, to; from < s->count; from = to) {
        for (to = from; to < s->count && s->edges[to].rest == s->edges[from].rest;)
            to++;
        next += s->edges[from].rest == next;
        uint64_t own = first_short_of(s, from, to);
        first = own < first ? own : first;
    }
    return next < s->step && next < first ? next : first;
}

static bool is_on(const struct cover_line *line, uint64_t at)
{
    return at >= line->first && (at - line->first) % line->step == 0 &&
           (at - line->first) / line->step < line->count;
}

/* How many cells of a row, or of a column, some box has. */
static uint64_t covered(const struct cover *cover, bool rows, uint64_t at)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < cover->count; i++) {
        const struct cover_box *box = &cover->boxes[i];
        if (is_on(rows ? &box->row : &box->col, at))
            sum += (rows ? &box->col : &box->row)->count;
    }
    return sum;
}

static bool is_covered(const struct cover *cover, uint64_t row, uint64_t col)
{
    for (size_t i = 0; i < cover->count; i++)
        if (is_on(&cover->boxes[i].row, row) && is_on(&cover->boxes[i].col, col))
            return true;
    return false;
}

/* The step of all lines with more than one cell: cover_count() made them alike. */
static uint64_t step_of(const struct cover *cover, bool rows)
{
    for (size_t i = 0; i < cover->count; i++) {
        const struct cover_line *line = rows ? &cover->boxes[i].row : &cover->boxes[i].col;
        if (line->count > 1)
            return line->step;
    }
    return rows ? cover->rows : cover->cols;
}

/* Do some of them lie neither in the first nor in the last row or column? */
static bool is_inside(const struct cover *cover)
{
    uint64_t rows[] = {0, cover->rows - 1}, cols[] = {0, cover->cols - 1};
    unsigned row_count = cover->rows > 1 ? 2 : 1, col_count = cover->cols > 1 ? 2 : 1;
    uint64_t border = 0;
    for (unsigned i = 0; i < row_count; i++)
        border += cover->cols - covered(cover, true, rows[i]);
    for (unsigned i = 0; i < col_count; i++)
        border += cover->rows - covered(cover, false, cols[i]);
    for (unsigned i = 0; i < row_count; i++)
        for (unsigned k = 0; k < col_count; k++)
            border -= !is_covered(cover, rows[i], cols[k]);
    return cover->cells[CELL_MISSING] > border;
}

bool hole_of(const struct cover *cover, struct owners_hole *hole)
{
    bool banded = false;
    for (size_t i = 0; i < cover->count; i++)
        banded = banded || cover->boxes[i].banded;
    if (banded || !cover->cells[CELL_MISSING])
        return false;
    struct scan row = {.edges = memory_take(2 * cover->count + 1, sizeof *row.edges),
                       .step = step_of(cover, true),
                       .length = cover->rows,
                       .full = (int64_t)cover->cols};
    struct scan col = {.edges = memory_take(2 * cover->count + 1, sizeof *col.edges),
                       .step = step_of(cover, false),
                       .length = cover->cols,
                       .full = 1};
    for (size_t i = 0; i < cover->count; i++)
        add_line(&row, &cover->boxes[i].row, (int64_t)cover->boxes[i].col.count);
    *hole = (struct owners_hole){.row = first_short(&row)};
    for (size_t i = 0; i < cover->count; i++)
        if (is_on(&cover->boxes[i].row, hole->row))
            add_line(&col, &cover->boxes[i].col, 1);
    hole->col = first_short(&col);
    hole->in_row = cover->cols - covered(cover, true, hole->row);
    hole->in_col = cover->rows - covered(cover, false, hole->col);
    hole->inside = is_inside(cover);
    free(row.edges);
    free(col.edges);
    return true;
}
