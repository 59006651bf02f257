/* pane_broken.c - the text of a file that cannot be run, and where it suffers. */
#include <stdio.h>
#include <string.h>

#include "pane.h"
#include "panes.h"

enum { NUMBER_COLS = 5 };

static int count_lines(const struct source *text)
{
    int lines = 1;
    for (size_t i = 0; i + 1 < text->size; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

/* Columns that the text moves to the left, so that the place is seen. */
static int shift_for(const struct state *state, int col, int cols)
{
    return state->shift ? state->shift : col < cols - 8 ? 0 : col - cols + 16;
}

void pane_broken(struct canvas *canvas, const struct rect *area, const struct state *state)
{
    const struct source *text = &state->file;
    const struct problem *problem = &state->broken;
    struct rect inside = canvas_box(canvas, area, STYLE_FOCUS, text->name);
    bool here = problem->line && strcmp(problem->file, text->name) == 0;
    int at = here ? problem->line : 1, lines = count_lines(text), rows = inside.rows - here;
    int first = 1 + pane_scroll(state->scroll, lines, rows), row = 0;
    struct rect code = rect_part(&inside, 0, NUMBER_COLS, inside.rows, inside.cols - NUMBER_COLS);
    struct source bytes = source_line(text, at);
    int col = here ? pane_code_col(&bytes, (size_t)problem->column - 1) : 0;
    int shift = shift_for(state, col, code.cols);
    for (int line = first; line <= lines && row < inside.rows; line++, row++) {
        bool marked = here && line == at;
        bytes = source_line(text, line);
        canvas_format(canvas, &inside, row, 0, marked ? STYLE_TITLE : STYLE_DIM, "%3d", line);
        pane_code(canvas, &code, row, &bytes, shift, marked ? STYLE_VALUE : STYLE_TEXT);
        if (!marked)
            continue;
        canvas_put(canvas, &inside, row, 3, 0x25b6, STYLE_BAD);
        canvas_put(canvas, &code, ++row, col - shift, '^', STYLE_BAD);
    }
    pane_range(canvas, area, "lines", first, lines < rows ? lines : rows, lines);
}
