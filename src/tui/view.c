#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const speeds[STATE_SPEEDS] = {"1/s", "2/s", "4/s", "8/s", "16/s", "40/s"};

struct rect pane_frame(struct canvas *canvas, const struct rect *area, const struct state *state, int side,
                       enum pane pane, const char *title)
{
    bool focus = state->focus == pane && side == state->active;
    return canvas_box(canvas, area, focus ? STYLE_FOCUS : STYLE_FRAME, title);
}

void pane_range(struct canvas *canvas, const struct rect *area, const char *what, int64_t first,
                int64_t shown, int64_t all)
{
    struct rect edge = rect_part(area, area->rows - 1, 2, 1, area->cols - 4);
    if (shown < all)
        canvas_format(canvas, &edge, 0, 0, STYLE_DIM,
                      " %s %" PRId64 "-%" PRId64 " of %" PRId64 ", d u scroll ", what, first,
                      first + shown - 1, all);
}

uint32_t side_part_lanes(const struct side *side)
{
    const struct trace_access *access = side_access(side);
    if (!access)
        return 0;
    return side->part == PART_WHOLE ? access->access.mask : access_part_lanes(access, (unsigned)side->part);
}

int scroll_limited(int wanted, int count, int rows)
{
    int most = count > rows ? count - rows : 0;
    return wanted < most ? wanted : most;
}

const char *text_that_fits(int cols, const char *full, const char *shorter, const char *shortest)
{
    if ((int)strlen(full) <= cols)
        return full;
    return (int)strlen(shorter) <= cols ? shorter : shortest;
}

char digit_of(unsigned value)
{
    return value < 10 ? (char)('0' + value) : value < 36 ? (char)('a' + (value - 10)) : '+';
}

enum style cost_style(uint64_t units, uint64_t ideal)
{
    return units <= ideal ? STYLE_GOOD : units <= 2 * ideal ? STYLE_WARN : STYLE_BAD;
}

void count_text(char *out, size_t size, uint64_t value, int width)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), groups = (length - 1) / 3;
    if (length + groups <= width && (size_t)(length + groups) < size) {
        int at = 0;
        for (int i = 0; i < length; i++) {
            out[at++] = digits[i];
            if ((length - 1 - i) % 3 == 0 && i + 1 < length)
                out[at++] = ',';
        }
        out[at] = '\0';
        return;
    }
    if (length <= width) {
        (void)snprintf(out, size, "%s", digits);
        return;
    }
    static const char units[] = "kMGTPE";
    double scaled = (double)value / 1000;
    int unit = 0;
    for (; scaled >= 999.5 && units[unit + 1]; unit++)
        scaled /= 1000;
    (void)snprintf(out, size, "~%.*f%c", scaled < 9.95 ? 1 : 0, scaled, units[unit]);
}

/* One field of the header, where it fits whole; while it is edited, what is typed stands in its place. */
static int draw_field(struct canvas *canvas, const struct rect *area, int col, const struct state *state,
                      int side, enum field field, const char *label)
{
    const struct session *session = state->side[side].session;
    uint64_t value = field_value(session, field);
    bool edited = state->prompt == PROMPT_FIELD && state->field == field && side == state->active;
    char text[64];
    const char *unit = field == FIELD_ELEM ? " B" : "";
    int cols = snprintf(text, sizeof text, "%s%" PRIu64, label, value);
    if (!edited && (!value || col + cols > area->cols))
        return col;
    col += canvas_text(canvas, area, 0, col, STYLE_DIM, label);
    if (edited)
        col += canvas_format(canvas, area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    else
        col += canvas_format(canvas, area, 0, col, STYLE_VALUE, "%" PRIu64, value);
    return col + (int)strlen(unit) <= area->cols ? col + canvas_text(canvas, area, 0, col, STYLE_DIM, unit)
                                                 : col;
}

static void draw_header(struct canvas *canvas, const struct state *state, int index)
{
    const struct rect *area = &state->layout.header[index];
    const struct side *side = &state->side[index];
    const struct session *session = side->session;
    bool active = state->sides == 2 && index == state->active;
    int col = 0;
    if (state->sides == 1)
        col += canvas_text(canvas, area, 0, col, STYLE_DIM, "lanescope ");
    col += canvas_text(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, active ? ">" : " ");
    const char *slash = strrchr(session->name, '/');
    col += canvas_format(canvas, area, 0, col, active ? STYLE_PROMPT : STYLE_TITLE, "%.24s",
                         slash ? slash + 1 : session->name);
    col = draw_field(canvas, area, col, state, index, FIELD_ROWS, " ");
    col = draw_field(canvas, area, col, state, index, FIELD_COLS, "x");
    col = draw_field(canvas, area, col, state, index, FIELD_TILE, " tile ");
    col = draw_field(canvas, area, col, state, index, FIELD_BLOCK_ROWS, "x");
    col = draw_field(canvas, area, col, state, index, FIELD_PITCH, " pitch ");
    col = draw_field(canvas, area, col, state, index, FIELD_ELEM, " elem ");
    if (side->waiting)
        canvas_text(canvas, area, 0, area->cols - 8, STYLE_WARN, " (waits)");
    else if (area->cols >= 78)
        canvas_format(canvas, area, 0, col, STYLE_DIM, "  %s %s", session->scenario.device->name,
                      session->scenario.device->verified ? "verified" : "rules assumed");
}

/* Comparing: what the access costs on each side, below its half. Returns the lines used. */
static int draw_both(struct canvas *canvas, const struct state *state)
{
    for (int i = 0; i < state->sides; i++) {
        const struct rect *header = &state->layout.header[i];
        const struct rect area = {state->layout.hint.row, header->col + 1, 1, header->cols - 2};
        const struct trace_access *access = side_access(&state->side[i]);
        if (!access || state->side[i].waiting) {
            canvas_text(canvas, &area, 0, 0, STYLE_DIM, "waits: no such access here");
            continue;
        }
        bool shared = access->access.site->kind->space == SPACE_SHARED;
        canvas_format(canvas, &area, 0, 0, cost_style(access->cost.units, access->cost.ideal),
                      "%u %s%s, ideal %u", access->cost.units, shared ? "wavefront" : "sector",
                      access->cost.units == 1 ? "" : "s", access->cost.ideal);
    }
    return 1;
}

/* What just happened, if anything, and what the current access does. */
static void draw_hint(struct canvas *canvas, const struct state *state)
{
    const struct rect *hint = &state->layout.hint;
    struct rect area = rect_part(hint, 0, 1, hint->rows, hint->cols - 2);
    char text[EXPLAIN_SIZE];
    int row = state->sides == 2 && (state->view == VIEW_PANES || state->view == VIEW_OWNERS)
                  ? draw_both(canvas, state)
                  : 0;
    if (state->message[0])
        row += canvas_wrap(canvas, &area, row, area.rows - row,
                           state->message_is_bad ? STYLE_BAD : STYLE_TITLE, state->message);
    if (state->view != VIEW_PANES && state->view != VIEW_OWNERS)
        return;
    const struct side *side = &state->side[state->active];
    const struct trace_access *access = side_access(side);
    explain_overflow(side->session, text);
    row += canvas_wrap(canvas, &area, row, 1, STYLE_BAD, text);
    if (!access) {
        canvas_text(canvas, &area, row, 0, STYLE_DIM,
                    "This block touches no memory: it lies beyond the matrix.");
        return;
    }
    if (side->part != PART_WHOLE) {
        explain_part(access, (unsigned)side->part, text);
        row += canvas_wrap(canvas, &area, row, 1, STYLE_TITLE, text);
    }
    explain_access(side->session, access, text);
    const struct access *a = &access->access;
    bool faulty = a->out_of_bounds || a->misaligned || a->unset;
    canvas_wrap(canvas, &area, row, area.rows - row,
                faulty ? STYLE_BAD : cost_style(access->cost.units, access->cost.ideal), text);
}

/* The key that the bar names: the first of those shown. */
static int key_cols(const struct action *action)
{
    return (int)strcspn(action->shown, " ");
}

static int bar_cols(const struct action *action)
{
    return key_cols(action) + 1 + (int)strlen(action->label) + 2;
}

/* Those of the lower ranks first, as long as they fit; shown in the table's order. */
static void draw_keys(struct canvas *canvas, const struct rect *area, const struct action *table,
                      size_t count)
{
    bool shown[64] = {false};
    int left = area->cols + 2, col = 0;
    for (unsigned rank = 0; rank < ACTION_RANKS; rank++)
        for (size_t i = 0; i < count && i < sizeof shown; i++)
            if (table[i].label && table[i].rank == rank && bar_cols(&table[i]) <= left) {
                shown[i] = true;
                left -= bar_cols(&table[i]);
            }
    for (size_t i = 0; i < count && i < sizeof shown; i++) {
        if (!shown[i])
            continue;
        canvas_format(canvas, area, 0, col, STYLE_KEY, "%.*s", key_cols(&table[i]), table[i].shown);
        canvas_text(canvas, area, 0, col + key_cols(&table[i]) + 1, STYLE_DIM, table[i].label);
        col += bar_cols(&table[i]);
    }
}

static void draw_bar(struct canvas *canvas, const struct state *state)
{
    struct rect area = rect_part(&state->layout.bar, 0, 1, 1, state->layout.bar.cols - 1);
    static const char *const asks[] = {
        "", "", "jump to (block X,Y  warp N  site N): ", "save the screen as (.svg, else text): "};
    if (state->prompt == PROMPT_FIELD) {
        int col = canvas_format(canvas, &area, 0, 0, STYLE_TITLE, "%s = ", field_names[state->field]);
        col += canvas_format(canvas, &area, 0, col, STYLE_PROMPT, "%s_", state->typed);
        canvas_text(canvas, &area, 0, col, STYLE_DIM,
                    "   tab next field  enter apply  esc cancel  ctrl-u clear");
    } else if (state->prompt != PROMPT_NONE) {
        int col = canvas_text(canvas, &area, 0, 0, STYLE_TITLE, asks[state->prompt]);
        canvas_format(canvas, &area, 0, col, STYLE_PROMPT, "%s_", state->typed);
    } else if (state->view == VIEW_LAB) {
        draw_keys(canvas, &area, lab_actions, lab_action_count);
    } else if (state->view == VIEW_HELP) {
        draw_keys(canvas, &area, help_actions, help_action_count);
    } else {
        int col = 0;
        if (state->playing)
            col = canvas_format(canvas, &area, 0, 0, STYLE_PROMPT, "playing %s", speeds[state->speed]) + 1;
        struct rect rest = rect_part(&area, 0, col, 1, area.cols - col);
        draw_keys(canvas, &rest, actions, action_count);
    }
}

static int draw_action(struct canvas *canvas, const struct rect *area, int row, const struct action *action)
{
    if (action->heading)
        canvas_text(canvas, area, row++, 0, STYLE_TITLE, action->heading);
    canvas_text(canvas, area, row, 2, STYLE_KEY, action->shown);
    canvas_text(canvas, area, row, 14, STYLE_TEXT, action->help);
    return row + 1;
}

void view_help(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    bool lab = state->back == VIEW_LAB;
    const struct action *table = lab ? lab_actions : actions;
    size_t count = lab ? lab_action_count : action_count;
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, "keys");
    int lines = (int)count;
    for (size_t i = 0; i < count; i++)
        lines += table[i].heading != NULL;
    bool two = inside.cols >= 120;
    int column = two ? (lines + 1) / 2 : lines, scroll = scroll_limited(state->scroll, column, inside.rows);
    int row = 0, left = 1;
    for (size_t i = 0; i < count; i++) {
        struct rect part =
            rect_part(&inside, 0, left, inside.rows, two ? inside.cols / 2 - 1 : inside.cols - 2);
        row = draw_action(canvas, &part, row - scroll, &table[i]) + scroll;
        if (two && left == 1 && row >= column) {
            row = 0;
            left = inside.cols / 2;
        }
    }
    pane_range(canvas, area, "lines", scroll + 1, inside.rows, column);
}

static void draw_too_small(struct canvas *canvas, const struct state *state)
{
    struct rect area = canvas_rect(canvas);
    int middle = state->rows / 2;
    canvas_format(canvas, &area, middle > 0 ? middle - 1 : 0, 0, STYLE_TITLE, "lanescope needs %d x %d",
                  LAYOUT_COLS, LAYOUT_ROWS);
    canvas_format(canvas, &area, middle > 0 ? middle : 1, 0, STYLE_TEXT, "here: %d x %d; q quits",
                  state->cols, state->rows);
}

static void draw_panes(struct canvas *canvas, const struct state *state)
{
    static void (*const draw[PANE_COUNT])(struct canvas *, const struct rect *, const struct state *, int) = {
        pane_source, pane_lanes, pane_matrix, pane_tile, pane_totals};
    for (int side = 0; side < state->sides; side++)
        for (int pane = 0; pane < PANE_COUNT; pane++) {
            const struct rect *area = &state->layout.pane[side][pane];
            if (area->rows > 0 && area->cols > 0)
                draw[pane](canvas, area, state, side);
        }
}

void view_draw(struct canvas *canvas, const struct state *state)
{
    canvas->ascii = state->ascii;
    canvas_clear(canvas);
    if (state->layout.too_small) {
        draw_too_small(canvas, state);
        return;
    }
    enum view view = state->view;
    for (int side = 0; side < state->sides; side++)
        draw_header(canvas, state, side);
    if (state->lab_only)
        canvas_text(canvas, &state->layout.header[0], 0, 0, STYLE_DIM, "lanescope modular");
    if (view == VIEW_LAB)
        lab_draw(canvas, &state->layout.body, &state->lab);
    else if (view == VIEW_HELP)
        view_help(canvas, &state->layout.body, state);
    else if (view == VIEW_PANES)
        draw_panes(canvas, state);
    for (int side = 0; view == VIEW_OWNERS && side < state->sides; side++) {
        int width = state->layout.body.cols / state->sides;
        struct rect area = rect_part(&state->layout.body, 0, side * width, state->layout.body.rows, width);
        pane_owners(canvas, &area, state, side);
    }
    draw_hint(canvas, state);
    draw_bar(canvas, state);
}
