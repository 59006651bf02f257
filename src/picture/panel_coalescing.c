/* panel_coalescing.c - lanes down, sectors across: which lane touches which piece of memory, and how much of
 * each piece is asked for. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../../sim/session/heatmap.h"
#include "panel.h"

enum { SECTORS_WIDE = 36, LINE_SECTORS = LINE_BYTES / SECTOR_BYTES };

struct matrix {
    struct sector sectors[SECTOR_LIMIT];
    uint32_t used[SECTOR_LIMIT]; /* bytes of each, one bit a byte */
    unsigned count;
    double width; /* columns of one */
};

static void mark_used(struct matrix *matrix, const struct trace_access *at)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t begin = session_address(&at->access, lane);
        if (!(at->access.mask >> lane & 1))
            continue;
        for (unsigned i = 0; i < matrix->count; i++)
            for (unsigned byte = 0; byte < SECTOR_BYTES; byte++) {
                int64_t here = matrix->sectors[i].index * (int64_t)SECTOR_BYTES + byte;
                if (here >= begin && here < begin + (int64_t)at->access.site->lane_bytes)
                    matrix->used[i] |= UINT32_C(1) << byte;
            }
    }
}

static enum ink ink_of(uint32_t used)
{
    return INK_HEAT + heat_ratio_level(SECTOR_BYTES, (uint64_t)__builtin_popcount(used));
}

static void place_lane(struct picture *picture, double col, double row, const struct subject *subject,
                       const struct matrix *matrix, const struct trace_access *at, unsigned lane)
{
    char note[300];
    bool active = at->access.mask >> lane & 1;
    lane_note(note, subject, at, lane);
    picture_text(picture, col - 0.7, row, FACE_DIGITS, ANCHOR_END, active ? INK_TEXT : INK_RULE, "%u", lane);
    picture_rectangle(picture, col, row + 0.04, matrix->width * matrix->count, 0.92, INK_EMPTY);
    picture_note(picture, "%s", note);
    for (unsigned i = 0; i < matrix->count; i++) {
        if (!(matrix->sectors[i].lanes >> lane & 1))
            continue;
        picture_cell(picture, col + i * matrix->width, row, matrix->width, 1, ink_of(matrix->used[i]), NULL);
        picture_note(picture, "%s, sector %" PRId64 ", of which %d of %u bytes are asked for", note,
                     matrix->sectors[i].index, __builtin_popcount(matrix->used[i]), SECTOR_BYTES);
    }
}

/* Lines of 128 bytes: where one begins a stroke, and its first byte in the buffer. */
static void place_lines(struct picture *picture, double col, double row, const struct matrix *matrix,
                        int64_t misalignment)
{
    for (unsigned i = 0; i < matrix->count; i++) {
        int64_t line = unit_of(matrix->sectors[i].index, LINE_SECTORS);
        unsigned last = i;
        while (last + 1 < matrix->count && unit_of(matrix->sectors[last + 1].index, LINE_SECTORS) == line)
            last++;
        char text[40];
        int length = snprintf(text, sizeof text, "byte %" PRId64, line * (int64_t)LINE_BYTES - misalignment);
        double room = (last + 1 - i) * matrix->width;
        if (length <= room)
            picture_text(picture, col + i * matrix->width, row - 1, FACE_SMALL, ANCHOR_START, INK_DIM, "%s",
                         text);
        if (i)
            picture_line(picture, col + i * matrix->width, row - 0.4, 0, MATRIX_ROWS + 1.4, 0.6, INK_DIM);
        i = last;
    }
}

void panel_coalescing(struct picture *picture, double col, double row, const struct subject *subject,
                      const struct trace_access *at, bool names_subject)
{
    struct matrix matrix = {.count = 0};
    struct lanes lanes = access_lanes(&at->access);
    char cost[120];
    matrix.count = sectors_of(&lanes, matrix.sectors);
    matrix.width = matrix.count > SECTORS_WIDE ? 1 : matrix.count > SECTORS_WIDE / 2 ? 2 : 4;
    mark_used(&matrix, at);
    panel_head(picture, col, row, subject, at, names_subject);
    double left = col + MATRIX_COL, top = row + MATRIX_ROW;
    for (unsigned lane = 0; lane < LANES; lane++)
        place_lane(picture, left, top + lane, subject, &matrix, at, lane);
    for (unsigned i = 0; i < matrix.count; i++) {
        char text[8];
        (void)snprintf(text, sizeof text, "%2d", __builtin_popcount(matrix.used[i]));
        picture_cell(picture, left + i * matrix.width, top + MATRIX_ROWS, matrix.width, 1, INK_EMPTY,
                     matrix.width > 1 ? text : NULL);
        picture_note(picture, "sector %" PRId64 ": %d of %u bytes are asked for, by %d lane%s",
                     matrix.sectors[i].index, __builtin_popcount(matrix.used[i]), SECTOR_BYTES,
                     __builtin_popcount(matrix.sectors[i].lanes),
                     __builtin_popcount(matrix.sectors[i].lanes) == 1 ? "" : "s");
    }
    place_lines(picture, left, top, &matrix, at->access.misalignment);
    picture_text(picture, left + matrix.count * matrix.width + 0.5, top + MATRIX_ROWS, FACE_SMALL,
                 ANCHOR_START, INK_DIM, "bytes");
    (void)snprintf(cost, sizeof cost, "%u sector%s in %u line%s, ideal %u", at->cost.units,
                   at->cost.units == 1 ? "" : "s", at->cost.lines, at->cost.lines == 1 ? "" : "s",
                   at->cost.ideal);
    panel_foot(picture, col, top + MATRIX_ROWS + 1.3, subject, at, cost);
}

void legend_coalescing(struct legend *legend)
{
    unsigned most = SECTOR_BYTES;
    for (unsigned i = 0; i < PICTURE_HEATS; i++) {
        unsigned least = i + 1 < PICTURE_HEATS ? (unsigned)ceil(SECTOR_BYTES / heat_ratio_most(i)) : 1;
        if (i == 0)
            legend_entry(legend, INK_HEAT, "all %u bytes of the sector are asked for", most);
        else
            legend_entry(legend, INK_HEAT + i, "%u to %u", least, most);
        most = least - 1;
    }
    legend_remark(legend,
                  "Lanes go down, the sectors of 32 bytes that they touch across; strokes part lines of "
                  "128 bytes. A sector is moved whole, whatever is asked of it.");
}
