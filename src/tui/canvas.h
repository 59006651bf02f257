/* canvas.h - the screen as a grid of cells, drawn to by pure functions and flushed by somebody else.
 *
 * A cell is one glyph (a Unicode code point, one column wide) and a style: the role it plays, not a colour;
 * palette.h turns roles into colours. Rows and columns count from 0. Every drawing function is given the
 * rectangle it may draw in and works in that rectangle's own coordinates; what falls outside is dropped, so
 * no pane can spill over another. An ASCII canvas replaces each glyph by a 7-bit stand-in as it is put.
 *
 * canvas_init() takes memory, canvas_free() gives it back. Limit: 4,096 rows and columns.
 */
#ifndef LANESCOPE_TUI_CANVAS_H
#define LANESCOPE_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CANVAS_LIMIT 4096

enum style {
    STYLE_TEXT,
    STYLE_DIM,      /* labels, what matters less */
    STYLE_FRAME,    /* a pane's border */
    STYLE_FOCUS,    /* the border of the pane that keys act on */
    STYLE_TITLE,    /* a pane's name, headings */
    STYLE_VALUE,    /* numbers to be read */
    STYLE_KEY,      /* a key in the bar and in the help */
    STYLE_GOOD,     /* at its ideal */
    STYLE_WARN,     /* above its ideal */
    STYLE_BAD,      /* far above its ideal, or wrong */
    STYLE_MARK,     /* belongs to the current access */
    STYLE_PART,     /* belongs to the current wavefront or sector */
    STYLE_NEXT,     /* what comes next */
    STYLE_INACTIVE, /* a lane or cell that takes no part */
    STYLE_PAD,      /* padding of the tile */
    STYLE_BLOCK,    /* the current block's part of a matrix */
    STYLE_GROUP,    /* every other group of lanes */
    STYLE_CURSOR,   /* the lane or cell that the cursor is on */
    STYLE_PROMPT,   /* what is being typed */
    STYLE_HEAT,     /* + 0 to STYLE_HEATS - 1: ideal to worst */
    STYLE_HEATS = 6,
    STYLE_COUNT = STYLE_HEAT + STYLE_HEATS
};

struct rect {
    int row, col, rows, cols; /* empty where rows or cols is 0 */
};

/* In the cell behind a glyph that takes two columns, as Chinese characters do. */
enum { GLYPH_BEHIND = 1 };

struct cell {
    uint32_t glyph;
    uint8_t style; /* enum style */
};

struct canvas {
    int rows, cols;
    bool ascii, light;  /* light: dark on light, which only pictures see */
    struct cell *cells; /* row by row; owned */
};

void canvas_init(struct canvas *canvas, int rows, int cols, bool ascii);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
struct rect canvas_rect(const struct canvas *canvas); /* all of it */
const struct cell *canvas_at(const struct canvas *canvas, int row, int col);

void canvas_put(struct canvas *canvas, const struct rect *area, int row, int col, uint32_t glyph,
                enum style style);

/* UTF-8 text; bytes that are none show as '?', control characters as spaces. Returns the columns it takes,
 * drawn or not. */
int canvas_text(struct canvas *canvas, const struct rect *area, int row, int col, enum style style,
                const char *text);
int canvas_format(struct canvas *canvas, const struct rect *area, int row, int col, enum style style,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Text broken at spaces into at most `lines` lines from `row` on; an ellipsis where it is cut. Returns the
 * lines used, drawn or not. */
int canvas_wrap(struct canvas *canvas, const struct rect *area, int row, int lines, enum style style,
                const char *text);

/* A border with a title in its upper edge; returns what is inside. */
struct rect canvas_box(struct canvas *canvas, const struct rect *area, enum style style, const char *title);

/* Gives `count` cells another style and leaves their glyphs. */
void canvas_restyle(struct canvas *canvas, const struct rect *area, int row, int col, int count,
                    enum style style);

/* A part of `area`, cut to it. */
struct rect rect_part(const struct rect *area, int row, int col, int rows, int cols);

/* The columns that a glyph takes: 0 (marks on the one before it), 1 or 2. */
int glyph_cols(uint32_t glyph);

/* The glyph that `text`, of `size` > 0 bytes, begins with, and its bytes. */
uint32_t glyph_decode(const char *text, size_t size, size_t *bytes);

/* One code point in UTF-8; returns its bytes, 1 to 4. `out` is not ended. */
size_t glyph_encode(uint32_t glyph, char out[4]);

#endif
