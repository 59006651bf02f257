/* cmd_ladder.c - one row a rung. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/progress.h"
#include "../base/text.h"
#include "../sim/report/rung.h"
#include "command.h"
#include "interrupt.h"
#include "operand.h"
#include "report.h"
#include "ladder_list.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct column global_columns[] = {
    {"", "global memory"}, {"", "loads"}, {"", "lines"},  {"", "sectors"}, {"", "/req"},
    {"", "ideal"},         {"", "eff %"}, {"", "stores"}, {"", "lines"},   {"", "sectors"},
    {"", "/req"},          {"", "ideal"}, {"", "eff %"},
};

static const struct column shared_columns[] = {
    {"", "shared memory"}, {"", "loads"},      {"", "wavefronts"}, {"", "ideal"},  {"", "excess"},
    {"", "stores"},        {"", "wavefronts"}, {"", "ideal"},      {"", "excess"},
};

static const struct column atomic_columns[] = {
    {"", "atomics"}, {"", "global"},     {"", "sectors"}, {"", "ideal"},
    {"", "shared"},  {"", "wavefronts"}, {"", "ideal"},   {"", "emulated"},
};

static const struct column block_columns[] = {
    {"", "a block"},  {"", "threads"},     {"", "shared bytes"}, {"", "blocks/SM"},
    {"", "warps/SM"}, {"", "occupancy %"}, {"", "limited by"},
};

/* csv and json: a row a rung; with --metrics a column more for each counter that is predicted. */
static void print_rows(const struct ladder_row *ladder, size_t total, const struct options *o, FILE *out)
{
    struct column *columns;
    struct table *table = ladder_table(ladder, total, o->metrics, &columns);
    table_write(table, o->format, false, out);
    table_free(table);
    free(columns);
}

static void write_table(struct table *table, bool color, FILE *out)
{
    (void)fputc('\n', out);
    table_write(table, FORMAT_TEXT, color, out);
    table_free(table);
}

static void print_text(const struct ladder_row *ladder, size_t total, bool color, FILE *out)
{
    const struct scenario *s = &ladder[0].scenario;
    report_launch(s, true, out);
    (void)fprintf(out, "%u x %u matrix, %u-byte elements, block %u x %u, grid %u x %u; %s: %s\n", s->rows,
                  s->cols, s->elem_bytes, s->launch.block[0], s->launch.block[1], s->launch.grid[0],
                  s->launch.grid[1], s->device->name, device_rules(s->device));
    report_data(s, out);
    struct table *global = table_new(global_columns, COUNT(global_columns));
    struct table *shared = table_new(shared_columns, COUNT(shared_columns));
    struct table *block = table_new(block_columns, COUNT(block_columns));
    struct table *atomic = table_new(atomic_columns, COUNT(atomic_columns));
    bool any_shared = false, any_atomic = false;
    for (size_t i = 0; i < total; i++) {
        const struct summary *sum = &ladder[i].totals.summary;
        table_text(global, ladder[i].name);
        ladder_add_global(global, &sum->of[GLOBAL_LOAD]);
        ladder_add_global(global, &sum->of[GLOBAL_STORE]);
        table_text(block, ladder[i].name);
        table_count(block, launch_threads(&ladder[i].scenario.launch));
        table_count(block, sum->shared_bytes);
        table_count(block, sum->occupancy.blocks);
        table_count(block, sum->occupancy.warps);
        table_real(block, ladder_occupancy_percent(&sum->occupancy), 0);
        table_text(block, occupancy_limit_name(sum->occupancy.limit));
        if (sum->of[GLOBAL_ATOMIC].requests || sum->of[SHARED_ATOMIC].requests) {
            any_atomic = true;
            table_text(atomic, ladder[i].name);
            ladder_add_atomics(atomic, sum);
        }
        if (!sum->of[SHARED_LOAD].requests && !sum->of[SHARED_STORE].requests)
            continue;
        any_shared = true;
        char name[80];
        (void)snprintf(name, sizeof name, "%s, pitch %" PRIu64, ladder[i].name, ladder[i].scenario.pitch);
        table_text(shared, ladder[i].scenario.pitch ? name : ladder[i].name);
        ladder_add_shared(shared, &sum->of[SHARED_LOAD]);
        ladder_add_shared(shared, &sum->of[SHARED_STORE]);
    }
    write_table(global, color, out);
    if (any_shared)
        write_table(shared, color, out);
    else
        table_free(shared);
    if (any_atomic)
        write_table(atomic, color, out);
    else
        table_free(atomic);
    write_table(block, color, out);
}

static void print_metrics(FILE *out)
{
    (void)fputs(
        "\nthe counters behind the columns (Nsight Compute, .sum)\n"
        "  loads, stores (global)  l1tex__t_requests_pipe_lsu_mem_global_op_ld, _st\n"
        "  lines                   none: they follow from the addresses\n"
        "  sectors                 l1tex__t_sectors_pipe_lsu_mem_global_op_ld, _st\n"
        "  loads, stores (shared)  smsp__inst_executed_op_shared_ld, _st\n"
        "  wavefronts              smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld, _st\n"
        "  excess                  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld, _st, which "
        "on whole\n"
        "                          launches also count arbitration with other traffic\n"
        "  atomics (global)        l1tex__t_requests_pipe_lsu_mem_global_op_atom + _red, and t_sectors\n"
        "  atomics (shared)        l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom + _ld\n",
        out);
}

/* What makes the numbers suspect is said beside them, and is an answer "no". */
static int report_faults(const struct ladder_row *ladder, size_t total)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < total && code == EXIT_FINE; i++) /* they have one grid, for the most part */
        code = report_grid(&ladder[i].scenario) ? EXIT_FINE : EXIT_NO;
    for (size_t i = 0; i < total; i++) {
        const struct ladder_row *row = &ladder[i];
        if (row->totals.out_of_bounds)
            (void)fprintf(
                stderr,
                "lanescope: %s: %" PRIu64
                " lane accesses are out of bounds of buffers of %u x %u elements (-m, -n); see lanescope "
                "owners\n",
                row->name, row->totals.out_of_bounds, row->scenario.rows, row->scenario.cols);
        if (row->totals.misaligned)
            (void)fprintf(stderr,
                          "lanescope: %s: %" PRIu64 " lane accesses are misaligned, an error on hardware\n",
                          row->name, row->totals.misaligned);
        if (row->totals.summary.of[SHARED_ATOMIC].emulated)
            (void)fprintf(
                stderr,
                "lanescope: %s: %" PRIu64
                " shared atomics are no single instruction of the hardware (floats, 64 bits): a compiler "
                "writes a loop, whose wavefronts are not predicted\n",
                row->name, row->totals.summary.of[SHARED_ATOMIC].emulated);
        report_missed(row->totals.missed, &row->totals.barrier);
        if (row->totals.out_of_bounds || row->totals.misaligned || row->overflow || row->totals.missed)
            code = EXIT_NO;
    }
    return code;
}

/* Says of numbers that Ctrl-C cut short what they are of. */
static void print_partial(const struct ladder_row *ladder, size_t total, bool all, FILE *out)
{
    const struct ladder_row *last = &ladder[total - 1];
    if (!last->totals.partial)
        return;
    (void)fprintf(
        out, "partial: Ctrl-C ended this; the numbers of %s are of %" PRIu64 " of its %" PRIu64 " blocks",
        last->name, last->totals.counted, last->totals.blocks);
    for (size_t i = total; all && i < rung_count; i++)
        (void)fprintf(out, "%s%s", i == total ? ", and there are none of " : ", ", rungs[i].name);
    (void)fputc('\n', out);
}

int command_ladder(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text = {0};
    size_t total = options->operand_count ? 1 : rung_count;
    bool is_text = options->format == FORMAT_TEXT;
    if (options->pitch_count > 1) {
        problem_say(problem, "the ladder takes one pitch; lanescope banks --pitch compares several");
        return EXIT_TROUBLE;
    }
    struct ladder_row *ladder = memory_take(total, sizeof *ladder);
    int code = EXIT_TROUBLE;
    bool ok;
    struct progress progress;
    progress_begin(&progress, "ladder");
    interrupt_begin();
    char name[200]; /* of a file's row: with the kernel, where one was chosen */
    if (options->operand_count) {
        const char *kernel = options->scenario.kernel;
        (void)snprintf(name, sizeof name, "%.120s%s%.60s", options->operands[0], kernel ? ":" : "",
                       kernel ? kernel : "");
        ok = operand_open(&text, options->operands[0], problem) &&
             ladder_open_row(&ladder[0], &text.source, name, options, &progress, problem);
    } else {
        ok = ladder_open_rungs(ladder, &total, options, &progress, problem);
    }
    interrupt_end();
    if (ok) {
        print_partial(ladder, total, !options->operand_count, is_text ? out : stderr);
        if (is_text) {
            print_text(ladder, total, options->color, out);
            if (options->metrics)
                print_metrics(out);
        } else {
            report_launch(&ladder[0].scenario, false, out);
            print_rows(ladder, total, options, out);
        }
        (void)fflush(out); /* what is said of the numbers comes after them */
        code = report_faults(ladder, total);
        if (ladder[total - 1].totals.partial)
            code = EXIT_INTERRUPTED;
    }
    if (!ok && *ladder[0].scenario.assumed)
        report_launch(&ladder[0].scenario, false, out); /* the refusal may come from what was assumed */
    for (size_t i = 0; i < total; i++)
        scenario_close(&ladder[i].scenario);
    free(ladder);
    text_close(&text);
    return code;
}
