/* confirm_table.c - what `lanescope confirm` prints of its verdicts. */
#include "confirm_run.h"

#include <inttypes.h>
#include <time.h>

#include "../base/version.h"
#include "../sim/report/device_columns.h"
#include "../sim/report/recorded_columns.h"

/* clang-format off */
#define VALUE_COLUMNS                                                                                        \
    {"kernel", "kernel"}, {"rows", "rows"}, {"cols", "cols"}, {"configurations", "configs"},                 \
    {"cells", "cells"}, {"wrong_values", "wrong values"},                                                    \
    {"guard_bytes", NULL}, /* people read of them at the configuration that differs */                       \
    {"wrong_owners", "wrong owners"}, {"lane_addresses", "lane addresses"},                                  \
    {"wrong_addresses", "wrong addresses"}, {"blocks_recorded", "blocks recorded"}, {"blocks", "of"}

#define COUNTER_COLUMNS                                                                                      \
    {"metric", "counter"}, {"policy", "must be"}, {"launches", "launches"}, {"equal", "equal"},              \
    {"above", "above"}, {"below", "below"}, {"overruled", "overruled"}, {"not_measured", "not measured"},    \
    {"predicted", "predicted"}, {"measured", "measured"}
/* clang-format on */

static const struct column value_columns[] = {VALUE_COLUMNS, DEVICE_COLUMNS};
static const struct column counter_columns[] = {COUNTER_COLUMNS, DEVICE_COLUMNS};
static const struct column both_columns[] = {{"table", NULL}, VALUE_COLUMNS, COUNTER_COLUMNS, DEVICE_COLUMNS};

enum { DEVICE_COUNT = 2, TABLE_COUNT = 1 };
enum {
    VALUE_COUNT = sizeof value_columns / sizeof *value_columns - DEVICE_COUNT,
    COUNTER_COUNT = sizeof counter_columns / sizeof *counter_columns - DEVICE_COUNT
};

static void absent_cells(struct table *table, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        table_absent(table);
}

static void value_cells(struct table *table, const struct group *g)
{
    table_text(table, g->name);
    table_count(table, g->rows);
    table_count(table, g->cols);
    table_count(table, g->configurations);
    table_count(table, g->cells);
    table_count(table, g->wrong);
    table_judge(table, !g->wrong);
    table_count(table, g->guard);
    table_count(table, g->owners);
    table_judge(table, !g->owners);
    table_count(table, g->lanes);
    table_count(table, g->addresses);
    table_judge(table, !g->addresses);
    table_count(table, g->recorded);
    table_count(table, g->blocks);
}

static void counter_cells(struct table *table, const struct metric *metric,
                          const struct metric_account *account)
{
    static const char *const policies[] = {[JUDGE_EQUAL] = "equal",
                                           [JUDGE_ISSUED] = "equal + off",
                                           [JUDGE_AT_LEAST] = "at least",
                                           [JUDGE_SHOWN] = "(shown)"};
    bool shown = metric->judgement == JUDGE_SHOWN;
    table_text(table, metric->name);
    table_text(table, policies[metric->judgement]);
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
}

static void write_and_free(const struct confirm_run *run, struct table *table)
{
    table_write(table, run->options->format, run->options->color, run->out);
    table_free(table);
}

void confirm_print_values(const struct confirm_run *run)
{
    struct table *table = table_new(value_columns, VALUE_COUNT + DEVICE_COUNT);
    const struct group *t = &run->total;
    for (size_t i = 0; i < run->group_count; i++) {
        value_cells(table, &run->groups[i]);
        table_device(table, &run->named);
    }
    write_and_free(run, table);
    if (run->options->format == FORMAT_TEXT)
        (void)fprintf(
            run->out,
            "\n%" PRIu64 " configurations, %" PRIu64 " differ: %" PRIu64 " cells (%" PRIu64
            " wrong values, %" PRIu64 " wrong owners), %" PRIu64 " lane addresses (%" PRIu64 " wrong)\n",
            t->configurations, run->differing, t->cells, t->wrong, t->owners, t->lanes, t->addresses);
}

void confirm_print_counters(const struct confirm_run *run, const struct measurement *m)
{
    struct table *table = table_new(counter_columns, COUNTER_COUNT + DEVICE_COUNT);
    for (size_t i = 0; i < metric_count; i++) {
        counter_cells(table, &metrics[i], &m->accounts[i]);
        table_device(table, &run->named);
    }
    (void)fputc('\n', run->out);
    write_and_free(run, table);
    (void)fprintf(run->out, "\n%zu launches measured, %" PRIu64 " differ\n", m->table.count, m->differing);
    if (m->overruled)
        (void)fprintf(run->out,
                      "%" PRIu64
                      " launches where smsp__sass_* is overruled by l1tex__data_*, which equals the "
                      "prediction\n",
                      m->overruled);
}

void confirm_print_both(const struct confirm_run *run, const struct measurement *m)
{
    struct table *table = table_new(both_columns, TABLE_COUNT + VALUE_COUNT + COUNTER_COUNT + DEVICE_COUNT);
    for (size_t i = 0; i < run->group_count; i++) {
        table_text(table, "values");
        value_cells(table, &run->groups[i]);
        absent_cells(table, COUNTER_COUNT);
        table_device(table, &run->named);
    }
    for (size_t i = 0; m && i < metric_count; i++) {
        table_text(table, "counters");
        absent_cells(table, VALUE_COUNT);
        counter_cells(table, &metrics[i], &m->accounts[i]);
        table_device(table, &run->named);
    }
    write_and_free(run, table);
}

void confirm_print_device(const struct confirmer *confirmer, const char *before, FILE *out)
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

void confirm_print_head(const struct confirmer *confirmer, FILE *out)
{
    char date[40] = "";
    time_t seconds = time(NULL);
    struct tm broken;
    confirm_print_device(confirmer, "# ", out);
    if (gmtime_r(&seconds, &broken) && strftime(date, sizeof date, "%Y-%m-%d", &broken))
        (void)fprintf(out, "# date: %s\n", date);
    (void)fputs("# clocks left alone, caches flushed before every pass\n", out);
}

void confirm_print_columns(FILE *out)
{
    for (enum launch_column i = 0; i < LAUNCH_COLUMN_COUNT; i++)
        (void)fprintf(out, "%s%s", i ? "," : "", launch_columns[i].name);
}

void confirm_print_configuration(const struct configuration *c, FILE *out)
{
    (void)fputs(c->name, out);
    for (enum launch_column i = LAUNCH_KERNEL + 1; i < LAUNCH_COLUMN_COUNT; i++)
        (void)fprintf(out, ",%" PRIu64, launch_column_value(i, &c->options));
}

void confirm_print_accesses(const struct confirm_run *run, uint64_t accesses, uint64_t differ)
{
    static const struct column columns[] = {{"accesses", NULL}, {"differ", NULL}, DEVICE_COLUMNS};
    if (run->options->format == FORMAT_TEXT) {
        (void)fprintf(run->out, "%" PRIu64 " accesses measured, %" PRIu64 " differ\n", accesses, differ);
        return;
    }
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    table_count(table, accesses);
    table_count(table, differ);
    table_device(table, &run->named);
    write_and_free(run, table);
}

FILE *confirm_people(const struct confirm_run *run)
{
    return run->options->format == FORMAT_TEXT ? run->out : stderr;
}

FILE *confirm_say_differs(const struct confirm_run *run, const struct configuration *c)
{
    FILE *say = confirm_people(run);
    (void)fputs("differs: ", say);
    confirm_print_columns(say);
    (void)fputs(" = ", say);
    confirm_print_configuration(c, say);
    (void)fputs("\n  ", say);
    return say;
}
