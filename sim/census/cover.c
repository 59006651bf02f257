/* cover.c - boxes of writes, counted cell by cell without looking at a cell. */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

enum { SPLIT_MOST = 256 };
#define COVER_WORK (UINT64_C(1) << 24)

void cover_add(struct cover *cover, const struct cover_box *box)
{
    if (cover->count >= COVER_BOXES) {
        cover->too_much = true;
        return;
    }
    if (cover->count == cover->capacity) {
        cover->capacity = cover->capacity ? 2 * cover->capacity : 1024;
        cover->boxes = memory_resize(cover->boxes, cover->capacity, sizeof *cover->boxes);
    }
    cover->boxes[cover->count++] = *box;
}

void cover_free(struct cover *cover)
{
    free(cover->boxes);
    cover->boxes = NULL;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct cover_line *line_of(struct cover_box *box, bool rows)
{
    return rows ? &box->row : &box->col;
}

/* A step of which all boxes' steps are divisors; the whole length where none has more than one cell. 0: there
 * is no such of a bearable size. */
static uint64_t common_step(struct cover *cover, bool rows)
{
    uint64_t step = 0, length = rows ? cover->rows : cover->cols;
    for (size_t i = 0; i < cover->count; i++) {
        const struct cover_line *line = line_of(&cover->boxes[i], rows);
        if (line->count == 1)
            continue;
        uint64_t times = step ? step / common_divisor(step, line->step) : 1;
        if (times > length / line->step)
            return 0;
        step = times * line->step;
    }
    return step ? step : length;
}

/* Boxes with smaller steps become several. */
static bool split(struct cover *cover, uint64_t step, bool rows)
{
    size_t count = cover->count;
    for (size_t i = 0; i < count && !cover->too_much; i++) {
        struct cover_box whole = cover->boxes[i];
        struct cover_line line = *line_of(&whole, rows);
        uint64_t pieces = line.count > 1 ? step / line.step : 1;
        if (pieces > SPLIT_MOST && line.count > SPLIT_MOST)
            return false;
        for (uint64_t p = 0; p < pieces && p < line.count; p++) {
            struct cover_box piece = whole;
            *line_of(&piece, rows) =
                (struct cover_line){line.first + p * line.step, step, (line.count - 1 - p) / pieces + 1};
            for (unsigned c = 0; c < whole.parts; c++) {
                int64_t *by = rows ? piece.by_row : piece.by_col;
                piece.token[c] += (int64_t)p * by[c];
                by[c] *= (int64_t)pieces;
            }
            if (p)
                cover_add(cover, &piece);
            else
                cover->boxes[i] = piece;
        }
    }
    return !cover->too_much;
}

/* A box among those that its cells may meet: they lie on the same lattice. */
struct place_of_box {
    uint64_t row, col; /* modulo the steps */
    size_t box;
};

static int by_place(const void *a, const void *b)
{
    const struct place_of_box *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return (x->box > y->box) - (x->box < y->box);
}

struct lattice {
    struct cover *cover;
    uint64_t row_step, col_step;
    const struct place_of_box *at; /* boxes */
    size_t count;
    uint64_t work;
};

static const struct cover_box *box_of(const struct lattice *l, uint64_t i)
{
    return &l->cover->boxes[l->at[i].box];
}

static uint64_t row_of(const struct lattice *l, const struct cover_box *box)
{
    return box->row.first / l->row_step;
}

static uint64_t col_of(const struct lattice *l, const struct cover_box *box)
{
    return box->col.first / l->col_step;
}

static bool meet(const struct lattice *l, const struct cover_box *a, const struct cover_box *b)
{
    uint64_t ra = row_of(l, a), rb = row_of(l, b), ca = col_of(l, a), cb = col_of(l, b);
    return ra < rb + b->row.count && rb < ra + a->row.count && ca < cb + b->col.count &&
           cb < ca + a->col.count;
}

static void note(struct lattice *l, enum cell_state state, uint64_t row, uint64_t col, uint64_t cells,
                 const struct cover_box *first, const struct cover_box *other)
{
    struct cover_example *example = &l->cover->examples[state];
    l->cover->cells[state] += cells;
    if (!example->there)
        *example = (struct cover_example){true, row, col, first->source, other->source};
}

static enum cell_state state_alone(const struct cover_box *box)
{
    if (box->turns == 1)
        return box->right ? CELL_RIGHT : CELL_WRONG;
    return box->right ? CELL_RIGHT_TWICE : box->turns_differ ? CELL_DISAGREE : CELL_WRONG_SAME;
}

/* A piece of the lattice that each box covers wholly or not at all. */
struct patch {
    uint64_t row, col, rows, cols;
};

enum agreement { SAME, DIFFERENT, PARTLY };

static int128 token_at(const struct lattice *l, const struct cover_box *box, unsigned part, uint64_t row,
                       uint64_t col)
{
    return (int128)box->token[part] + (int128)box->by_row[part] * (int128)(row - row_of(l, box)) +
           (int128)box->by_col[part] * (int128)(col - col_of(l, box));
}

/* Do two boxes bring the same to all cells of the patch? Their difference is even: its corners say. */
static enum agreement compare_part(const struct lattice *l, const struct cover_box *a,
                                   const struct cover_box *b, unsigned part, const struct patch *patch)
{
    int128 low = 0, high = 0;
    for (int corner = 0; corner < 4; corner++) {
        uint64_t row = patch->row + (corner & 1 ? patch->rows - 1 : 0);
        uint64_t col = patch->col + (corner & 2 ? patch->cols - 1 : 0);
        int128 difference = token_at(l, a, part, row, col) - token_at(l, b, part, row, col);
        low = corner == 0 || difference < low ? difference : low;
        high = corner == 0 || difference > high ? difference : high;
    }
    return low == 0 && high == 0 ? SAME : low > 0 || high < 0 ? DIFFERENT : PARTLY;
}

static enum agreement compare(const struct lattice *l, const struct cover_box *a, const struct cover_box *b,
                              const struct patch *patch)
{
    enum agreement result = SAME;
    if (a->parts != b->parts)
        return DIFFERENT;
    for (unsigned part = 0; part < a->parts; part++) {
        enum agreement own = compare_part(l, a, b, part, patch);
        if (own == DIFFERENT)
            return DIFFERENT;
        result = own == PARTLY ? PARTLY : result;
    }
    return result;
}

/* What comes of the cells of a patch that these boxes cover. False: not the same of all. */
static bool settle(const struct lattice *l, const struct cover_box *const *boxes, uint64_t count,
                   const struct patch *patch, enum cell_state *state)
{
    uint64_t right = 0;
    bool differ = false, partly = false;
    *state = state_alone(boxes[0]);
    for (uint64_t i = 0; i < count; i++) {
        right += boxes[i]->right;
        differ = differ || (boxes[i]->turns > 1 && boxes[i]->turns_differ);
    }
    if (count == 1)
        return true;
    if (right) {
        *state = right == count ? CELL_RIGHT_TWICE : CELL_DISAGREE;
        return true;
    }
    for (uint64_t i = 1; i < count && !differ; i++) {
        enum agreement own = compare(l, boxes[0], boxes[i], patch);
        differ = own == DIFFERENT;
        partly = partly || own == PARTLY;
    }
    *state = differ ? CELL_DISAGREE : CELL_WRONG_SAME;
    return differ || !partly;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Where boxes begin and end, ascending; room for two of each box. Returns how many. */
static size_t edges_of(const struct lattice *l, bool rows, uint64_t *edges)
{
    size_t count = 0, unique = 0;
    for (uint64_t i = 0; i < l->count; i++) {
        const struct cover_box *box = box_of(l, i);
        edges[count] = rows ? row_of(l, box) : col_of(l, box);
        edges[count + 1] = edges[count] + (rows ? box->row.count : box->col.count);
        count += 2;
    }
    qsort(edges, count, sizeof *edges, by_number);
    for (uint64_t i = 0; i < count; i++)
        if (!unique || edges[unique - 1] != edges[i])
            edges[unique++] = edges[i];
    return unique;
}

/* `boxes` has room for all. */
static bool count_patch(struct lattice *l, const struct patch *patch, const struct cover_box **boxes)
{
    uint64_t count = 0;
    enum cell_state state;
    for (uint64_t i = 0; i < l->count; i++) {
        const struct cover_box *box = box_of(l, i);
        uint64_t row = row_of(l, box), col = col_of(l, box);
        if (patch->row >= row && patch->row < row + box->row.count && patch->col >= col &&
            patch->col < col + box->col.count)
            boxes[count++] = box;
    }
    if (!count)
        return true;
    if (!settle(l, boxes, count, patch, &state))
        return false;
    note(l, state, patch->row * l->row_step + l->at[0].row, patch->col * l->col_step + l->at[0].col,
         patch->rows * patch->cols, boxes[0], boxes[count - 1]);
    return true;
}

/* Some boxes meet: patch by patch. */
static bool count_meeting(struct lattice *l)
{
    uint64_t *rows = memory_take(2 * l->count, sizeof *rows), *cols = memory_take(2 * l->count, sizeof *cols);
    const struct cover_box **boxes = memory_take(l->count, sizeof *boxes);
    size_t row_count = edges_of(l, true, rows), col_count = edges_of(l, false, cols);
    l->work += row_count * col_count * l->count;
    bool ok = l->work <= COVER_WORK;
    for (uint64_t r = 0; ok && r + 1 < row_count; r++)
        for (uint64_t c = 0; ok && c + 1 < col_count; c++) {
            struct patch patch = {rows[r], cols[c], rows[r + 1] - rows[r], cols[c + 1] - cols[c]};
            ok = count_patch(l, &patch, boxes);
        }
    free(rows);
    free(cols);
    free(boxes);
    return ok;
}

/* All boxes of one lattice. */
static bool count_lattice(struct lattice *l)
{
    bool any = false;
    l->work += l->count * l->count;
    if (l->work > COVER_WORK)
        return false;
    for (uint64_t i = 0; i < l->count && !any; i++)
        for (uint64_t j = i + 1; j < l->count && !any; j++)
            any = meet(l, box_of(l, i), box_of(l, j));
    if (any)
        return count_meeting(l);
    for (uint64_t i = 0; i < l->count; i++) {
        const struct cover_box *box = box_of(l, i);
        note(l, state_alone(box), box->row.first, box->col.first, box->row.count * box->col.count, box, box);
    }
    return true;
}

static bool count_all(struct cover *cover, uint64_t row_step, uint64_t col_step)
{
    struct place_of_box *at = memory_take(cover->count + 1, sizeof *at);
    struct lattice l = {.cover = cover, .row_step = row_step, .col_step = col_step};
    bool ok = true;
    for (size_t i = 0; i < cover->count; i++)
        at[i] = (struct place_of_box){cover->boxes[i].row.first % row_step,
                                      cover->boxes[i].col.first % col_step, i};
    qsort(at, cover->count, sizeof *at, by_place);
    for (size_t from = 0, to; ok && from < cover->count; from = to) {
        for (to = from; to < cover->count && at[to].row == at[from].row && at[to].col == at[from].col;)
            to++;
        l.at = at + from;
        l.count = to - from;
        ok = count_lattice(&l);
    }
    free(at);
    return ok;
}

bool cover_count(struct cover *cover)
{
    uint64_t rows = cover->rows, cols = cover->cols, covered = 0;
    memset(cover->cells, 0, sizeof cover->cells);
    memset(cover->examples, 0, sizeof cover->examples);
    uint64_t row_step = common_step(cover, true), col_step = common_step(cover, false);
    if (cover->too_much || !row_step || !col_step || !split(cover, row_step, true) ||
        !split(cover, col_step, false) || !count_all(cover, row_step, col_step))
        return false;
    for (int state = 0; state < CELL_STATES; state++)
        covered += cover->cells[state];
    cover->cells[CELL_MISSING] = rows * cols - covered;
    return covered <= rows * cols;
}

static bool is_on(const struct cover_line *line, uint64_t at)
{
    return at >= line->first && (at - line->first) % line->step == 0 &&
           (at - line->first) / line->step < line->count;
}

static bool is_covered(const struct cover *cover, uint64_t row, uint64_t col)
{
    for (size_t i = 0; i < cover->count; i++)
        if (is_on(&cover->boxes[i].row, row) && is_on(&cover->boxes[i].col, col))
            return true;
    return false;
}

/* Beside what a box covers, or in a corner: first cells missed begin there. */
bool cover_find_missing(const struct cover *cover, uint64_t *row, uint64_t *col)
{
    enum { TRIES = 256 };
    uint64_t most = cover->count < TRIES ? cover->count : TRIES;
    for (uint64_t i = 0; i <= most; i++)
        for (int corner = 0; corner < 9; corner++) {
            const struct cover_box *box = i ? &cover->boxes[i - 1] : NULL;
            uint64_t rows[] = {box ? box->row.first - 1 : 0, box ? box->row.first : cover->rows / 2,
                               box ? box->row.first + box->row.step * box->row.count : cover->rows - 1};
            uint64_t cols[] = {box ? box->col.first - 1 : 0, box ? box->col.first : cover->cols / 2,
                               box ? box->col.first + box->col.step * box->col.count : cover->cols - 1};
            *row = rows[corner / 3];
            *col = cols[corner % 3];
            if (*row < cover->rows && *col < cover->cols && !is_covered(cover, *row, *col))
                return true;
        }
    return false;
}
