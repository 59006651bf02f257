/* draw_svg.c - a picture as SVG: a document, or an element of a page. */
#include <math.h>

#include "draw.h"
#include "escape.h"

#define SANS "Inter, Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif"
#define CODE "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"

/* NAME="123.4", without zeros that say nothing. */
static void attribute(const char *name, double value, FILE *out)
{
    (void)fprintf(out, " %s=\"%.10g\"", name, round(value * 100) / 100 + 0.0);
}

static double x_of(double col)
{
    return col * PICTURE_CELL_WIDTH;
}

static double y_of(double row)
{
    return row * PICTURE_CELL_HEIGHT;
}

static void color(const char *name, const struct mark *m, bool is_inline, FILE *out)
{
    if (is_inline)
        (void)fprintf(out, " class=\"%c%d\"", m->on ? 'o' : m->shape == MARK_LINE ? 'l' : 'i', m->ink);
    else
        (void)fprintf(out, " %s=\"#%06x\"", name, m->on ? color_on(m->ink, false) : ink_color(m->ink, false));
}

static void write_words(const struct mark *m, bool is_inline, FILE *out)
{
    struct face_type type = face_type_of(m->face);
    (void)fputs("<text", out);
    attribute("x", x_of(m->col), out);
    attribute("y", y_of(m->row + 0.5) + type.drop, out);
    attribute("font-size", type.size, out);
    if (type.code)
        (void)fputs(" font-family=\"" CODE "\"", out);
    if (type.bold)
        (void)fputs(" font-weight=\"bold\"", out);
    if (m->anchor != ANCHOR_START)
        (void)fprintf(out, " text-anchor=\"%s\"", m->anchor == ANCHOR_END ? "end" : "middle");
    color("fill", m, is_inline, out);
    (void)fputc('>', out);
    write_escaped(m->text, out);
    (void)fputs("</text>\n", out);
}

static void write_shape(const struct mark *m, bool is_inline, FILE *out)
{
    bool line = m->shape == MARK_LINE;
    (void)fputs(line ? "<line" : "<rect", out);
    attribute(line ? "x1" : "x", x_of(m->col), out);
    attribute(line ? "y1" : "y", y_of(m->row), out);
    attribute(line ? "x2" : "width", x_of(line ? m->col + m->cols : m->cols), out);
    attribute(line ? "y2" : "height", y_of(line ? m->row + m->rows : m->rows), out);
    if (line)
        attribute("stroke-width", m->width, out);
    color(line ? "stroke" : "fill", m, is_inline, out);
    if (m->note) {
        (void)fputs("><title>", out);
        write_escaped(m->note, out);
        (void)fprintf(out, "</title></%s>\n", line ? "line" : "rect");
    } else {
        (void)fputs("/>\n", out);
    }
}

static void write_marks(const struct picture *picture, bool is_inline, FILE *out)
{
    if (picture->title) {
        (void)fputs("<title>", out);
        write_escaped(picture->title, out);
        (void)fputs("</title>\n", out);
    }
    if (!is_inline)
        (void)fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
    (void)fputs("<g font-family=\"" SANS "\">\n", out);
    for (size_t i = 0; i < picture->count; i++)
        if (picture->marks[i].shape != MARK_TEXT)
            write_shape(&picture->marks[i], is_inline, out);
    (void)fputs("</g>\n<g font-family=\"" SANS "\" pointer-events=\"none\">\n", out);
    for (size_t i = 0; i < picture->count; i++)
        if (picture->marks[i].shape == MARK_TEXT)
            write_words(&picture->marks[i], is_inline, out);
    (void)fputs("</g>\n", out);
}

static void open_svg(const struct picture *picture, FILE *out)
{
    (void)fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.10g %.10g\" role=\"img\"",
                  x_of(picture->cols), y_of(picture->rows));
}

void draw_svg(const struct picture *picture, FILE *out)
{
    open_svg(picture, out);
    attribute("width", x_of(picture->cols), out);
    attribute("height", y_of(picture->rows), out);
    (void)fputs(">\n", out);
    write_marks(picture, false, out);
    (void)fputs("</svg>\n", out);
}

void draw_svg_inline(const struct picture *picture, FILE *out)
{
    open_svg(picture, out);
    (void)fprintf(out, " style=\"max-width:%.10gpx\">\n", x_of(picture->cols));
    write_marks(picture, true, out);
    (void)fputs("</svg>\n", out);
}

static void write_colors(bool dark, FILE *out)
{
    for (int ink = 0; ink < INK_COUNT; ink++)
        (void)fprintf(out, ".i%d{fill:#%06x}.l%d{stroke:#%06x}.o%d{fill:#%06x}\n", ink,
                      ink_color((enum ink)ink, dark), ink, ink_color((enum ink)ink, dark), ink,
                      color_on((enum ink)ink, dark));
}

void svg_style(FILE *out)
{
    write_colors(false, out);
    (void)fputs("@media screen and (prefers-color-scheme:dark){\n", out);
    write_colors(true, out);
    (void)fputs("}\n", out);
}
