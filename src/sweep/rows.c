#include "rows.h"

#include <stdlib.h>
#include <string.h>

static double tile(const struct sweep_row *row)
{
    return (double)row->tile;
}

static double block_rows(const struct sweep_row *row)
{
    return (double)row->block_rows;
}

static double pitch(const struct sweep_row *row)
{
    return (double)row->pitch;
}

static double elem_bytes(const struct sweep_row *row)
{
    return row->elem_bytes;
}

static double wavefronts(const struct sweep_row *row)
{
    return (double)row->wavefronts;
}

static double ideal(const struct sweep_row *row)
{
    return (double)row->ideal;
}

static double excess(const struct sweep_row *row)
{
    return (double)(row->wavefronts - row->ideal);
}

static double sectors(const struct sweep_row *row)
{
    return (double)row->sectors;
}

static double ideal_sectors(const struct sweep_row *row)
{
    return (double)row->ideal_sectors;
}

static double shared_bytes(const struct sweep_row *row)
{
    return (double)row->shared_bytes;
}

static double blocks_per_sm(const struct sweep_row *row)
{
    return row->occupancy.blocks;
}

static double warps_per_sm(const struct sweep_row *row)
{
    return row->occupancy.warps;
}

static const struct sweep_column numbers[] = {
    {"tile", tile, 0},
    {"block_rows", block_rows, 0},
    {"pitch", pitch, 0},
    {"elem_bytes", elem_bytes, 0},
    {"wavefronts", wavefronts, 0},
    {"ideal", ideal, 0},
    {"excess", excess, 0},
    {"sectors", sectors, 0},
    {"ideal_sectors", ideal_sectors, 0},
    {"shared_bytes", shared_bytes, 0},
    {"blocks_per_sm", blocks_per_sm, 0},
    {"warps_per_sm", warps_per_sm, 0},
    {"occupancy_percent", warps_per_sm, 0}, /* in the same order */
};
enum { NUMBERS = sizeof numbers / sizeof *numbers, KEY_LIMIT = 8 };

bool rows_column(const struct sweep_run *run, const char *name, size_t length, struct sweep_column *column,
                 struct problem *problem)
{
    char names[400] = "";
    for (unsigned i = 0; i < run->axes.count; i++) {
        const struct sweep_axis *axis = &run->axes.list[i];
        if (axis->kind != AXIS_MACRO || strlen(axis->name) != length ||
            strncmp(axis->name, name, length) != 0)
            continue;
        *column = (struct sweep_column){axis->name, NULL, i};
        return true;
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        size_t used = strlen(names);
        *column = numbers[i];
        if (strlen(column->name) == length && strncmp(column->name, name, length) == 0)
            return true;
        (void)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", column->name);
    }
    return problem_say(problem, "there is no column %.*s to go by; there are %s, and macros that are swept",
                       (int)length, name, names);
}

bool rows_have(const struct sweep_run *run, const struct sweep_row *row, const struct sweep_column *column)
{
    return row->state == SWEEP_RAN && (column->value || (run->texts[row->text].used >> column->axis & 1));
}

double rows_value(const struct sweep_run *run, const struct sweep_row *row, const struct sweep_column *column)
{
    return column->value ? column->value(row)
                         : (double)axes_index(&run->axes, column->axis, row->configuration);
}

struct key {
    struct sweep_column column;
    bool largest_first;
};

struct order {
    const struct sweep_run *run;
    struct key keys[KEY_LIMIT];
    unsigned count;
};

static bool read_keys(struct order *order, const char *text, struct problem *problem)
{
    while (*text) {
        struct key *key = &order->keys[order->count];
        if (order->count == KEY_LIMIT)
            return problem_say(problem, "--sort takes at most %d columns", KEY_LIMIT);
        key->largest_first = *text == '-';
        text += key->largest_first;
        size_t length = strcspn(text, ",");
        if (!rows_column(order->run, text, length, &key->column, problem))
            return false;
        order->count++;
        text += length + (text[length] == ',');
    }
    return order->count || problem_say(problem, "--sort takes a column's name");
}

/* -1, 0 or 1: those that ran come first, of them those that nothing is wrong with. */
static int compare(const struct order *order, const struct sweep_row *a, const struct sweep_row *b)
{
    if ((a->state == SWEEP_RAN) != (b->state == SWEEP_RAN))
        return a->state == SWEEP_RAN ? -1 : 1;
    if (a->faulty != b->faulty)
        return a->faulty ? 1 : -1;
    for (unsigned i = 0; a->state == SWEEP_RAN && i < order->count; i++) {
        const struct key *key = &order->keys[i];
        double x = rows_value(order->run, a, &key->column), y = rows_value(order->run, b, &key->column);
        if (x != y)
            return (x < y) == !key->largest_first ? -1 : 1;
    }
    return 0;
}

/* By merging, so that equal rows stay in their order and the order needs no place outside. */
static void sort_rows(const struct order *order, struct sweep_row *rows, struct sweep_row *spare,
                      size_t count)
{
    size_t half = count / 2, a = 0, b = half, at = 0;
    if (count < 2)
        return;
    sort_rows(order, rows, spare, half);
    sort_rows(order, rows + half, spare, count - half);
    while (a < half || b < count) {
        bool left = b == count || (a < half && compare(order, &rows[a], &rows[b]) <= 0);
        spare[at++] = left ? rows[a++] : rows[b++];
    }
    memcpy(rows, spare, count * sizeof *rows);
}

/* Leaves the first row of each text, by the order, in the order of the texts. */
static void keep_best(const struct order *order, struct sweep_run *run)
{
    struct sweep_row best[SWEEP_TEXT_LIMIT] = {{0}};
    bool found[SWEEP_TEXT_LIMIT] = {false};
    for (size_t i = 0; i < run->count; i++) {
        struct sweep_row *row = &run->rows[i];
        if (row->state == SWEEP_RAN && (!found[row->text] || compare(order, row, &best[row->text]) < 0)) {
            free(best[row->text].reason);
            best[row->text] = *row;
            found[row->text] = true;
        } else {
            free(row->reason);
        }
    }
    run->count = 0;
    for (unsigned t = 0; t < run->text_count; t++)
        if (found[t])
            run->rows[run->count++] = best[t];
}

static bool read_order(struct order *order, const struct sweep_run *run, struct problem *problem)
{
    const char *sort = run->options->sweep.sort;
    *order = (struct order){.run = run};
    return read_keys(order, sort ? sort : "excess,sectors,wavefronts,shared_bytes,-warps_per_sm", problem);
}

bool rows_check_order(const struct sweep_run *run, struct problem *problem)
{
    struct order order;
    return read_order(&order, run, problem);
}

void rows_order(struct sweep_run *run)
{
    struct order order;
    struct problem problem = {0}; /* rows_check_order() has said it */
    (void)read_order(&order, run, &problem);
    if (run->options->sweep.best) {
        keep_best(&order, run);
    } else if (run->options->sweep.sort) {
        struct sweep_row *spare = memory_take(run->count, sizeof *spare);
        sort_rows(&order, run->rows, spare, run->count);
        free(spare);
    }
}
