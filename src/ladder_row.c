/* ladder_row.c - a launch as one row of the ladder. */
#include "ladder_row.h"

#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/report/metric.h"
#include "report.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

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
    {"global_atomic_requests", NULL},   {"global_atomic_sectors", NULL},
    {"global_atomic_ideal", NULL},      {"shared_atomic_instructions", NULL},
    {"shared_atomic_wavefronts", NULL}, {"shared_atomic_ideal", NULL},
    {"shared_atomic_emulated", NULL},   {"partial", NULL},
    {"store_partial_sectors", NULL},    {"assumed", NULL},
};

bool ladder_row_count(struct ladder_row *row, const struct totals_how *how, bool tell,
                      struct problem *problem)
{
    bool ok = totals_of(&row->totals, &row->scenario, how, problem);
    if (tell && row->totals.census.given_up)
        report_census(&row->totals.census);
    row->overflow = tell ? report_overflow(&row->totals.noticed) : row->totals.noticed.overflow.lanes != 0;
    totals_free(&row->totals);
    return ok;
}

void ladder_add_global(struct table *table, const struct site_tally *tally)
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

void ladder_add_shared(struct table *table, const struct site_tally *tally)
{
    table_count(table, tally->requests);
    table_count(table, tally->units);
    table_count(table, tally->ideal);
    table_count(table, tally->units - tally->ideal);
    table_judge(table, tally->units == tally->ideal);
}

void ladder_add_atomics(struct table *table, const struct summary *sum)
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

double ladder_occupancy_percent(const struct occupancy *occupancy)
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

static void add_assumed(struct table *table, const struct scenario *s)
{
    if (*s->assumed)
        table_text(table, s->assumed);
    else
        table_absent(table);
}

static void add_row(struct table *table, const struct ladder_row *row, bool with_metrics)
{
    const struct scenario *s = &row->scenario;
    const struct summary *sum = &row->totals.summary;
    table_text(table, row->name);
    table_count(table, s->rows);
    table_count(table, s->cols);
    add_size(table, s->tile);
    add_size(table, s->block_rows);
    add_size(table, s->pitch);
    table_count(table, s->elem_bytes);
    table_text(table, s->device->name);
    ladder_add_global(table, &sum->of[GLOBAL_LOAD]);
    ladder_add_global(table, &sum->of[GLOBAL_STORE]);
    ladder_add_shared(table, &sum->of[SHARED_LOAD]);
    ladder_add_shared(table, &sum->of[SHARED_STORE]);
    table_count(table, sum->shared_bytes);
    table_count(table, sum->occupancy.blocks);
    table_count(table, sum->occupancy.warps);
    table_real(table, ladder_occupancy_percent(&sum->occupancy), 1);
    table_text(table, occupancy_limit_name(sum->occupancy.limit));
    table_text(table, device_rules_word(s->device));
    if (with_metrics)
        add_metrics(table, sum);
    ladder_add_atomics(table, sum);
    table_text(table, row->totals.partial ? "yes" : "no");
    table_count(table, sum->of[GLOBAL_STORE].partial);
    add_assumed(table, s);
}

struct table *ladder_table(const struct ladder_row *rows, size_t count, bool metrics_too, struct column **all)
{
    struct column *list = *all =
        memory_take(COUNT(columns) + METRIC_LIMIT + COUNT(more_columns), sizeof *list);
    unsigned column_count = COUNT(columns);
    memcpy(list, columns, sizeof columns);
    for (size_t i = 0; metrics_too && i < metric_count; i++)
        if (metrics[i].kind != METRIC_NONE)
            list[column_count++] = (struct column){metrics[i].name, NULL};
    memcpy(list + column_count, more_columns, sizeof more_columns);
    column_count += COUNT(more_columns);
    struct table *table = table_new(list, column_count);
    for (size_t i = 0; i < count; i++)
        add_row(table, &rows[i], metrics_too);
    return table;
}
