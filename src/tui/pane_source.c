/* pane_source.c - the kernel's own text, the current access marked where it stands. */
#include <stdio.h>
#include <string.h>

#include "../../sim/session/explain.h"
#include "pane.h"
#include "panes.h"

struct span { /* on one line; columns from 0; empty where begin == end */
    int line, begin, end;
};

/* The text that is run: of a kernel that went through a compiler, its PTX. */
static const struct source *text_of(const struct session *session)
{
    const struct scenario *s = &session->scenario;
    return s->compiled.compiler ? &s->compiled.ptx : &s->text;
}

/* Where an access stands in that text; a span over several lines is cut to its first. */
static struct span span_of(const struct session *session, const struct trace_access *access)
{
    struct span span = {-1, 0, 0};
    if (!access)
        return span;
    const struct place *place = &access->access.site->place;
    const struct source *text = text_of(session);
    if (place->source->bytes != text->bytes) /* of a definition or of an included file */
        return (struct span){0, 0, 0};
    int line, column;
    source_place(text, place->begin, &line, &column);
    span = (struct span){line, column - 1, column - 1};
    for (uint32_t i = place->begin; i < place->end && text->bytes[i] != '\n'; i++)
        span.end++;
    return span;
}

/* The bytes of line `line`, from 1; empty past the end. */
static struct source line_of(const struct source *text, int line)
{
    size_t at = 0;
    for (int i = 1; i < line && at < text->size; at++)
        i += text->bytes[at] == '\n';
    size_t end = at;
    while (end < text->size && text->bytes[end] != '\n')
        end++;
    return (struct source){text->name, text->bytes + at, end - at};
}

static void draw_line(struct canvas *canvas, const struct rect *area, int row, const struct source *line,
                      int shift, enum style style)
{
    char text[512];
    size_t used = 0;
    for (size_t i = 0; i < line->size && used + 5 < sizeof text; i++) {
        if (line->bytes[i] == '\t')
            used += (size_t)snprintf(text + used, sizeof text - used, "    ");
        else
            text[used++] = line->bytes[i];
    }
    text[used] = '\0';
    canvas_text(canvas, area, row, -shift, style, text);
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

void pane_source(struct canvas *canvas, const struct rect *area, const struct state *state, int index)
{
    const struct side *side = &state->side[index];
    const struct session *session = side->session;
    const struct trace *trace = &session->trace;
    const struct source *text = text_of(session);
    const struct program *program = session->scenario.program;
    struct span now = span_of(session, side_access(side));
    struct span next = span_of(session, side->at + 1 < trace->count ? &trace->at[side->at + 1] : NULL);
    char title[120];
    int first, last, column;
    (void)snprintf(title, sizeof title, "%s", text->name);
    struct rect inside = pane_frame(canvas, area, state, index, PANE_SOURCE, title);
    source_place(text, program->begin, &first, &column);
    source_place(text, program->end, &last, &column);
    int lines = inside.rows < 3 ? inside.rows : inside.rows - (inside.rows < 12 ? 1 : 2), top = first,
        width = inside.cols - 5;
    if (last - first + 1 > lines && now.line > 0)
        top = now.line - lines / 2;
    if (top > last - lines + 1)
        top = last - lines + 1;
    top = top < first ? first : top;
    if (state->focus == PANE_SOURCE)
        top += pane_scroll(state->scroll, last - top + 1, lines);
    struct rect code = rect_part(&inside, 0, 5, lines, width);
    for (int row = 0; row < lines && top + row <= last; row++) {
        int line = top + row;
        struct source bytes = line_of(text, line);
        bool here = line == now.line;
        canvas_format(canvas, &inside, row, 0, here ? STYLE_TITLE : STYLE_DIM, "%3d", line);
        canvas_put(canvas, &inside, row, 3,
                   here                ? 0x25b6
                   : line == next.line ? 0x203a
                                       : ' ',
                   here ? STYLE_BAD : STYLE_NEXT);
        const struct span *span = here ? &now : &next;
        int shift = line == span->line ? shift_of(span, width) : 0;
        draw_line(canvas, &code, row, &bytes, shift, here ? STYLE_VALUE : STYLE_TEXT);
        if (shift)
            canvas_put(canvas, &code, row, 0, 0x2026, STYLE_DIM);
        if (line == next.line)
            canvas_restyle(canvas, &code, row, next.begin - shift, next.end - next.begin, STYLE_NEXT);
        if (here)
            canvas_restyle(canvas, &code, row, now.begin - shift, now.end - now.begin, STYLE_MARK);
    }
    if (lines < inside.rows)
        draw_neighbours(canvas, &inside, lines, side);
}
