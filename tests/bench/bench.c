/* bench.c - lane-addresses a second: the whole path beside a plain hand-written loop, in one run.
 *
 * Both count the same launch: requests, sectors, wavefronts of every warp instruction of the tiled rung. The
 * hand- written one knows its kernel; lanescope reads it. Their totals must agree, or the comparison means
 * nothing. Figures are the median of several runs, in turn; on a shared machine trust the ratios.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../../sim/count/tally.h"
#include "../../sim/report/rung.h"
#include "../../sim/report/scenario.h"
#include "bench_pty.h"
#include "bench_tui.h"

enum { RUNS = 5, TILE = 32, BLOCK_ROWS = 8, ELEM = 4 };

struct totals {
    uint64_t lanes, sectors, wavefronts;
};

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Distinct sectors of ascending addresses. */
static void count_sectors(const uint64_t *address, unsigned active, struct totals *totals)
{
    uint64_t last = UINT64_MAX;
    for (unsigned i = 0; i < active; i++) {
        totals->sectors += address[i] / 32 != last;
        last = address[i] / 32;
    }
    totals->lanes += active;
}

/* The most distinct words that one bank serves. */
static void count_wavefronts(const uint32_t *word, unsigned active, struct totals *totals)
{
    uint32_t words[32][32];
    unsigned count[32] = {0}, most = 0;
    for (unsigned i = 0; i < active; i++) {
        unsigned bank = word[i] % 32, k = 0;
        while (k < count[bank] && words[bank][k] != word[i])
            k++;
        if (k == count[bank])
            words[bank][count[bank]++] = word[i];
        if (count[bank] > most)
            most = count[bank];
    }
    totals->wavefronts += most;
    totals->lanes += active;
}

static void by_hand(uint32_t rows, uint32_t cols, uint32_t pitch, struct totals *totals)
{
    for (uint32_t by = 0; by < (rows + TILE - 1) / TILE; by++)
        for (uint32_t bx = 0; bx < (cols + TILE - 1) / TILE; bx++)
            for (unsigned phase = 0; phase < 2; phase++)
                for (uint32_t j = 0; j < TILE; j++) {
                    uint64_t address[32];
                    uint32_t word[32];
                    unsigned active = 0;
                    uint32_t width = phase ? rows : cols, height = phase ? cols : rows;
                    uint32_t x0 = (phase ? by : bx) * TILE, y = (phase ? bx : by) * TILE + j;
                    for (uint32_t tx = 0; tx < 32; tx++)
                        if (x0 + tx < width && y < height) {
                            address[active] = ((uint64_t)y * width + x0 + tx) * ELEM;
                            word[active++] = phase ? tx * pitch + j : j * pitch + tx;
                        }
                    if (active) {
                        count_sectors(address, active, totals);
                        count_wavefronts(word, active, totals);
                    }
                }
}

static bool by_lanescope(uint32_t rows, uint32_t cols, uint32_t pitch, struct totals *totals)
{
    struct problem problem = {0};
    struct scenario s;
    struct scenario_options options = {.rows = rows, .cols = cols, .pitch = pitch};
    if (!scenario_open(&s, &rung_find("tiled")->source, &options, &problem))
        return false;
    struct tally tally;
    struct execution *execution = execution_new(s.program, &s.launch, false, &problem);
    tally_init(&tally, s.program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access};
    bool ok = execution && execution_run_blocks(execution, 0, launch_blocks(&s.launch), &sink, &problem);
    for (unsigned i = 0; i < tally.site_count; i++) {
        totals->lanes += tally.sites[i].lanes;
        *(s.program->sites[i].kind->space == SPACE_SHARED ? &totals->wavefronts : &totals->sectors) +=
            tally.sites[i].units;
    }
    tally_free(&tally);
    execution_free(execution);
    scenario_close(&s);
    return ok;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void compare(uint32_t rows, uint32_t cols, uint32_t pitch)
{
    double hand[RUNS], ours[RUNS], ratio[RUNS];
    struct totals a, b;
    for (int run = 0; run < RUNS; run++) {
        double start = now();
        memset(&a, 0, sizeof a);
        by_hand(rows, cols, pitch, &a);
        double middle = now();
        memset(&b, 0, sizeof b);
        if (!by_lanescope(rows, cols, pitch, &b) || memcmp(&a, &b, sizeof a) != 0) {
            (void)fprintf(stderr, "bench: the two do not agree: %" PRIu64 " and %" PRIu64 " sectors\n",
                          a.sectors, b.sectors);
            exit(1);
        }
        double end = now();
        hand[run] = (double)a.lanes / (middle - start) / 1e6;
        ours[run] = (double)b.lanes / (end - middle) / 1e6;
        ratio[run] = ours[run] / hand[run];
    }
    qsort(hand, RUNS, sizeof *hand, by_value);
    qsort(ours, RUNS, sizeof *ours, by_value);
    qsort(ratio, RUNS, sizeof *ratio, by_value);
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)printf("%6u x %-6u pitch %2u  %8.0f  %8.0f  %6.2f (%.2f to %.2f)  %6ld\n", rows, cols, pitch,
                 hand[RUNS / 2], ours[RUNS / 2], ratio[RUNS / 2], ratio[0], ratio[RUNS - 1], usage.ru_maxrss);
}

int main(void)
{
    (void)printf("the tiled rung, million lane-addresses a second (median of %d, one core)\n\n", RUNS);
    (void)printf("matrix                   by hand  lanescope  ratio (range)        peak KB\n");
    compare(1024, 1024, 32);
    compare(1000, 700, 33);
    compare(4096, 4096, 32);
    compare(4096, 4096, 33);
    compare(8191, 8193, 33);
    (void)printf("\n");
    bench_tui(stdout);
    (void)printf("\n");
    bench_pty(stdout);
    return 0;
}
