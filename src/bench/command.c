/* command.c - how long kernels take on a device, beside copies of the same size. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/output_file.h"
#include "../../cuda/counters.h"
#include "../../sim/report/element.h"
#include "../../sim/report/rung.h"
#include "choice.h"
#include "rows.h"
#include "tune.h"
#include "../command.h"
#include "../operand.h"
#include "../totals.h"

enum { TABLE_LIMIT = 1 << 26, SIZES_LIMIT = 256 };

struct run {
    const struct options *options;
    struct bench bench;
    const struct device *device;       /* whose limits are simulated; NULL: not in the table */
    uint32_t matrix_rows, matrix_cols; /* of this size; 0: as the options or the text say */
    struct bench_rows rows;
    struct progress progress;
    struct problem *problem;
};

/* A rung's ELEM is an unsigned type; a file's too, if --elem says. */
static struct scenario_options options_of(const struct run *run, const char *name)
{
    struct scenario_options o = run->options->scenario;
    if (rung_find(name) && !o.elem_bytes)
        o.elem_bytes = 4;
    if (o.elem_bytes)
        o.elem_type = element_integer_type(o.elem_bytes);
    if (run->matrix_rows) {
        o.rows = run->matrix_rows;
        o.cols = run->matrix_cols;
    }
    o.device = run->device;
    return o;
}

/* What the simulator counts of the launch, for the row's model. */
static bool model(struct run *run, const struct scenario *s, struct bench_row *row)
{
    const struct totals_how how = {.workers = options_workers(run->options), .progress = &run->progress};
    struct totals totals;
    bool ok = totals_of(&totals, s, &how, run->problem);
    const struct site_tally *of = totals.summary.of;
    row->sectors = of[GLOBAL_LOAD].units + of[GLOBAL_STORE].units;
    row->ideal_sectors = of[GLOBAL_LOAD].ideal + of[GLOBAL_STORE].ideal;
    row->wavefronts = of[SHARED_LOAD].units + of[SHARED_STORE].units;
    row->ideal_wavefronts = of[SHARED_LOAD].ideal + of[SHARED_STORE].ideal;
    row->partial_sectors = of[GLOBAL_STORE].partial;
    row->is_modelled = ok && !totals.partial;
    totals_free(&totals);
    return ok;
}

static bool measure(struct run *run, const struct source *text, const char *name,
                    const struct scenario_options *options)
{
    struct scenario scenario;
    struct bench_row row;
    if (!scenario_open(&scenario, text, options, run->problem))
        return false;
    bool ok;
    if (run->options->confirm.launch_only)
        ok = confirm_launch_only(&run->bench.confirmer, &scenario, run->problem);
    else
        ok = bench_scenario(&run->bench, &scenario, name, &row, run->problem) &&
             (run->options->bench.no_model || model(run, &scenario, &row));
    scenario_close(&scenario);
    if (ok && !run->options->confirm.launch_only) {
        bench_macros(options, row.macros, sizeof row.macros);
        *bench_rows_add(&run->rows) = row;
    }
    return ok;
}

/* The command line's options as they are for one kernel and size. */
static struct options options_for(const struct run *run, const char *name)
{
    struct options options = *run->options;
    options.scenario = options_of(run, name);
    return options;
}

static bool measure_kernel(struct run *run, const struct source *text, const char *name)
{
    struct options options = options_for(run, name);
    struct scenario_options o = options.scenario;
    struct arena arena = {0};
    struct bench_tuning tuning = {&run->bench, &options, &run->rows, &run->progress};
    bool ok = (!run->options->bench.tune || bench_tune(&tuning, text, name, &o, &arena, run->problem)) &&
              measure(run, text, name, &o);
    arena_free(&arena);
    return ok;
}

/* The copies and the library, once for each size and width among the kernels. */
static bool measure_peers(struct run *run)
{
    for (size_t i = 0, count = run->rows.count; i < count; i++) {
        struct bench_row row = run->rows.list[i], peers[3];
        unsigned n = 0;
        if (row.kind != BENCH_KERNEL || bench_copy_of(&run->rows, &row))
            continue;
        if (!bench_peers(&run->bench, row.rows, row.cols, row.elem_bytes, peers, &n, run->problem))
            return false;
        for (unsigned k = 0; k < n; k++)
            *bench_rows_add(&run->rows) = peers[k];
    }
    return true;
}

static bool measure_ceilings(struct run *run)
{
    struct bench_row ceilings[3];
    if (!bench_ceilings(&run->bench, ceilings, run->problem))
        return false;
    for (unsigned k = 0; k < 3; k++)
        *bench_rows_add(&run->rows) = ceilings[k];
    return true;
}

static bool measure_pipeline(struct run *run, const struct source *text, const char *name)
{
    struct scenario_options there = options_of(run, name), back;
    struct scenario scenario, other;
    struct bench_row stages[BENCH_STAGES];
    if (!scenario_open(&scenario, text, &there, run->problem))
        return false;
    back = there;
    back.rows = scenario.cols;
    back.cols = scenario.rows;
    bool ok = scenario_open(&other, text, &back, run->problem);
    if (ok) {
        ok = bench_pipeline(&run->bench, &scenario, &other, stages, run->problem);
        scenario_close(&other);
    }
    scenario_close(&scenario);
    for (unsigned k = 0; ok && k < BENCH_STAGES; k++)
        *bench_rows_add(&run->rows) = stages[k];
    return ok;
}

static bool measure_ladder(struct run *run)
{
    for (size_t i = 0; i < rung_count; i++) {
        progress_part(&run->progress, rungs[i].name, i, rung_count);
        if (!measure_kernel(run, &rungs[i].source, rungs[i].name))
            return false;
    }
    return true;
}

/* The rung that is the fastest by the rules of choice.h. */
static bool measure_best(struct run *run)
{
    struct scenario_options o = options_of(run, "vector");
    uint32_t rows = o.rows ? o.rows : SCENARIO_ROWS, cols = o.cols ? o.cols : SCENARIO_COLS;
    struct bench_choice choice = bench_choose(rows, cols, o.elem_bytes, run->rows.machine.l2_bytes);
    o.rows = rows;
    o.cols = cols;
    if (choice.definition && o.definition_count < SCENARIO_TEXT_LIMIT)
        o.definitions[o.definition_count++] = choice.definition;
    return measure(run, &rung_find(choice.rung)->source, choice.rung, &o);
}

static bool measure_size(struct run *run, const struct source *text)
{
    const char *name = run->options->operand_count ? run->options->operands[0] : "all";
    bool ok = strcmp(name, "all") == 0    ? measure_ladder(run)
              : strcmp(name, "best") == 0 ? measure_best(run)
                                          : measure_kernel(run, text, name);
    return ok && (run->options->confirm.launch_only || measure_peers(run));
}

/* The next size of a list, which it is moved behind. */
static bool next_size(const char **list, uint32_t *rows, uint32_t *cols)
{
    char *end;
    unsigned long long m = strtoull(*list, &end, 10), n;
    if (end == *list || *end != 'x' || **list == '-' || end[1] < '0' || end[1] > '9')
        return false;
    n = strtoull(end + 1, &end, 10);
    if (!m || !n || m > INT32_MAX || n > INT32_MAX || (*end && (*end != ',' || !end[1])))
        return false;
    *rows = (uint32_t)m;
    *cols = (uint32_t)n;
    *list = end + (*end == ',');
    return true;
}

static bool check_sizes(const char *list, struct problem *problem)
{
    unsigned count = 0;
    uint32_t rows, cols;
    for (const char *at = list; at && (count == 0 || *at); count++)
        if (!next_size(&at, &rows, &cols))
            return problem_say(
                problem,
                "--sizes %.60s is no list of sizes such as 4096x4096,257x1000003, each number 1 "
                "to 2147483647",
                list);
    return count <= SIZES_LIMIT ||
           problem_say(problem, "--sizes has %u sizes; at most %d go into one run", count, SIZES_LIMIT);
}

static bool measure_all(struct run *run, const struct source *text)
{
    const char *at = run->options->bench.sizes;
    if (run->options->bench.pipeline)
        return measure_pipeline(run, text, run->options->operands[0]);
    if (!at && !measure_size(run, text))
        return false;
    while (at && *at) {
        (void)next_size(&at, &run->matrix_rows, &run->matrix_cols);
        if (!measure_size(run, text))
            return false;
    }
    return run->options->confirm.launch_only || measure_ceilings(run);
}

/* The counters of each kernel's launch, by Nsight Compute, which runs this command line again to launch them.
 */
static bool count_kernels(struct run *run)
{
    static const char *const names[] = {"lts__t_sectors_srcunit_tex_op_read.sum",
                                        "lts__t_sectors_srcunit_tex_op_write.sum", "dram__bytes_read.sum",
                                        "dram__bytes_write.sum"};
    struct counter_table table = {0};
    size_t kernels = 0, at = 0;
    for (size_t i = 0; i < run->rows.count; i++)
        kernels += run->rows.list[i].kind == BENCH_KERNEL;
    bool ok = counters_run(names, 4, "--launch-only", &table, run->problem) &&
              counters_are_of(&table, kernels, run->problem);
    for (size_t i = 0; ok && i < run->rows.count; i++) {
        struct bench_row *row = &run->rows.list[i];
        if (row->kind != BENCH_KERNEL)
            continue;
        const uint64_t *value = table.rows[at++].value;
        row->is_counted = value[0] != COUNTER_ABSENT && value[1] != COUNTER_ABSENT &&
                          value[2] != COUNTER_ABSENT && value[3] != COUNTER_ABSENT;
        row->l2_read_sectors = value[0];
        row->l2_written_sectors = value[1];
        row->dram_read_bytes = value[2];
        row->dram_written_bytes = value[3];
    }
    counter_table_free(&table);
    return ok;
}

static void describe_machine(struct run *run)
{
    const struct gpu_facts *facts = gpu_facts(run->bench.confirmer.gpu);
    struct bench_machine *m = &run->rows.machine;
    (void)snprintf(m->device, sizeof m->device, "%s", facts->name);
    (void)snprintf(m->driver, sizeof m->driver, "%s", facts->driver);
    (void)snprintf(m->cuda, sizeof m->cuda, "%u.%u", facts->cuda / 1000, facts->cuda % 1000 / 10);
    m->processors = facts->processors;
    m->l2_bytes = facts->l2_bytes;
}

/* On a device. Returns an exit code. */
static int measure_here(struct run *run, const struct text *text)
{
    const struct options *o = run->options;
    struct output_file record = {0};
    char name[32];
    if (!bench_open(&run->bench, o->bench.repeats, o->bench.warmups, o->bench.warm, run->problem))
        return EXIT_ABSENT;
    const struct gpu_facts *facts = gpu_facts(run->bench.confirmer.gpu);
    (void)snprintf(name, sizeof name, "sm_%u%u", facts->major, facts->minor);
    run->device = device_find(name);
    describe_machine(run);
    bool ok =
        !o->confirm.record || output_file_open(&record, o->confirm.record, OUTPUT_REPLACES, run->problem);
    run->rows.machine.before = gpu_clocks_now();
    ok = ok && measure_all(run, &text->source);
    run->rows.machine.after = gpu_clocks_now();
    if (ok && o->confirm.counters && !o->confirm.launch_only)
        ok = count_kernels(run);
    if (ok && record.stream)
        bench_rows_write(&run->rows, FORMAT_CSV, record.stream);
    if (record.stream && !output_file_finish(&record, ok, run->problem))
        ok = false;
    bench_close(&run->bench);
    return ok ? EXIT_FINE : EXIT_TROUBLE;
}

static int replay(struct run *run)
{
    struct text table;
    if (!text_read_file(&table, run->options->bench.replay, TABLE_LIMIT, run->problem))
        return EXIT_TROUBLE;
    bool ok = bench_rows_read(&run->rows, &table.source, run->problem);
    text_close(&table);
    return ok ? EXIT_FINE : EXIT_TROUBLE;
}

/* What cannot be measured is said before a device is looked for. */
static bool check_request(const struct run *run, struct text *text)
{
    const struct options *o = run->options;
    const char *name = o->operand_count ? o->operands[0] : "all";
    struct scenario scenario;
    if (o->bench.replay)
        return (!o->operand_count && !o->confirm.record) ||
               problem_say(run->problem,
                           "--replay shows what was recorded: leave out the kernel and --record");
    if (!check_sizes(o->bench.sizes, run->problem))
        return false;
    if (o->confirm.counters && (o->bench.tune || o->bench.pipeline))
        return problem_say(run->problem,
                           "--counters is of kernels as they stand: leave out --tune and --pipeline");
    if (o->bench.sizes && (o->scenario.rows || o->scenario.cols || o->bench.pipeline))
        return problem_say(run->problem, "--sizes says the sizes: leave out --rows, --cols and --pipeline");
    if (o->sweep.axis_count && !o->bench.tune)
        return problem_say(run->problem, "--sweep says what --tune tries: give both, or neither");
    if (o->bench.tune && (o->bench.pipeline || strcmp(name, "best") == 0))
        return problem_say(run->problem,
                           "--tune searches for the fastest form of one kernel, or of each: leave out %s",
                           o->bench.pipeline ? "--pipeline" : "best");
    if (strcmp(name, "all") == 0 || strcmp(name, "best") == 0)
        return !o->bench.pipeline ||
               problem_say(run->problem, "--pipeline converts with one kernel: name it, for example padded");
    if (!operand_open(text, name, run->problem))
        return false;
    if (ptx_is_text(&text->source))
        return problem_say(run->problem,
                           "%s is PTX, and bench launches a kernel of CUDA source: give it the .cu", name);
    struct scenario_options options = options_of(run, name);
    if (!scenario_open(&scenario, &text->source, &options, run->problem))
        return false;
    scenario_close(&scenario);
    struct options all = options_for(run, name);
    return !o->bench.tune || bench_tune_check(&all, &text->source, name, run->problem);
}

int command_bench(const struct options *options, FILE *out, struct problem *problem)
{
    struct run run = {.options = options, .problem = problem};
    struct text text = {0};
    int code = EXIT_TROUBLE;
    progress_begin(&run.progress, "bench");
    if (check_request(&run, &text))
        code = options->bench.replay ? replay(&run) : measure_here(&run, &text);
    progress_clear(&run.progress);
    if (code == EXIT_FINE && !options->confirm.launch_only) {
        if (options->format == FORMAT_TEXT)
            bench_report(&run.rows, options->color, out);
        else
            bench_rows_write(&run.rows, options->format, out);
        for (size_t i = 0; i < run.rows.count; i++)
            if (run.rows.list[i].wrong)
                code = EXIT_NO;
    }
    bench_rows_free(&run.rows);
    text_close(&text);
    return code;
}
