/* palette.h - what a style looks like on terminals of 256, 16, 8 or no colours, on dark and light
 * backgrounds.
 *
 * The colours are told apart by people who see red and green alike: calm blue for what is at its ideal,
 * yellow and orange for what is above it. No meaning is carried by colour alone: heat levels, wavefronts,
 * padding and faults have glyphs of their own, and without colour the attributes below remain.
 */
#ifndef LANESCOPE_TUI_PALETTE_H
#define LANESCOPE_TUI_PALETTE_H

#include "canvas.h"

enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };

struct look {
    int16_t ink, paper; /* colour numbers; -1: the terminal's own */
    unsigned attributes;
};

/* `colors`: how many the terminal has; `light`: dark on light. */
struct look palette_look(enum style style, int colors, bool light);

/* The 24-bit colour 0xRRGGBB of a style's ink and paper, for pictures; paper is -1 where there is none. */
void palette_rgb(enum style style, bool light, int32_t *ink, int32_t *paper);
int32_t palette_background(bool light);

/* The glyph of a heat level, 0 to STYLE_HEATS - 1. */
uint32_t palette_heat_glyph(unsigned level);

/* The level that a glyph stands for; -1: none. */
int palette_heat_level(uint32_t glyph);

#endif
