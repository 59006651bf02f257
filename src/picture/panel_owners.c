/* panel_owners.c - the output as a map: who wrote which piece, and which pieces are not right. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../sim/report/matrix.h"
#include "owner_map.h"

enum { TOP = 3, PIECE = 2 /* columns of a piece */, VERDICT_COLS = 66 };

static uint64_t number_of(const struct launch *launch, const struct owner_bin *bin)
{
    return ((uint64_t)bin->block[2] * launch->grid[1] + bin->block[1]) * launch->grid[0] + bin->block[0];
}

static enum ink ink_of(const struct owner_bins *bins, const struct launch *launch,
                       const struct owner_bin *bin)
{
    if (!bin->written)
        return INK_EMPTY;
    if (bin->wrong || bin->disagreeing)
        return INK_BAD;
    if (bins->blocks == 1)
        return INK_OWNER + bin->warp % 4;
    if (!bins->by_order)
        return INK_OWNER + ((bin->block[0] + bin->block[2]) % 2 + bin->block[1] % 2 * 2) % 4;
    long double part = (long double)number_of(launch, bin) / (long double)bins->blocks;
    return INK_HEAT + (unsigned)(part * PICTURE_HEATS);
}

/* The marks of the command owners. */
static const char *mark_of(const struct owner_bins *bins, const struct owner_bin *bin)
{
    return bin->disagreeing                   ? " #"
           : bin->wrong                       ? bin->twice ? "!*" : " !"
           : bin->missing || bin->has_example ? " ."
           : bin->twice                       ? " *"
           : bins->sampled && !bin->written   ? "  "
                                              : NULL;
}

static bool is_same(const struct owner_bins *bins, const struct owner_bin *a, const struct owner_bin *b)
{
    if (!a->written || !b->written)
        return !a->written && !b->written;
    return memcmp(a->block, b->block, sizeof a->block) == 0 && (bins->blocks > 1 || a->warp == b->warp);
}

static void say_piece(struct picture *picture, const struct owner_bins *bins, const struct owner_bin *bin,
                      int row, int col)
{
    int64_t scale = bins->scale;
    char who[120], what[200] = "";
    if (bin->written)
        (void)snprintf(who, sizeof who, "block %u,%u,%u warp %u lane %u", bin->block[0], bin->block[1],
                       bin->block[2], bin->warp, bin->lane);
    else
        (void)snprintf(who, sizeof who, "%s", bins->sampled ? "no sample" : "nobody");
    if (bin->missing || bin->wrong || bin->disagreeing || bin->twice)
        (void)snprintf(what, sizeof what,
                       "; of %" PRIu64 " cells missing %" PRIu64 ", wrong %" PRIu64 ", disagreeing %" PRIu64
                       ", written twice %" PRIu64,
                       bin->cells, bin->missing, bin->wrong, bin->disagreeing, bin->twice);
    picture_note(picture, "%s (%" PRId64 ",%" PRId64 "): %s%s%s", scale > 1 ? "cells from" : "cell",
                 row * scale, col * scale, scale > 1 && bin->written ? "first written by " : "", who, what);
}

static void place_piece(struct picture *picture, double left, double top, const struct owner_bins *bins,
                        const struct launch *launch, int row, int col)
{
    const struct owner_bin *bin = &bins->at[row * bins->cols + col];
    enum ink ink = ink_of(bins, launch, bin);
    const char *mark = mark_of(bins, bin);
    double x = left + col * PIECE, y = top + row;
    picture_rectangle(picture, x, y, PIECE + 0.06, 1.03, ink); /* over the edge of the next: no seam shows */
    say_piece(picture, bins, bin, row, col);
    if (mark)
        picture_label(picture, x + PIECE / 2.0, y, ink, mark);
    if (bins->by_order)
        return;
    if (col && !is_same(bins, bin, bin - 1))
        picture_line(picture, x, y, 0, 1, 0.9, INK_TEXT);
    if (row && !is_same(bins, bin, bin - bins->cols))
        picture_line(picture, x, y, PIECE, 0, 0.9, INK_TEXT);
}

/* Where a block's pieces begin, its name, if it is free of marks and there is room. */
static void place_name(struct picture *picture, double left, double top, const struct owner_bins *bins,
                       const struct launch *launch, int row, int col)
{
    const struct owner_bin *bin = &bins->at[row * bins->cols + col];
    int width = 1;
    char name[60];
    bool begins = (!col || !is_same(bins, bin, bin - 1)) && (!row || !is_same(bins, bin, bin - bins->cols));
    if (!begins || !bin->written || bins->by_order)
        return;
    while (col + width < bins->cols && is_same(bins, bin, bin + width))
        width++;
    for (int i = 0; i < width; i++)
        if (mark_of(bins, bin + i))
            return;
    int length = bins->blocks == 1 ? snprintf(name, sizeof name, "w%u", bin->warp)
                 : launch->grid[2] > 1
                     ? snprintf(name, sizeof name, "%u,%u,%u", bin->block[0], bin->block[1], bin->block[2])
                     : snprintf(name, sizeof name, "%u,%u", bin->block[0], bin->block[1]);
    if (length < width * PIECE)
        picture_label(picture, left + col * PIECE + length / 2.0 + 0.5, top + row, ink_of(bins, launch, bin),
                      name);
}

static void place_axes(struct picture *picture, double left, double top, const struct owner_bins *bins)
{
    for (int col = 0; col < bins->cols; col += 8)
        picture_text(picture, left + col * PIECE, top - 1, FACE_DIGITS, ANCHOR_START, INK_DIM, "%" PRId64,
                     col * bins->scale);
    for (int row = 0; row < bins->rows; row += 4)
        picture_text(picture, left - 0.7, top + row, FACE_DIGITS, ANCHOR_END, INK_DIM, "%" PRId64,
                     row * bins->scale);
}

/* As the command owners says it. */
static void place_verdict(struct picture *picture, double col, double row, const struct owner_bins *bins)
{
    const struct owners_report *r = &bins->run.report;
    char a[32], b[32];
    bool correct = r->correct && !bins->overflow;
    if (correct)
        picture_text(picture, col, row, FACE_BOLD, ANCHOR_START, INK_MAIN,
                     "correct: each of the %s output cells has its own", grouped(r->cells, a));
    else
        picture_text(picture, col, row, FACE_BOLD, ANCHOR_START, INK_BAD, "not correct: %s",
                     bins->overflow ? "integers overflow" : "lanescope audit says why");
    const struct {
        const char *what;
        uint64_t count;
    } counts[] = {{"missing", r->missing},
                  {"wrong", r->wrong},
                  {"disagreeing", r->disagreeing},
                  {"written twice", r->written_twice}};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        bool is_bad = i < 3 && counts[i].count;
        picture_text(picture, col + 11 + i % 2 * 30, row + 1 + i / 2, FACE_PLAIN, ANCHOR_END,
                     is_bad ? INK_BAD : INK_TEXT, "%s", grouped(counts[i].count, a));
        picture_text(picture, col + 12 + i % 2 * 30, row + 1 + i / 2, FACE_PLAIN, ANCHOR_START,
                     is_bad ? INK_BAD : INK_DIM, "%s", counts[i].what);
    }
    if (bins->sampled)
        picture_text(picture, col, row + 3, FACE_SMALL, ANCHOR_START, INK_DIM,
                     "the map: %s of %s blocks, at regular distances; the numbers: all of them",
                     grouped(bins->samples, a), grouped(bins->blocks, b));
}

void place_owners(struct picture *picture, const struct area *area, const struct subject *subject,
                  const struct owner_bins *bins)
{
    const struct scenario *s = &subject->session->scenario;
    double left = area->col + OWNERS_LEFT, top = area->row + TOP;
    char name[SUBJECT_LINE];
    subject_short(subject, name);
    picture_text(picture, area->col, area->row, FACE_BOLD, ANCHOR_START, INK_TEXT, "%s",
                 cut_to(picture, name, area->cols - 1));
    picture_text(picture, area->col, area->row + 1, FACE_PLAIN, ANCHOR_START, INK_DIM,
                 "%s, %u x %u; a piece is %" PRId64 " x %" PRId64 " element%s",
                 s->program->parameters[s->out].name, scenario_out_rows(s), scenario_out_cols(s), bins->scale,
                 bins->scale, bins->scale == 1 ? "" : "s");
    place_axes(picture, left, top, bins);
    for (int row = 0; row < bins->rows; row++)
        for (int col = 0; col < bins->cols; col++)
            place_piece(picture, left, top, bins, &s->launch, row, col);
    for (int row = 0; row < bins->rows; row++)
        for (int col = 0; col < bins->cols; col++)
            place_name(picture, left, top, bins, &s->launch, row, col);
    bool beside = OWNERS_LEFT + bins->cols * PIECE + 4 + VERDICT_COLS <= area->cols;
    if (beside)
        place_verdict(picture, left + bins->cols * PIECE + 4, top, bins);
    else
        place_verdict(picture, left, top + bins->rows + 0.4, bins);
}

/* The launch in six parts: by the number of the first block, where it is one launch's. */
static void legend_order(struct legend *legend, const struct owner_bins *bins, bool is_one)
{
    static const char *const words[PICTURE_HEATS] = {
        "the first sixth of the blocks", "2nd", "3rd", "4th", "5th", "last"};
    char text[32];
    for (unsigned i = 0; i < PICTURE_HEATS; i++) {
        uint64_t first = (uint64_t)((long double)bins->blocks * i / PICTURE_HEATS);
        if (is_one)
            legend_entry(legend, INK_HEAT + i, "%s%s", i ? "" : "by block ", grouped(first, text));
        else
            legend_entry(legend, INK_HEAT + i, "%s", words[i]);
    }
}

void legend_owners(struct legend *legend, const struct owner_bins *bins, const struct owner_bins *other)
{
    if (bins->by_order)
        legend_order(legend, bins, !other || other->blocks == bins->blocks);
    for (unsigned i = 0; !bins->by_order && i < 3; i++)
        legend_swatch(legend, INK_OWNER + i);
    if (!bins->by_order)
        legend_entry(legend, INK_OWNER + 3, "%s",
                     bins->blocks == 1 && (!other || other->blocks == 1) ? "a warp each" : "a block each");
    legend_entry(legend, INK_BAD, "! wrong, # writers disagree");
    legend_entry(legend, INK_EMPTY, bins->sampled ? "no sample" : ". never written");
    legend_remark(legend, bins->by_order ? "* written more than once. Blocks are numbered x first, then y."
                                         : "* written more than once. A name x,y is the block's.");
}
