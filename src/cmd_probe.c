/* cmd_probe.c - one access, written as an index expression. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/count/tally.h"
#include "../sim/model/sector.h"
#include "../sim/report/device_columns.h"
#include "command.h"
#include "report.h"

static const struct column columns[] = {
    {"requests", "requests"},
    {"wavefronts", "wavefronts"},
    {"ideal_wavefronts", "ideal"},
    {"conflicts", "conflicts"},
    {"lines", "lines"},
    {"sectors", "sectors"},
    {"misaligned_lanes", "misaligned lanes"},
    DEVICE_COLUMNS,
};

static const struct column warp_columns[] = {
    {"warp", "warp"},   {"lanes", "lanes"},         {"wavefronts", "wavefronts"},
    {"ideal", "ideal"}, {"conflicts", "conflicts"},
};

static const struct column sector_columns[] = {
    {"warp", "warp"},       {"lanes", "lanes"}, {"lines", "lines"},
    {"sectors", "sectors"}, {"ideal", "ideal"}, {"bytes", "bytes asked for"},
};

static const struct column lane_columns[] = {
    {"warp", "warp"}, {"lane", "lane"},     {"byte", "byte"}, {"word", "word"},
    {"bank", "bank"}, {"sector", "sector"}, DEVICE_COLUMNS,
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct probe_run {
    const struct options *options;
    struct table *warps, *lanes;
    uint64_t requests, units, ideal, lines, misaligned, below;
    bool overflow;
};

static void take_access(void *self, const struct access *access)
{
    struct probe_run *run = self;
    struct access_cost cost = access_cost_of(access);
    unsigned lanes = (unsigned)__builtin_popcount(access->mask);
    bool shared = access->site->kind->space == SPACE_SHARED;
    run->requests++;
    run->units += cost.units;
    run->ideal += cost.ideal;
    run->lines += cost.lines;
    run->misaligned += (unsigned)__builtin_popcount(access->misaligned);
    for (unsigned lane = 0; lane < 32; lane++)
        run->below += (access->mask >> lane & 1) && access_offset(access, lane) < 0;
    table_count(run->warps, access->warp);
    table_count(run->warps, lanes);
    if (!shared)
        table_count(run->warps, cost.lines);
    table_count(run->warps, cost.units);
    table_count(run->warps, cost.ideal);
    table_count(run->warps, shared ? cost.units - cost.ideal : (uint64_t)lanes * access->site->lane_bytes);
    for (unsigned lane = 0; run->options->lanes && lane < 32; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        int64_t byte = access_offset(access, lane);
        table_count(run->lanes, access->warp);
        table_count(run->lanes, lane);
        table_integer(run->lanes, byte);
        table_integer(run->lanes, unit_of(byte, BANK_BYTES));
        table_count(run->lanes, bank_of(byte));
        table_integer(run->lanes, unit_of(byte, SECTOR_BYTES));
        table_device(run->lanes, run->options->scenario.device);
    }
}

static void print_totals(const struct probe_run *run, FILE *out)
{
    struct table *table = table_new(columns, COUNT(columns));
    bool shared = run->options->space == SPACE_SHARED;
    table_count(table, run->requests);
    if (shared) {
        table_count(table, run->units);
        table_count(table, run->ideal);
        table_count(table, run->units - run->ideal);
        table_judge(table, run->units == run->ideal);
        table_absent(table);
        table_absent(table);
    } else {
        for (int i = 0; i < 3; i++)
            table_absent(table);
        table_count(table, run->lines);
        table_count(table, run->units);
    }
    table_count(table, run->misaligned);
    table_judge(table, !run->misaligned);
    table_device(table, run->options->scenario.device);
    table_write(table, run->options->format, run->options->color, out);
    table_free(table);
}

static void print(const struct probe_run *run, FILE *out)
{
    const struct options *o = run->options;
    if (o->format == FORMAT_TEXT)
        (void)fprintf(out, "%s of %u bytes a lane at %s; %s: %s\n\n", access_kind_of(o->space, o->op)->name,
                      o->lane_bytes, o->operands[0], o->scenario.device->name,
                      device_rules(o->scenario.device));
    if (o->format != FORMAT_TEXT && o->lanes) {
        table_write(run->lanes, o->format, false, out);
        return;
    }
    print_totals(run, out);
    if (o->format != FORMAT_TEXT)
        return;
    (void)fputc('\n', out);
    table_write(run->warps, FORMAT_TEXT, o->color, out);
    if (o->lanes) {
        (void)fputc('\n', out);
        table_write(run->lanes, FORMAT_TEXT, o->color, out);
    }
}

static bool set_launch(const struct options *o, struct launch *launch, uint32_t block[3],
                       struct problem *problem)
{
    for (unsigned i = 0; i < 3; i++) {
        block[i] = i < o->block_idx.count ? o->block_idx.size[i] : 0;
        launch->block[i] = i < o->scenario.block.count ? o->scenario.block.size[i] : i ? 1 : 32;
        launch->grid[i] = i < o->scenario.grid.count ? o->scenario.grid.size[i] : 1;
        if (!o->scenario.grid.count && launch->grid[i] <= block[i])
            launch->grid[i] = block[i] + 1;
        if (block[i] >= launch->grid[i])
            return problem_say(problem, "--block-idx lies outside --grid: %u of %u", block[i],
                               launch->grid[i]);
    }
    launch->dynamic_shared_bytes =
        o->space == SPACE_SHARED ? 16 : 0; /* present; its size does not matter here */
    launch->arguments[0].bytes = UINT64_C(1) << 46;
    return launch_check(launch, problem);
}

static bool execute(struct probe_run *run, const struct program *program, struct problem *problem)
{
    struct launch launch = {.grid = {1, 1, 1}};
    uint32_t block[3];
    if (!set_launch(run->options, &launch, block, problem))
        return false;
    struct execution *execution = execution_new(program, &launch, false, problem);
    if (!execution)
        return false;
    struct sink sink = {.self = run, .access = take_access};
    bool ok = execution_run_block(execution, block, &sink, problem);
    struct noticed noticed = execution_noticed(execution);
    run->overflow = report_overflow(&noticed);
    execution_free(execution);
    return ok;
}

int command_probe(const struct options *options, FILE *out, struct problem *problem)
{
    struct source index = {"index", options->operands[0], strlen(options->operands[0])};
    struct source active = {"active", options->active, options->active ? strlen(options->active) : 0};
    struct source definitions[SCENARIO_TEXT_LIMIT], nothing = {"nothing", "", 0};
    for (unsigned i = 0; i < options->scenario.definition_count; i++)
        definitions[i] =
            (struct source){"-D", options->scenario.definitions[i], strlen(options->scenario.definitions[i])};
    struct probe probe = {.index = &index,
                          .active = options->active ? &active : NULL,
                          .space = options->space,
                          .op = options->op,
                          .lane_bytes = options->lane_bytes,
                          .index_bytes = options->index_bytes ? options->index_bytes : options->lane_bytes,
                          .base_bytes = options->base};
    struct unit *unit = unit_open(&nothing, definitions, options->scenario.definition_count, problem);
    const struct program *program = unit ? unit_compile_probe(unit, &probe, problem) : NULL;
    bool shared = options->space == SPACE_SHARED;
    struct probe_run run = {.options = options,
                            .warps = shared ? table_new(warp_columns, COUNT(warp_columns))
                                            : table_new(sector_columns, COUNT(sector_columns)),
                            .lanes = table_new(lane_columns, COUNT(lane_columns))};
    int code = EXIT_TROUBLE;
    if (program && execute(&run, program, problem)) {
        print(&run, out);
        code = run.overflow ? EXIT_NO : EXIT_FINE;
        if (run.below) {
            (void)fflush(out);
            (void)fprintf(stderr, "lanescope: %" PRIu64 " lanes lie below the start of the buffer\n",
                          run.below);
            code = EXIT_NO;
        }
        if (run.misaligned) {
            (void)fflush(out); /* what is said of the numbers comes after them */
            (void)fprintf(stderr,
                          "lanescope: %" PRIu64
                          " lanes are misaligned: their address is no multiple of %u bytes, which "
                          "is an error on hardware\n",
                          run.misaligned, options->lane_bytes);
            code = EXIT_NO;
        }
    }
    table_free(run.warps);
    table_free(run.lanes);
    unit_close(unit);
    return code;
}
