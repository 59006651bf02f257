/* cmd_view.c - a transposition that moves no byte: shape and strides exchanged, and what that costs whoever
 * walks its rows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/report/device_columns.h"
#include "../sim/report/rung.h"
#include "command.h"
#include "ladder_row.h"

/* A consumer that walks rows, a warp along a row: of any layout. */
static const char walk[] =
    "// block: 32, 8\n"
    "// grid: (cols + 31) / 32, (rows + 7) / 8\n"
    "#ifndef ELEM\n"
    "#define ELEM float\n"
    "#endif\n"
    "__global__ void walk(const ELEM *in, ELEM *out, int rows, int cols, size_t row_stride,\n"
    "                     size_t col_stride)\n"
    "{\n"
    "    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;\n"
    "    if (x < cols && y < rows)\n"
    "        out[(size_t)y * cols + x] = in[y * row_stride + x * col_stride];\n"
    "}\n";

static const struct column columns[] = {
    {"layout", "layout"},     {"shape_stride", "shape:stride"}, {"elem_bytes", NULL},
    {"requests", "requests"}, {"sectors", "sectors"},           {"sectors_per_request", "/req"},
    {"ideal", "ideal"},       {"efficiency", "eff %"},          {"sectors_moved_once", "moved once"},
    DEVICE_COLUMNS,
};

/* Counts the walk over rows x cols with these strides, or, for `rung`, a launch of it. */
static bool count(const struct source *text, const struct scenario_options *given, uint32_t rows,
                  uint32_t cols, const uint64_t strides[2], struct summary *summary, struct problem *problem)
{
    struct ladder_row row = {0};
    struct progress progress;
    char arguments[2][60];
    struct scenario_options options = *given;
    options.rows = rows;
    options.cols = cols;
    for (unsigned i = 0; strides && i < 2; i++) {
        (void)snprintf(arguments[i], sizeof arguments[i], "%s_stride=%" PRIu64, i ? "col" : "row",
                       strides[i]);
        options.arguments[options.argument_count++] = arguments[i];
    }
    progress_begin(&progress, "view");
    bool ok = scenario_open(&row.scenario, text, &options, problem);
    if (!ok)
        return false;
    ok = ladder_row_count(&row, 0, false, &progress, problem);
    *summary = row.summary;
    scenario_close(&row.scenario);
    return ok;
}

static void add_row(struct table *table, const char *name, const char *layout, const struct summary *summary,
                    uint64_t moved, const struct scenario_options *o)
{
    const struct site_tally *loads = &summary->of[GLOBAL_LOAD];
    table_text(table, name);
    table_text(table, layout);
    table_count(table, o->elem_bytes);
    table_count(table, loads->requests);
    table_count(table, loads->units);
    table_real(table, tally_units_per_request(loads), 2);
    table_count(table, loads->ideal);
    table_real(table, tally_efficiency(loads), 1);
    table_count(table, moved);
    table_device(table, o->device);
}

/* When do more walks over the view have cost as much as the transposition and walks over that? */
static void print_verdict(uint64_t view, uint64_t dense, uint64_t moved, FILE *out)
{
    if (view <= dense)
        (void)fputs(
            "\nwalking the view's rows costs no more than walking the dense transposition's: it moves "
            "nothing and loses nothing\n",
            out);
    else
        (void)fprintf(out,
                      "\nthe view moves no byte, and each walk along its rows takes %" PRIu64
                      " sectors more than one along the dense transposition's, which moves %" PRIu64
                      " sectors once: it pays from walk %" PRIu64 " on\n",
                      view - dense, moved, moved / (view - dense) + 1);
}

int command_view(const struct options *options, FILE *out, struct problem *problem)
{
    struct scenario_options o = options->scenario;
    const uint32_t m = o.rows ? o.rows : SCENARIO_ROWS, n = o.cols ? o.cols : SCENARIO_COLS;
    const struct source text = {"walk.cu", walk, sizeof walk - 1};
    const uint64_t strides[3][2] = {{n, 1}, {1, n}, {m, 1}};
    struct summary walks[3], dense = {0};
    char layouts[3][80];
    o.elem_bytes = o.elem_bytes ? o.elem_bytes : 4;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t rows = i ? n : m, cols = i ? m : n;
        if (!count(&text, &o, rows, cols, strides[i], &walks[i], problem))
            return EXIT_TROUBLE;
        (void)snprintf(layouts[i], sizeof layouts[i], "(%u,%u):(%" PRIu64 ",%" PRIu64 ")", rows, cols,
                       strides[i][0], strides[i][1]);
    }
    if (!count(&rung_find("padded")->source, &o, m, n, NULL, &dense, problem))
        return EXIT_TROUBLE;
    uint64_t moved = dense.of[GLOBAL_LOAD].units + dense.of[GLOBAL_STORE].units;
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    add_row(table, "matrix", layouts[0], &walks[0], 0, &o);
    add_row(table, "view", layouts[1], &walks[1], 0, &o);
    add_row(table, "dense", layouts[2], &walks[2], moved, &o);
    if (options->format == FORMAT_TEXT)
        (void)fprintf(out, "a consumer that walks rows, a warp along a row, %u bytes an element\n\n",
                      o.elem_bytes);
    table_write(table, options->format, options->color, out);
    table_free(table);
    if (options->format == FORMAT_TEXT)
        print_verdict(walks[1].of[GLOBAL_LOAD].units, walks[2].of[GLOBAL_LOAD].units, moved, out);
    return EXIT_FINE;
}
