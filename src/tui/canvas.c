#include "canvas.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

void canvas_init(struct canvas *canvas, int rows, int cols, bool ascii)
{
    assert(rows >= 0 && rows <= CANVAS_LIMIT && cols >= 0 && cols <= CANVAS_LIMIT);
    *canvas = (struct canvas){.rows = rows, .cols = cols, .ascii = ascii};
    canvas->cells = memory_take((size_t)rows * (size_t)cols + 1, sizeof *canvas->cells);
    canvas_clear(canvas);
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->cells);
    *canvas = (struct canvas){0};
}

void canvas_clear(struct canvas *canvas)
{
    size_t count = (size_t)canvas->rows * (size_t)canvas->cols;
    for (size_t i = 0; i < count; i++)
        canvas->cells[i] = (struct cell){' ', STYLE_TEXT};
}

struct rect canvas_rect(const struct canvas *canvas)
{
    return (struct rect){0, 0, canvas->rows, canvas->cols};
}

const struct cell *canvas_at(const struct canvas *canvas, int row, int col)
{
    assert(row >= 0 && row < canvas->rows && col >= 0 && col < canvas->cols);
    return &canvas->cells[(size_t)row * (size_t)canvas->cols + (size_t)col];
}

/* The cell at a place of the area, or NULL where it may not be drawn. */
static struct cell *cell_in(struct canvas *canvas, const struct rect *area, int row, int col)
{
    if (row < 0 || row >= area->rows || col < 0 || col >= area->cols)
        return NULL;
    row += area->row;
    col += area->col;
    if (row < 0 || row >= canvas->rows || col < 0 || col >= canvas->cols)
        return NULL;
    return &canvas->cells[(size_t)row * (size_t)canvas->cols + (size_t)col];
}

static const struct {
    uint32_t glyph;
    char ascii;
} stand_ins[] = {
    {0x2500, '-'}, {0x2502, '|'}, {0x250c, '+'}, {0x2510, '+'}, {0x2514, '+'}, {0x2518, '+'}, {0x251c, '+'},
    {0x2524, '+'}, {0x252c, '+'}, {0x2534, '+'}, {0x253c, '+'}, {0x256d, '+'}, {0x256e, '+'}, {0x256f, '+'},
    {0x2570, '+'}, {0x2550, '='}, {0x2551, '|'}, {0x2591, '-'}, {0x2592, '+'}, {0x2593, '*'}, {0x2588, '#'},
    {0x00b7, '.'}, {0x2219, ':'}, {0x25cf, 'o'}, {0x25cb, '.'}, {0x25b6, '>'}, {0x203a, '>'}, {0x25c0, '<'},
    {0x00d7, 'x'}, {0x2192, '>'}, {0x2190, '<'}, {0x2191, '^'}, {0x2193, 'v'}, {0x25a0, '#'}, {0x2026, '~'},
    {0x2013, '-'}, {0x2014, '-'}, {0x2205, '0'}, {0x25c6, '@'}, {0x2503, '|'}, {0x2248, '~'},
};

/* The 7-bit stand-in of a glyph. */
static char ascii_of(uint32_t glyph)
{
    if (glyph >= 0x20 && glyph < 0x7f)
        return (char)glyph;
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (stand_ins[i].glyph == glyph)
            return stand_ins[i].ascii;
    return '?';
}

size_t glyph_encode(uint32_t glyph, char out[4])
{
    if (glyph < 0x80) {
        out[0] = (char)glyph;
        return 1;
    }
    size_t count = glyph < 0x800 ? 2 : glyph < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; glyph >>= 6)
        out[i] = (char)(0x80 | (glyph & 0x3f));
    out[0] = (char)(lead[count] | glyph);
    return count;
}

/* The code point at `text`, and how many bytes it takes. */
static uint32_t decode(const char *text, size_t *bytes)
{
    const uint8_t *u = (const uint8_t *)text;
    size_t count = u[0] < 0x80 ? 1 : u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc2 ? 2 : 0;
    uint32_t glyph = count == 1 ? u[0] : count == 2 ? u[0] & 0x1fu : count == 3 ? u[0] & 0xfu : u[0] & 7u;
    *bytes = 1;
    if (count == 0)
        return '?';
    for (size_t i = 1; i < count; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return '?';
        glyph = glyph << 6 | (u[i] & 0x3f);
    }
    *bytes = count;
    return glyph < 0x20 || (glyph >= 0x7f && glyph < 0xa0) ? ' ' : glyph;
}

uint32_t glyph_decode(const char *text, size_t size, size_t *bytes)
{
    char four[5] = {0};
    memcpy(four, text, size < 4 ? size : 4);
    return decode(four, bytes);
}

int glyph_cols(uint32_t glyph)
{
    static const struct {
        uint32_t first, last;
        int cols;
    } ranges[] = {{0x0300, 0x036f, 0},  {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0xfe00, 0xfe0f, 0},
                  {0x1100, 0x115f, 2},  {0x2e80, 0x303e, 2},   {0x3041, 0x4dbf, 2},   {0x4e00, 0xa4cf, 2},
                  {0xac00, 0xd7a3, 2},  {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
                  {0xffe0, 0xffe6, 2},  {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2},
                  {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; glyph >= 0x300 && i < sizeof ranges / sizeof *ranges; i++)
        if (glyph >= ranges[i].first && glyph <= ranges[i].last)
            return ranges[i].cols;
    return 1;
}

/* What is drawn over one half of a wide glyph leaves a blank of the other. */
static void set_cell(struct canvas *canvas, struct cell *cell, uint32_t glyph, enum style style)
{
    size_t index = (size_t)(cell - canvas->cells), count = (size_t)canvas->rows * (size_t)canvas->cols;
    if (cell->glyph == GLYPH_BEHIND && index)
        cell[-1].glyph = ' ';
    if (index + 1 < count && cell[1].glyph == GLYPH_BEHIND)
        cell[1].glyph = ' ';
    *cell = (struct cell){glyph, (uint8_t)style};
}

void canvas_put(struct canvas *canvas, const struct rect *area, int row, int col, uint32_t glyph,
                enum style style)
{
    struct cell *cell = cell_in(canvas, area, row, col);
    if (cell)
        set_cell(canvas, cell, canvas->ascii ? (uint32_t)(uint8_t)ascii_of(glyph) : glyph, style);
}

/* A wide glyph of which one half would be cut off is a blank. */
static void put_wide(struct canvas *canvas, const struct rect *area, int row, int col, uint32_t glyph,
                     enum style style)
{
    struct cell *cell = cell_in(canvas, area, row, col), *behind = cell_in(canvas, area, row, col + 1);
    bool whole = cell && behind && !canvas->ascii;
    canvas_put(canvas, area, row, col, whole || canvas->ascii ? glyph : ' ', style);
    canvas_put(canvas, area, row, col + 1, ' ', style);
    if (whole)
        behind->glyph = GLYPH_BEHIND;
}

int canvas_text(struct canvas *canvas, const struct rect *area, int row, int col, enum style style,
                const char *text)
{
    int start = col;
    size_t bytes;
    for (; *text; text += bytes) {
        uint32_t glyph = decode(text, &bytes);
        int cols = glyph_cols(glyph);
        if (cols == 2)
            put_wide(canvas, area, row, col, glyph, style);
        else if (cols == 1)
            canvas_put(canvas, area, row, col, glyph, style);
        col += cols;
    }
    return col - start;
}

int canvas_format(struct canvas *canvas, const struct rect *area, int row, int col, enum style style,
                  const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return canvas_text(canvas, area, row, col, style, text);
}

/* Bytes of the longest beginning of `text` that takes at most `cols` columns and ends at a space, if it can.
 */
static size_t line_bytes(const char *text, int cols)
{
    size_t at = 0, space = 0, bytes;
    for (int col = 0; text[at]; at += bytes) {
        col += glyph_cols(decode(text + at, &bytes));
        if (col > cols)
            return space ? space : at ? at : bytes;
        if (text[at] == ' ')
            space = at;
    }
    return at;
}

static int glyph_columns(const char *text)
{
    int cols = 0;
    size_t bytes;
    for (; *text; text += bytes)
        cols += glyph_cols(decode(text, &bytes));
    return cols;
}

int canvas_wrap(struct canvas *canvas, const struct rect *area, int row, int lines, enum style style,
                const char *text)
{
    int used = 0;
    if (area->cols < 1)
        return 0;
    while (*text && used < lines) {
        char line[1024];
        size_t bytes = line_bytes(text, area->cols);
        if (bytes >= sizeof line)
            bytes = sizeof line - 1;
        memcpy(line, text, bytes);
        line[bytes] = '\0';
        canvas_text(canvas, area, row + used++, 0, style, line);
        text += bytes;
        while (*text == ' ')
            text++;
        if (*text && used == lines) { /* cut: an ellipsis says so */
            int end = glyph_columns(line);
            canvas_put(canvas, area, row + used - 1, end < area->cols ? end : area->cols - 1, 0x2026, style);
        }
    }
    return used;
}

struct rect rect_part(const struct rect *area, int row, int col, int rows, int cols)
{
    if (row < 0 || col < 0 || row >= area->rows || col >= area->cols || rows <= 0 || cols <= 0)
        return (struct rect){area->row, area->col, 0, 0};
    if (rows > area->rows - row)
        rows = area->rows - row;
    if (cols > area->cols - col)
        cols = area->cols - col;
    return (struct rect){area->row + row, area->col + col, rows, cols};
}

struct rect canvas_box(struct canvas *canvas, const struct rect *area, enum style style, const char *title)
{
    int bottom = area->rows - 1, right = area->cols - 1;
    if (bottom < 1 || right < 1)
        return (struct rect){area->row, area->col, 0, 0};
    for (int col = 1; col < right; col++) {
        canvas_put(canvas, area, 0, col, 0x2500, style);
        canvas_put(canvas, area, bottom, col, 0x2500, style);
    }
    for (int row = 1; row < bottom; row++) {
        canvas_put(canvas, area, row, 0, 0x2502, style);
        canvas_put(canvas, area, row, right, 0x2502, style);
    }
    canvas_put(canvas, area, 0, 0, 0x256d, style);
    canvas_put(canvas, area, 0, right, 0x256e, style);
    canvas_put(canvas, area, bottom, 0, 0x2570, style);
    canvas_put(canvas, area, bottom, right, 0x256f, style);
    struct rect edge = rect_part(area, 0, 2, 1, area->cols - 4);
    if (title && edge.cols > 2) {
        canvas_put(canvas, &edge, 0, 0, ' ', STYLE_TITLE);
        int used = canvas_text(canvas, &edge, 0, 1, STYLE_TITLE, title);
        canvas_put(canvas, &edge, 0, used + 1, ' ', STYLE_TITLE);
    }
    return rect_part(area, 1, 1, area->rows - 2, area->cols - 2);
}

void canvas_restyle(struct canvas *canvas, const struct rect *area, int row, int col, int count,
                    enum style style)
{
    for (int i = 0; i < count; i++) {
        struct cell *cell = cell_in(canvas, area, row, col + i);
        if (cell)
            cell->style = (uint8_t)style;
    }
}
