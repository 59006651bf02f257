/* cmd_lines.c - what each line of a kernel asks of memory in the whole launch: a row an access. */
#include <stdlib.h>

#include "../sim/count/tally.h"
#include "../sim/report/device_columns.h"
#include "../sim/session/explain.h"
#include "command.h"
#include "operand.h"
#include "report.h"
#include "totals.h"

static const struct column columns[] = {
    {"line", "line"},        {"column", NULL},     {"site", NULL},           {"kind", "kind"},
    {"access", "access"},    {"lane_bytes", NULL}, {"requests", "requests"}, {"lanes", NULL},
    {"unit", "counted in"},  {"actual", "actual"}, {"ideal", "ideal"},       {"excess", "excess"},
    {"out_of_bounds", NULL}, {"misaligned", NULL}, {"elem_bytes", NULL},     DEVICE_COLUMNS,
    {"assumed", NULL},
};

static int by_line(const void *a, const void *b)
{
    const struct site *const *x = a, *const *y = b;
    if ((*x)->line != (*y)->line)
        return (*x)->line < (*y)->line ? -1 : 1;
    return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static void add_site(struct table *table, const struct scenario *s, const struct site *site,
                     const struct site_tally *sum)
{
    char text[160];
    explain_site(site, text, sizeof text);
    table_integer(table, site->line);
    table_integer(table, site->column);
    table_count(table, site->id);
    table_text(table, site->kind->name);
    table_text(table, text);
    table_count(table, site->lane_bytes);
    table_count(table, sum->requests);
    table_count(table, sum->lanes);
    table_text(table, site->kind->units);
    table_count(table, sum->units);
    table_count(table, sum->ideal);
    table_count(table, sum->units - sum->ideal);
    table_judge(table, sum->units == sum->ideal);
    table_count(table, sum->out_of_bounds);
    table_count(table, sum->misaligned);
    table_count(table, s->elem_bytes);
    table_device(table, s->device);
    if (*s->assumed)
        table_text(table, s->assumed);
    else
        table_absent(table);
}

static void print(const struct scenario *s, const struct tally *tally, const struct options *options,
                  FILE *out)
{
    const struct program *program = s->program;
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    const struct site **sites = memory_take(program->site_count + 1u, sizeof *sites);
    for (unsigned i = 0; i < program->site_count; i++)
        sites[i] = &program->sites[i];
    qsort(sites, program->site_count, sizeof *sites, by_line);
    for (unsigned i = 0; i < program->site_count; i++)
        add_site(table, s, sites[i], &tally->sites[sites[i]->id]);
    report_launch(s, options->format == FORMAT_TEXT, out);
    table_write(table, options->format, options->color, out);
    if (options->format == FORMAT_TEXT)
        report_data(s, out);
    free(sites);
    table_free(table);
}

int command_lines(const struct options *options, FILE *out, struct problem *problem)
{
    struct scenario scenario;
    struct text text;
    struct totals totals;
    struct progress progress;
    int code = EXIT_TROUBLE;
    if (!operand_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    struct scenario_options all = options->scenario;
    all.assume = true;
    progress_begin(&progress, "counting");
    if (scenario_open(&scenario, &text.source, &all, problem)) {
        const struct totals_how how = {.workers = options_workers(options), .progress = &progress};
        bool ok = totals_of(&totals, &scenario, &how, problem);
        progress_clear(&progress);
        if (ok) {
            print(&scenario, &totals.tally, options, out);
            report_passed_over(&scenario);
            code = report_overflow(&totals.noticed) ? EXIT_NO : EXIT_FINE;
        }
        totals_free(&totals);
        scenario_close(&scenario);
    }
    text_close(&text);
    return code;
}
