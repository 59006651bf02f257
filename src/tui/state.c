#include "state.h"

#include <stdio.h>
#include <string.h>

static const int speeds_ms[STATE_SPEEDS] = {1000, 500, 250, 120, 60, 25};

const struct trace_access *side_access(const struct side *side)
{
    const struct trace *trace = &side->session->trace;
    return side->at < trace->count ? &trace->at[side->at] : NULL;
}

void state_say(struct state *state, bool is_bad, const char *text)
{
    (void)snprintf(state->message, sizeof state->message, "%s", text);
    state->message_is_bad = is_bad;
}

static void drop_views(struct side *side)
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
    struct map_geometry geometry =
        map_geometry_of(side->session, pane->rows - 5, (pane->cols - 5) / 2, state->map_zoom);
    if (side->has_heat && same_geometry(&geometry, &side->heat.geometry))
        return;
    if (side->has_heat)
        heatmap_free(&side->heat);
    heatmap_init(&side->heat, side->session, &geometry);
    side->has_heat = true;
}

static void fit_owners(struct state *state, int index)
{
    struct side *side = &state->side[index];
    int sides = state->sides, rows = state->layout.body.rows - 5;
    int cols = (state->layout.body.cols / sides - 8) / 2;
    const struct box *box = &side->session->trace.target;
    int64_t row0 = (box->row0 + box->row1) / 2 - rows / 2, col0 = (box->col0 + box->col1) / 2 - cols / 2;
    const struct scenario *s = &side->session->scenario;
    int64_t most_rows = scenario_out_rows(s), most_cols = scenario_out_cols(s);
    row0 = row0 > most_rows - rows ? most_rows - rows : row0;
    col0 = col0 > most_cols - cols ? most_cols - cols : col0;
    row0 = row0 < 0 ? 0 : row0;
    col0 = col0 < 0 ? 0 : col0;
    struct ownership *owners = &side->owners;
    bool near =
        !owners->nearby || memcmp(owners->middle, side->session->trace.block, sizeof owners->middle) == 0;
    const struct window *window = &owners->map.window;
    if (side->has_owners && window->row == (uint64_t)row0 && window->col == (uint64_t)col0 && near &&
        window->rows == (rows < most_rows ? rows : most_rows) &&
        window->cols == (cols < most_cols ? cols : most_cols))
        return;
    if (side->has_owners)
        ownership_free(owners);
    ownership_init(owners, side->session, row0, col0, rows, cols);
    side->has_owners = true;
}

/* After every change: rectangles, and what is computed for them. */
static void fit(struct state *state)
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
                            .speed = 2};
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
    lab_reset(&state->lab, 32, 32);
    move_to_worst(state);
    fit(state);
    return true;
}

void state_init_lab(struct state *state, unsigned modulus, unsigned stride, int rows, int cols, bool ascii)
{
    *state = (struct state){
        .rows = rows, .cols = cols, .ascii = ascii, .view = VIEW_LAB, .lab_only = true, .speed = 2};
    lab_reset(&state->lab, modulus, stride);
    fit(state);
}

void state_free(struct state *state)
{
    for (int i = 0; i < state->sides; i++) {
        drop_views(&state->side[i]);
        session_free(state->side[i].session);
    }
    *state = (struct state){0};
}

void state_resize(struct state *state, int rows, int cols)
{
    state->rows = rows < 1 ? 1 : rows > CANVAS_LIMIT ? CANVAS_LIMIT : rows;
    state->cols = cols < 1 ? 1 : cols > CANVAS_LIMIT ? CANVAS_LIMIT : cols;
    fit(state);
}

static void run_action(struct state *state, const struct action *table, size_t count, int key)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (table[i].keys[k] && table[i].keys[k] == key) {
                table[i].run(state);
                return;
            }
    if (key > ' ' && key < 0x7f) {
        char text[80];
        (void)snprintf(text, sizeof text, "%c does nothing here; ? lists the keys", key);
        state_say(state, false, text);
    }
}

void state_press(struct state *state, int key)
{
    state->message[0] = '\0';
    if (state->prompt != PROMPT_NONE)
        edit_press(state, key);
    else if (state->view == VIEW_HELP)
        run_action(state, help_actions, help_action_count, key);
    else if (state->view == VIEW_LAB && key >= '0' && key <= '9')
        lab_type(&state->lab, (char)key);
    else if (state->view == VIEW_LAB)
        run_action(state, lab_actions, lab_action_count, key);
    else
        run_action(state, actions, action_count, key);
    fit(state);
}

int state_tick_ms(const struct state *state)
{
    bool playing = state->view == VIEW_LAB ? state->lab.playing : state->playing;
    return playing ? speeds_ms[state->speed] : -1;
}

void state_tick(struct state *state)
{
    if (state->view == VIEW_LAB) {
        (void)lab_step(&state->lab);
        return;
    }
    if (!state->playing)
        return;
    const struct side *side = &state->side[state->active];
    size_t at = side->at;
    int part = side->part;
    uint32_t x = side->session->trace.block[0], y = side->session->trace.block[1];
    if (part == PART_WHOLE)
        move_access(state, 1);
    else
        move_part(state, 1);
    if (at == side->at && part == side->part && x == side->session->trace.block[0] &&
        y == side->session->trace.block[1])
        state->playing = false; /* the end */
    fit(state);
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

bool state_is_sound(const struct state *state)
{
    if (state->sides < 0 || state->sides > 2 || (state->sides == 0) != state->lab_only)
        return false;
    if (state->active < 0 || (state->sides && state->active >= state->sides) || state->speed >= STATE_SPEEDS)
        return false;
    for (int i = 0; i < state->sides; i++) {
        const struct side *side = &state->side[i];
        const struct session *session = side->session;
        const struct trace *trace = &session->trace;
        if (!session->scenario.program || (trace->count ? side->at >= trace->count : side->at != 0))
            return false;
        if (side->part != PART_WHOLE &&
            (!trace->count || side->part < 0 || side->part >= (int)access_parts(&trace->at[side->at])))
            return false;
        for (int d = 0; d < 3; d++)
            if (trace->block[d] >= session->scenario.launch.grid[d])
                return false;
        if (session->counted > session->blocks)
            return false;
    }
    return state->lab.shown <= lab_period(state->lab.modulus, state->lab.stride) &&
           strlen(state->typed) < PROMPT_SIZE && state->scroll >= 0;
}
