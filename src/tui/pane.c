#include "pane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TAB_COLS = 4 };

struct rect pane_frame(struct canvas *canvas, const struct rect *area, const struct state *state, int side,
                       enum pane pane, const char *title)
{
    bool focus = state->focus == pane && side == state->active;
    char numbered[200];
    (void)snprintf(numbered, sizeof numbered, "%d %s", (int)pane + 1, title);
    return canvas_box(canvas, area, focus ? STYLE_FOCUS : STYLE_FRAME, numbered);
}

void pane_range(struct canvas *canvas, const struct rect *area, const char *what, int64_t first,
                int64_t shown, int64_t all)
{
    struct rect edge = rect_part(area, area->rows - 1, 2, 1, area->cols - 4);
    if (shown < all)
        canvas_format(canvas, &edge, 0, 0, STYLE_DIM,
                      " %s %" PRId64 "-%" PRId64 " of %" PRId64 ", d u scroll ", what, first,
                      first + shown - 1, all);
}

int pane_scroll(int wanted, int count, int rows)
{
    int most = count > rows ? count - rows : 0;
    return wanted < most ? wanted : most;
}

const char *pane_text(int cols, const char *full, const char *shorter, const char *shortest)
{
    if ((int)strlen(full) <= cols)
        return full;
    return (int)strlen(shorter) <= cols ? shorter : shortest;
}

void pane_code(struct canvas *canvas, const struct rect *area, int row, const struct source *line, int shift,
               enum style style)
{
    char text[1024];
    size_t used = 0;
    for (size_t i = 0; i < line->size && used + TAB_COLS + 1 < sizeof text; i++) {
        if (line->bytes[i] == '\t')
            used += (size_t)snprintf(text + used, sizeof text - used, "%*s", TAB_COLS, "");
        else
            text[used++] = line->bytes[i] ? line->bytes[i] : ' ';
    }
    text[used] = '\0';
    canvas_text(canvas, area, row, -shift, style, text);
}

int pane_code_col(const struct source *line, size_t at)
{
    int col = 0;
    size_t bytes;
    for (size_t i = 0; i < at && i < line->size; i += bytes) {
        uint32_t glyph = glyph_decode(line->bytes + i, line->size - i, &bytes);
        col += line->bytes[i] == '\t' ? TAB_COLS : glyph_cols(glyph);
    }
    return col + (at > line->size ? (int)(at - line->size) : 0);
}

char pane_digit(unsigned value)
{
    return value < 10 ? (char)('0' + value) : value < 36 ? (char)('a' + (value - 10)) : '+';
}

enum style pane_cost_style(uint64_t units, uint64_t ideal)
{
    return units <= ideal ? STYLE_GOOD : units <= 2 * ideal ? STYLE_WARN : STYLE_BAD;
}

void pane_count(char *out, size_t size, uint64_t value, int width)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), groups = (length - 1) / 3;
    if (length + groups <= width && (size_t)(length + groups) < size) {
        int at = 0;
        for (int i = 0; i < length; i++) {
            out[at++] = digits[i];
            if ((length - 1 - i) % 3 == 0 && i + 1 < length)
                out[at++] = ',';
        }
        out[at] = '\0';
        return;
    }
    if (length <= width) {
        (void)snprintf(out, size, "%s", digits);
        return;
    }
    static const char units[] = "kMGTPE";
    double scaled = (double)value / 1000;
    int unit = 0;
    for (; scaled >= 999.5 && units[unit + 1]; unit++)
        scaled /= 1000;
    (void)snprintf(out, size, "~%.*f%c", scaled < 9.95 ? 1 : 0, scaled, units[unit]);
}
