/* pane_card.c - the current access as a card: which lane asks which bank or sector, and what is served when.
 */
#include <stdio.h>

#include "../../sim/session/explain.h"
#include "pane.h"
#include "panes.h"

enum { MARGIN = 3 };

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

void card_banks(struct canvas *canvas, const struct rect *area, const struct side *side, int row)
{
    const struct trace_access *at = side_access(side);
    struct rect strip = rect_part(area, row, 0, 2, area->cols);
    unsigned words[BANK_COUNT];
    if (!at || at->access.site->kind->space != SPACE_SHARED)
        return;
    struct lanes lanes = access_lanes(&at->access);
    bank_words_of(&lanes, words);
    draw_heading(canvas, &strip, "bk", BANK_COUNT);
    canvas_text(canvas, &strip, 1, 0, STYLE_DIM, "n");
    for (unsigned bank = 0; bank < BANK_COUNT; bank++)
        canvas_put(canvas, &strip, 1, MARGIN + (int)bank,
                   words[bank] ? (uint32_t)pane_digit(words[bank]) : 0xb7,
                   words[bank] ? STYLE_HEAT + heat_ratio_level(words[bank], 1) : STYLE_INACTIVE);
    if (MARGIN + (int)BANK_COUNT + 13 > area->cols)
        return;
    unsigned most = bank_spread_of(&lanes).ways;
    canvas_text(canvas, &strip, 0, MARGIN + BANK_COUNT + 1, STYLE_DIM, "words a bank");
    canvas_format(canvas, &strip, 1, MARGIN + BANK_COUNT + 1, pane_cost_style(most, 1), "at most %u", most);
}
