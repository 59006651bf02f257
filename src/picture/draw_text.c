/* draw_text.c - a picture in characters. */
#include <math.h>
#include <stdlib.h>

#include "../../base/utf8.h"
#include "draw.h"

struct page {
    int cols, rows;
    uint32_t *glyphs; /* code points; ' ': nothing there */
};

static void put(struct page *page, int row, int col, uint32_t glyph, bool over)
{
    if (row < 0 || row >= page->rows || col < 0 || col >= page->cols)
        return;
    uint32_t *at = &page->glyphs[row * page->cols + col];
    if (over || *at == ' ')
        *at = glyph;
}

/* The characters whose middle it covers. */
static void draw_rectangle(struct page *page, const struct mark *m)
{
    uint32_t glyph = ink_glyph(m->ink);
    for (int row = (int)ceil(m->row - 0.5); row + 0.5 < m->row + m->rows; row++)
        for (int col = (int)ceil(m->col - 0.5); col + 0.5 < m->col + m->cols; col++)
            put(page, row, col, glyph, true);
}

/* Hairlines are for drawings; others stand where nothing else does. */
static void draw_line(struct page *page, const struct mark *m)
{
    if (m->width < 1)
        return;
    if (m->rows == 0)
        for (int col = (int)m->col; col < m->col + m->cols; col++)
            put(page, (int)m->row, col, 0x2500, false);
    else if (m->cols == 0)
        for (int row = (int)m->row; row < m->row + m->rows; row++)
            put(page, row, (int)m->col, 0x2502, false);
}

static uint32_t decode(const char *text, unsigned length)
{
    const unsigned char *at = (const unsigned char *)text;
    if (length == 1)
        return at[0];
    uint32_t value = at[0] & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++)
        value = value << 6 | (at[i] & 0x3fu);
    return value;
}

static void encode(uint32_t glyph, FILE *out)
{
    if (glyph >= 0x10000)
        (void)fprintf(out, "%c%c", (int)(0xf0 | glyph >> 18), (int)(0x80 | (glyph >> 12 & 0x3f)));
    else if (glyph >= 0x800)
        (void)fputc((int)(0xe0 | glyph >> 12), out);
    if (glyph >= 0x800)
        (void)fputc((int)(0x80 | (glyph >> 6 & 0x3f)), out);
    else if (glyph >= 0x80)
        (void)fputc((int)(0xc0 | glyph >> 6), out);
    (void)fputc((int)(glyph < 0x80 ? glyph : 0x80 | (glyph & 0x3f)), out);
}

static void draw_words(struct page *page, const struct mark *m)
{
    double length = (double)text_columns(m->text);
    double from = m->anchor == ANCHOR_START ? m->col
                  : m->anchor == ANCHOR_END ? m->col - length
                                            : ceil(m->col - length / 2);
    int col = (int)floor(from + 0.01);
    for (const char *at = m->text; *at; col++) {
        unsigned size = utf8_length(at);
        put(page, (int)floor(m->row + 0.5), col, decode(at, size), true);
        at += size;
    }
}

static int length_of(const struct page *page, int row)
{
    int end = page->cols;
    while (end > 0 && page->glyphs[row * page->cols + end - 1] == ' ')
        end--;
    return end;
}

/* Without what is blank at its edges, and with one blank row where there are several. */
static void write_page(const struct page *page, FILE *out)
{
    bool begun = false, gap = false;
    for (int row = 0; row < page->rows; row++) {
        int end = length_of(page, row);
        if (!end) {
            gap = begun;
            continue;
        }
        if (gap)
            (void)fputc('\n', out);
        begun = true;
        gap = false;
        for (int col = 0; col < end; col++)
            encode(page->glyphs[row * page->cols + col], out);
        (void)fputc('\n', out);
    }
}

void draw_text(const struct picture *picture, FILE *out)
{
    struct page page = {.cols = (int)ceil(picture->cols), .rows = (int)ceil(picture->rows)};
    size_t count = (size_t)page.cols * (size_t)page.rows;
    page.glyphs = memory_take(count + 1, sizeof *page.glyphs);
    for (size_t i = 0; i < count; i++)
        page.glyphs[i] = ' ';
    for (int pass = 0; pass < 3; pass++) /* what is written is read, whatever lies below it */
        for (size_t i = 0; i < picture->count; i++) {
            const struct mark *m = &picture->marks[i];
            if (pass == 0 && m->shape == MARK_RECTANGLE)
                draw_rectangle(&page, m);
            else if (pass == 1 && m->shape == MARK_TEXT)
                draw_words(&page, m);
            else if (pass == 2 && m->shape == MARK_LINE)
                draw_line(&page, m);
        }
    write_page(&page, out);
    free(page.glyphs);
}
