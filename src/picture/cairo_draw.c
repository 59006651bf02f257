/* cairo_draw.c - a picture as PNG or PDF, by Cairo: opened when it is asked for, so that the program also
 * runs where it is not.
 */
#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <string.h>

#include "draw.h"

/* Every function that is used: the struct of pointers and the names to fill it by. */
#define FUNCTIONS(each)                                                                                      \
    each(cairo_image_surface_create) each(cairo_pdf_surface_create_for_stream) each(cairo_create)            \
        each(cairo_destroy) each(cairo_surface_destroy) each(cairo_surface_finish)                           \
            each(cairo_surface_status) each(cairo_status) each(cairo_status_to_string)                       \
                each(cairo_surface_write_to_png_stream) each(cairo_scale) each(cairo_set_source_rgb)         \
                    each(cairo_rectangle) each(cairo_fill) each(cairo_move_to) each(cairo_line_to)           \
                        each(cairo_set_line_width) each(cairo_stroke) each(cairo_select_font_face)           \
                            each(cairo_set_font_size) each(cairo_show_text) each(cairo_text_extents)         \
                                each(cairo_paint)

struct cairo {
#define POINTER(name) __typeof__(name) *name;
    FUNCTIONS(POINTER)
#undef POINTER
};

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
#define SYMBOL(name) {#name, offsetof(struct cairo, name)},
    FUNCTIONS(SYMBOL)
#undef SYMBOL
};

#define PNG_WIDTH 1920.0                /* pixels of a whole page */
#define PDF_WIDTH (297.0 / 25.4 * 72.0) /* points: A4 across */

static bool bind(struct cairo *c, struct problem *problem)
{
    void *library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return problem_say_world(problem,
                                 "drawing this needs Cairo, whose library libcairo.so.2 is not on this "
                                 "machine (Debian's libcairo2); a .svg needs nothing");
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address)
            return problem_say_world(problem,
                                     "the Cairo of this machine has no %s: it is too old; a .svg "
                                     "needs nothing",
                                     symbols[i].name);
        memcpy((char *)c + symbols[i].offset, &address, sizeof address);
    }
    return true; /* it stays open: it has state of its own, and the program ends soon */
}

static void set_color(const struct cairo *c, cairo_t *at, uint32_t color)
{
    c->cairo_set_source_rgb(at, (color >> 16) / 255.0, (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0);
}

static void draw_words(const struct cairo *c, cairo_t *at, const struct mark *m)
{
    struct face_type type = face_type_of(m->face);
    cairo_text_extents_t extents;
    c->cairo_select_font_face(at, type.code ? "DejaVu Sans Mono" : "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                              type.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    const char *text = m->text;
    while (*text == ' ') /* which stand there for texts of characters */
        text++;
    /* Sans-serif is DejaVu on most of these systems, which is wide: what a text is given is its characters'
     * number of cells. */
    double size = type.size, x = m->col * PICTURE_CELL_WIDTH,
           room = (double)text_columns(m->text) * PICTURE_CELL_WIDTH * (m->face == FACE_TITLE ? 2 : 1);
    c->cairo_set_font_size(at, size);
    c->cairo_text_extents(at, text, &extents);
    if (extents.x_advance > room) {
        size *= room / extents.x_advance;
        c->cairo_set_font_size(at, size);
        c->cairo_text_extents(at, text, &extents);
    }
    if (m->anchor != ANCHOR_START)
        x -= extents.x_advance / (m->anchor == ANCHOR_END ? 1 : 2);
    c->cairo_move_to(at, x, (m->row + 0.5) * PICTURE_CELL_HEIGHT + type.drop);
    c->cairo_show_text(at, text);
}

static void draw_mark(const struct cairo *c, cairo_t *at, const struct mark *m)
{
    double x = m->col * PICTURE_CELL_WIDTH, y = m->row * PICTURE_CELL_HEIGHT;
    double width = m->cols * PICTURE_CELL_WIDTH, height = m->rows * PICTURE_CELL_HEIGHT;
    set_color(c, at, m->on ? color_on(m->ink, false) : ink_color(m->ink, false));
    if (m->shape == MARK_TEXT) {
        draw_words(c, at, m);
    } else if (m->shape == MARK_RECTANGLE) {
        c->cairo_rectangle(at, x, y, width, height);
        c->cairo_fill(at);
    } else {
        c->cairo_set_line_width(at, m->width);
        c->cairo_move_to(at, x, y);
        c->cairo_line_to(at, x + width, y + height);
        c->cairo_stroke(at);
    }
}

static cairo_status_t write_bytes(void *out, const unsigned char *bytes, unsigned count)
{
    return fwrite(bytes, 1, count, out) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool draw_cairo(const struct picture *picture, bool is_pdf, FILE *out, struct problem *problem)
{
    struct cairo c;
    if (!bind(&c, problem))
        return false;
    double width = picture->cols * PICTURE_CELL_WIDTH, height = picture->rows * PICTURE_CELL_HEIGHT;
    double scale = (is_pdf ? PDF_WIDTH : PNG_WIDTH) / width;
    cairo_surface_t *surface =
        is_pdf ? c.cairo_pdf_surface_create_for_stream(write_bytes, out, width * scale, height * scale)
               : c.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * scale + 0.5),
                                              (int)(height * scale + 0.5));
    cairo_t *at = c.cairo_create(surface);
    c.cairo_scale(at, scale, scale);
    set_color(&c, at, 0xffffff);
    c.cairo_paint(at);
    for (int text = 0; text < 2; text++)
        for (size_t i = 0; i < picture->count; i++)
            if ((picture->marks[i].shape == MARK_TEXT) == (text == 1))
                draw_mark(&c, at, &picture->marks[i]);
    cairo_status_t status = c.cairo_status(at);
    c.cairo_destroy(at);
    if (status == CAIRO_STATUS_SUCCESS && !is_pdf)
        status = c.cairo_surface_write_to_png_stream(surface, write_bytes, out);
    c.cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = c.cairo_surface_status(surface);
    c.cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return problem_say_world(problem, "Cairo could not draw it: %s", c.cairo_status_to_string(status));
    return true;
}
