/* pane_tile.c - the tile in shared memory: each cell's bank, the padding, and what the access touches. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pane.h"
#include "panes.h"

enum { CARD_COLS = 36, LABEL_COLS = 4 };

struct tile { /* a shared array as rows of cells */
    const struct shared_array *array;
    int buffer;
    int64_t rows, cols, size; /* cells; bytes of one */
    int64_t unpadded;         /* columns before the padding */
};

/* The array that the access touches, or the first one. False if the kernel has none. */
static bool tile_of(const struct side *side, struct tile *tile)
{
    const struct scenario *s = &side->session->scenario;
    const struct program *p = s->program;
    const struct trace_access *at = side_access(side);
    bool shared = at && at->access.site->kind->space == SPACE_SHARED;
    if (!p->shared_count)
        return false;
    tile->buffer = shared && at->access.buffer >= 0 ? at->access.buffer : 0;
    const struct shared_array *array = tile->array = &p->shared[tile->buffer];
    tile->size = (int64_t)type_size(&array->element);
    tile->cols = s->pitch ? (int64_t)s->pitch : BANK_COUNT;
    if (array->type.kind == TYPE_ARRAY && array->type.to->kind == TYPE_ARRAY)
        tile->cols = (int64_t)type_size(array->type.to) / tile->size;
    int64_t bytes = (int64_t)(array->dynamic ? s->launch.dynamic_shared_bytes : array->bytes);
    tile->rows = (bytes / tile->size + tile->cols - 1) / tile->cols;
    tile->unpadded = s->tile && (int64_t)s->tile < tile->cols ? (int64_t)s->tile : tile->cols;
    return tile->rows > 0;
}

static unsigned cell_bank(const struct tile *tile, int64_t row, int64_t col)
{
    return bank_of((int64_t)tile->array->offset + (row * tile->cols + col) * tile->size);
}

static void draw_cell(struct canvas *canvas, const struct rect *area, int row, int col, int width,
                      unsigned bank, enum style style)
{
    if (width == 3)
        canvas_format(canvas, area, row, col, style, "%2u", bank);
    else
        canvas_put(canvas, area, row, col, (uint32_t)pane_digit(bank), style);
    if (width > 1)
        canvas_put(canvas, area, row, col + width - 1, ' ', STYLE_TEXT);
}

/* The first and the last row that some lanes touch. False if none does. */
static bool rows_of(const struct side *side, uint32_t lanes, int64_t *first, int64_t *last)
{
    const struct trace_access *at = side_access(side);
    bool any = false;
    for (unsigned lane = 0; at && lane < LANES; lane++) {
        int64_t row, col;
        if (!(lanes >> lane & 1) || !session_element(side->session, &at->access, lane, &row, &col))
            continue;
        *first = !any || row < *first ? row : *first;
        *last = !any || row > *last ? row : *last;
        any = true;
    }
    return any;
}

/* Where not all rows fit, those shown begin where the access does, or keep the current wavefront in sight. */
static int64_t first_row(const struct side *side, const struct tile *tile, int visible, int scroll)
{
    const struct trace_access *at = side_access(side);
    int64_t top = 0, first, last;
    if (tile->rows <= visible)
        return 0;
    if (at && at->access.site->kind->space == SPACE_SHARED && rows_of(side, at->access.mask, &first, &last)) {
        top = first;
        if (side->part != PART_WHOLE && rows_of(side, side_part_lanes(side), &first, &last) &&
            last >= top + visible)
            top = last - visible / 2;
    }
    top += scroll;
    return top < tile->rows - visible ? top : tile->rows - visible;
}

/* The bank that the access asks most of: its cells are lit all over the tile, a column or a diagonal. -1 if
 * the access is none of shared memory. */
static int busiest_bank(const struct side *side)
{
    const struct trace_access *at = side_access(side);
    unsigned words[BANK_COUNT];
    int most = 0;
    if (!at || at->access.site->kind->space != SPACE_SHARED)
        return -1;
    struct lanes lanes = access_lanes(&at->access);
    bank_words_of(&lanes, words);
    for (int bank = 1; bank < (int)BANK_COUNT; bank++)
        if (words[bank] > words[most])
            most = bank;
    return most;
}

/* The cells that the lanes of the access touch; those of the current part on top. */
static void mark_lanes(struct canvas *canvas, const struct rect *area, const struct side *side,
                       const struct tile *tile, int64_t top, int width)
{
    const struct trace_access *at = side_access(side);
    if (!at || at->access.site->kind->space != SPACE_SHARED || at->access.buffer != tile->buffer)
        return;
    uint32_t part = side->part == PART_WHOLE ? 0 : side_part_lanes(side);
    struct rect cells = rect_part(area, 1, 0, area->rows - 1, area->cols);
    for (int pass = 0; pass < 2; pass++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            int64_t row, col, count = at->access.site->lane_bytes / tile->size;
            if ((part >> lane & 1) != (unsigned)pass ||
                !session_element(side->session, &at->access, lane, &row, &col) || row < top ||
                row - top >= cells.rows || col >= cells.cols)
                continue;
            canvas_restyle(canvas, &cells, (int)(row - top), LABEL_COLS + (int)col * width,
                           (count > 1 ? (int)count : 1) * width - (width > 1),
                           lane == side->lane ? STYLE_CURSOR
                           : pass             ? STYLE_PART
                                              : STYLE_MARK);
        }
}

static int cell_width(const struct tile *tile, int cols)
{
    return tile->cols * 3 + LABEL_COLS <= cols ? 3 : tile->cols * 2 + LABEL_COLS <= cols ? 2 : 1;
}

static void draw_cells(struct canvas *canvas, const struct rect *area, const struct state *state,
                       const struct side *side, const struct tile *tile)
{
    int width = cell_width(tile, area->cols);
    int visible = area->rows - 1, lit = busiest_bank(side);
    int64_t top = first_row(side, tile, visible, state->focus == PANE_TILE ? state->scroll : 0);
    bool padded = tile->unpadded < tile->cols;
    int pad_col = LABEL_COLS + (int)(tile->unpadded < 4096 ? tile->unpadded : 4096) * width;
    canvas_text(canvas, area, 0, 0, STYLE_DIM,
                width == 3 ? "row bank of each cell" : "row bank of each cell, v = 31");
    if (padded)
        canvas_text(canvas, area, 0, pad_col - 4, STYLE_PAD, "pad:");
    for (int row = 0; row < visible && top + row < tile->rows; row++) {
        canvas_format(canvas, area, row + 1, 0, STYLE_DIM, "%3" PRId64, top + row);
        for (int64_t col = 0; col < tile->cols && LABEL_COLS + col * width < area->cols; col++) {
            unsigned bank = cell_bank(tile, top + row, col);
            enum style style = (int)bank == lit ? STYLE_GROUP : STYLE_DIM;
            draw_cell(canvas, area, row + 1, LABEL_COLS + (int)col * width, width, bank,
                      col >= tile->unpadded ? STYLE_PAD : style);
        }
    }
    mark_lanes(canvas, area, side, tile, top, width);
}

/* What the pane shows: the tile's cells, the access as a card, or both. */
struct showing {
    bool cells, lanes, waves;
};

static struct showing showing_of(const struct state *state, const struct side *side, const struct tile *tile,
                                 const struct rect *inside)
{
    const struct trace_access *at = side_access(side);
    bool rests = !at || at->access.site->kind->space != SPACE_SHARED; /* the tile has nothing to show then */
    bool both = tile->array && tile->cols + LABEL_COLS + 2 + CARD_COLS <= inside->cols;
    if (state->tile_view == TILE_WAVES)
        return (struct showing){.waves = true};
    if (state->tile_view == TILE_CARD || !tile->array)
        return (struct showing){.lanes = true};
    return (struct showing){.cells = both || !rests || !at, .lanes = both || (rests && at)};
}

static void draw_title(char *title, size_t size, const struct side *side, const struct tile *tile,
                       const struct showing *showing)
{
    const struct trace_access *at = side_access(side);
    bool shared = at && at->access.site->kind->space == SPACE_SHARED;
    int used = 0;
    if (showing->cells && side->part != PART_WHOLE)
        used = snprintf(title, size, "%s", tile->array->name);
    else if (showing->cells)
        used = snprintf(title, size, "%s %" PRId64 "x%" PRId64 ", pitch %" PRId64, tile->array->name,
                        tile->rows, tile->unpadded, tile->cols);
    else
        used = snprintf(title, size, "%s", shared ? "access: banks" : "access: sectors");
    if (at && side->part != PART_WHOLE)
        (void)snprintf(title + used, size - (size_t)used, ": %s %d of %u", shared ? "wavefront" : "sector",
                       side->part + 1, access_parts(at));
    else if (!showing->cells)
        (void)snprintf(title + used, size - (size_t)used, ", %s",
                       showing->waves ? "one after another" : "lane by lane");
}

/* The last two lines: what the banks serve, or what the sectors come to. */
static void draw_cost(struct canvas *canvas, const struct rect *inside, const struct side *side)
{
    const struct trace_access *at = side_access(side);
    if (at && at->access.site->kind->space == SPACE_SHARED)
        card_banks(canvas, inside, side);
    else if (at)
        canvas_format(canvas, inside, inside->rows - 1, 0, pane_cost_style(at->cost.units, at->cost.ideal),
                      "global: %u sector%s, ideal %u", at->cost.units, at->cost.units == 1 ? "" : "s",
                      at->cost.ideal);
}

void pane_tile(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    struct tile tile = {0};
    char title[160];
    if (!tile_of(side, &tile))
        tile.array = NULL;
    if (state->tile_view == TILE_LAUNCH && tile.array) {
        const struct launch_tile whole = {tile.buffer, tile.rows, tile.cols};
        (void)snprintf(title, sizeof title, "%s: cells and banks in the launch", tile.array->name);
        struct rect box = pane_frame(canvas, area, state, index, PANE_TILE, title);
        pane_launch(canvas, &box, state, index, &whole);
        return;
    }
    struct rect bare = rect_part(area, 1, 1, area->rows - 2, area->cols - 2);
    struct showing showing = showing_of(state, side, &tile, &bare);
    draw_title(title, sizeof title, side, &tile, &showing);
    struct rect inside = pane_frame(canvas, area, state, index, PANE_TILE, title);
    int scroll = state->focus == PANE_TILE ? state->scroll : 0;
    int lines = inside.rows - card_strip_rows(side, inside.rows) - 1;
    struct rect upper = rect_part(&inside, 0, 0, lines + 1, inside.cols), cells = upper, card = upper;
    if (showing.cells && showing.lanes) {
        cells = rect_part(&upper, 0, 0, upper.rows, upper.cols - CARD_COLS - 1);
        card = rect_part(&upper, 0, upper.cols - CARD_COLS, upper.rows, CARD_COLS);
    }
    if (showing.waves)
        card_waves(canvas, &upper, side, scroll);
    if (showing.lanes)
        card_lanes(canvas, &card, side, scroll);
    if (showing.lanes && !showing.cells && side_access(side))
        pane_range(canvas, area, "lanes", card_top(side, scroll, lines), lines, LANES);
    if (showing.cells) {
        draw_cells(canvas, &cells, state, side, &tile);
        pane_range(canvas, area, "rows", first_row(side, &tile, lines, scroll), lines, tile.rows);
    }
    draw_cost(canvas, &inside, side);
}

/* Of several lanes at a cell the first. */
static int lane_of_cell(const struct side *side, const struct tile *tile, int64_t row, int64_t col)
{
    const struct trace_access *at = side_access(side);
    int64_t count = at->access.site->lane_bytes / tile->size, r, c;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (session_element(side->session, &at->access, lane, &r, &c) && r == row && col >= c &&
            col < c + (count > 1 ? count : 1))
            return (int)lane;
    return -1;
}

int pane_tile_lane_at(const struct rect *area, const struct state *state, int index, int row, int col)
{
    const struct side *side = &state->side[index];
    const struct trace_access *at = side_access(side);
    struct tile tile = {0};
    if (!tile_of(side, &tile))
        tile.array = NULL;
    struct rect inside = rect_part(area, 1, 1, area->rows - 2, area->cols - 2);
    struct showing showing = showing_of(state, side, &tile, &inside);
    int scroll = state->focus == PANE_TILE ? state->scroll : 0, line = row - inside.row - 1;
    int lines = inside.rows - card_strip_rows(side, inside.rows) - 1;
    bool in_card = showing.lanes && (!showing.cells || col >= inside.col + inside.cols - CARD_COLS);
    if (!at || line < 0 || line >= lines)
        return -1;
    if (in_card) {
        int lane = line + card_top(side, scroll, lines);
        return lane < LANES ? lane : -1;
    }
    int cols = showing.lanes ? inside.cols - CARD_COLS - 1 : inside.cols, width = cell_width(&tile, cols);
    if (!showing.cells || at->access.site->kind->space != SPACE_SHARED || at->access.buffer != tile.buffer ||
        col < inside.col + LABEL_COLS)
        return -1;
    return lane_of_cell(side, &tile, first_row(side, &tile, lines, scroll) + line,
                        (col - inside.col - LABEL_COLS) / width);
}
