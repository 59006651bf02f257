#include "state.h"

#include <stdio.h>
#include <string.h>

/* What the borders, numbers and legends of these panes take of their rows and columns. */
enum { OWNERS_ROWS = 5, OWNERS_COLS = 8, MATRIX_ROWS = 5, MATRIX_COLS = 5 };

const struct trace_access *side_access(const struct side *side)
{
    const struct trace *trace = &side->session->trace;
    return side->at < trace->count ? &trace->at[side->at] : NULL;
}

uint32_t side_part_lanes(const struct side *side)
{
    const struct trace_access *access = side_access(side);
    if (!access)
        return 0;
    return side->part == PART_WHOLE ? access->access.mask : access_part_lanes(access, (unsigned)side->part);
}

void state_say(struct state *state, bool is_bad, const char *text)
{
    (void)snprintf(state->message, sizeof state->message, "%s", text);
    state->message_is_bad = is_bad;
}

void side_forget_views(struct side *side)
{
    if (side->has_heat)
        heatmap_free(&side->heat);
    if (side->has_owners)
        ownership_free(&side->owners);
    side->has_heat = side->has_owners = false;
}

static bool same_geometry(const struct map_geometry *a, const struct map_geometry *b)
{
    for (int i = 0; i < MAP_COUNT; i++) {
        const struct map_view *v = &a->view[i], *w = &b->view[i];
        if (v->rows != w->rows || v->cols != w->cols || v->row0 != w->row0 || v->col0 != w->col0 ||
            v->cell_rows != w->cell_rows || v->cell_cols != w->cell_cols)
            return false;
    }
    return a->scale == b->scale && a->char_cols == b->char_cols;
}

/* The maps must fit the pane and the place; where they do not any more they are begun anew. */
static void fit_heat(struct state *state, int index)
{
    struct side *side = &state->side[index];
    const struct rect *pane = &state->layout.pane[index][PANE_MATRIX];
    if (pane->rows < 6 || pane->cols < 20)
        return;
    struct map_geometry geometry = map_geometry_of(side->session, pane->rows - MATRIX_ROWS,
                                                   (pane->cols - MATRIX_COLS) / 2, state->map_zoom);
    if (side->has_heat && same_geometry(&geometry, &side->heat.geometry))
        return;
    if (side->has_heat)
        heatmap_free(&side->heat);
    heatmap_init(&side->heat, side->session, &geometry);
    side->has_heat = true;
}

/* The first of `all` cells where `shown` of them have `middle` in their midst, as far as the ends allow. */
static int64_t first_around(int64_t middle, int shown, int64_t all)
{
    int64_t first = middle - shown / 2;
    first = first > all - shown ? all - shown : first;
    return first < 0 ? 0 : first;
}

/* Is the window asked for the one there is, with the blocks that write it? */
static bool same_window(const struct side *side, const struct window *asked)
{
    const struct ownership *owners = &side->owners;
    const struct window *is = &owners->map.window;
    return is->row == asked->row && is->col == asked->col && is->rows == asked->rows &&
           is->cols == asked->cols &&
           (!owners->nearby ||
            memcmp(owners->middle, side->session->trace.block, sizeof owners->middle) == 0);
}

static void fit_owners(struct state *state, int index)
{
    struct side *side = &state->side[index];
    const struct owners_task task = scenario_task(&side->session->scenario);
    int rows = state->layout.body.rows - OWNERS_ROWS;
    int cols = (state->layout.body.cols / state->sides - OWNERS_COLS) / 2;
    int64_t all_rows = task_out_rows(&task), all_cols = task_out_cols(&task);
    const struct box *box = &side->session->trace.target;
    int64_t row = first_around((box->row0 + box->row1) / 2, rows, all_rows);
    int64_t col = first_around((box->col0 + box->col1) / 2, cols, all_cols);
    const struct window asked = {(uint64_t)row, (uint64_t)col, (uint32_t)(rows < all_rows ? rows : all_rows),
                                 (uint32_t)(cols < all_cols ? cols : all_cols)};
    if (side->has_owners && same_window(side, &asked))
        return;
    if (side->has_owners)
        ownership_free(&side->owners);
    ownership_init(&side->owners, side->session, row, col, rows, cols);
    side->has_owners = true;
}

void state_fit(struct state *state)
{
    struct layout_wish wish = {state->rows, state->cols, state->sides == 2, state->focus, state->zoom};
    state->layout = layout_of(&wish);
    if (state->layout.too_small)
        return;
    for (int i = 0; i < state->sides; i++) {
        fit_heat(state, i);
        if (state->view == VIEW_OWNERS)
            fit_owners(state, i);
    }
}

bool state_init(struct state *state, const struct state_start *start, struct problem *problem)
{
    *state = (struct state){.rows = start->rows,
                            .cols = start->cols,
                            .ascii = start->ascii,
                            .sides = 1,
                            .focus = PANE_TILE,
                            .speed = PLAY_SPEED_FIRST};
    if (start->is_file)
        state->file = *start->text;
    state->first_text = start->text->bytes;
    state->launch = *start->options;
    struct side *side = &state->side[0];
    side->part = PART_WHOLE;
    side->session = session_open(start->name, start->text, start->options, problem);
    if (!side->session) {
        *state = (struct state){0};
        return false;
    }
    side->at = trace_costliest(&side->session->trace);
    lab_reset(&state->lab, 32, 32);
    state_fit(state);
    return true;
}

void state_init_lab(struct state *state, unsigned modulus, unsigned stride, int rows, int cols, bool ascii)
{
    *state = (struct state){.rows = rows,
                            .cols = cols,
                            .ascii = ascii,
                            .view = VIEW_LAB,
                            .lab_only = true,
                            .speed = PLAY_SPEED_FIRST};
    lab_reset(&state->lab, modulus, stride);
    state_fit(state);
}

void state_free(struct state *state)
{
    for (int i = 0; i < state->sides; i++) {
        side_forget_views(&state->side[i]);
        session_free(state->side[i].session);
    }
    *state = (struct state){0};
}

void state_resize(struct state *state, int rows, int cols)
{
    state->rows = rows < 1 ? 1 : rows > CANVAS_LIMIT ? CANVAS_LIMIT : rows;
    state->cols = cols < 1 ? 1 : cols > CANVAS_LIMIT ? CANVAS_LIMIT : cols;
    state_fit(state);
}

/* Blocks that take about a millisecond; larger blocks, fewer of them. */
static unsigned slice(const struct session *session)
{
    size_t accesses = session->trace.count + 1;
    return accesses > 4000 ? 1 : (unsigned)(4000 / accesses);
}

bool state_work(struct state *state)
{
    for (int i = 0; i < state->sides; i++) {
        struct side *side = &state->side[i];
        unsigned blocks = slice(side->session);
        if (side->has_heat && state->layout.pane[i][PANE_MATRIX].rows && !heatmap_is_done(&side->heat)) {
            (void)heatmap_advance(&side->heat, side->session, blocks);
            return true;
        }
        if (state->view == VIEW_OWNERS && side->has_owners && !ownership_is_done(&side->owners)) {
            (void)ownership_advance(&side->owners, side->session, blocks);
            return true;
        }
    }
    /* the two sides take turns, so that both show progress */
    int behind = 0;
    if (state->sides == 2 && (session_is_counted(state->side[0].session) ||
                              (!session_is_counted(state->side[1].session) &&
                               state->side[1].session->counted < state->side[0].session->counted)))
        behind = 1;
    if (!state->sides)
        return false;
    struct session *session = state->side[behind].session;
    (void)session_count(session, slice(session));
    for (int i = 0; i < state->sides; i++)
        if (!session_is_counted(state->side[i].session))
            return true;
    return false;
}
