/* ink.c - what each meaning looks like.
 *
 * Heat is a ramp whose lightness goes one way, so that it is read in grey and by every eye: the more a cell
 * stands out from its paper, the more it costs (the ramp is viridis, turned round on light paper). Owners
 * are told apart by lightness too, and by the lines between them. The rest is of Okabe and Ito's palette.
 */
#include "picture.h"

static const struct {
    uint32_t light, dark; /* on light paper, on dark paper */
    uint32_t glyph;
} inks[INK_COUNT] = {
    [INK_TEXT] = {0x1a1a1a, 0xe8e8e8, ' '},        [INK_DIM] = {0x5f6368, 0xa8adb3, ' '},
    [INK_RULE] = {0xc4c8cc, 0x54595f, ' '},        [INK_EMPTY] = {0xf1f3f4, 0x26292d, 0xb7},
    [INK_MAIN] = {0x0072b2, 0x56b4e9, 0x2588},     [INK_BAD] = {0xd55e00, 0xf0883a, 0x2593},
    [INK_IDEAL] = {0x000000, 0xffffff, '|'},       [INK_OWNER + 0] = {0xf6ecaa, 0x3b4a57, 'a'},
    [INK_OWNER + 1] = {0xa9d8f2, 0x2f6f94, 'b'},   [INK_OWNER + 2] = {0xf0b860, 0x8a6417, 'c'},
    [INK_OWNER + 3] = {0x6cc1a3, 0x1f8f6d, 'd'},   [INK_HEAT + 0] = {0xfde725, 0x3b528b, 0xb7},
    [INK_HEAT + 1] = {0x7ad151, 0x2c728e, ':'},    [INK_HEAT + 2] = {0x22a884, 0x21918c, 0x2591},
    [INK_HEAT + 3] = {0x2a788e, 0x28ae80, 0x2592}, [INK_HEAT + 4] = {0x414487, 0x84d44b, 0x2593},
    [INK_HEAT + 5] = {0x440154, 0xfde725, 0x2588},
};

uint32_t ink_color(enum ink ink, bool on_dark_paper)
{
    return on_dark_paper ? inks[ink].dark : inks[ink].light;
}

uint32_t ink_glyph(enum ink ink)
{
    return inks[ink].glyph;
}

/* By the eye's weights of red, green and blue. */
bool ink_is_dark(enum ink ink, bool on_dark_paper)
{
    uint32_t color = ink_color(ink, on_dark_paper);
    return 299 * (color >> 16) + 587 * (color >> 8 & 0xff) + 114 * (color & 0xff) < 128000;
}
