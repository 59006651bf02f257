/* bench_pty.h - from a key to its frame on a terminal; printed, never asserted. */
#ifndef LANESCOPE_BENCH_PTY_H
#define LANESCOPE_BENCH_PTY_H

#include <stdio.h>

/* $LANESCOPE, else ./lanescope, at 65536 x 65536 on a pseudo-terminal: wall time of many keys. */
void bench_pty(FILE *out);

#endif
