/* draw.h - a picture onto a file.
 *
 * Text and SVG are always there. PNG and PDF are drawn by Cairo: its headers where the program is built, its
 * library, opened when it is asked for, where it runs.
 */
#ifndef LANESCOPE_PICTURE_DRAW_H
#define LANESCOPE_PICTURE_DRAW_H

#include <stdio.h>

#include "../../base/problem.h"
#include "picture.h"

enum picture_format { PICTURE_TEXT, PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

/* By the end of a file's name. False: it has none of them, and the problem says which there are. */
bool picture_format_of(const char *path, enum picture_format *format, struct problem *problem);

/* False after filling the problem: Cairo is missing, or it failed. Whether all of it could be written is for
 * who closes the file. */
bool picture_draw(const struct picture *picture, enum picture_format format, FILE *out,
                  struct problem *problem);

/* UTF-8, one character a cell. */
void draw_text(const struct picture *picture, FILE *out);

/* A document of its own, on light paper. */
void draw_svg(const struct picture *picture, FILE *out);

/* The same as an element of a page, as wide as the page lets it: each mark has its ink as a class, i0 and so
 * on, which svg_style() gives a colour on both papers. */
void draw_svg_inline(const struct picture *picture, FILE *out);
void svg_style(FILE *out);

/* False after filling the problem. */
bool draw_cairo(const struct picture *picture, bool is_pdf, FILE *out, struct problem *problem);

/* What all drawings agree on: type in units, and how far the base line lies below the middle of a row. */
struct face_type {
    double size, drop;
    bool bold, code;
};
struct face_type face_type_of(enum face face);

/* The colour of a text on a rectangle of this ink. */
uint32_t color_on(enum ink ink, bool on_dark_paper);

#endif
