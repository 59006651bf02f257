#include "save.h"

#include <string.h>

#include "../../base/output_file.h"
#include "palette.h"

enum { CELL_WIDTH = 8, CELL_HEIGHT = 17, BASELINE = 13 }; /* pixels */

static void write_glyph(uint32_t glyph, FILE *out)
{
    char bytes[4] = {0};
    size_t count = glyph_encode(glyph, bytes);
    if (glyph != GLYPH_BEHIND)
        (void)fwrite(bytes, 1, count, out);
}

void save_text(const struct canvas *canvas, FILE *out)
{
    for (int row = 0; row < canvas->rows; row++) {
        int end = canvas->cols;
        while (end > 0 && canvas_at(canvas, row, end - 1)->glyph == ' ')
            end--;
        for (int col = 0; col < end; col++)
            write_glyph(canvas_at(canvas, row, col)->glyph, out);
        (void)fputc('\n', out);
    }
}

/* `fixed`: a blank that no viewer may join with another or leave out. */
static void write_escaped(uint32_t glyph, bool fixed, FILE *out)
{
    const char *entity = glyph == '&'            ? "&amp;"
                         : glyph == '<'          ? "&lt;"
                         : glyph == '>'          ? "&gt;"
                         : glyph == ' ' && fixed ? "&#160;"
                                                 : NULL;
    if (entity)
        (void)fputs(entity, out);
    else
        write_glyph(glyph, out);
}

/* A cell of a heatmap or of a bar. */
static bool is_heat(const struct cell *cell)
{
    bool style = cell->style >= STYLE_HEAT || cell->style == STYLE_BLOCK;
    return style && palette_heat_level(cell->glyph) >= 0;
}

/* As rectangles: full ones in the colour of their level; where the colour says something else, the fuller the
 * higher the level. */
static void write_heat(const struct canvas *canvas, int row, int begin, int end, unsigned ink, FILE *out)
{
    for (int col = begin; col < end; col++) {
        const struct cell *cell = canvas_at(canvas, row, col);
        int level = palette_heat_level(cell->glyph);
        double opacity = cell->style == STYLE_BLOCK ? 0.1 + 0.15 * level : 1;
        (void)fprintf(out,
                      "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" "
                      "fill-opacity=\"%.2f\"/>\n",
                      col * CELL_WIDTH, row * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT, ink, opacity);
    }
}

/* Cells of one style in a row: their paper, then their text stretched to the grid. */
static void write_run(const struct canvas *canvas, int row, int begin, int end, FILE *out)
{
    int32_t ink, paper;
    palette_rgb((enum style)canvas_at(canvas, row, begin)->style, canvas->light, &ink, &paper);
    int x = begin * CELL_WIDTH, width = (end - begin) * CELL_WIDTH;
    if (paper >= 0)
        (void)fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x,
                      row * CELL_HEIGHT, width, CELL_HEIGHT, (unsigned)paper);
    if (is_heat(canvas_at(canvas, row, begin))) {
        write_heat(canvas, row, begin, end, (unsigned)ink, out);
        return;
    }
    (void)fprintf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\">", x,
                  row * CELL_HEIGHT + BASELINE, width, (unsigned)ink);
    for (int col = begin; col < end; col++)
        write_escaped(canvas_at(canvas, row, col)->glyph,
                      col == begin || col + 1 == end || canvas_at(canvas, row, col - 1)->glyph == ' ', out);
    (void)fputs("</text>\n", out);
}

static bool is_blank(const struct canvas *canvas, int row, int col)
{
    int32_t ink, paper;
    const struct cell *cell = canvas_at(canvas, row, col);
    palette_rgb((enum style)cell->style, canvas->light, &ink, &paper);
    return cell->glyph == ' ' && paper < 0;
}

void save_svg(const struct canvas *canvas, FILE *out)
{
    (void)fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "xml:space=\"preserve\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n"
        "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" "
        "xml:space=\"preserve\" style=\"white-space: pre\">\n",
        canvas->cols * CELL_WIDTH, canvas->rows * CELL_HEIGHT, canvas->cols * CELL_WIDTH,
        canvas->rows * CELL_HEIGHT, (unsigned)palette_background(canvas->light));
    for (int row = 0; row < canvas->rows; row++)
        for (int col = 0; col < canvas->cols;) {
            int end = col + 1;
            if (is_blank(canvas, row, col)) {
                col++;
                continue;
            }
            while (end < canvas->cols &&
                   canvas_at(canvas, row, end)->style == canvas_at(canvas, row, col)->style &&
                   is_heat(canvas_at(canvas, row, end)) == is_heat(canvas_at(canvas, row, col)))
                end++;
            while (is_blank(canvas, row, end - 1))
                end--;
            write_run(canvas, row, col, end, out);
            col = end;
        }
    (void)fputs("</g>\n</svg>\n", out);
}

/* Nothing is written over: a kernel's name is as easy to type as any. */
bool save_file(const struct canvas *canvas, const char *path, struct problem *problem)
{
    size_t length = strlen(path);
    struct output_file file;
    if (!output_file_open(&file, path, OUTPUT_IS_NEW, problem))
        return false;
    if (length > 4 && strcmp(path + length - 4, ".svg") == 0)
        save_svg(canvas, file.stream);
    else
        save_text(canvas, file.stream);
    return output_file_finish(&file, true, problem);
}
