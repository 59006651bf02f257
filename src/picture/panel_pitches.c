/* panel_pitches.c - what shared memory costs in the whole launch at each pitch, from the tile's width to
 * twice that. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../../sim/session/heatmap.h"
#include "../../sim/session/repitch.h"
#include "chart.h"

enum { CURVE_ROWS = 30, CURVE_TOP = 4 };

bool curve_count(struct pitch_curve *curve, const struct subject *subject, const struct options *options,
                 struct problem *problem)
{
    struct repitch found;
    *curve = (struct pitch_curve){0};
    if (!repitch_find(subject->session, NULL, &found))
        return problem_say(problem, "%s has no tile in shared memory whose pitch could be another",
                           subject->name);
    uint64_t width = repitch_width(subject->session, &found);
    for (uint64_t pitch = width; pitch <= 2 * width && curve->count < CURVE_LIMIT; pitch++) {
        struct pitch_cost *point = &curve->at[curve->count++];
        struct subject other = {0};
        struct problem refused = {0};
        struct options plain = *options;
        plain.at_block.count = 0;
        point->pitch = pitch;
        point->failed = !subject_open_pitch(&other, subject, (uint32_t)pitch, &plain, &refused) ||
                        !subject_count(&other, options, &refused);
        for (int kind = 0; !point->failed && kind < ACCESS_KINDS; kind++)
            if (access_kinds[kind].space == SPACE_SHARED) {
                point->wavefronts += other.totals.summary.of[kind].units;
                point->ideal += other.totals.summary.of[kind].ideal;
            }
        subject_close(&other);
    }
    return true;
}

static uint64_t most_of(const struct pitch_curve *curve)
{
    uint64_t most = 1;
    for (unsigned i = 0; i < curve->count; i++)
        if (curve->at[i].wavefronts > most)
            most = curve->at[i].wavefronts;
    return most;
}

/* The axis's end: a number of which a quarter is easily read, not below `most`. */
static double round_up(double most)
{
    static const double steps[] = {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8};
    double power = pow(10, floor(log10(most)));
    if (most <= 4)
        return 4;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (most <= steps[i] * power)
            return steps[i] * power;
    return 10 * power;
}

static void place_axis(struct picture *picture, const struct area *plot, double top)
{
    for (int i = 0; i <= 4; i++) {
        char text[32];
        double row = plot->row + plot->rows * (4 - i) / 4;
        picture_line(picture, plot->col, row, plot->cols, 0, 0.6, INK_RULE);
        picture_text(picture, plot->col - 1, row - 0.5, FACE_SMALL, ANCHOR_END, INK_DIM, "%s",
                     grouped((uint64_t)(top * i / 4), text));
    }
}

static void place_bar(struct picture *picture, const struct area *plot, double col, double width, double top,
                      const struct pitch_cost *point, bool is_own)
{
    char wavefronts[32], ideal[32];
    if (point->failed) {
        picture_text(picture, col + width / 2, plot->row + plot->rows - 1, FACE_DIGITS, ANCHOR_MIDDLE,
                     INK_DIM, "-");
        return;
    }
    double height = plot->rows * (double)point->wavefronts / top;
    enum ink ink = INK_HEAT + heat_ratio_level(point->wavefronts, point->ideal);
    picture_rectangle(picture, col + width * 0.12, plot->row + plot->rows - height, width * 0.76, height,
                      ink);
    picture_note(picture, "pitch %" PRIu64 ": %s wavefronts, ideal %s", point->pitch,
                 grouped(point->wavefronts, wavefronts), grouped(point->ideal, ideal));
    picture_line(picture, col, plot->row + plot->rows * (1 - (double)point->ideal / top), width, 0, 1.6,
                 INK_BAD);
    if (point->ideal && width >= 4)
        picture_text(picture, col + width / 2, plot->row + plot->rows - height - 1, FACE_DIGITS,
                     ANCHOR_MIDDLE, is_own ? INK_TEXT : INK_DIM, "%.*f",
                     point->wavefronts % point->ideal != 0, (double)point->wavefronts / (double)point->ideal);
}

void place_curve(struct picture *picture, const struct area *area, const struct subject *subject,
                 const struct pitch_curve *curve)
{
    double top = round_up((double)most_of(curve));
    struct area plot = {area->col + CURVE_LEFT, area->row + CURVE_TOP, area->cols - 13, CURVE_ROWS};
    double width = floor(plot.cols / curve->count);
    if (width < 1)
        width = plot.cols / curve->count;
    plot.cols = width * curve->count;
    char name[SUBJECT_LINE];
    subject_short(subject, name);
    picture_text(picture, area->col, area->row, FACE_BOLD, ANCHOR_START, INK_TEXT, "%s",
                 cut_to(picture, name, area->cols));
    picture_text(picture, area->col, area->row + 1.3, FACE_PLAIN, ANCHOR_START, INK_DIM,
                 "wavefronts of the whole launch%s", width >= 4 ? "; above a bar: times the ideal" : "");
    place_axis(picture, &plot, top);
    unsigned every = width >= 3 ? 1 : width >= 1.5 ? 4 : 16;
    for (unsigned i = 0; i < curve->count; i++) {
        const struct pitch_cost *point = &curve->at[i];
        bool is_own = point->pitch == subject->pitch;
        double col = plot.col + i * width;
        place_bar(picture, &plot, col, width, top, point, is_own);
        if (i % every == 0)
            picture_text(picture, col + width / 2, plot.row + plot.rows, FACE_DIGITS, ANCHOR_MIDDLE,
                         is_own ? INK_TEXT : INK_DIM, "%" PRIu64, point->pitch);
    }
    picture_text(picture, plot.col, plot.row + plot.rows + 1, FACE_SMALL, ANCHOR_START, INK_DIM,
                 "pitch: elements from one row of the tile to the next");
}

void legend_curve(struct legend *legend)
{
    legend_ratios(legend);
    legend_entry(legend, INK_BAD, "the ideal");
}
