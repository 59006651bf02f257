/* panel_banks.c - shared memory: lanes against banks, and wavefronts against banks. */
#include <inttypes.h>
#include <stdio.h>

#include "../../sim/session/heatmap.h"
#include "panel.h"

enum { BANK_COLS = 2 };

struct served {
    struct lanes lanes;
    struct bank_wavefront waves[BANK_WAVEFRONT_LIMIT];
    unsigned count;
    unsigned words[BANK_COUNT];
};

static void serve(struct served *served, const struct trace_access *at)
{
    served->lanes = access_lanes(&at->access);
    served->count = bank_wavefronts_of(&served->lanes, served->waves);
    bank_words_of(&served->lanes, served->words);
}

static void say_cost(const struct trace_access *at, char out[120])
{
    struct lanes lanes = access_lanes(&at->access);
    struct bank_spread spread = bank_spread_of(&lanes);
    int used = snprintf(out, 120, "%u wavefront%s, ideal %u", at->cost.units, at->cost.units == 1 ? "" : "s",
                        at->cost.ideal);
    if (spread.ways > 1 && at->cost.units > at->cost.ideal)
        (void)snprintf(out + used, 120 - (size_t)used, ": a %u-way bank conflict", spread.ways);
}

/* Every fourth bank by its number. */
static void place_numbers(struct picture *picture, double left, double row)
{
    for (unsigned bank = 0; bank < BANK_COUNT; bank += 4)
        picture_text(picture, left + bank * BANK_COLS + BANK_COLS / 2.0, row, FACE_DIGITS, ANCHOR_MIDDLE,
                     INK_DIM, "%2u", bank);
    picture_text(picture, left + BANK_COUNT * BANK_COLS + 1, row, FACE_SMALL, ANCHOR_START, INK_DIM, "bank");
}

static void place_lane(struct picture *picture, double left, double row, const struct subject *subject,
                       const struct trace_access *at, const struct served *served, unsigned lane)
{
    char note[300], turn[16];
    bool active = at->access.mask >> lane & 1;
    lane_note(note, subject, at, lane);
    picture_text(picture, left - 0.7, row, FACE_DIGITS, ANCHOR_END, active ? INK_TEXT : INK_RULE, "%u", lane);
    picture_rectangle(picture, left, row + 0.04, BANK_COUNT * BANK_COLS, 0.92, INK_EMPTY);
    picture_note(picture, "%s", note);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        unsigned wave = 0;
        while (wave < served->count && !(served->waves[wave].served[bank] >> lane & 1))
            wave++;
        if (wave == served->count)
            continue;
        unsigned words = served->words[bank];
        (void)snprintf(turn, sizeof turn, "%2u", wave + 1);
        picture_cell(picture, left + bank * BANK_COLS, row, BANK_COLS, 1,
                     INK_HEAT + heat_ratio_level(words, 1), turn);
        picture_note(picture, "%s, bank %u, wavefront %u of %u; the bank has %u word%s to hand out", note,
                     bank, wave + 1, served->count, words, words == 1 ? "" : "s");
    }
}

void panel_banks(struct picture *picture, double col, double row, const struct subject *subject,
                 const struct trace_access *at, bool names_subject)
{
    struct served served;
    char cost[120];
    double left = col + MATRIX_COL, top = row + MATRIX_ROW;
    serve(&served, at);
    panel_head(picture, col, row, subject, at, names_subject);
    place_numbers(picture, left, top - 1);
    for (unsigned lane = 0; lane < LANES; lane++)
        place_lane(picture, left, top + lane, subject, at, &served, lane);
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%2u", served.words[bank]);
        picture_cell(picture, left + bank * BANK_COLS, top + MATRIX_ROWS, BANK_COLS, 1, INK_EMPTY, text);
        picture_note(picture, "bank %u: %u word%s", bank, served.words[bank],
                     served.words[bank] == 1 ? "" : "s");
    }
    picture_text(picture, left + BANK_COUNT * BANK_COLS + 1, top + MATRIX_ROWS, FACE_SMALL, ANCHOR_START,
                 INK_DIM, "words");
    say_cost(at, cost);
    panel_foot(picture, col, top + MATRIX_ROWS + 1.3, subject, at, cost);
}

static void place_wave(struct picture *picture, double left, double row, const struct served *served,
                       unsigned number)
{
    const struct bank_wavefront *wave = &served->waves[number];
    char text[16];
    picture_text(picture, left - 0.7, row, FACE_DIGITS, ANCHOR_END, INK_TEXT, "%u", number + 1);
    picture_rectangle(picture, left, row + 0.04, BANK_COUNT * BANK_COLS, 0.92, INK_EMPTY);
    picture_note(picture, "wavefront %u of %u: %d banks at work, %d lanes served", number + 1, served->count,
                 __builtin_popcount(wave->banks), __builtin_popcount(wave->lanes));
    for (unsigned bank = 0; bank < BANK_COUNT; bank++) {
        uint32_t lanes = wave->served[bank];
        int many = __builtin_popcount(lanes);
        if (!many)
            continue;
        if (many == 1)
            (void)snprintf(text, sizeof text, "%2d", __builtin_ctz(lanes));
        else
            (void)snprintf(text, sizeof text, "%s", "**");
        picture_cell(picture, left + bank * BANK_COLS, row, BANK_COLS, 1,
                     many == 1 ? INK_MAIN : INK_OWNER + 3, text);
        if (many == 1)
            picture_note(picture, "wavefront %u: bank %u serves lane %d", number + 1, bank,
                         __builtin_ctz(lanes));
        else
            picture_note(picture, "wavefront %u: bank %u serves %d lanes at once, with one word", number + 1,
                         bank, many);
    }
    picture_text(picture, left + BANK_COUNT * BANK_COLS + 1, row, FACE_DIGITS, ANCHOR_START, INK_DIM,
                 "%2d lane%s", __builtin_popcount(wave->lanes),
                 __builtin_popcount(wave->lanes) == 1 ? "" : "s");
}

void panel_punchcard(struct picture *picture, double col, double row, const struct subject *subject,
                     const struct trace_access *at, bool names_subject)
{
    struct served served;
    char cost[120];
    double left = col + MATRIX_COL, top = row + MATRIX_ROW;
    serve(&served, at);
    panel_head(picture, col, row, subject, at, names_subject);
    place_numbers(picture, left, top - 1);
    unsigned shown = served.count <= MATRIX_ROWS ? served.count : MATRIX_ROWS;
    for (unsigned i = 0; i < shown; i++)
        place_wave(picture, left, top + i, &served, i);
    if (shown < served.count)
        picture_text(picture, left, top + MATRIX_ROWS, FACE_SMALL, ANCHOR_START, INK_DIM,
                     "and %u wavefronts more", served.count - shown);
    say_cost(at, cost);
    panel_foot(picture, col, top + MATRIX_ROWS + 1.3, subject, at, cost);
}

void legend_banks(struct legend *legend)
{
    static const struct {
        unsigned level;
        const char *words;
    } levels[] = {{0, "its bank has 1 word to hand out"},
                  {2, "2 words, one after the other"},
                  {3, "3 or 4"},
                  {4, "5 to 8"},
                  {5, "9 to 32"}};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i++)
        legend_entry(legend, INK_HEAT + levels[i].level, "%s", levels[i].words);
    legend_remark(legend,
                  "Lanes go down, banks across. In a cell: the wavefront that serves it. Words in one "
                  "bank are handed out one after the other.");
}

void legend_punchcard(struct legend *legend)
{
    legend_entry(legend, INK_MAIN, "the bank serves this lane");
    legend_entry(legend, INK_OWNER + 3, "** several lanes with one word");
    legend_entry(legend, INK_EMPTY, "the bank waits");
    legend_remark(legend,
                  "Time goes down, a wavefront a row. How many there are is the rule; which goes first "
                  "is an illustration.");
}
