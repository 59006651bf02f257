/* bench_tui.h - how fast the terminal UI answers; printed, never asserted. */
#ifndef LANESCOPE_BENCH_TUI_H
#define LANESCOPE_BENCH_TUI_H

#include <stdio.h>

/* Prints the time to the first frame and from a key to its frame, at 200 x 60, for a small and a huge matrix.
 */
void bench_tui(FILE *out);

#endif
