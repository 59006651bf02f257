#include "../sim/report/device_columns.h"
#include "measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/arena.h"
#include "../sim/report/metric.h"
#include "../src/options.h"
#include "../base/progress.h"
#include "../base/version.h"
#include "counters.h"
#include "judge.h"

enum { DIFFERENCES_SHOWN = 20 };

void measure_print_device(const struct confirmer *confirmer, const char *before, FILE *out)
{
    const struct gpu_facts *facts = gpu_facts(confirmer->gpu);
    int major, minor;
    compiler_version(confirmer->compiler, &major, &minor);
    (void)fprintf(out, "%sdevice: %s, compute capability %u.%u\n", before, facts->name, facts->major,
                  facts->minor);
    (void)fprintf(out, "%sdriver: %s (CUDA %u.%u), NVRTC %d.%d, lanescope %s\n", before,
                  facts->driver[0] ? facts->driver : "release not known", facts->cuda / 1000,
                  facts->cuda % 1000 / 10, major, minor, LANESCOPE_VERSION);
}

void measure_print_head(const struct confirmer *confirmer, FILE *out)
{
    char date[40] = "";
    time_t seconds = time(NULL);
    struct tm broken;
    measure_print_device(confirmer, "# ", out);
    if (gmtime_r(&seconds, &broken) && strftime(date, sizeof date, "%Y-%m-%d", &broken))
        (void)fprintf(out, "# date: %s\n", date);
    (void)fputs("# clocks left alone, caches flushed before every pass\n", out);
}

/* What became of one metric over all launches. */
struct account {
    uint64_t launches, verdicts[VERDICTS];
    uint64_t predicted, measured; /* sums, without what is absent or overruled */
};

struct measuring {
    const struct measurement *m;
    struct counter_table table;
    const char *names[COUNTERS_METRIC_LIMIT];
    struct account accounts[COUNTERS_METRIC_LIMIT];
    uint64_t differing, overruled; /* launches */
    FILE *out;
    struct progress progress;
};

/* What one launch's counters were held against. */
struct row {
    const struct configuration *configuration;
    const struct counter_row *measured;
    struct prediction predicted[COUNTERS_METRIC_LIMIT];
    bool left_out[COUNTERS_METRIC_LIMIT]; /* overruled */
};

static void say_difference(struct measuring *run, const struct row *row, size_t i)
{
    if (run->differing >= DIFFERENCES_SHOWN)
        return;
    FILE *say = run->m->format == FORMAT_TEXT ? run->out : stderr;
    progress_clear(&run->progress);
    (void)fprintf(say, "differs: " SWEEP_COLUMNS " = ");
    sweep_print(row->configuration, say);
    (void)fprintf(say, "\n  %s: predicted %" PRIu64 ", measured %" PRIu64 "\n", metrics[i].name,
                  row->predicted[i].value, row->measured->value[i]);
}

static void judge(struct measuring *run, const struct scenario *scenario, struct row *row)
{
    bool differs = false, overruled = false;
    for (size_t i = 0; i < metric_count; i++) {
        struct account *account = &run->accounts[i];
        struct judged judged = counter_judge(i, &row->predicted[i], row->measured, scenario->elem_bytes);
        account->launches++;
        account->verdicts[judged.verdict]++;
        row->left_out[i] = judged.verdict == VERDICT_OVERRULED;
        overruled = overruled || row->left_out[i];
        if (judged.verdict == VERDICT_ABSENT || row->left_out[i])
            continue;
        account->predicted += row->predicted[i].value;
        account->measured += row->measured->value[i];
        if (judged.differs)
            say_difference(run, row, i);
        differs = differs || judged.differs;
    }
    run->differing += differs;
    run->overruled += overruled;
}

/* Overruled counters become an empty field, with a comment line before. */
static void record_row(const struct measuring *run, const struct row *row)
{
    FILE *file = run->m->record;
    if (!file)
        return;
    for (size_t i = 0; i < metric_count; i++)
        if (row->left_out[i])
            (void)fprintf(file,
                          "# next row: %s was %" PRIu64 "; the hardware's own counter says %" PRIu64
                          ", as predicted\n",
                          metrics[i].name, row->measured->value[i], row->predicted[i].value);
    sweep_print(row->configuration, file);
    for (size_t i = 0; i < metric_count; i++)
        if (row->measured->value[i] == COUNTER_ABSENT || row->left_out[i])
            (void)fputc(',', file);
        else
            (void)fprintf(file, ",%" PRIu64, row->measured->value[i]);
    (void)fputc('\n', file);
}

static bool measure_one(struct measuring *run, size_t index, struct problem *problem)
{
    struct row row = {.configuration = &run->m->sweep->list[index], .measured = &run->table.rows[index]};
    struct scenario scenario;
    struct tally tally;
    if (!configuration_open(row.configuration, run->m->device, &scenario, problem))
        return false;
    tally_init(&tally, scenario.program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access, .skipped = tally_skipped};
    struct execution *execution = execution_new(scenario.program, &scenario.launch, false, problem);
    bool ok =
        execution && execution_run_blocks(execution, 0, launch_blocks(&scenario.launch), &sink, problem);
    for (size_t i = 0; i < metric_count; i++)
        row.predicted[i] = metric_predict(&metrics[i], &tally, scenario.program);
    if (ok) {
        judge(run, &scenario, &row);
        record_row(run, &row);
    }
    execution_free(execution);
    tally_free(&tally);
    scenario_close(&scenario);
    return ok;
}

static const struct column columns[] = {
    {"metric", "counter"},
    {"policy", "must be"},
    {"launches", "launches"},
    {"equal", "equal"},
    {"above", "above"},
    {"below", "below"},
    {"overruled", "overruled"},
    {"not_measured", "not measured"},
    {"predicted", "predicted"},
    {"measured", "measured"},
    DEVICE_COLUMNS,
};

static void print_verdicts(const struct measuring *run)
{
    static const char *const policies[] = {[JUDGE_EQUAL] = "equal",
                                           [JUDGE_ISSUED] = "equal + off",
                                           [JUDGE_AT_LEAST] = "at least",
                                           [JUDGE_SHOWN] = "(shown)"};
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < metric_count; i++) {
        const struct account *account = &run->accounts[i];
        bool shown = metrics[i].judgement == JUDGE_SHOWN;
        table_text(table, run->names[i]);
        table_text(table, policies[metrics[i].judgement]);
        table_count(table, account->launches);
        for (unsigned verdict = VERDICT_EQUAL; verdict <= VERDICT_BELOW; verdict++)
            if (shown)
                table_absent(table);
            else
                table_count(table, account->verdicts[verdict]);
        table_count(table, account->verdicts[VERDICT_OVERRULED]);
        table_count(table, account->verdicts[VERDICT_ABSENT]);
        if (shown)
            table_absent(table);
        else
            table_count(table, account->predicted);
        table_count(table, account->measured);
        table_device(table, run->m->named);
    }
    table_write(table, run->m->format, run->m->color, run->out);
    table_free(table);
    if (run->m->format != FORMAT_TEXT)
        return;
    (void)fprintf(run->out, "\n%zu launches measured, %" PRIu64 " differ\n", run->table.count,
                  run->differing);
    if (run->overruled)
        (void)fprintf(run->out,
                      "%" PRIu64
                      " launches where smsp__sass_* is overruled by l1tex__data_*, which equals the "
                      "prediction\n",
                      run->overruled);
}

static void begin_record(const struct measuring *run)
{
    FILE *file = run->m->record;
    if (!file)
        return;
    measure_print_head(run->m->confirmer, file);
    (void)fputs(SWEEP_COLUMNS, file);
    for (size_t i = 0; i < metric_count; i++)
        (void)fprintf(file, ",%s", run->names[i]);
    (void)fputc('\n', file);
}

int measure_counters(const struct measurement *measurement, FILE *out, struct problem *problem)
{
    struct measuring *run = memory_take(1, sizeof *run);
    run->m = measurement;
    run->out = out;
    (void)fflush(out);
    for (size_t i = 0; i < metric_count; i++)
        run->names[i] = metrics[i].name;
    int code = EXIT_ABSENT;
    if (counters_run(run->names, metric_count, &run->table, problem)) {
        code = EXIT_TROUBLE;
        bool ok = run->table.count == measurement->sweep->count ||
                  problem_say(problem, "ncu measured %zu launches where %zu were made", run->table.count,
                              measurement->sweep->count);
        if (ok)
            begin_record(run);
        progress_begin(&run->progress, "confirm, counters");
        for (size_t i = 0; ok && i < run->table.count; i++) {
            ok = measure_one(run, i, problem);
            progress_show(&run->progress, i + 1, run->table.count);
        }
        progress_clear(&run->progress);
        if (ok) {
            (void)fputc('\n', out);
            print_verdicts(run);
            code = run->differing ? EXIT_NO : EXIT_FINE;
        }
    }
    counter_table_free(&run->table);
    free(run);
    return code;
}
