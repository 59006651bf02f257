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
    [STYLE_CURSOR] = {16, 117, BLACK, CYAN, BLACK, CYAN, LOOK_BOLD, LOOK_REVERSE | LOOK_UNDERLINE, 0x000000,
                      0x87d7ff},
    [STYLE_PROMPT] = {16, 117, BLACK, CYAN, BLACK, CYAN, 0, LOOK_REVERSE, 0x000000, 0x87d7ff},
    [STYLE_HEAT + 0] = {67, -1, BLUE, -1, BLUE, -1, 0, 0, 0x5f87af, -1},
    [STYLE_HEAT + 1] = {73, -1, CYAN, -1, CYAN, -1, 0, 0, 0x5fafaf, -1},
    [STYLE_HEAT + 2] = {187, -1, WHITE, -1, WHITE, -1, 0, 0, 0xd7d7af, -1},
    [STYLE_HEAT + 3] = {222, -1, YELLOW, -1, YELLOW, -1, 0, 0, 0xffd787, -1},
    [STYLE_HEAT + 4] = {214, -1, BRIGHT + YELLOW, -1, YELLOW, -1, 0, 0, 0xffaf00, -1},
    [STYLE_HEAT + 5] = {208, -1, BRIGHT + YELLOW, -1, YELLOW, -1, LOOK_BOLD, LOOK_BOLD, 0xff8700, -1},
};

/* On a light background: ink and paper of 256 colours, and of 16 or 8. The others' attributes hold. */
struct light_row {
    int16_t ink256, paper256, ink16, paper16;
    int32_t ink, paper;
};

static const struct light_row light_rows[STYLE_COUNT] = {
    [STYLE_TEXT] = {235, -1, -1, -1, 0x262626, -1},
    [STYLE_DIM] = {242, -1, -1, -1, 0x6c6c6c, -1},
    [STYLE_FRAME] = {250, -1, -1, -1, 0xbcbcbc, -1},
    [STYLE_FOCUS] = {25, -1, BLUE, -1, 0x005faf, -1},
    [STYLE_TITLE] = {25, -1, BLUE, -1, 0x005faf, -1},
    [STYLE_VALUE] = {16, -1, BLACK, -1, 0x000000, -1},
    [STYLE_KEY] = {130, -1, RED, -1, 0xaf5f00, -1},
    [STYLE_GOOD] = {25, -1, BLUE, -1, 0x005faf, -1},
    [STYLE_WARN] = {94, -1, MAGENTA, -1, 0x875f00, -1},
    [STYLE_BAD] = {160, -1, RED, -1, 0xd70000, -1},
    [STYLE_MARK] = {16, 222, BLACK, YELLOW, 0x000000, 0xffd787},
    [STYLE_PART] = {16, 208, WHITE, RED, 0x000000, 0xff8700},
    [STYLE_NEXT] = {25, -1, BLUE, -1, 0x005faf, -1},
    [STYLE_INACTIVE] = {248, -1, -1, -1, 0xa8a8a8, -1},
    [STYLE_PAD] = {90, 254, MAGENTA, -1, 0x870087, 0xe4e4e4},
    [STYLE_BLOCK] = {16, 153, BLACK, CYAN, 0x000000, 0xafd7ff},
    [STYLE_GROUP] = {24, -1, BLUE, -1, 0x005f87, -1},
    [STYLE_CURSOR] = {231, 25, WHITE, BLUE, 0xffffff, 0x005faf},
    [STYLE_PROMPT] = {231, 25, WHITE, BLUE, 0xffffff, 0x005faf},
    [STYLE_HEAT + 0] = {110, -1, CYAN, -1, 0x87afd7, -1},
    [STYLE_HEAT + 1] = {67, -1, BLUE, -1, 0x5f87af, -1},
    [STYLE_HEAT + 2] = {143, -1, GREEN, -1, 0xafaf5f, -1},
    [STYLE_HEAT + 3] = {172, -1, YELLOW, -1, 0xd78700, -1},
    [STYLE_HEAT + 4] = {166, -1, MAGENTA, -1, 0xd75f00, -1},
    [STYLE_HEAT + 5] = {160, -1, RED, -1, 0xd70000, -1},
};

struct look palette_look(enum style style, int colors, bool light)
{
    const struct palette_row *row = &rows[style];
    const struct light_row *on_light = &light_rows[style];
    if (light && colors >= 8)
        return (struct look){colors >= 256 ? on_light->ink256 : on_light->ink16,
                             colors >= 256 ? on_light->paper256 : on_light->paper16,
                             row->attributes | (colors < 256 ? row->plain & LOOK_DIM : 0)};
    if (colors >= 256)
        return (struct look){row->ink256, row->paper256, row->attributes};
    if (colors >= 16)
        return (struct look){row->ink16, row->paper16, row->attributes};
    if (colors >= 8)
        return (struct look){row->ink8, row->paper8,
                             row->attributes | (row->plain & LOOK_DIM)}; /* no grey there */
    return (struct look){-1, -1, row->plain};
}

void palette_rgb(enum style style, bool light, int32_t *ink, int32_t *paper)
{
    *ink = light ? light_rows[style].ink : rows[style].ink;
    *paper = light ? light_rows[style].paper : rows[style].paper;
}

int32_t palette_background(bool light)
{
    return light ? 0xffffff : 0x1c1c1c;
}

static const uint32_t heat_glyphs[STYLE_HEATS] = {0xb7, ':', 0x2591, 0x2592, 0x2593, 0x2588};

uint32_t palette_heat_glyph(unsigned level)
{
    return heat_glyphs[level < STYLE_HEATS ? level : STYLE_HEATS - 1];
}

int palette_heat_level(uint32_t glyph)
{
    for (int i = 0; i < STYLE_HEATS; i++)
        if (heat_glyphs[i] == glyph)
            return i;
    return -1;
}
