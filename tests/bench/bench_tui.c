#include "bench_tui.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../sim/report/rung.h"
#include "../../src/tui/input.h"
#include "../../src/tui/view.h"

static double now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* The slowest and the middle of many keys, each drawn; between two keys one slice of background work. */
static void bench_keys(FILE *out, struct state *state, struct canvas *canvas, const char *name,
                       const char *keys)
{
    double total = 0, worst = 0;
    int count = 0;
    for (int round = 0; round < 20; round++)
        for (const char *key = keys; *key; key++, count++) {
            double start = now_ms();
            (void)state_work(state);
            input_key(state, *key);
            view_draw(canvas, state);
            double took = now_ms() - start;
            total += took;
            worst = took > worst ? took : worst;
        }
    (void)fprintf(out, "  %-28s mean %6.2f ms, worst %6.2f ms\n", name, total / count, worst);
}

static void bench_size(FILE *out, const char *rung, uint32_t edge_rows, uint32_t edge_cols)
{
    struct scenario_options options = {.rows = edge_rows, .cols = edge_cols};
    struct state_start start = {rung, &rung_find(rung)->source, false, &options, 60, 200, false};
    struct state state;
    struct canvas canvas;
    struct problem problem = {0};
    double begin = now_ms();
    if (!state_init(&state, &start, &problem)) {
        (void)fprintf(out, "%s\n", problem.message);
        return;
    }
    canvas_init(&canvas, 60, 200, false);
    view_draw(&canvas, &state);
    (void)fprintf(out, "terminal UI, %s, %u x %u at 200 x 60\n  %-28s %11.2f ms\n", rung, edge_rows,
                  edge_cols, "first frame", now_ms() - begin);
    bench_keys(out, &state, &canvas, "step", "nnnnnnnnpppp");
    bench_keys(out, &state, &canvas, "wavefront", "jjjjjjjkkk");
    bench_keys(out, &state, &canvas, "block", "bbbbbbBBBBBB");
    bench_keys(out, &state, &canvas, "pitch + and -", "+-");
    bench_keys(out, &state, &canvas, "rung", "][");
    bench_keys(out, &state, &canvas, "compare", "cc");
    bench_keys(out, &state, &canvas, "owners", "ooobobo");
    canvas_free(&canvas);
    state_free(&state);
}

void bench_tui(FILE *out)
{
    bench_size(out, "tiled", 100, 70);
    bench_size(out, "tiled", 65536, 65536);
    bench_size(out, "naive", 65535, 65537);
}
