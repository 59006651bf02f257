/* cmd_ladder.c - one row a rung. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../base/progress.h"
#include "../base/text.h"
#include "../sim/census/count.h"
#include "../sim/report/metric.h"
#include "../sim/report/rung.h"
#include "../sim/report/summary.h"
#include "command.h"
#include "operand.h"
#include "report.h"
#include "run.h"

/* The csv and json columns: stable. */
static const struct column columns[] = {
    {"rung", NULL},
    {"rows", NULL},
    {"cols", NULL},
    {"tile", NULL},
    {"block_rows", NULL},
    {"pitch", NULL},
    {"elem_bytes", NULL},
    {"device", NULL},
    {"load_requests", NULL},
    {"load_lines", NULL},
    {"load_sectors", NULL},
    {"load_sectors_per_request", NULL},
    {"load_ideal_sectors", NULL},
    {"load_efficiency", NULL},
    {"store_requests", NULL},
    {"store_lines", NULL},
    {"store_sectors", NULL},
    {"store_sectors_per_request", NULL},
    {"store_ideal_sectors", NULL},
    {"store_efficiency", NULL},
    {"shared_load_instructions", NULL},
    {"shared_load_wavefronts", NULL},
    {"shared_load_ideal", NULL},
    {"shared_load_excess", NULL},
    {"shared_store_instructions", NULL},
    {"shared_store_wavefronts", NULL},
    {"shared_store_ideal", NULL},
    {"shared_store_excess", NULL},
    {"shared_bytes", NULL},
    {"blocks_per_sm", NULL},
    {"warps_per_sm", NULL},
    {"occupancy_percent", NULL},
    {"occupancy_limit", NULL},
    {"rules", NULL},
};

/* Behind those and the metrics. */
static const struct column more_columns[] = {
    {"global_atomic_requests", NULL},     {"global_atomic_sectors", NULL},    {"global_atomic_ideal", NULL},
    {"shared_atomic_instructions", NULL}, {"shared_atomic_wavefronts", NULL}, {"shared_atomic_ideal", NULL},
    {"shared_atomic_emulated", NULL},
};

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

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct ladder_row {
    const char *name;
    struct scenario scenario;
    struct summary summary;
    uint64_t out_of_bounds, misaligned;
    uint64_t missed;      /* barriers that lanes of a warp ended without, each warp counted */
    struct place barrier; /* the first of them */
    struct tally tally;   /* while the launch runs */
    bool overflow;
};

static void take_access(void *self, const struct access *access)
{
    tally_access(&((struct ladder_row *)self)->tally, access);
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct ladder_row *row = self;
    if (barrier->missed && !row->missed)
        row->barrier = barrier->place;
    row->missed += barrier->missed;
}

/* By census. False: the problem is set, or each block has to be run, of which the row then knows nothing. */
static bool count_by_census(struct ladder_row *row, struct execution *execution, struct problem *problem)
{
    struct census_count count;
    bool ok = census_count(execution, &row->scenario.launch, CENSUS_REGIONS, &row->tally, &count, problem);
    row->missed = ok ? count.missed : 0;
    row->barrier = count.barrier;
    if (!count.census.given_up)
        return ok;
    report_census(&count.census);
    tally_free(&row->tally);
    tally_init(&row->tally, row->scenario.program->site_count);
    return false;
}

static bool count_row(struct ladder_row *row, const struct options *options, struct progress *progress,
                      struct problem *problem)
{
    const struct scenario *s = &row->scenario;
    struct sink sink = {.self = row, .access = take_access, .barrier = take_barrier};
    struct execution *execution = execution_new(s->program, &s->launch, false, problem);
    tally_init(&row->tally, s->program->site_count);
    bool ok = execution && !options->enumerate && count_by_census(row, execution, problem);
    if (execution && !ok && !problem->set) {
        if (!options->enumerate) { /* with no findings */
            execution_free(execution);
            execution = execution_new(s->program, &s->launch, false, problem);
        }
        ok = execution && run_launch_part(execution, &s->launch, &sink, progress, problem);
    }
    row->summary = summary_of(s, &row->tally, options->registers);
    for (unsigned i = 0; i < row->tally.site_count; i++) {
        row->out_of_bounds += row->tally.sites[i].out_of_bounds;
        row->misaligned += row->tally.sites[i].misaligned;
    }
    row->overflow = execution && report_overflow(execution);
    tally_free(&row->tally);
    execution_free(execution);
    return ok;
}

static void add_global(struct table *table, const struct site_tally *tally)
{
    table_count(table, tally->requests);
    table_count(table, tally->lines);
    table_count(table, tally->units);
    table_real(table, tally_units_per_request(tally), 2);
    table_count(table, tally->ideal);
    table_real(table, tally_efficiency(tally), 1);
    if (tally->requests)
        table_judge(table, tally_efficiency(tally) >= 75.0);
}

static void add_shared(struct table *table, const struct site_tally *tally)
{
    table_count(table, tally->requests);
    table_count(table, tally->units);
    table_count(table, tally->ideal);
    table_count(table, tally->units - tally->ideal);
    table_judge(table, tally->units == tally->ideal);
}

static void add_atomics(struct table *table, const struct summary *sum)
{
    const struct site_tally *global = &sum->of[GLOBAL_ATOMIC], *shared = &sum->of[SHARED_ATOMIC];
    table_count(table, global->requests);
    table_count(table, global->units);
    table_count(table, global->ideal);
    table_count(table, shared->requests);
    table_count(table, shared->units);
    table_count(table, shared->ideal);
    table_count(table, shared->emulated);
}

static void add_size(struct table *table, uint64_t value)
{
    if (value)
        table_count(table, value);
    else
        table_absent(table);
}

static double occupancy_percent(const struct occupancy *occupancy)
{
    return 100.0 * occupancy->warps / occupancy->most_warps;
}

/* The counters as Nsight Compute would name and show them. */
static void add_metrics(struct table *table, const struct summary *sum)
{
    for (size_t i = 0; i < metric_count; i++)
        if (metrics[i].kind != METRIC_NONE)
            table_count(table, metric_value(&metrics[i], &sum->of[metrics[i].of]));
}

static void add_row(struct table *table, const struct ladder_row *row, bool with_metrics)
{
    const struct scenario *s = &row->scenario;
    const struct summary *sum = &row->summary;
    table_text(table, row->name);
    table_count(table, s->rows);
    table_count(table, s->cols);
    add_size(table, s->tile);
    add_size(table, s->block_rows);
    add_size(table, s->pitch);
    table_count(table, s->elem_bytes);
    table_text(table, s->device->name);
    add_global(table, &sum->of[GLOBAL_LOAD]);
    add_global(table, &sum->of[GLOBAL_STORE]);
    add_shared(table, &sum->of[SHARED_LOAD]);
    add_shared(table, &sum->of[SHARED_STORE]);
    table_count(table, sum->shared_bytes);
    table_count(table, sum->occupancy.blocks);
    table_count(table, sum->occupancy.warps);
    table_real(table, occupancy_percent(&sum->occupancy), 1);
    table_text(table, occupancy_limit_name(sum->occupancy.limit));
    table_text(table, device_rules_word(s->device));
    if (with_metrics)
        add_metrics(table, sum);
    add_atomics(table, sum);
}

/* csv and json: a row a rung; with --metrics a column more for each counter that is predicted. */
static void print_rows(const struct ladder_row *ladder, size_t total, const struct options *o, FILE *out)
{
    struct column all[COUNT(columns) + METRIC_LIMIT + COUNT(more_columns)];
    unsigned column_count = COUNT(columns);
    memcpy(all, columns, sizeof columns);
    for (size_t i = 0; o->metrics && i < metric_count; i++)
        if (metrics[i].kind != METRIC_NONE)
            all[column_count++] = (struct column){metrics[i].name, NULL};
    memcpy(all + column_count, more_columns, sizeof more_columns);
    column_count += COUNT(more_columns);
    struct table *table = table_new(all, column_count);
    for (size_t i = 0; i < total; i++)
        add_row(table, &ladder[i], o->metrics);
    table_write(table, o->format, false, out);
    table_free(table);
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
        const struct summary *sum = &ladder[i].summary;
        table_text(global, ladder[i].name);
        add_global(global, &sum->of[GLOBAL_LOAD]);
        add_global(global, &sum->of[GLOBAL_STORE]);
        table_text(block, ladder[i].name);
        table_count(block, launch_threads(&ladder[i].scenario.launch));
        table_count(block, sum->shared_bytes);
        table_count(block, sum->occupancy.blocks);
        table_count(block, sum->occupancy.warps);
        table_real(block, occupancy_percent(&sum->occupancy), 0);
        table_text(block, occupancy_limit_name(sum->occupancy.limit));
        if (sum->of[GLOBAL_ATOMIC].requests || sum->of[SHARED_ATOMIC].requests) {
            any_atomic = true;
            table_text(atomic, ladder[i].name);
            add_atomics(atomic, sum);
        }
        if (!sum->of[SHARED_LOAD].requests && !sum->of[SHARED_STORE].requests)
            continue;
        any_shared = true;
        char name[80];
        (void)snprintf(name, sizeof name, "%s, pitch %" PRIu64, ladder[i].name, ladder[i].scenario.pitch);
        table_text(shared, ladder[i].scenario.pitch ? name : ladder[i].name);
        add_shared(shared, &sum->of[SHARED_LOAD]);
        add_shared(shared, &sum->of[SHARED_STORE]);
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
        if (row->out_of_bounds)
            (void)fprintf(
                stderr,
                "lanescope: %s: %" PRIu64
                " lane accesses are out of bounds of buffers of %u x %u elements (-m, -n); see lanescope "
                "owners\n",
                row->name, row->out_of_bounds, row->scenario.rows, row->scenario.cols);
        if (row->misaligned)
            (void)fprintf(stderr,
                          "lanescope: %s: %" PRIu64 " lane accesses are misaligned, an error on hardware\n",
                          row->name, row->misaligned);
        if (row->summary.of[SHARED_ATOMIC].emulated)
            (void)fprintf(
                stderr,
                "lanescope: %s: %" PRIu64
                " shared atomics are no single instruction of the hardware (floats, 64 bits): a compiler "
                "writes a loop, whose wavefronts are not predicted\n",
                row->name, row->summary.of[SHARED_ATOMIC].emulated);
        report_missed(row->missed, &row->barrier);
        if (row->out_of_bounds || row->misaligned || row->overflow || row->missed)
            code = EXIT_NO;
    }
    return code;
}

static bool open_row(struct ladder_row *row, const struct source *source, const char *name,
                     const struct options *options, struct progress *progress, struct problem *problem)
{
    struct scenario_options all = options->scenario;
    row->name = name;
    all.any_grid = !options->enumerate;
    if (!scenario_open(&row->scenario, source, &all, problem))
        return false;
    report_passed_over(&row->scenario);
    return count_row(row, options, progress, problem);
}

int command_ladder(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text = {0};
    size_t total = options->operand_count ? 1 : rung_count, done = 0;
    if (options->pitch_count > 1) {
        problem_say(problem, "the ladder takes one pitch; lanescope banks --pitch compares several");
        return EXIT_TROUBLE;
    }
    struct ladder_row *ladder = memory_take(total, sizeof *ladder);
    int code = EXIT_TROUBLE;
    bool ok = true;
    struct progress progress;
    progress_begin(&progress, "ladder");
    char name[200]; /* of a file's row: with the kernel, where one was chosen */
    if (options->operand_count) {
        const char *kernel = options->scenario.kernel;
        (void)snprintf(name, sizeof name, "%.120s%s%.60s", options->operands[0], kernel ? ":" : "",
                       kernel ? kernel : "");
        ok = operand_open(&text, options->operands[0], problem) &&
             open_row(&ladder[done++], &text.source, name, options, &progress, problem);
    } else {
        for (; ok && done < rung_count; done++) {
            progress_part(&progress, rungs[done].name, done, rung_count);
            ok = open_row(&ladder[done], &rungs[done].source, rungs[done].name, options, &progress, problem);
        }
    }
    if (ok) {
        if (options->format == FORMAT_TEXT) {
            print_text(ladder, total, options->color, out);
            if (options->metrics)
                print_metrics(out);
        } else {
            report_launch(&ladder[0].scenario, false, out);
            print_rows(ladder, total, options, out);
        }
        (void)fflush(out); /* what is said of the numbers comes after them */
        code = report_faults(ladder, total);
    }
    for (size_t i = 0; i < done; i++)
        scenario_close(&ladder[i].scenario);
    free(ladder);
    text_close(&text);
    return code;
}
