/* pane_matrix.c - the matrix read and the matrix written, with heat, the current block and access. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "palette.h"
#include "../../sim/session/explain.h"
#include "pane.h"
#include "panes.h"

_Static_assert(STYLE_HEATS == HEAT_LEVELS, "a style for each level of the heatmap");

static unsigned level_of(const struct heat_cell *cell, enum heat_mode mode)
{
    if (mode == HEAT_BANKS)
        return heat_ratio_level(cell->wavefronts, cell->wave_ideal);
    return mode == HEAT_RATIO ? heat_ratio_level(cell->sectors, cell->ideal)
                              : heat_sectors_level(cell->sectors, cell->requests);
}

static bool overlaps(const struct box *box, const struct map_geometry *g, const struct map_view *view,
                     int row, int col)
{
    int64_t r = view->row0 + row * g->scale, c = view->col0 + col * g->scale;
    return r < box->row1 && r + g->scale > box->row0 && c < box->col1 && c + g->scale > box->col0;
}

static void put_cell(struct canvas *canvas, const struct rect *area, const struct map_geometry *g, int row,
                     int col, uint32_t glyph, enum style style)
{
    for (int i = 0; i < g->char_cols; i++)
        canvas_put(canvas, area, row, col * g->char_cols + i, glyph, style);
}

/* The pieces that the lanes of the current access touch. */
static void mark_access(struct canvas *canvas, const struct rect *area, const struct side *side, int which)
{
    const struct trace_access *at = side_access(side);
    const struct scenario *s = &side->session->scenario;
    bool stores = at && at->access.site->kind->writes;
    if (!at || at->access.site->kind->space != SPACE_GLOBAL || stores != (which == MAP_TARGET) ||
        at->access.buffer != (stores ? s->out : s->in))
        return;
    uint32_t part = side->part == PART_WHOLE ? 0 : side_part_lanes(side);
    for (int pass = 0; pass < 2; pass++) /* the current part on top */
        for (unsigned lane = 0; lane < LANES; lane++) {
            int64_t row, col;
            int r, c;
            if ((part >> lane & 1) == (unsigned)pass &&
                session_element(side->session, &at->access, lane, &row, &col) &&
                map_cell_of(&side->heat.geometry, which, row, col, &r, &c))
                put_cell(canvas, area, &side->heat.geometry, r, c, pass ? 0x25cf : 0x25c6,
                         pass ? STYLE_PART : STYLE_MARK);
        }
}

/* One matrix, copied or transposed: then a cell's element is at the same place, or at the mirrored one. */
static bool is_plain(const struct side *side)
{
    const struct owners_task task = scenario_task(&side->session->scenario);
    return task.batch <= 1 && !task.axes && !task.map;
}

/* The cell that the cursor is on, and in the matrix read the element that belongs there. */
static void mark_cursor(struct canvas *canvas, const struct rect *area, const struct state *state,
                        const struct side *side, int which)
{
    bool transposes = !side->session->scenario.is_copy && which == MAP_SOURCE;
    int64_t row = transposes ? state->cursor_col : state->cursor_row;
    int64_t col = transposes ? state->cursor_row : state->cursor_col;
    int r, c;
    if (which == MAP_SOURCE && !is_plain(side))
        return;
    if (state->focus == PANE_MATRIX && map_cell_of(&side->heat.geometry, which, row, col, &r, &c))
        canvas_restyle(canvas, area, r, c * side->heat.geometry.char_cols, side->heat.geometry.char_cols,
                       STYLE_CURSOR);
}

static void draw_map(struct canvas *canvas, const struct rect *area, const struct state *state,
                     const struct side *side, int which)
{
    const struct heatmap *heat = &side->heat;
    const struct map_geometry *g = &heat->geometry;
    const struct map_view *view = &g->view[which];
    const struct box *box = which == MAP_SOURCE ? &side->session->trace.source : &side->session->trace.target;
    char text[120];
    int col = canvas_format(canvas, area, 0, 0, STYLE_TITLE, which == MAP_SOURCE ? "read " : "written ");
    (void)snprintf(text, sizeof text, "%" PRId64 "x%" PRId64, view->rows, view->cols);
    col += canvas_text(canvas, area, 0, col, STYLE_VALUE, text);
    (void)snprintf(text, sizeof text, " [%" PRId64 "-%" PRId64 ", %" PRId64 "-%" PRId64 "]", box->row0,
                   box->row1 - 1, box->col0, box->col1 - 1);
    if (box->row1 > box->row0 && col + (int)strlen(text) <= area->cols)
        canvas_text(canvas, area, 0, col, STYLE_DIM, text);
    struct rect cells = rect_part(area, 1, 0, area->rows - 1, area->cols);
    for (int r = 0; r < view->cell_rows; r++)
        for (int c = 0; c < view->cell_cols; c++) {
            const struct heat_cell *cell = heatmap_at(heat, which, r, c);
            bool here = overlaps(box, g, view, r, c);
            uint32_t glyph = cell->requests ? palette_heat_glyph(level_of(cell, state->heat_mode)) : ' ';
            enum style style = STYLE_HEAT + (cell->requests ? level_of(cell, state->heat_mode) : 0);
            if (state->heat_mode == HEAT_OFF)
                glyph = here ? 0x2588 : 0xb7;
            if (state->heat_mode == HEAT_OFF)
                style = STYLE_DIM;
            put_cell(canvas, &cells, g, r, c, glyph, here ? STYLE_BLOCK : style);
        }
    mark_access(canvas, &cells, side, which);
    mark_cursor(canvas, &cells, state, side, which);
}

/* How much of the launch the map shows, in words that fit. */
static void draw_extent(struct canvas *canvas, const struct rect *area, const struct heatmap *heat)
{
    char progress[32] = "", all[32], run[32], cell[80], blocks[100];
    if (heat->failed)
        (void)snprintf(progress, sizeof progress, " stopped");
    else if (!heatmap_is_done(heat))
        (void)snprintf(progress, sizeof progress, " %.0f %%",
                       100.0 * (double)heat->done / (double)(heat->samples[0] * heat->samples[1]));
    for (int brief = 0; brief < 3; brief++) {
        pane_count(all, sizeof all, heat->count[0] * heat->count[1], brief ? 5 : 14);
        pane_count(run, sizeof run, heat->samples[0] * heat->samples[1], brief ? 5 : 14);
        (void)snprintf(cell, sizeof cell, "%s%" PRId64 "x%" PRId64 "  ",
                       brief ? "now 1=" : " this access  1 cell = ", heat->geometry.scale,
                       heat->geometry.scale);
        if (heat->sampled)
            (void)snprintf(blocks, sizeof blocks, "%s%s of %s%s", brief < 2 ? "sampled " : "", run, all,
                           brief ? "" : " blocks");
        else
            (void)snprintf(blocks, sizeof blocks, "all %s%s", all, brief < 2 ? " blocks" : "");
        if (1 + strlen(cell) + strlen(blocks) + sizeof " stopped" <= (size_t)area->cols)
            break;
    }
    canvas_put(canvas, area, 1, 0, 0x25c6, STYLE_MARK);
    int col = 1 + canvas_text(canvas, area, 1, 1, STYLE_DIM, cell);
    col += canvas_text(canvas, area, 1, col, heat->sampled ? STYLE_WARN : STYLE_DIM, blocks);
    canvas_text(canvas, area, 1, col, heat->failed ? STYLE_BAD : STYLE_WARN, progress);
}

/* What a level goes up to. Returns the columns used. */
static int draw_most(struct canvas *canvas, const struct rect *area, int col, unsigned level,
                     enum heat_mode mode)
{
    if (mode == HEAT_SECTORS)
        return canvas_format(canvas, area, 0, col, STYLE_TEXT, "%u", heat_sectors_most(level));
    if (level == HEAT_LEVELS - 1)
        return canvas_text(canvas, area, 0, col, STYLE_TEXT, "more");
    return canvas_format(canvas, area, 0, col, STYLE_TEXT, "%gx", heat_ratio_most(level));
}

static void draw_legend(struct canvas *canvas, const struct rect *area, const struct state *state,
                        const struct side *side)
{
    if (state->heat_mode != HEAT_OFF) {
        static const char *const names[][2] = {{"/ideal", "sectors to ideal, up to"},
                                               {"/req", "sectors a request, up to"},
                                               {"waves/ideal", "wavefronts to ideal, up to"}};
        int col = canvas_text(canvas, area, 0, 0, STYLE_DIM, names[state->heat_mode][area->cols >= 60]);
        for (unsigned level = 0; level < HEAT_LEVELS; level++) {
            canvas_put(canvas, area, 0, col + 1, palette_heat_glyph(level), STYLE_HEAT + level);
            col += 2 + draw_most(canvas, area, col + 2, level, state->heat_mode);
        }
    }
    draw_extent(canvas, area, &side->heat);
}

void pane_matrix(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    char title[80];
    (void)snprintf(title, sizeof title, "matrix%s%s", state->map_zoom ? ", zoomed" : "",
                   side->session->scenario.is_copy ? ", copied" : ", transposed");
    struct rect inside = pane_frame(canvas, area, state, index, PANE_MATRIX, title);
    if (!side->has_heat || inside.rows < 4)
        return;
    int width = (inside.cols - 3) / 2;
    struct rect source = rect_part(&inside, 0, 0, inside.rows - 2, width);
    struct rect target = rect_part(&inside, 0, width + 3, inside.rows - 2, width);
    draw_map(canvas, &source, state, side, MAP_SOURCE);
    draw_map(canvas, &target, state, side, MAP_TARGET);
    if (state->focus == PANE_MATRIX && index == state->active) {
        struct rect edge = rect_part(area, area->rows - 1, 2, 1, area->cols - 4);
        canvas_format(canvas, &edge, 0, 0, STYLE_DIM, " cell %" PRId64 ",%" PRId64 ", enter: who wrote it ",
                      state->cursor_row, state->cursor_col);
    }
    struct rect legend = rect_part(&inside, inside.rows - 2, 0, 2, inside.cols);
    draw_legend(canvas, &legend, state, side);
}

bool pane_matrix_cell_at(const struct rect *area, const struct state *state, int index, int row, int col,
                         int64_t *cell_row, int64_t *cell_col)
{
    const struct side *side = &state->side[index];
    const struct map_geometry *g = &side->heat.geometry;
    int width = (area->cols - 2 - 3) / 2, r = row - area->row - 2, c = col - area->col - 1;
    bool written = c >= width + 3;
    c = (written ? c - width - 3 : c) / g->char_cols;
    const struct map_view *view = &g->view[written ? MAP_TARGET : MAP_SOURCE];
    if (!side->has_heat || r < 0 || c < 0 || r >= view->cell_rows || c >= view->cell_cols ||
        (!written && !is_plain(side)))
        return false;
    bool transposes = !written && !side->session->scenario.is_copy;
    int64_t here = view->row0 + r * g->scale, there = view->col0 + c * g->scale;
    *cell_row = transposes ? there : here;
    *cell_col = transposes ? here : there;
    return true;
}
