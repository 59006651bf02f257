/* bench.c - lane-addresses a second: block by block and by census, beside a plain hand-written loop, in one
 * run.
 *
 *     bench [hand|blocks|census ROWS COLS PITCH | sweep]
 *
 * All three count the same launch: requests, sectors, wavefronts of every warp instruction of the tiled rung.
 * The hand-written one knows its kernel; lanescope reads it. Their totals must agree, or the comparison means
 * nothing. Figures are the median of several runs, in turn, by the processor's time; on a shared machine
 * trust the ratios. With operands it is one of the three, once, or a sweep of 1,000 configurations, for
 * whoever counts instructions (tests/bench/instructions.sh).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../../sim/report/rung.h"
#include "../../src/sweep/sweep.h"
#include "../../src/totals.h"
#include "bench_pty.h"
#include "bench_texts.h"
#include "bench_tui.h"

enum { RUNS = 5, TILE = 32, BLOCK_ROWS = 8, ELEM = 4 };

struct sums {
    uint64_t lanes, sectors, wavefronts;
};

static double seconds(clockid_t clock)
{
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Distinct sectors of ascending addresses. */
static void count_sectors(const uint64_t *address, unsigned active, struct sums *totals)
{
    uint64_t last = UINT64_MAX;
    for (unsigned i = 0; i < active; i++) {
        totals->sectors += address[i] / 32 != last;
        last = address[i] / 32;
    }
    totals->lanes += active;
}

/* The most distinct words that one bank serves. */
static void count_wavefronts(const uint32_t *word, unsigned active, struct sums *totals)
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

static void by_hand(uint32_t rows, uint32_t cols, uint32_t pitch, struct sums *totals)
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

/* Block by block by so many threads; by none: by census. */
static bool by_lanescope(uint32_t rows, uint32_t cols, uint32_t pitch, unsigned threads, struct sums *sums)
{
    struct problem problem = {0};
    struct scenario s;
    struct scenario_options options = {.rows = rows, .cols = cols, .pitch = pitch};
    if (!scenario_open(&s, &rung_find("tiled")->source, &options, &problem))
        return false;
    struct totals totals;
    const struct totals_how how = {.workers = threads, .enumerate = threads > 0};
    bool ok = totals_of(&totals, &s, &how, &problem);
    for (unsigned i = 0; i < totals.tally.site_count; i++) {
        sums->lanes += totals.tally.sites[i].lanes;
        *(s.program->sites[i].kind->space == SPACE_SHARED ? &sums->wavefronts : &sums->sectors) +=
            totals.tally.sites[i].units;
    }
    totals_free(&totals);
    scenario_close(&s);
    return ok;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

enum who { HAND, BLOCKS, CENSUS, WHO_COUNT };

static const char *const names[] = {"hand", "blocks", "census"};

static bool count(enum who who, uint32_t rows, uint32_t cols, uint32_t pitch, struct sums *sums)
{
    *sums = (struct sums){0};
    if (who == HAND)
        by_hand(rows, cols, pitch, sums);
    return who == HAND || by_lanescope(rows, cols, pitch, who == BLOCKS, sums);
}

static void must_agree(const struct sums *a, const struct sums *b)
{
    if (memcmp(a, b, sizeof *a) == 0)
        return;
    (void)fprintf(stderr, "bench: they do not agree: %" PRIu64 " and %" PRIu64 " sectors\n", a->sectors,
                  b->sectors);
    exit(1);
}

static void compare(uint32_t rows, uint32_t cols, uint32_t pitch)
{
    double speed[WHO_COUNT][RUNS], ratio[RUNS];
    struct sums sums[WHO_COUNT];
    for (int run = 0; run < RUNS; run++) {
        for (enum who who = HAND; who < WHO_COUNT; who++) {
            double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
            if (!count(who, rows, cols, pitch, &sums[who]))
                exit(1);
            speed[who][run] = (double)sums[who].lanes / (seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / 1e6;
            must_agree(&sums[HAND], &sums[who]);
        }
        ratio[run] = speed[BLOCKS][run] / speed[HAND][run];
    }
    for (enum who who = HAND; who < WHO_COUNT; who++)
        qsort(speed[who], RUNS, sizeof *speed[who], by_value);
    qsort(ratio, RUNS, sizeof *ratio, by_value);
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    (void)printf("%6u x %-6u pitch %2u  %8.0f  %8.0f  %6.2f (%.2f to %.2f)  %9.0f  %6ld\n", rows, cols, pitch,
                 speed[HAND][RUNS / 2], speed[BLOCKS][RUNS / 2], ratio[RUNS / 2], ratio[0], ratio[RUNS - 1],
                 speed[CENSUS][RUNS / 2], usage.ru_maxrss);
}

/* More threads, as many as there are processors. */
static void scale(uint32_t rows, uint32_t cols, uint32_t pitch)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double alone = 0;
    struct sums first = {0};
    (void)printf("\nblock by block, %u x %u, pitch %u, by threads (best of 3)\n\nthreads    lane-addresses  "
                 "times one thread\n",
                 rows, cols, pitch);
    for (unsigned threads = 1; threads <= processors; threads *= 2) {
        double best = 0;
        for (int run = 0; run < 3; run++) {
            struct sums sums = {0};
            double start = seconds(CLOCK_MONOTONIC);
            if (!by_lanescope(rows, cols, pitch, threads, &sums))
                exit(1);
            double speed = (double)sums.lanes / (seconds(CLOCK_MONOTONIC) - start) / 1e6;
            best = speed > best ? speed : best;
            first = first.lanes ? first : sums;
            must_agree(&first, &sums);
        }
        alone = threads == 1 ? best : alone;
        (void)printf("%7u  %16.0f  %16.2f\n", threads, best, best / alone);
    }
}

/* So many configurations of one rung at 4096 x 4096: pitches by tiles, block rows and elements, of which some
 * are refused. */
static bool sweep(const char *pitches, double *wall, double *processor, size_t *count)
{
    struct options options = {.scenario = {.rows = 4096, .cols = 4096},
                              .sweep = {.axes = {pitches, "TILE=8,16,24,32,64", "BLOCK_ROWS=1,2,4,8,16",
                                                 "ELEM=1,2,4,8", "RUNG=padded"},
                                        .axis_count = 5}};
    struct sweep_run run = {.options = &options};
    struct problem problem = {0};
    *wall = -seconds(CLOCK_MONOTONIC);
    *processor = -seconds(CLOCK_PROCESS_CPUTIME_ID);
    bool ok = axes_read(&run.axes, options.sweep.axes, options.sweep.axis_count, &problem) &&
              sweep_run_list(&run, NULL, &problem);
    if (ok)
        sweep_run_all(&run);
    *wall += seconds(CLOCK_MONOTONIC);
    *processor += seconds(CLOCK_PROCESS_CPUTIME_ID);
    *count = run.count;
    sweep_run_free(&run);
    return ok;
}

static void time_sweep(void)
{
    double wall, processor;
    size_t count;
    if (!sweep("PITCH=33:132", &wall, &processor, &count))
        exit(1);
    (void)printf("\nsweep of padded at 4096 x 4096: %zu configurations in %.2f s, %.2f s of processor time\n",
                 count, wall, processor);
}

static int one(char **operands)
{
    struct sums sums;
    for (enum who who = HAND; who < WHO_COUNT; who++)
        if (strcmp(operands[0], names[who]) == 0 &&
            count(who, (uint32_t)strtoul(operands[1], NULL, 10), (uint32_t)strtoul(operands[2], NULL, 10),
                  (uint32_t)strtoul(operands[3], NULL, 10), &sums))
            return 0;
    (void)fprintf(stderr, "bench: hand, blocks or census, then rows, columns and pitch\n");
    return 2;
}

int main(int argc, char **argv)
{
    double wall, processor;
    size_t count;
    if (argc == 5)
        return one(argv + 1);
    if (argc == 2) /* a tenth of time_sweep()'s */
        return strcmp(argv[1], "sweep") == 0 && sweep("PITCH=33:42", &wall, &processor, &count) ? 0 : 2;
    (void)printf("the tiled rung, million lane-addresses a second (median of %d, one core)\n\n", RUNS);
    (void)printf("matrix                   by hand    blocks  ratio (range)           census  peak KB\n");
    compare(1024, 1024, 32);
    compare(1000, 700, 33);
    compare(4096, 4096, 32);
    compare(4096, 4096, 33);
    compare(8191, 8193, 33);
    scale(8192, 8192, 33);
    time_sweep();
    (void)printf("\n");
    bench_tui(stdout);
    (void)printf("\n");
    bench_pty(stdout);
    (void)printf("\n");
    bench_texts(stdout);
    return 0;
}
