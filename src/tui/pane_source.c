/* pane_source.c - the kernel's own text, the current access marked where it stands. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "find.h"
#include "palette.h"
#include "pane.h"
#include "panes.h"

enum { NUMBER_COLS = 5, COUNTS_COLS = 42, CODE_MOST = 110 };

struct span { /* on one line; columns from 0; empty where begin == end */
    int line, begin, end;
};

/* Which lines are shown, and where. */
struct sheet {
    struct rect inside, code;
    int first, last; /* lines of the kernel */
    int top, lines;  /* the first shown, and how many fit */
    bool counts;     /* beside the code */
};

/* Where an access stands in that text; a span over several lines is cut to its first. */
static struct span span_of(const struct session *session, const struct trace_access *access)
{
    if (!access)
        return (struct span){-1, 0, 0};
    const struct place *place = &access->access.site->place;
    const struct source *text = session_text(session);
    if (place->source->bytes != text->bytes) /* of a definition or of an included file */
        return (struct span){0, 0, 0};
    int line, column;
    source_place(text, place->begin, &line, &column);
    struct source bytes = source_line(text, line);
    size_t begin = (size_t)column - 1, end = begin + (place->end - place->begin);
    return (struct span){line, pane_code_col(&bytes, begin),
                         pane_code_col(&bytes, end < bytes.size ? end : bytes.size)};
}

/* One access in a line: what it waits for, who makes it, what it is. */
static void draw_neighbour(struct canvas *canvas, const struct rect *area, int row, const char *label,
                           const struct trace_access *it, const struct trace_access *now, enum style style)
{
    char text[160];
    explain_site(it->access.site, text, sizeof text);
    int col = canvas_text(canvas, area, row, 0, STYLE_DIM, label);
    if (it->phase != now->phase)
        col += canvas_text(canvas, area, row, col, STYLE_WARN, "barrier, ");
    if (it->access.warp != now->access.warp)
        col += canvas_format(canvas, area, row, col, STYLE_TEXT, "warp %u ", it->access.warp);
    canvas_text(canvas, area, row, col, style, text);
}

/* What came before, where there is room for it, and what comes next. */
static void draw_neighbours(struct canvas *canvas, const struct rect *area, int row, const struct side *side)
{
    const struct trace *trace = &side->session->trace;
    const struct trace_access *now = side_access(side);
    if (area->rows - row > 1 && side->at > 0)
        draw_neighbour(canvas, area, row, "before: ", now - 1, now, STYLE_DIM);
    row = area->rows - 1;
    if (side->at + 1 < trace->count)
        draw_neighbour(canvas, area, row, "then: ", now + 1, now, STYLE_NEXT);
    else
        canvas_text(canvas, area, row, 0, STYLE_DIM, "then: this block is done");
}

/* Columns that a line moves to the left so that its span can be seen. */
static int shift_of(const struct span *span, int width)
{
    int shift = span->end > width ? span->end - width : 0;
    return shift < span->begin ? shift : span->begin ? span->begin - 1 : 0;
}

static struct sheet sheet_of(const struct rect *inside, const struct state *state, const struct side *side)
{
    const struct session *session = side->session;
    const struct source *text = session_text(session);
    const struct program *program = session->scenario.program;
    struct sheet sheet = {.inside = *inside};
    int column;
    source_place(text, program->begin, &sheet.first, &column);
    source_place(text, program->end, &sheet.last, &column);
    sheet.lines = inside->rows < 3 ? inside->rows : inside->rows - (inside->rows < 12 ? 1 : 2);
    sheet.top = sheet.first;
    struct span now = span_of(session, side_access(side));
    int middle = state->found_line ? state->found_line : now.line;
    if (sheet.last - sheet.first + 1 > sheet.lines && middle > 0)
        sheet.top = middle - sheet.lines / 2;
    if (sheet.top > sheet.last - sheet.lines + 1)
        sheet.top = sheet.last - sheet.lines + 1;
    sheet.top = sheet.top < sheet.first ? sheet.first : sheet.top;
    if (state->focus == PANE_SOURCE)
        sheet.top += pane_scroll(state->scroll, sheet.last - sheet.top + 1, sheet.lines);
    int left = NUMBER_COLS;
    sheet.counts = inside->cols >= COUNTS_COLS + 80;
    left += sheet.counts ? COUNTS_COLS : 0;
    sheet.code = rect_part(inside, 0, left, sheet.lines, inside->cols - left);
    return sheet;
}

/* The site of a line that is furthest above its ideal in the launch so far; NULL: it has none. */
static const struct site *site_of_line(const struct session *session, int line)
{
    const struct program *program = session->scenario.program;
    const struct site *worst = NULL;
    uint64_t most = 0;
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        const struct site_tally *sum = &session->tally.sites[i];
        if (site->line != line || site->place.source->bytes != session_text(session)->bytes)
            continue;
        if (!worst || sum->units - sum->ideal > most) {
            worst = site;
            most = sum->units - sum->ideal;
        }
    }
    return worst;
}

static void draw_counts(struct canvas *canvas, const struct rect *area, int row, const struct site *site,
                        const struct site_tally *sum)
{
    char requests[24], actual[24], ideal[24];
    pane_count(requests, sizeof requests, sum->requests, 9);
    pane_count(actual, sizeof actual, sum->units, 9);
    pane_count(ideal, sizeof ideal, sum->ideal, 9);
    int col = canvas_format(canvas, area, row, 0, STYLE_DIM, "%-9s %9s ", site->kind->label, requests);
    col += canvas_format(canvas, area, row, col, pane_cost_style(sum->units, sum->ideal), "%9s ", actual);
    canvas_format(canvas, area, row, col, STYLE_DIM, "%9s", ideal);
}

/* The line's number, what is wrong there, and what it costs. */
static void draw_margin(struct canvas *canvas, const struct sheet *sheet, const struct side *side, int row,
                        int line, bool here, bool is_next)
{
    const struct rect *inside = &sheet->inside;
    const struct session *session = side->session;
    const struct site *site = site_of_line(session, line);
    canvas_format(canvas, inside, row, 0, here ? STYLE_TITLE : STYLE_DIM, "%3d", line);
    canvas_put(canvas, inside, row, 3,
               here      ? 0x25b6
               : is_next ? 0x203a
                         : ' ',
               here ? STYLE_BAD : STYLE_TITLE);
    if (site && session->tally.sites[site->id].requests) {
        const struct site_tally *sum = &session->tally.sites[site->id];
        unsigned level = heat_ratio_level(sum->units, sum->ideal);
        canvas_put(canvas, inside, row, 4, palette_heat_glyph(level), STYLE_HEAT + level);
        struct rect counts = rect_part(inside, row, NUMBER_COLS, 1, COUNTS_COLS);
        if (sheet->counts)
            draw_counts(canvas, &counts, 0, site, sum);
    }
    if (state_has_finding(side, line))
        canvas_put(canvas, inside, row, 4, '!', STYLE_BAD);
}

static void draw_found(struct canvas *canvas, const struct rect *code, int row, const struct source *line,
                       int shift, const char *sought)
{
    int length = (int)strlen(sought);
    for (int at = 0; (at = find_in(line->bytes, line->size, (size_t)at, sought)) >= 0; at += length)
        canvas_restyle(canvas, code, row, pane_code_col(line, (size_t)at) - shift, length, STYLE_PROMPT);
}

void pane_source(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct session *session = side->session;
    const struct trace *trace = &session->trace;
    const struct source *text = session_text(session);
    struct span now = span_of(session, side_access(side));
    struct span next = span_of(session, side->at + 1 < trace->count ? &trace->at[side->at + 1] : NULL);
    struct rect inside = pane_frame(canvas, area, state, index, PANE_SOURCE, text->name);
    const struct sheet sheet = sheet_of(&inside, state, side);
    int width = sheet.code.cols;
    for (int row = 0; row < sheet.lines && sheet.top + row <= sheet.last; row++) {
        int line = sheet.top + row;
        struct source bytes = source_line(text, line);
        bool here = line == now.line;
        draw_margin(canvas, &sheet, side, row, line, here, line == next.line);
        const struct span *span = here ? &now : &next;
        int shift = state->shift ? state->shift : line == span->line ? shift_of(span, width) : 0;
        pane_code(canvas, &sheet.code, row, &bytes, shift, here ? STYLE_VALUE : STYLE_TEXT);
        if (shift)
            canvas_put(canvas, &sheet.code, row, 0, 0x2026, STYLE_DIM);
        if (line == next.line)
            canvas_restyle(canvas, &sheet.code, row, next.begin - shift, next.end - next.begin, STYLE_NEXT);
        if (here)
            canvas_restyle(canvas, &sheet.code, row, now.begin - shift, now.end - now.begin, STYLE_MARK);
        if (state->sought[0])
            draw_found(canvas, &sheet.code, row, &bytes, shift, state->sought);
    }
    if (sheet.lines < inside.rows)
        draw_neighbours(canvas, &inside, sheet.lines, side);
    if (sheet.counts)
        canvas_text(canvas, area, 0, 1 + NUMBER_COLS + 10, STYLE_DIM, " requests ── actual ── ideal ");
}

int pane_source_line_at(const struct rect *area, const struct state *state, int index, int row)
{
    struct rect inside = rect_part(area, 1, 1, area->rows - 2, area->cols - 2);
    const struct sheet sheet = sheet_of(&inside, state, &state->side[index]);
    int line = sheet.top + row - inside.row;
    return row < inside.row || row >= inside.row + sheet.lines || line > sheet.last ? 0 : line;
}
