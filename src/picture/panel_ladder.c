/* panel_ladder.c - the ladder as bars: what each rung takes, and what would do. */
#include <stdio.h>

#include "chart.h"

enum { MEASURES = 4, ROW_STEP = 2 };

static const struct {
    enum access_kind_id kind;
    const char *head, *unit;
} measures[MEASURES] = {{GLOBAL_LOAD, "global loads", "sectors"},
                        {GLOBAL_STORE, "global stores", "sectors"},
                        {SHARED_LOAD, "shared loads", "wavefronts"},
                        {SHARED_STORE, "shared stores", "wavefronts"}};

static uint64_t most_of(const struct ladder_row *rows, size_t count, enum access_kind_id kind)
{
    uint64_t most = 1;
    for (size_t i = 0; i < count; i++)
        if (rows[i].totals.summary.of[kind].units > most)
            most = rows[i].totals.summary.of[kind].units;
    return most;
}

/* The bar up to the ideal, what is beyond it, and the number behind. */
static void place_bar(struct picture *picture, double col, double row, double cols, uint64_t most,
                      const struct site_tally *sum, const char *name, const char *head, const char *unit)
{
    char units[32], ideal[32];
    double scale = cols / (double)most;
    if (!sum->requests) {
        picture_text(picture, col, row, FACE_PLAIN, ANCHOR_START, INK_RULE, "none");
        return;
    }
    uint64_t least = sum->ideal < sum->units ? sum->ideal : sum->units;
    picture_rectangle(picture, col, row + 0.1, (double)least * scale, 0.8, INK_MAIN);
    picture_note(picture, "%s, %s: %s %s, ideal %s", name, head, grouped(sum->units, units), unit,
                 grouped(sum->ideal, ideal));
    if (sum->units > least) {
        picture_rectangle(picture, col + (double)least * scale, row + 0.1,
                          (double)(sum->units - least) * scale, 0.8, INK_BAD);
        picture_note(picture, "%s, %s: %s %s, ideal %s", name, head, grouped(sum->units, units), unit,
                     grouped(sum->ideal, ideal));
    }
    picture_text(picture, col + (double)sum->units * scale + 0.7, row, FACE_PLAIN, ANCHOR_START,
                 sum->units > sum->ideal ? INK_TEXT : INK_DIM, "%s", grouped(sum->units, units));
}

void place_ladder(struct picture *picture, const struct area *area, const struct ladder_row *rows,
                  size_t count, const struct ladder_row *own)
{
    double each = (area->cols - LADDER_LEFT) / MEASURES,
           step = (double)count * ROW_STEP + 3 > area->rows ? 1 : ROW_STEP;
    char digits[32];
    for (size_t m = 0; m < MEASURES; m++) {
        uint64_t most = most_of(rows, count, measures[m].kind);
        double col = area->col + LADDER_LEFT + (double)m * each;
        double room = each - 3 - (double)text_columns(grouped(most, digits));
        picture_text(picture, col, area->row, FACE_BOLD, ANCHOR_START, INK_TEXT, "%s", measures[m].head);
        picture_text(picture, col, area->row + 1, FACE_PLAIN, ANCHOR_START, INK_DIM, "%s", measures[m].unit);
        for (size_t i = 0; i < count; i++)
            place_bar(picture, col, area->row + 3 + (double)i * step, room, most,
                      &rows[i].totals.summary.of[measures[m].kind], rows[i].name, measures[m].head,
                      measures[m].unit);
    }
    for (size_t i = 0; i < count; i++)
        picture_text(picture, area->col, area->row + 3 + (double)i * step,
                     &rows[i] == own ? FACE_BOLD : FACE_PLAIN, ANCHOR_START, INK_TEXT, "%s",
                     cut_to(picture, rows[i].name, LADDER_LEFT - 1));
}

void legend_ladder(struct legend *legend)
{
    legend_entry(legend, INK_MAIN, "the ideal");
    legend_entry(legend, INK_BAD, "what is beyond it");
    legend_remark(legend, "The number is the sum of both. Each column has a scale of its own.");
}
