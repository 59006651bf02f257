#include "legend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/session/heatmap.h"

enum { SWATCH_COLS = 2, GAP = 2 };
#define ROW_STEP 1.15

struct legend legend_at(struct picture *picture, double col, double row, double cols)
{
    return (struct legend){picture, col, cols, col, row};
}

static void next_row(struct legend *legend)
{
    legend->col = legend->left;
    legend->row += ROW_STEP;
}

void legend_swatch(struct legend *legend, enum ink ink)
{
    picture_cell(legend->picture, legend->col, legend->row, SWATCH_COLS, 1, ink, NULL);
    legend->col += SWATCH_COLS + 0.7;
}

void legend_entry(struct legend *legend, enum ink ink, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    double width = (double)strlen(text);
    if (legend->col > legend->left && legend->col + SWATCH_COLS + width > legend->left + legend->cols)
        next_row(legend);
    legend_swatch(legend, ink);
    picture_text(legend->picture, legend->col, legend->row, FACE_PLAIN, ANCHOR_START, INK_TEXT, "%s", text);
    legend->col += width + GAP;
}

void legend_remark(struct legend *legend, const char *text)
{
    while (*text) {
        size_t length = strlen(text), most = (size_t)legend->cols;
        next_row(legend);
        if (length > most) {
            length = most;
            while (length > 1 && text[length] != ' ')
                length--;
        }
        picture_text(legend->picture, legend->left, legend->row, FACE_SMALL, ANCHOR_START, INK_DIM, "%.*s",
                     (int)length, text);
        text += length + (text[length] == ' ');
    }
}

void legend_ratios(struct legend *legend)
{
    for (unsigned i = 0; i < PICTURE_HEATS; i++)
        if (i == 0)
            legend_entry(legend, INK_HEAT, "as few as can be");
        else if (i + 1 < PICTURE_HEATS)
            legend_entry(legend, INK_HEAT + i, "up to %g times", heat_ratio_most(i));
        else
            legend_entry(legend, INK_HEAT + i, "more than %g times", heat_ratio_most(i - 1));
}
