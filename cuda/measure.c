#include "measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../sim/arena.h"
#include "../sim/report/metric.h"
#include "../src/options.h"
#include "counters.h"

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
struct verdict {
    uint64_t launches, equal, above, below, absent;
    uint64_t predicted, measured;
};

struct measuring {
    const struct measurement *m;
    struct counter_table table;
    const char *names[COUNTERS_METRIC_LIMIT];
    struct verdict verdicts[COUNTERS_METRIC_LIMIT];
    uint64_t differing; /* launches */
    FILE *out, *record;
};

static void judge(struct measuring *run, const struct configuration *c, size_t i, uint64_t predicted,
                  uint64_t measured, bool *differs)
{
    struct verdict *v = &run->verdicts[i];
    v->launches++;
    if (measured == COUNTER_ABSENT) {
        v->absent++;
        return;
    }
    v->predicted += predicted;
    v->measured += measured;
    v->equal += measured == predicted;
    v->above += measured > predicted;
    v->below += measured < predicted;
    if (metric_agrees(&metrics[i], predicted, measured))
        return;
    *differs = true;
    if (run->differing >= DIFFERENCES_SHOWN)
        return;
    (void)fprintf(run->out, "differs: " SWEEP_COLUMNS " = ");
    sweep_print(c, run->out);
    (void)fprintf(run->out, "\n  %s: predicted %" PRIu64 ", measured %" PRIu64 "\n", metrics[i].name, predicted,
                  measured);
}

static void record_row(struct measuring *run, const struct configuration *c, const struct counter_row *row)
{
    if (!run->record)
        return;
    sweep_print(c, run->record);
    for (size_t i = 0; i < metric_count; i++)
        if (row->value[i] == COUNTER_ABSENT)
            (void)fputc(',', run->record);
        else
            (void)fprintf(run->record, ",%" PRIu64, row->value[i]);
    (void)fputc('\n', run->record);
}

static bool measure_one(struct measuring *run, size_t index, struct problem *problem)
{
    const struct configuration *c = &run->m->sweep->list[index];
    const struct counter_row *row = &run->table.rows[index];
    struct scenario_options options = c->options;
    struct scenario scenario;
    struct tally tally;
    bool differs = false;
    options.device = run->m->device;
    if (!scenario_open(&scenario, c->text, &options, problem))
        return false;
    tally_init(&tally, scenario.program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access};
    struct execution *execution = execution_new(scenario.program, &scenario.launch, false, problem);
    bool ok = execution &&
              execution_run_blocks(execution, 0, launch_blocks(&scenario.launch), &sink, problem);
    for (size_t i = 0; ok && i < metric_count; i++)
        judge(run, c, i, metric_predict(&metrics[i], &tally, scenario.program), row->value[i], &differs);
    run->differing += differs;
    record_row(run, c, row);
    execution_free(execution);
    tally_free(&tally);
    scenario_close(&scenario);
    return ok;
}

static const struct column columns[] = {
    {"metric", "counter"}, {"policy", "must be"},     {"launches", "launches"},     {"equal", "equal"},
    {"above", "above"},    {"below", "below"},        {"not_measured", "not measured"},
    {"predicted", "predicted"}, {"measured", "measured"},
};

static void print_verdicts(const struct measuring *run)
{
    static const char *const policies[] = {
        [JUDGE_EQUAL] = "equal", [JUDGE_AT_LEAST] = "at least", [JUDGE_SHOWN] = "(shown)"};
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < metric_count; i++) {
        const struct verdict *v = &run->verdicts[i];
        bool shown = metrics[i].judgement == JUDGE_SHOWN;
        table_text(table, metrics[i].name);
        table_text(table, policies[metrics[i].judgement]);
        table_count(table, v->launches);
        for (unsigned k = 0; k < 3; k++)
            if (shown)
                table_absent(table);
            else
                table_count(table, k == 0 ? v->equal : k == 1 ? v->above : v->below);
        table_count(table, v->absent);
        if (shown)
            table_absent(table);
        else
            table_count(table, v->predicted);
        table_count(table, v->measured);
    }
    table_write(table, run->m->format, run->out);
    table_free(table);
    if (run->m->format == FORMAT_TEXT)
        (void)fprintf(run->out, "\n%zu launches measured, %" PRIu64 " differ\n", run->table.count, run->differing);
}

static bool open_record(struct measuring *run, struct problem *problem)
{
    if (!run->m->record)
        return true;
    run->record = fopen(run->m->record, "w");
    if (!run->record)
        return problem_say(problem, "%s cannot be written: %s", run->m->record, strerror(errno));
    measure_print_head(run->m->confirmer, run->record);
    (void)fputs(SWEEP_COLUMNS, run->record);
    for (size_t i = 0; i < metric_count; i++)
        (void)fprintf(run->record, ",%s", metrics[i].name);
    (void)fputc('\n', run->record);
    return true;
}

static bool close_record(struct measuring *run, struct problem *problem)
{
    if (!run->record)
        return true;
    bool failed = ferror(run->record) != 0;
    failed = fclose(run->record) != 0 || failed;
    return !failed || problem_say(problem, "writing to %s failed", run->m->record);
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
        code = EXIT_NO;
        bool ok = run->table.count == measurement->sweep->count
                      ? open_record(run, problem)
                      : problem_say(problem, "ncu measured %zu launches where %zu were made", run->table.count,
                                    measurement->sweep->count);
        for (size_t i = 0; ok && i < run->table.count; i++)
            ok = measure_one(run, i, problem);
        ok = close_record(run, problem) && ok;
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
