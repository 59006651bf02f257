/* pane_card.c - the current access as a card: which lane asks which bank or sector, and what is served when.
 */
#include <stdio.h>

#include "../../sim/session/explain.h"
#include "pane.h"
#include "panes.h"

enum { MARGIN = 3, PASS_ROWS = 4 };

/* The columns of the card that each lane touches: banks, or the access's sectors, as many as fit. */
struct card {
    unsigned columns;
    uint32_t touched[LANES];
};

static uint32_t banks_of(const struct trace_access *at, unsigned lane)
{
    uint32_t banks = 0;
    int64_t first = session_address(&at->access, lane), last = first + at->access.site->lane_bytes - 1;
    for (int64_t word = unit_of(first, BANK_BYTES); word <= unit_of(last, BANK_BYTES); word++)
        banks |= UINT32_C(1) << bank_of(word * (int64_t)BANK_BYTES);
    return banks;
}

static struct card card_of(const struct trace_access *at)
{
    struct card card = {.columns = BANK_COUNT};
    for (unsigned lane = 0; at->access.site->kind->space == SPACE_SHARED && lane < LANES; lane++)
        card.touched[lane] = at->access.mask >> lane & 1 ? banks_of(at, lane) : 0;
    if (at->access.site->kind->space == SPACE_SHARED)
        return card;
    struct lanes lanes = access_lanes(&at->access);
    struct sector sectors[SECTOR_LIMIT];
    unsigned count = sectors_of(&lanes, sectors);
    card.columns = count < BANK_COUNT ? count : BANK_COUNT;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned column = 0; column < card.columns; column++)
            card.touched[lane] |= (sectors[column].lanes >> lane & 1) << column;
    return card;
}

static void draw_heading(struct canvas *canvas, const struct rect *area, const char *name, unsigned columns)
{
    canvas_text(canvas, area, 0, 0, STYLE_DIM, name);
    for (unsigned column = 0; column < columns; column++)
        canvas_put(canvas, area, 0, MARGIN + (int)column, (uint32_t)pane_digit(column), STYLE_DIM);
}

/* As far as asked for, but with the first lane of the current part in sight. */
int card_top(const struct side *side, int scroll, int rows)
{
    uint32_t part = side->part == PART_WHOLE ? 0 : side_part_lanes(side);
    int top = pane_scroll(scroll, LANES, rows), first = part ? __builtin_ctz(part) : top;
    return first < top || first >= top + rows ? pane_scroll(first, LANES, rows) : top;
}

void card_lanes(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll)
{
    const struct trace_access *at = side_access(side);
    if (!at)
        return;
    bool global = at->access.site->kind->space == SPACE_GLOBAL;
    const struct card card = card_of(at);
    uint32_t part = side->part == PART_WHOLE ? 0 : side_part_lanes(side);
    draw_heading(canvas, area, global ? "sc" : "bk", card.columns);
    scroll = card_top(side, scroll, area->rows - 1);
    for (int row = 1; row < area->rows && row - 1 + scroll < LANES; row++) {
        unsigned lane = (unsigned)(row - 1 + scroll);
        bool active = at->access.mask >> lane & 1;
        canvas_format(canvas, area, row, 0,
                      lane == side->lane ? STYLE_CURSOR
                      : part >> lane & 1 ? STYLE_PART
                      : active           ? STYLE_DIM
                                         : STYLE_INACTIVE,
                      "%2u", lane);
        if (part >> lane & 1)
            canvas_put(canvas, area, row, 2, 0x25b6, STYLE_BAD);
        for (unsigned column = 0; column < card.columns; column++) {
            bool dot = card.touched[lane] >> column & 1;
            bool now = dot && (part >> lane & 1);
            enum style style = now ? STYLE_PART : dot ? STYLE_MARK : STYLE_INACTIVE;
            canvas_put(canvas, area, row, MARGIN + (int)column,
                       now      ? 0x25c6
                       : dot    ? 0x25cf
                       : active ? 0xb7
                                : ' ',
                       style);
        }
    }
}

/* A row a wavefront, with the lane it serves under each bank; a row a sector, with its lanes. */
void card_waves(struct canvas *canvas, const struct rect *area, const struct side *side, int scroll)
{
    const struct trace_access *at = side_access(side);
    if (!at)
        return;
    bool global = at->access.site->kind->space == SPACE_GLOBAL;
    int parts = (int)access_parts(at);
    const struct card card = card_of(at);
    draw_heading(canvas, area, global ? "ln" : "bk", BANK_COUNT);
    scroll = pane_scroll(scroll, parts, area->rows - 1);
    if (side->part != PART_WHOLE && (side->part < scroll || side->part >= scroll + area->rows - 1))
        scroll = pane_scroll(side->part, parts, area->rows - 1);
    for (int row = 1; row < area->rows && row - 1 + scroll < parts; row++) {
        int part = row - 1 + scroll;
        bool now = part == side->part;
        uint32_t lanes = access_part_lanes(at, (unsigned)part);
        canvas_format(canvas, area, row, 0, now ? STYLE_PART : STYLE_DIM, "%2d", part + 1);
        for (unsigned column = 0; column < BANK_COUNT; column++)
            canvas_put(canvas, area, row, MARGIN + (int)column, 0xb7, STYLE_INACTIVE);
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned column = 0; (lanes >> lane & 1) && column < BANK_COUNT; column++)
                if (global ? column == lane : card.touched[lane] >> column & 1)
                    canvas_put(canvas, area, row, MARGIN + (int)column, (uint32_t)pane_digit(lane),
                               now ? STYLE_PART : STYLE_MARK);
    }
}

/* Few passes get a row each. */
static bool has_pass_rows(const struct trace_access *at, int rows)
{
    return at->access.site->kind->space == SPACE_SHARED && at->cost.units > 1 &&
           at->cost.units <= PASS_ROWS && rows >= 12;
}

int card_strip_rows(const struct side *side, int rows)
{
    const struct trace_access *at = side_access(side);
    return at && has_pass_rows(at, rows) ? 1 + (int)at->cost.units : 2;
}

/* "lanes 8-15". */
static void lanes_text(uint32_t lanes, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "lane%s", lanes & (lanes - 1) ? "s" : "");
    const char *before = " ";
    for (unsigned lane = 0; lane < LANES && used + 8 < size; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < LANES && (lanes >> (last + 1) & 1))
            last++;
        used += (size_t)snprintf(out + used, size - used, "%s%u", before, lane);
        if (last > lane && used < size)
            used += (size_t)snprintf(out + used, size - used, "-%u", last);
        before = ", ";
        lane = last;
    }
}

/* The banks at work in one pass. */
static void draw_pass(struct canvas *canvas, const struct rect *strip, int row, const struct trace_access *at,
                      unsigned part, bool now)
{
    struct lanes lanes = access_lanes(&at->access);
    struct bank_wavefront waves[BANK_WAVEFRONT_LIMIT];
    char text[120];
    if (part >= bank_wavefronts_of(&lanes, waves))
        return;
    canvas_format(canvas, strip, row, 0, now ? STYLE_PART : STYLE_DIM, "%2u", part + 1);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        bool works = waves[part].banks >> bank & 1;
        canvas_put(canvas, strip, row, MARGIN + (int)bank, works ? 0x25cf : 0xb7,
                   !works ? STYLE_INACTIVE
                   : now  ? STYLE_PART
                          : STYLE_MARK);
    }
    lanes_text(waves[part].lanes, text, sizeof text);
    char full[160], shorter[150];
    (void)snprintf(full, sizeof full, "pass %u of %u: %s", part + 1, at->cost.units, text);
    (void)snprintf(shorter, sizeof shorter, "%u of %u: %s", part + 1, at->cost.units, text);
    canvas_text(canvas, strip, row, MARGIN + BANK_COUNT + 1, now ? STYLE_TITLE : STYLE_DIM,
                pane_text(strip->cols - MARGIN - (int)BANK_COUNT - 1, full, shorter, ""));
}

static void draw_words(struct canvas *canvas, const struct rect *strip, const struct trace_access *at)
{
    unsigned words[BANK_COUNT];
    struct lanes lanes = access_lanes(&at->access);
    bank_words_of(&lanes, words);
    canvas_text(canvas, strip, 1, 0, STYLE_DIM, "n");
    for (unsigned bank = 0; bank < BANK_COUNT; bank++)
        canvas_put(canvas, strip, 1, MARGIN + (int)bank,
                   words[bank] ? (uint32_t)pane_digit(words[bank]) : 0xb7,
                   words[bank] ? STYLE_HEAT + heat_ratio_level(words[bank], 1) : STYLE_INACTIVE);
    if (MARGIN + (int)BANK_COUNT + 13 > strip->cols)
        return;
    unsigned most = bank_spread_of(&lanes).ways;
    canvas_text(canvas, strip, 0, MARGIN + BANK_COUNT + 1, STYLE_DIM, "words a bank");
    canvas_format(canvas, strip, 1, MARGIN + BANK_COUNT + 1, pane_cost_style(most, 1), "at most %u", most);
}

void card_banks(struct canvas *canvas, const struct rect *area, const struct side *side)
{
    const struct trace_access *at = side_access(side);
    int rows = card_strip_rows(side, area->rows);
    struct rect strip = rect_part(area, area->rows - rows, 0, rows, area->cols);
    if (!at || at->access.site->kind->space != SPACE_SHARED)
        return;
    draw_heading(canvas, &strip, "bk", BANK_COUNT);
    if (has_pass_rows(at, area->rows))
        for (unsigned part = 0; part < at->cost.units; part++)
            draw_pass(canvas, &strip, 1 + (int)part, at, part, side->part == (int)part);
    else if (side->part != PART_WHOLE)
        draw_pass(canvas, &strip, 1, at, (unsigned)side->part, true);
    else
        draw_words(canvas, &strip, at);
}
