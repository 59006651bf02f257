#include "palette.h"

struct palette_row {
    int16_t ink256, paper256, ink16, paper16, ink8, paper8;
    unsigned attributes; /* also with colours */
    unsigned plain;      /* without colours */
    int32_t ink, paper;  /* pictures */
};

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT = 8 };

static const struct palette_row rows[STYLE_COUNT] = {
    [STYLE_TEXT] = {252, -1, -1, -1, -1, -1, 0, 0, 0xd0d0d0, -1},
    [STYLE_DIM] = {245, -1, BRIGHT + BLACK, -1, -1, -1, 0, LOOK_DIM, 0x8a8a8a, -1},
    [STYLE_FRAME] = {239, -1, BRIGHT + BLACK, -1, -1, -1, 0, LOOK_DIM, 0x4e4e4e, -1},
    [STYLE_FOCUS] = {74, -1, CYAN, -1, CYAN, -1, 0, LOOK_BOLD, 0x5fafd7, -1},
    [STYLE_TITLE] = {117, -1, BRIGHT + CYAN, -1, CYAN, -1, LOOK_BOLD, LOOK_BOLD, 0x87d7ff, -1},
    [STYLE_VALUE] = {255, -1, BRIGHT + WHITE, -1, WHITE, -1, 0, 0, 0xeeeeee, -1},
    [STYLE_KEY] = {222, -1, BRIGHT + YELLOW, -1, YELLOW, -1, LOOK_BOLD, LOOK_BOLD, 0xffd787, -1},
    [STYLE_GOOD] = {74, -1, BRIGHT + BLUE, -1, CYAN, -1, 0, 0, 0x5fafd7, -1},
    [STYLE_WARN] = {222, -1, YELLOW, -1, YELLOW, -1, 0, LOOK_UNDERLINE, 0xffd787, -1},
    [STYLE_BAD] = {208, -1, BRIGHT + YELLOW, -1, YELLOW, -1, LOOK_BOLD, LOOK_BOLD, 0xff8700, -1},
    [STYLE_MARK] = {16, 222, BLACK, YELLOW, BLACK, YELLOW, 0, LOOK_REVERSE, 0x000000, 0xffd787},
    [STYLE_PART] = {16, 208, BLACK, BRIGHT + YELLOW, BLACK, WHITE, LOOK_BOLD, LOOK_REVERSE | LOOK_BOLD,
                    0x000000, 0xff8700},
    [STYLE_NEXT] = {117, -1, CYAN, -1, CYAN, -1, LOOK_UNDERLINE, LOOK_UNDERLINE, 0x87d7ff, -1},
    [STYLE_INACTIVE] = {239, -1, BRIGHT + BLACK, -1, -1, -1, 0, LOOK_DIM, 0x4e4e4e, -1},
    [STYLE_PAD] = {139, 236, MAGENTA, -1, MAGENTA, -1, 0, LOOK_DIM, 0xaf87af, 0x303030},
    [STYLE_BLOCK] = {255, 24, BRIGHT + WHITE, BLUE, WHITE, BLUE, 0, LOOK_UNDERLINE, 0xeeeeee, 0x005f87},
    [STYLE_GROUP] = {110, -1, CYAN, -1, CYAN, -1, 0, 0, 0x87afd7, -1},
    [STYLE_PROMPT] = {16, 117, BLACK, CYAN, BLACK, CYAN, 0, LOOK_REVERSE, 0x000000, 0x87d7ff},
    [STYLE_HEAT + 0] = {67, -1, BLUE, -1, BLUE, -1, 0, 0, 0x5f87af, -1},
    [STYLE_HEAT + 1] = {73, -1, CYAN, -1, CYAN, -1, 0, 0, 0x5fafaf, -1},
    [STYLE_HEAT + 2] = {187, -1, WHITE, -1, WHITE, -1, 0, 0, 0xd7d7af, -1},
    [STYLE_HEAT + 3] = {222, -1, YELLOW, -1, YELLOW, -1, 0, 0, 0xffd787, -1},
    [STYLE_HEAT + 4] = {214, -1, BRIGHT + YELLOW, -1, YELLOW, -1, 0, 0, 0xffaf00, -1},
    [STYLE_HEAT + 5] = {208, -1, BRIGHT + YELLOW, -1, YELLOW, -1, LOOK_BOLD, LOOK_BOLD, 0xff8700, -1},
};

struct look palette_look(enum style style, int colors)
{
    const struct palette_row *row = &rows[style];
    if (colors >= 256)
        return (struct look){row->ink256, row->paper256, row->attributes};
    if (colors >= 16)
        return (struct look){row->ink16, row->paper16, row->attributes};
    if (colors >= 8)
        return (struct look){row->ink8, row->paper8,
                             row->attributes | (row->plain & LOOK_DIM)}; /* no grey there */
    return (struct look){-1, -1, row->plain};
}

void palette_rgb(enum style style, int32_t *ink, int32_t *paper)
{
    *ink = rows[style].ink;
    *paper = rows[style].paper;
}

uint32_t palette_heat_glyph(unsigned level)
{
    static const uint32_t glyphs[STYLE_HEATS] = {0xb7, 0x2219, 0x2591, 0x2592, 0x2593, 0x2588};
    return glyphs[level < STYLE_HEATS ? level : STYLE_HEATS - 1];
}
