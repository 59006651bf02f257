/* cover.c - boxes of writes, counted cell by cell without looking at a cell. */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../exec/region.h"

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
        uint64_t times = step ? step / (uint64_t)region_common_divisor(step, line->step) : 1;
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

static int128 rounded_down(int128 value, int128 divisor)
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

/* The cells of a box with a band whose steps are `row` and `col` modulo `pieces`. False: there are none. */
static bool split_band(const struct cover_box *whole, uint64_t pieces, uint64_t row, uint64_t col,
                       struct cover_box *piece)
{
    int128 shift = (int128)row - (int128)col;
    int128 low = -rounded_down(-(whole->low + shift), (int128)pieces);
    int128 high = rounded_down(whole->high + shift, (int128)pieces);
    *piece = *whole;
    if (row >= whole->row.count || col >= whole->col.count)
        return false;
    piece->row = (struct cover_line){whole->row.first + row * whole->row.step, whole->row.step * pieces,
                                     (whole->row.count - 1 - row) / pieces + 1};
    piece->col = (struct cover_line){whole->col.first + col * whole->col.step, whole->col.step * pieces,
                                     (whole->col.count - 1 - col) / pieces + 1};
    piece->low = (int64_t)low;
    piece->high = (int64_t)high;
    for (unsigned c = 0; c < whole->parts; c++) {
        piece->token[c] += (int64_t)row * whole->by_row[c] + (int64_t)col * whole->by_col[c];
        piece->by_row[c] *= (int64_t)pieces;
        piece->by_col[c] *= (int64_t)pieces;
    }
    return region_band_points(piece->col.count, piece->row.count, low, high) != 0;
}

/* Boxes with bands and smaller steps become several, along rows and columns alike. */
static bool split_bands(struct cover *cover, uint64_t row_step, uint64_t col_step)
{
    size_t count = cover->count;
    for (size_t i = 0; i < count && !cover->too_much; i++) {
        struct cover_box whole = cover->boxes[i], piece;
        uint64_t pieces = row_step / whole.row.step;
        bool first = true;
        if (!whole.banded)
            continue;
        if (col_step / whole.col.step != pieces || pieces > SPLIT_MOST)
            return false;
        for (uint64_t p = 0; p < pieces * pieces; p++) {
            if (!split_band(&whole, pieces, p / pieces, p % pieces, &piece))
                continue;
            if (first)
                cover->boxes[i] = piece;
            else
                cover_add(cover, &piece);
            first = false;
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

/* A piece of the lattice: rows, columns, and how far a column lies from its row. */
struct patch {
    uint64_t row, col, rows, cols;
    int64_t low, high; /* column less row */
};

#define FAR (INT64_C(1) << 62)

static struct patch patch_of(const struct lattice *l, const struct cover_box *box)
{
    struct patch p = {row_of(l, box), col_of(l, box), box->row.count, box->col.count, -FAR, FAR};
    if (box->banded) {
        p.low = (int64_t)p.col - (int64_t)p.row + box->low;
        p.high = (int64_t)p.col - (int64_t)p.row + box->high;
    }
    return p;
}

static uint64_t cells_of(const struct patch *p)
{
    int128 apart = (int128)p->col - (int128)p->row;
    return region_band_points(p->cols, p->rows, p->low - apart, p->high - apart);
}

static bool meet(const struct lattice *l, const struct cover_box *a, const struct cover_box *b)
{
    struct patch p = patch_of(l, a), q = patch_of(l, b), both;
    uint64_t row_end = p.row + p.rows < q.row + q.rows ? p.row + p.rows : q.row + q.rows;
    uint64_t col_end = p.col + p.cols < q.col + q.cols ? p.col + p.cols : q.col + q.cols;
    both.row = p.row > q.row ? p.row : q.row;
    both.col = p.col > q.col ? p.col : q.col;
    both.low = p.low > q.low ? p.low : q.low;
    both.high = p.high < q.high ? p.high : q.high;
    if (row_end <= both.row || col_end <= both.col)
        return false;
    both.rows = row_end - both.row;
    both.cols = col_end - both.col;
    if (!a->banded && !b->banded)
        return true;
    return cells_of(&both) != 0;
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

enum agreement { SAME, DIFFERENT, PARTLY };

static int128 token_at(const struct lattice *l, const struct cover_box *box, unsigned part, uint64_t row,
                       uint64_t col)
{
    return (int128)box->token[part] + (int128)box->by_row[part] * (int128)(row - row_of(l, box)) +
           (int128)box->by_col[part] * (int128)(col - col_of(l, box));
}

/* The corners of a patch; of one with a band, where its sides meet. */
enum { CORNERS = 8 };

static void corners_of(const struct patch *p, uint64_t row[CORNERS], uint64_t col[CORNERS])
{
    int128 rows[] = {p->row, (int128)p->row + p->rows - 1}, cols[] = {p->col, (int128)p->col + p->cols - 1};
    for (int corner = 0; corner < CORNERS; corner++) {
        int128 r = rows[corner & 1], c = cols[corner & 1], side;
        bool upper = corner & 2;
        if (corner < 4) {
            side = upper ? r + p->high : r + p->low;
            c = upper ? (side < cols[1] ? side : cols[1]) : (side > cols[0] ? side : cols[0]);
        } else {
            side = upper ? c - p->low : c - p->high;
            r = upper ? (side < rows[1] ? side : rows[1]) : (side > rows[0] ? side : rows[0]);
        }
        row[corner] = (uint64_t)r;
        col[corner] = (uint64_t)c;
    }
}

/* Do two boxes bring the same to all cells of the patch? Their difference is even: its corners say. */
static enum agreement compare_part(const struct lattice *l, const struct cover_box *a,
                                   const struct cover_box *b, unsigned part, const struct patch *patch)
{
    int128 low = 0, high = 0;
    uint64_t row[CORNERS], col[CORNERS];
    corners_of(patch, row, col);
    for (int corner = 0; corner < CORNERS; corner++) {
        int128 difference =
            token_at(l, a, part, row[corner], col[corner]) - token_at(l, b, part, row[corner], col[corner]);
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
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

enum side { ROWS, COLS, BANDS };

/* Where boxes begin and end, ascending; room for two of each box. Returns how many. */
static size_t edges_of(const struct lattice *l, enum side side, int64_t *edges)
{
    size_t count = 0, unique = 0;
    for (uint64_t i = 0; i < l->count; i++) {
        struct patch p = patch_of(l, box_of(l, i));
        edges[count] = side == ROWS ? (int64_t)p.row : side == COLS ? (int64_t)p.col : p.low;
        edges[count + 1] = side == ROWS   ? (int64_t)(p.row + p.rows)
                           : side == COLS ? (int64_t)(p.col + p.cols)
                                          : p.high + 1;
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
        struct patch p = patch_of(l, box_of(l, i));
        if (patch->row >= p.row && patch->row < p.row + p.rows && patch->col >= p.col &&
            patch->col < p.col + p.cols && patch->low >= p.low && patch->high <= p.high)
            boxes[count++] = box_of(l, i);
    }
    if (!count)
        return true;
    if (!settle(l, boxes, count, patch, &state))
        return false;
    uint64_t row[CORNERS], col[CORNERS];
    corners_of(patch, row, col);
    note(l, state, row[0] * l->row_step + l->at[0].row, col[0] * l->col_step + l->at[0].col, cells_of(patch),
         boxes[0], boxes[count - 1]);
    return true;
}

/* Makes a patch no larger than its cells reach. False: it has none. */
static bool tighten(struct patch *p)
{
    int128 row = p->row, col = p->col, row_end = row + p->rows - 1, col_end = col + p->cols - 1;
    int128 low = p->low > col - row_end ? p->low : col - row_end;
    int128 high = p->high < col_end - row ? p->high : col_end - row;
    int128 first_row = row > col - high ? row : col - high, first_col = col > row + low ? col : row + low;
    if (low > high)
        return false;
    row_end = row_end < col_end - low ? row_end : col_end - low;
    col_end = col_end < row_end + high ? col_end : row_end + high;
    *p = (struct patch){(uint64_t)first_row,
                        (uint64_t)first_col,
                        (uint64_t)(row_end - first_row + 1),
                        (uint64_t)(col_end - first_col + 1),
                        (int64_t)low,
                        (int64_t)high};
    return true;
}

/* Some boxes meet: patch by patch. */
static bool count_meeting(struct lattice *l)
{
    int64_t *edges = memory_take(6 * l->count, sizeof *edges);
    int64_t *rows = edges, *cols = rows + 2 * l->count, *bands = cols + 2 * l->count;
    const struct cover_box **boxes = memory_take(l->count, sizeof *boxes);
    size_t row_count = edges_of(l, ROWS, rows), col_count = edges_of(l, COLS, cols);
    size_t band_count = edges_of(l, BANDS, bands);
    l->work += row_count * col_count * band_count / 2 * l->count;
    bool ok = l->work <= COVER_WORK;
    for (size_t r = 0; ok && r + 1 < row_count; r++)
        for (size_t c = 0; ok && c + 1 < col_count; c++)
            for (size_t b = 0; ok && b + 1 < band_count; b++) {
                struct patch patch = {(uint64_t)rows[r],
                                      (uint64_t)cols[c],
                                      (uint64_t)(rows[r + 1] - rows[r]),
                                      (uint64_t)(cols[c + 1] - cols[c]),
                                      bands[b],
                                      bands[b + 1] - 1};
                if (tighten(&patch))
                    ok = count_patch(l, &patch, boxes);
            }
    free(edges);
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
        struct patch patch = patch_of(l, box);
        if (tighten(&patch))
            note(l, state_alone(box), patch.row * l->row_step + l->at[0].row,
                 patch.col * l->col_step + l->at[0].col, cells_of(&patch), box, box);
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
    if (cover->too_much || !row_step || !col_step || !split_bands(cover, row_step, col_step) ||
        !split(cover, row_step, true) || !split(cover, col_step, false) ||
        !count_all(cover, row_step, col_step))
        return false;
    for (int state = 0; state < CELL_STATES; state++)
        covered += cover->cells[state];
    cover->cells[CELL_MISSING] = rows * cols - covered;
    return covered <= rows * cols;
}

static bool is_on(const struct cover_line *line, uint64_t at, int64_t *steps)
{
    *steps = (int64_t)((at - line->first) / line->step);
    return at >= line->first && (at - line->first) % line->step == 0 &&
           (at - line->first) / line->step < line->count;
}

static bool is_covered(const struct cover *cover, uint64_t row, uint64_t col)
{
    for (size_t i = 0; i < cover->count; i++) {
        const struct cover_box *box = &cover->boxes[i];
        int64_t down, right;
        if (is_on(&box->row, row, &down) && is_on(&box->col, col, &right) &&
            (!box->banded || (right - down >= box->low && right - down <= box->high)))
            return true;
    }
    return false;
}

/* Beside what a box covers, or in a corner: first cells missed begin there. */
bool cover_find_missing(const struct cover *cover, uint64_t *row, uint64_t *col)
{
    enum { TRIES = 256 };
    uint64_t most = cover->count < TRIES ? cover->count : TRIES;
    for (uint64_t i = 0; i <= most; i++)
        for (int corner = 0; corner < 11; corner++) {
            const struct cover_box *box = i ? &cover->boxes[i - 1] : NULL;
            uint64_t rows[] = {box ? box->row.first - 1 : 0, box ? box->row.first : cover->rows / 2,
                               box ? box->row.first + box->row.step * box->row.count : cover->rows - 1};
            uint64_t cols[] = {box ? box->col.first - 1 : 0, box ? box->col.first : cover->cols / 2,
                               box ? box->col.first + box->col.step * box->col.count : cover->cols - 1};
            *row = rows[corner < 9 ? corner / 3 : 1];
            *col = cols[corner < 9 ? corner % 3 : 1];
            if (corner >= 9 && (!box || !box->banded))
                break;
            if (corner == 9)
                *row += box->row.step * (uint64_t)(1 - box->low);
            else if (corner == 10)
                *col += box->col.step * (uint64_t)(1 + box->high);
            if (*row < cover->rows && *col < cover->cols && !is_covered(cover, *row, *col))
                return true;
        }
    return false;
}
