#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "reload.h"

/* What the borders, numbers and legends of these panes take of their rows and columns. */
enum { DISCARD_CELLS = 1 << 24 };
enum { OWNERS_ROWS = 6, OWNERS_COLS = 6, MATRIX_ROWS = 5, MATRIX_COLS = 5 };

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

void state_say_grid(struct state *state, const struct session *session)
{
    struct problem refused = {0};
    char text[PROBLEM_MESSAGE_SIZE];
    if (launch_check_grid(session->scenario.launch.grid, &refused))
        return;
    (void)snprintf(text, sizeof text, "%.300s; these are the numbers that it would have", refused.message);
    state_say(state, true, text);
}

void state_release(struct state *state, const struct side *side, enum job job)
{
    const struct at_work *work = &state->at_work;
    if (work->paused && &state->side[work->side] == side && (job == JOB_NONE || job == work->job))
        work->interrupt(work->runner);
}

/* All but the verdict. */
static void forget_maps(struct state *state, struct side *side)
{
    state_release(state, side, JOB_NONE);
    if (side->has_heat)
        heatmap_free(&side->heat);
    if (side->has_owners)
        ownership_free(&side->owners);
    if (side->has_conflicts)
        conflicts_free(&side->conflicts);
    side->has_conflicts = side->has_pitches = false;
    side->next_finding = 0;
    lane_glass_free(&side->glass);
    side->has_heat = side->has_owners = false;
}

void side_forget_views(struct state *state, struct side *side)
{
    forget_maps(state, side);
    if (side->has_verdict)
        verdict_free(&side->verdict);
    side->has_verdict = false;
}

void side_close(struct state *state, struct side *side)
{
    const struct scenario *s = &side->session->scenario;
    forget_maps(state, side);
    if (state->at_work.discard && side->has_verdict && (uint64_t)s->rows * s->cols > DISCARD_CELLS) {
        state->at_work.discard(side->session, &side->verdict);
    } else {
        if (side->has_verdict)
            verdict_free(&side->verdict);
        session_free(side->session);
    }
    side->has_verdict = false;
    side->session = NULL;
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
    state_release(state, side, JOB_HEAT);
    if (side->has_heat)
        heatmap_free(&side->heat);
    heatmap_init(&side->heat, side->session, &geometry);
    side->has_heat = true;
}

/* The window begins where it did; it is moved only as far as the cursor needs. */
static int64_t first_with(int64_t first, int64_t wanted, int shown, int64_t all)
{
    first = wanted < first ? wanted : wanted >= first + shown ? wanted - shown + 1 : first;
    first = first > all - shown ? all - shown : first;
    return first < 0 ? 0 : first;
}

/* Is the window asked for the one there is? */
static bool same_window(const struct side *side, const struct window *asked)
{
    const struct window *is = &side->owners.map.window;
    return is->row == asked->row && is->col == asked->col && is->rows == asked->rows &&
           is->cols == asked->cols;
}

static void fit_owners(struct state *state, int index)
{
    struct side *side = &state->side[index];
    const struct owners_task task = scenario_task(&side->session->scenario);
    int inside = state->layout.body.cols / state->sides - 2;
    int rows = state->layout.body.rows - OWNERS_ROWS;
    int cols = (inside - OWNERS_COLS - (inside >= OWNERS_OVERVIEW_FROM ? OWNERS_OVERVIEW : 0)) / 2;
    int64_t all_rows = task_out_rows(&task), all_cols = task_out_cols(&task);
    const struct window *is = &side->owners.map.window;
    int64_t row = first_with(side->has_owners ? (int64_t)is->row : 0, state->cursor_row, rows, all_rows);
    int64_t col = first_with(side->has_owners ? (int64_t)is->col : 0, state->cursor_col, cols, all_cols);
    const struct window asked = {(uint64_t)row, (uint64_t)col, (uint32_t)(rows < all_rows ? rows : all_rows),
                                 (uint32_t)(cols < all_cols ? cols : all_cols)};
    if (side->has_owners && same_window(side, &asked))
        return;
    state_release(state, side, JOB_OWNERS);
    if (side->has_owners)
        ownership_free(&side->owners);
    ownership_init(&side->owners, side->session, row, col, rows, cols);
    side->has_owners = true;
}

bool state_has_finding(const struct side *side, int line)
{
    for (size_t i = 0; side->has_verdict && i < verdict_count(&side->verdict); i++) {
        const struct finding *finding = verdict_finding(&side->verdict, i);
        if (verdict_leads(finding) && finding->line == line)
            return true;
    }
    return false;
}

static void fit_lane(struct side *side)
{
    const struct trace_access *at = side_access(side);
    side->lane_words[0] = side->off_words[0] = '\0';
    if (!at)
        return;
    lane_explain(&side->glass, side->session, at, side->lane, side->lane_words);
    uint32_t off = ~at->access.mask;
    if (!off || !(at->access.mask >> side->lane & 1))
        return;
    side->off_lane = (unsigned)__builtin_ctz(off);
    lane_explain(&side->glass, side->session, at, side->off_lane, side->off_words);
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
    if (!state->sides)
        return;
    cursor_place(state, state->cursor_row, state->cursor_col);
    fit_lane(state_side(state));
    if (state->view == VIEW_OWNERS)
        cursor_fit(state);
}

static void begin(struct state *state, const struct state_start *start)
{
    *state = (struct state){.rows = start->rows,
                            .cols = start->cols,
                            .ascii = start->ascii,
                            .focus = PANE_TILE,
                            .speed = PLAY_SPEED_FIRST};
    if (start->is_file)
        state->file = *start->text;
    state->first_text = start->text->bytes;
    state->launch = *start->options;
    lab_reset(&state->lab, 32, 32);
}

bool state_open_side(struct state *state, const char *name, const struct source *text,
                     struct problem *problem)
{
    struct session *session = session_open(name, text, &state->launch, problem);
    if (!session)
        return false;
    state->side[0] = (struct side){.session = session, .part = PART_WHOLE};
    state->side[0].at = trace_costliest(&session->trace);
    state->sides = 1;
    state->view = VIEW_PANES;
    return true;
}

bool state_init(struct state *state, const struct state_start *start, struct problem *problem)
{
    begin(state, start);
    if (!state_open_side(state, start->name, start->text, problem)) {
        *state = (struct state){0};
        return false;
    }
    state_say_grid(state, state->side[0].session);
    state_fit(state);
    return true;
}

void state_break(struct state *state, const struct problem *problem)
{
    enum { ABOVE = 8 }; /* lines that are shown before the place */
    bool here = problem->line && strcmp(problem->file, state->file.name) == 0;
    state->broken = *problem;
    if (state->sides)
        return;
    state->scroll = here && problem->line > ABOVE ? problem->line - 1 - ABOVE : 0;
    state->shift = 0;
}

void state_init_broken(struct state *state, const struct state_start *start, const struct problem *problem)
{
    begin(state, start);
    state->view = VIEW_BROKEN;
    state_break(state, problem);
    state_fit(state);
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
        side_close(state, &state->side[i]);
        free(state->side[i].text);
    }
    *state = (struct state){0};
}

void state_resize(struct state *state, int rows, int cols)
{
    state->rows = rows < 1 ? 1 : rows > CANVAS_LIMIT ? CANVAS_LIMIT : rows;
    state->cols = cols < 1 ? 1 : cols > CANVAS_LIMIT ? CANVAS_LIMIT : cols;
    state_fit(state);
}

/* Blocks that take a fraction of a millisecond; larger blocks, fewer of them. Of a huge matrix each of the
 * first blocks comes to memory that was never touched, and takes several times as long. */
static unsigned slice(const struct session *session)
{
    enum { ACCESSES = 512 };
    size_t accesses = session->trace.count + 1;
    return accesses > ACCESSES ? 1 : (unsigned)(ACCESSES / accesses);
}

static bool is_known(const struct side *side)
{
    return session_is_ranked(side->session) && (!side->has_verdict || side->verdict.finished);
}

/* Totals and verdict of both sides: what is furthest behind goes on, so that all show progress. A verdict
 * that has all blocks of the launch behind it (by census it has them at once) waits for nobody: little is
 * left. */
static bool work_on_launches(struct state *state)
{
    struct side *side = &state->side[0];
    if (state->sides == 2 && (is_known(side) || (!is_known(&state->side[1]) &&
                                                 state->side[1].session->ranked < side->session->ranked)))
        side = &state->side[1];
    unsigned blocks = slice(side->session);
    bool ranked = session_is_ranked(side->session);
    if (!side->has_verdict) {
        verdict_begin(&side->verdict, side->session);
        side->has_verdict = true;
    }
    state->at_work.side = (int)(side - state->side);
    uint64_t audited = side->verdict.progress.done;
    if (!ranked &&
        (side->verdict.finished || (audited < side->session->blocks && side->session->ranked <= audited))) {
        state->at_work.job = JOB_COUNT;
        (void)session_count(side->session, blocks);
    } else {
        state->at_work.job = JOB_VERDICT;
        (void)verdict_step(&side->verdict, blocks);
    }
    for (int i = 0; i < state->sides; i++)
        if (!is_known(&state->side[i]))
            return true;
    return false;
}

/* A slice of what a view of this side wants. False: it wants nothing. */
static bool work_on_views(struct state *state, int index)
{
    struct side *side = &state->side[index];
    unsigned blocks = slice(side->session);
    state->at_work.side = index;
    if (side->has_heat && state->layout.pane[index][PANE_MATRIX].rows && !heatmap_is_done(&side->heat)) {
        state->at_work.job = JOB_HEAT;
        (void)heatmap_advance(&side->heat, side->session, blocks);
        return true;
    }
    state->at_work.job = JOB_PITCHES;
    if (state->view == VIEW_PITCHES && side->has_pitches && pitches_step(&side->pitches))
        return true;
    if (state->tile_view == TILE_LAUNCH && !side->has_conflicts) {
        conflicts_init(&side->conflicts, side->session);
        side->has_conflicts = true;
    }
    if (state->tile_view == TILE_LAUNCH && !conflicts_is_done(&side->conflicts)) {
        state->at_work.job = JOB_CONFLICTS;
        (void)conflicts_advance(&side->conflicts, blocks);
        return true;
    }
    if (state->view == VIEW_OWNERS && side->has_owners && !ownership_is_done(&side->owners)) {
        state->at_work.job = JOB_OWNERS;
        (void)ownership_advance(&side->owners, side->session, blocks);
        cursor_fit(state);
        return true;
    }
    return false;
}

bool state_work(struct state *state)
{
    for (int i = 0; i < state->sides; i++)
        if (work_on_views(state, i))
            return true;
    bool more = state->sides && work_on_launches(state);
    if (state->sides)
        reload_tell(state);
    return more;
}
