/* pane_launch.c - in the tile's pane: what the launch takes of each cell of the shared array and of each
 * bank.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>

#include "../../base/arena.h"
#include "palette.h"
#include "pane.h"
#include "panes.h"

enum { LABEL_COLS = 4, BAR_ROWS = 5, CELLS_MOST = 1 << 20 };

/* One bar a bank, the highest as high as there is room. */
static void draw_bars(struct canvas *canvas, const struct rect *area, const struct conflict_banks *banks)
{
    uint64_t most = 0, extra = 0, turns = 0;
    char text[32], other[32];
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        most = banks->turns[bank] > most ? banks->turns[bank] : most;
        extra += banks->extra[bank];
        turns += banks->turns[bank];
    }
    int width = area->cols >= LABEL_COLS + 64 ? 2 : 1, bars = area->rows - 2;
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        int col = LABEL_COLS + (int)bank * width;
        int high = most ? (int)((double)banks->turns[bank] / (double)most * bars + 0.5) : 0;
        high = banks->turns[bank] && !high ? 1 : high;
        unsigned level = heat_ratio_level(banks->turns[bank], banks->turns[bank] - banks->extra[bank]);
        for (int i = 0; i < high; i++)
            canvas_put(canvas, area, bars - i, col, 0x2588, STYLE_HEAT + level);
        canvas_put(canvas, area, bars + 1, col, (uint32_t)pane_digit(bank), STYLE_DIM);
    }
    canvas_text(canvas, area, bars + 1, 0, STYLE_DIM, "bk");
    pane_count(text, sizeof text, turns, 12);
    pane_count(other, sizeof other, extra, 12);
    int col = canvas_format(canvas, area, 0, 0, STYLE_DIM, "words a bank hands out: ");
    col += canvas_text(canvas, area, 0, col, STYLE_VALUE, text);
    col += canvas_text(canvas, area, 0, col, STYLE_DIM, ", had to wait: ");
    canvas_text(canvas, area, 0, col, extra ? STYLE_BAD : STYLE_GOOD, other);
}

static void draw_cells(struct canvas *canvas, const struct rect *area, const struct conflict_cell *cells,
                       int64_t rows, int64_t cols, int64_t top)
{
    int width = LABEL_COLS + 2 * cols <= area->cols ? 2 : 1;
    for (int row = 0; row < area->rows && top + row < rows; row++) {
        canvas_format(canvas, area, row, 0, STYLE_DIM, "%3" PRId64, top + row);
        for (int64_t col = 0; col < cols && LABEL_COLS + col * width < area->cols; col++) {
            const struct conflict_cell *cell = &cells[(top + row) * cols + col];
            unsigned level = heat_ratio_level(cell->units, cell->ideal);
            for (int i = 0; i < width; i++)
                canvas_put(canvas, area, row, LABEL_COLS + (int)col * width + i,
                           cell->requests ? palette_heat_glyph(level) : ' ', STYLE_HEAT + level);
        }
    }
}

static void draw_extent(struct canvas *canvas, const struct rect *area, const struct conflicts *conflicts)
{
    char run[32], all[32];
    int col = canvas_text(canvas, area, 0, 0, STYLE_DIM, "wavefronts to ideal");
    for (unsigned level = 0; level < HEAT_LEVELS; level++) {
        canvas_put(canvas, area, 0, col + 1, palette_heat_glyph(level), STYLE_HEAT + level);
        col += 2 + (level == HEAT_LEVELS - 1
                        ? canvas_text(canvas, area, 0, col + 2, STYLE_TEXT, "more")
                        : canvas_format(canvas, area, 0, col + 2, STYLE_TEXT, "%gx", heat_ratio_most(level)));
    }
    pane_count(run, sizeof run, conflicts->done, 14);
    pane_count(all, sizeof all, conflicts->session->blocks, 14);
    if (conflicts->done < conflicts->session->blocks)
        canvas_format(canvas, area, 0, col, STYLE_WARN, "  %s of %s blocks", run, all);
}

void pane_launch(struct canvas *canvas, const struct rect *inside, const struct state *state, int index,
                 const struct launch_tile *tile)
{
    const struct side *side = &state->side[index];
    struct conflict_banks banks;
    size_t count = (size_t)(tile->rows * tile->cols);
    if (!side->has_conflicts || count > CELLS_MOST)
        return;
    struct conflict_cell *cells = memory_take(count + 1, sizeof *cells);
    conflicts_sum(&side->conflicts, tile->buffer, &banks, cells, count);
    int bars = inside->rows >= 24 ? BAR_ROWS + 4 : inside->rows >= 14 ? BAR_ROWS + 1 : BAR_ROWS;
    struct rect legend = rect_part(inside, 0, 0, 1, inside->cols);
    struct rect upper = rect_part(inside, 1, 0, inside->rows - bars - 1, inside->cols);
    struct rect lower = rect_part(inside, inside->rows - bars, 0, bars, inside->cols);
    draw_extent(canvas, &legend, &side->conflicts);
    int scroll = state->focus == PANE_TILE ? state->scroll : 0;
    int rows = tile->rows < 100000 ? (int)tile->rows : 100000;
    draw_cells(canvas, &upper, cells, tile->rows, tile->cols, pane_scroll(scroll, rows, upper.rows));
    draw_bars(canvas, &lower, &banks);
    free(cells);
}
