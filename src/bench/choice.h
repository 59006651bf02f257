/* choice.h - which rung moves a matrix fastest: what `lanescope bench best` runs.
 *
 * The rules are those of docs/bench.md, measured on one device; `bench all` and --tune show whether they hold
 * on another.
 */
#ifndef LANESCOPE_BENCH_CHOICE_H
#define LANESCOPE_BENCH_CHOICE_H

#include <stdint.h>

struct bench_choice {
    const char *rung;
    const char *definition; /* NAME=VALUE; NULL: none */
    const char *why;        /* a sentence without its full stop */
};

/* `l2_bytes` of the device; 0: not known. A column of tiles that the L2 cannot hold is done in bands, so that
 * tiles side by side, which share lines, come soon after each other. */
struct bench_choice bench_choose(uint32_t rows, uint32_t cols, unsigned elem_bytes, uint64_t l2_bytes);

#endif
