/* rows_table.c - a sweep's rows as text, csv and json. */
#include <stdlib.h>
#include <string.h>

#include "../../sim/report/device_columns.h"
#include "rows.h"

/* The columns before a sweep's own macros, and behind them. */
static const struct column before[] = {
    {"rung", NULL},       {"rows", NULL},  {"cols", NULL},       {"tile", NULL},
    {"block_rows", NULL}, {"pitch", NULL}, {"elem_bytes", NULL},
};
static const struct column behind[] = {
    {"wavefronts", "wavefronts"},
    {"ideal", "ideal"},
    {"excess", "excess"},
    {"sectors", "sectors"},
    {"ideal_sectors", "ideal"},
    {"shared_bytes", "shared bytes"},
    {"blocks_per_sm", "blocks/SM"},
    {"warps_per_sm", "warps/SM"},
    {"occupancy_percent", "occupancy %"},
    {"occupancy_limit", "limited by"},
    {"reason", NULL},
    DEVICE_COLUMNS,
};
enum {
    BEFORE = sizeof before / sizeof *before,
    BEHIND = sizeof behind / sizeof *behind,
    FIRST_SIZE = 3, /* tile, block rows, pitch, bytes */
    REASON = 10,    /* of `behind` */
};

bool rows_check_names(const struct sweep_run *run, struct problem *problem)
{
    for (unsigned i = 0; i < run->axes.count; i++) {
        const char *name = run->axes.list[i].name;
        bool taken = false;
        for (unsigned k = 0; k < BEFORE; k++)
            taken = taken || strcmp(name, before[k].name) == 0;
        for (unsigned k = 0; k < BEHIND; k++)
            taken = taken || strcmp(name, behind[k].name) == 0;
        if (taken)
            return problem_say(
                problem, "the macro %s cannot be swept: the table has another column of that name", name);
    }
    return true;
}

static void add_size(struct table *table, uint64_t value)
{
    if (value)
        table_count(table, value);
    else
        table_absent(table);
}

static void add_numbers(struct table *table, const struct sweep_row *row)
{
    const struct occupancy *occupancy = &row->occupancy;
    table_count(table, row->wavefronts);
    table_count(table, row->ideal);
    table_count(table, row->wavefronts - row->ideal);
    table_judge(table, row->wavefronts == row->ideal);
    table_count(table, row->sectors);
    table_count(table, row->ideal_sectors);
    table_count(table, row->shared_bytes);
    table_count(table, occupancy->blocks);
    table_count(table, occupancy->warps);
    table_real(table, 100.0 * occupancy->warps / occupancy->most_warps, 1);
    table_text(table, occupancy_limit_name(occupancy->limit));
}

/* Of a macro with a column of its own: what the sweep says, where the row did not come so far that its text
 * says it; 0: nothing. */
static uint64_t swept(const struct sweep_run *run, const struct sweep_row *row, enum axis_kind kind)
{
    for (unsigned i = 0; i < run->axes.count; i++) {
        const struct sweep_axis *axis = &run->axes.list[i];
        if (axis->kind == kind && (run->texts[row->text].used >> i & 1))
            return axis->values[axes_index(&run->axes, i, row->configuration)].number;
    }
    return 0;
}

static void add_row(struct table *table, const struct sweep_run *run, const struct sweep_row *row)
{
    bool ran = row->state == SWEEP_RAN;
    const struct scenario_options *o = &run->options->scenario;
    table_text(table, run->texts[row->text].name);
    add_size(table, ran ? row->rows : o->rows);
    add_size(table, ran ? row->cols : o->cols);
    add_size(table, ran ? row->tile : swept(run, row, AXIS_TILE));
    add_size(table, ran ? row->block_rows : swept(run, row, AXIS_BLOCK_ROWS));
    add_size(table, ran ? row->pitch : swept(run, row, AXIS_PITCH));
    add_size(table, ran ? row->elem_bytes : swept(run, row, AXIS_ELEM));
    for (unsigned i = 0; i < run->axes.count; i++) {
        const struct sweep_axis *axis = &run->axes.list[i];
        if (axis->kind == AXIS_MACRO && (run->texts[row->text].used >> i & 1))
            table_text(table, axis->values[axes_index(&run->axes, i, row->configuration)].text);
        else if (axis->kind == AXIS_MACRO)
            table_absent(table);
    }
    if (ran)
        add_numbers(table, row);
    else
        for (unsigned i = 0; i < REASON; i++)
            table_absent(table);
    if (row->reason || row->state == SWEEP_NOT_RUN)
        table_text(table, row->reason ? row->reason : "not run: Ctrl-C came first");
    else
        table_absent(table);
    table_device(table, run->options->scenario.device);
}

/* In text: which of the columns before the macros say anything. */
static void choose_titles(const struct sweep_run *run, struct column columns[])
{
    static const char *const titles[] = {"tile", "block rows", "pitch", "bytes"};
    if (run->text_count > 1)
        columns[0].title = "rung";
    for (size_t i = 0; i < run->count; i++) {
        const struct sweep_row *row = &run->rows[i];
        const uint64_t sizes[] = {row->tile, row->block_rows, row->pitch, row->elem_bytes};
        for (unsigned k = 0; k < 4; k++)
            if (sizes[k])
                columns[FIRST_SIZE + k].title = titles[k];
    }
}

void rows_print(const struct sweep_run *run, FILE *out)
{
    struct column columns[BEFORE + AXIS_LIMIT + BEHIND];
    unsigned count = BEFORE;
    const struct options *o = run->options;
    memcpy(columns, before, sizeof before);
    choose_titles(run, columns);
    for (unsigned i = 0; i < run->axes.count; i++)
        if (run->axes.list[i].kind == AXIS_MACRO)
            columns[count++] = (struct column){run->axes.list[i].name, run->axes.list[i].name};
    memcpy(columns + count, behind, sizeof behind);
    for (size_t i = 0; i < run->count; i++)
        if (run->rows[i].reason || run->rows[i].state == SWEEP_NOT_RUN)
            columns[count + REASON].title = "reason";
    struct table *table = table_new(columns, count + BEHIND);
    for (size_t i = 0; i < run->count; i++)
        add_row(table, run, &run->rows[i]);
    table_write(table, o->format, o->color, out);
    table_free(table);
}
