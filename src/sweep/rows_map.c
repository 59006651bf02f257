/* rows_map.c - a column of a sweep as a grid of glyphs, one a configuration. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

/* One glyph a level; of more distinct values than that neighbours share one. */
static const char glyphs[] = ".123456789abcdefghijklmnopqrstuvwxyz";
enum { LEVELS = sizeof glyphs - 1, LEGEND_LINE = 5 };

struct map {
    const struct sweep_run *run;
    struct sweep_column column;
    int down, across; /* axes; -1: none */
    double *values;   /* distinct, ascending */
    size_t count;
    FILE *out;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void collect(struct map *map)
{
    size_t distinct = 0;
    map->values = memory_take(map->run->count + 1, sizeof *map->values);
    for (size_t i = 0; i < map->run->count; i++)
        if (rows_have(map->run, &map->run->rows[i], &map->column))
            map->values[map->count++] = rows_value(map->run, &map->run->rows[i], &map->column);
    qsort(map->values, map->count, sizeof *map->values, ascending);
    for (size_t i = 0; i < map->count; i++)
        if (i == 0 || map->values[i] != map->values[distinct - 1])
            map->values[distinct++] = map->values[i];
    map->count = distinct;
}

/* The first distinct value of a level. */
static size_t level_begin(const struct map *map, size_t level)
{
    return map->count <= LEVELS ? level : level * map->count / LEVELS;
}

static size_t level_of(const struct map *map, double value)
{
    size_t levels = map->count < LEVELS ? map->count : LEVELS, level = levels;
    while (level > 1 && map->values[level_begin(map, level - 1)] > value)
        level--;
    return level - 1;
}

/* From green for the least to red for the most. */
static void paint(const struct map *map, size_t level)
{
    static const unsigned ramp[] = {46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196};
    size_t levels = map->count < LEVELS ? map->count : LEVELS, steps = sizeof ramp / sizeof *ramp;
    size_t at = levels > 1 ? level * (steps - 1) / (levels - 1) : 0;
    if (map->run->options->color)
        (void)fprintf(map->out, "\033[30;48;5;%um", ramp[at]);
}

static void unpaint(const struct map *map)
{
    if (map->run->options->color)
        (void)fputs("\033[0m", map->out);
}

static void print_cell(const struct map *map, const struct sweep_row *row)
{
    if (!row || row->state == SWEEP_NOT_RUN) {
        (void)fputc(' ', map->out);
    } else if (!rows_have(map->run, row, &map->column)) {
        (void)fputc('-', map->out);
    } else {
        size_t level = level_of(map, rows_value(map->run, row, &map->column));
        paint(map, level);
        (void)fputc(glyphs[level], map->out);
        unpaint(map);
    }
}

static void print_legend(const struct map *map)
{
    size_t levels = map->count < LEVELS ? map->count : LEVELS;
    (void)fprintf(map->out, "\n%s:\n", map->column.name);
    for (size_t level = 0; level < levels; level++) {
        size_t begin = level_begin(map, level),
               end = level + 1 < levels ? level_begin(map, level + 1) : map->count;
        char text[80];
        if (end - begin > 1)
            (void)snprintf(text, sizeof text, "%.0f to %.0f", map->values[begin], map->values[end - 1]);
        else
            (void)snprintf(text, sizeof text, "%.0f", map->values[begin]);
        paint(map, level);
        (void)fputc(glyphs[level], map->out);
        unpaint(map);
        bool last = level + 1 == levels || level % LEGEND_LINE == LEGEND_LINE - 1;
        (void)fprintf(map->out, " %-*s%s", last ? 0 : 22, text, last ? "\n" : "");
    }
    (void)fputs("- cannot run\n", map->out);
}

/* The numbers above the columns, from top to bottom. */
static void print_head(const struct map *map, unsigned margin)
{
    const struct sweep_axis *axis = map->across < 0 ? NULL : &map->run->axes.list[map->across];
    size_t height = 0;
    if (!axis)
        return;
    for (size_t i = 0; i < axis->count; i++)
        if (strlen(axis->values[i].text) > height)
            height = strlen(axis->values[i].text);
    (void)fprintf(map->out, "%*s %s\n", (int)margin, "", axis->name);
    for (size_t line = 0; line < height; line++) {
        (void)fprintf(map->out, "%*s ", (int)margin, "");
        for (size_t i = 0; i < axis->count; i++) {
            const char *text = axis->values[i].text;
            size_t blank = height - strlen(text);
            (void)fputc(line < blank ? ' ' : text[line - blank], map->out);
        }
        (void)fputc('\n', map->out);
    }
}

static void print_text(const struct map *map, unsigned text)
{
    const struct sweep_axes *axes = &map->run->axes;
    size_t height = map->down < 0 ? 1 : axes->list[map->down].count;
    size_t width = map->across < 0 ? 1 : axes->list[map->across].count;
    unsigned margin = map->down < 0 ? 0 : (unsigned)strlen(axes->list[map->down].name);
    const struct sweep_row **rows = memory_take(width * height, sizeof *rows);
    for (size_t i = 0; i < map->run->count; i++) {
        const struct sweep_row *row = &map->run->rows[i];
        size_t x = map->across < 0 ? 0 : axes_index(axes, (unsigned)map->across, row->configuration);
        size_t y = map->down < 0 ? 0 : axes_index(axes, (unsigned)map->down, row->configuration);
        if (row->text == text)
            rows[y * width + x] = row;
    }
    for (size_t i = 0; map->down >= 0 && i < height; i++)
        if (strlen(axes->list[map->down].values[i].text) > margin)
            margin = (unsigned)strlen(axes->list[map->down].values[i].text);
    (void)fprintf(map->out, "\n%s\n", map->run->texts[text].name);
    print_head(map, margin);
    if (map->down >= 0)
        (void)fprintf(map->out, "%*s\n", (int)margin, axes->list[map->down].name);
    for (size_t y = 0; y < height; y++) {
        (void)fprintf(map->out, "%*s ", (int)margin,
                      map->down < 0 ? "" : axes->list[map->down].values[y].text);
        for (size_t x = 0; x < width; x++)
            print_cell(map, rows[y * width + x]);
        (void)fputc('\n', map->out);
    }
    free(rows);
}

/* The last two axes with several values; how many have. */
static unsigned choose_axes(struct map *map)
{
    const struct sweep_run *run = map->run;
    unsigned several = 0;
    map->down = map->across = -1;
    for (unsigned i = 0; i < run->axes.count; i++) {
        if (run->axes.list[i].kind == AXIS_RUNG || run->axes.list[i].count < 2)
            continue;
        map->down = map->across;
        map->across = (int)i;
        several++;
    }
    return several;
}

bool rows_check_map(const struct sweep_run *run, struct problem *problem)
{
    struct map map = {.run = run};
    const char *column = run->options->sweep.heatmap;
    unsigned several = choose_axes(&map);
    if (!rows_column(run, column, strlen(column), &map.column, problem))
        return false;
    if (several < 1 || several > 2)
        return problem_say(problem,
                           "a heatmap is of two names with several values, RUNG apart, and the sweep has %u",
                           several);
    return true;
}

void rows_print_map(const struct sweep_run *run, FILE *out)
{
    struct map map = {.run = run, .out = out};
    const char *column = run->options->sweep.heatmap;
    struct problem problem = {0}; /* rows_check_map() has said it */
    (void)choose_axes(&map);
    (void)rows_column(run, column, strlen(column), &map.column, &problem);
    collect(&map);
    for (unsigned t = 0; t < run->text_count; t++)
        print_text(&map, t);
    print_legend(&map);
    free(map.values);
}
