/* command.c - `lanescope advise`: what would make a kernel's accesses ideal, applied to its text and counted.
 */
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/text.h"
#include "../command.h"
#include "../interrupt.h"
#include "../operand.h"
#include "../report.h"
#include "print.h"

struct advice {
    const struct options *options;
    const struct scenario *scenario;
    const char *name;
    struct table *table; /* csv, json; NULL: text */
    FILE *out;
};

static void print_head(const struct advice *a)
{
    const struct scenario *s = a->scenario;
    const uint32_t *block = s->launch.block, *grid = s->launch.grid;
    report_launch(s, !a->table, a->out);
    if (a->table)
        return;
    (void)fprintf(a->out, "%s: %u x %u matrix, block %u x %u, grid %u x %u; %s: %s\n", a->name, s->rows,
                  s->cols, block[0], block[1], grid[0], grid[1], s->device->name, device_rules(s->device));
    report_data(s, a->out);
}

/* One shared array after the other. False after filling the problem, or after Ctrl-C. */
static bool advise_arrays(struct advice *a, struct problem *problem)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < a->scenario->program->shared_count; i++) {
        struct layout *layout = memory_take(1, sizeof *layout);
        ok = layout_search(layout, a->options, a->scenario, i, problem) && !interrupt_asked();
        if (ok && a->table)
            advice_rows(a->table, layout, a->name);
        else if (ok)
            print_layout(layout, a->out);
        layout_free(layout);
        free(layout);
    }
    return ok;
}

static bool advise_global(struct advice *a, struct problem *problem)
{
    struct global *global = memory_take(1, sizeof *global);
    bool ok = global_search(global, a->options, a->scenario, problem) && !interrupt_asked();
    if (ok && a->table)
        advice_global_rows(a->table, global, a->name);
    else if (ok)
        print_global(global, a->out);
    global_free(global);
    free(global);
    return ok;
}

static int advise(struct advice *a, struct problem *problem)
{
    print_head(a);
    interrupt_begin();
    bool ok = advise_arrays(a, problem) && advise_global(a, problem);
    interrupt_end();
    if (a->table && !problem->set)
        table_write(a->table, a->options->format, false, a->out);
    if (ok)
        return EXIT_FINE;
    if (problem->set)
        return EXIT_TROUBLE;
    (void)fputs("partial: Ctrl-C ended this; what was not tried to its end is left out\n",
                a->table ? stderr : a->out);
    return EXIT_INTERRUPTED;
}

int command_advise(const struct options *options, FILE *out, struct problem *problem)
{
    const char *operand = options->operand_count ? options->operands[0] : "tiled";
    struct text text = {0};
    struct scenario scenario;
    int code = EXIT_TROUBLE;
    if (!operand_open(&text, operand, problem))
        return EXIT_TROUBLE;
    if (ptx_is_text(&text.source)) {
        problem_say(problem, "%s is PTX, and advise changes a kernel's source: give it the .cu", operand);
    } else if (scenario_open(&scenario, &text.source, &options->scenario, problem)) {
        struct advice advice = {.options = options, .scenario = &scenario, .name = operand, .out = out};
        advice.table = options->format == FORMAT_TEXT ? NULL : advice_table();
        report_passed_over(&scenario);
        code = advise(&advice, problem);
        if (advice.table)
            table_free(advice.table);
        scenario_close(&scenario);
    }
    text_close(&text);
    return code;
}
