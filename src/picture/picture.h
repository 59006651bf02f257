/* picture.h - a picture as a list of what is on it: placed first, drawn second.
 *
 * Places are in cells, which is what makes one list do for all: a cell is PICTURE_CELL_WIDTH x
 * PICTURE_CELL_HEIGHT units of a drawing and one character of a text; column 0, row 0 is the upper left
 * corner, and fractions are places between. Whoever places a picture gives a text as many cells as it has
 * characters: the type is chosen so that it then fits in a drawing, too. Which number is where is decided by
 * the placing; what draws (draw.h) knows nothing of kernels.
 *
 * Colours are by meaning. A drawing gives each meaning its colour, on light and on dark paper; a text gives
 * it a character.
 *
 * Texts are copied. What is no UTF-8 in them becomes U+FFFD, what is no character a blank. The picture owns
 * all of it until picture_free().
 */
#ifndef LANESCOPE_PICTURE_PICTURE_H
#define LANESCOPE_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../base/arena.h"

#define PICTURE_CELL_WIDTH  7.0
#define PICTURE_CELL_HEIGHT 14.0
#define PICTURE_HEATS       6u /* levels of cost, as many as sim/session/heatmap.h has */

enum ink {
    INK_TEXT,
    INK_DIM,   /* what matters less */
    INK_RULE,  /* lines that part and frame */
    INK_EMPTY, /* where nothing is */
    INK_MAIN,  /* a quantity */
    INK_BAD,   /* what is more than it need be, or wrong */
    INK_IDEAL, /* what would do */
    INK_OWNER, /* four that stand for "another one", whatever they belong to */
    INK_HEAT = INK_OWNER + 4,
    INK_COUNT = INK_HEAT + PICTURE_HEATS
};

enum mark_shape { MARK_RECTANGLE, MARK_LINE, MARK_TEXT };
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
enum face {
    FACE_PLAIN,
    FACE_BOLD,
    FACE_TITLE, /* bold and large: one or two to a picture */
    FACE_SMALL,
    FACE_CODE,  /* of one width */
    FACE_DIGITS /* of one width and small: in cells */
};

struct mark {
    enum mark_shape shape;
    enum ink ink;
    double col, row, cols, rows; /* of a line: from here, so far; of a text: its anchor's row, no size */
    double width;                /* of a line, units */
    enum face face;
    enum anchor anchor;
    bool on;          /* of a text: it stands on a rectangle of its ink */
    const char *text; /* of a text */
    const char *note; /* what it says when pointed at; NULL: nothing */
};

struct picture {
    double cols, rows;
    const char *title; /* for who cannot see it; NULL: none */
    struct mark *marks;
    size_t count, capacity;
    struct arena arena;
};

void picture_init(struct picture *picture, double cols, double rows);
void picture_free(struct picture *picture);

/* The text as the picture keeps it. */
const char *picture_copy(struct picture *picture, const char *text);

void picture_rectangle(struct picture *picture, double col, double row, double cols, double rows,
                       enum ink ink);
void picture_line(struct picture *picture, double col, double row, double cols, double rows, double width,
                  enum ink ink);
void picture_text(struct picture *picture, double col, double row, enum face face, enum anchor anchor,
                  enum ink ink, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* A text in the middle of a place, on a rectangle of that ink. */
void picture_label(struct picture *picture, double col, double row, enum ink ink, const char *text);

/* A rectangle a little smaller than its place, so that neighbours are told apart, and a text in its middle
 * (NULL: none). The note is the rectangle's. */
void picture_cell(struct picture *picture, double col, double row, double cols, double rows, enum ink ink,
                  const char *text);

/* Of the rectangle or line that was placed last. */
void picture_note(struct picture *picture, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is written on a cell of this heat is read best in which ink? */
bool ink_is_dark(enum ink ink, bool on_dark_paper);

/* 0xRRGGBB. */
uint32_t ink_color(enum ink ink, bool on_dark_paper);

/* What a text has for it: a code point. */
uint32_t ink_glyph(enum ink ink);

/* "1,234,567" into a text of at least 32 bytes, which is returned. */
const char *grouped(uint64_t number, char text[32]);

/* Characters of a clean text. */
size_t text_columns(const char *text);

#endif
