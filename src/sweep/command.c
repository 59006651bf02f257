/* command.c - `lanescope sweep`: many configurations, one row each. */
#include <inttypes.h>
#include <string.h>

#include "../../base/arena.h"
#include "../../base/text.h"
#include "../command.h"
#include "../interrupt.h"
#include "../operand.h"
#include "../report.h"
#include "rows.h"

/* All are refused: the first says why, with its place. */
static int say_refused(const struct sweep_run *run, struct problem *problem)
{
    struct arena arena = {0};
    struct scenario scenario;
    struct problem first = {0};
    if (sweep_run_open(run, &run->rows[0], &scenario, &arena, &first)) {
        scenario_close(&scenario);
        problem_say(&first, "%s", run->rows[0].reason);
        first.kind = run->rows[0].faulty ? PROBLEM_KERNEL : first.kind;
    }
    arena_free(&arena);
    *problem = first;
    (void)snprintf(problem->message, sizeof problem->message,
                   "none of the %zu configurations can run; the first: %.*s", run->count,
                   (int)(sizeof problem->message - 100), first.message);
    return EXIT_TROUBLE;
}

/* What is the same for all: of the first row that ran. */
static void print_head(const struct sweep_run *run, FILE *out)
{
    const struct options *o = run->options;
    bool is_text = o->format == FORMAT_TEXT;
    struct arena arena = {0};
    struct scenario s;
    struct problem problem = {0};
    size_t refused = 0, first = run->count;
    for (size_t i = run->count; i-- > 0;) {
        refused += run->rows[i].state == SWEEP_REFUSED;
        first = run->rows[i].state == SWEEP_RAN ? i : first;
    }
    if (first == run->count || !sweep_run_open(run, &run->rows[first], &s, &arena, &problem)) {
        arena_free(&arena);
        return;
    }
    report_passed_over(&s);
    report_launch(&s, is_text, out);
    if (is_text) {
        (void)fprintf(out, "%u x %u matrix; %s: %s\n", s.rows, s.cols, s.device->name,
                      device_rules(s.device));
        report_data(&s, out);
        (void)fprintf(out, "%zu configuration%s", run->count, run->count == 1 ? "" : "s");
        if (refused)
            (void)fprintf(out, ", %zu of them cannot run", refused);
        (void)fputs(o->sweep.heatmap ? "\n" : "\n\n", out);
    }
    scenario_close(&s);
    arena_free(&arena);
}

static void print_partial(const struct sweep_run *run, FILE *out)
{
    size_t ran = 0;
    for (size_t i = 0; i < run->count; i++)
        ran += run->rows[i].state != SWEEP_NOT_RUN;
    (void)fprintf(out, "partial: Ctrl-C ended this; %zu of %zu configurations were not run\n",
                  run->count - ran, run->count);
}

/* Prints what came of it; returns the exit code. */
static int finish(struct sweep_run *run, FILE *out, struct problem *problem)
{
    const struct options *o = run->options;
    size_t ran = 0;
    int code = EXIT_FINE;
    for (size_t i = 0; i < run->count; i++) {
        ran += run->rows[i].state != SWEEP_REFUSED;
        if (run->rows[i].faulty)
            code = EXIT_NO;
    }
    if (!ran)
        return say_refused(run, problem);
    if (run->partial)
        print_partial(run, o->format == FORMAT_TEXT ? out : stderr);
    print_head(run, out);
    if (o->sweep.heatmap) {
        rows_print_map(run, out);
    } else {
        rows_order(run);
        rows_print(run, out);
    }
    return run->partial ? EXIT_INTERRUPTED : code;
}

/* What can be said before anything runs. */
static bool check_options(const struct sweep_run *run, struct problem *problem)
{
    const struct options *o = run->options;
    if (!o->sweep.axis_count)
        return problem_say(problem, "say what to vary, for example --sweep TILE=16,32 --sweep PITCH=32:40");
    if (o->pitch_count > 1)
        return problem_say(problem, "--pitch takes one value here; --sweep PITCH=32,33 takes several");
    if (o->sweep.heatmap && o->format != FORMAT_TEXT)
        return problem_say(problem, "--heatmap prints text; csv and json have the rows themselves");
    if (o->sweep.heatmap && (o->sweep.sort || o->sweep.best))
        return problem_say(problem,
                           "--heatmap shows all rows in the sweep's order; leave out --sort and --best");
    return rows_check_names(run, problem) && rows_check_order(run, problem) &&
           (!o->sweep.heatmap || rows_check_map(run, problem));
}

int command_sweep(const struct options *options, FILE *out, struct problem *problem)
{
    struct sweep_run run = {.options = options};
    struct text text = {0};
    const char *operand = options->operand_count ? options->operands[0] : NULL;
    int code = EXIT_TROUBLE;
    bool ok = axes_read(&run.axes, options->sweep.axes, options->sweep.axis_count, problem) &&
              check_options(&run, problem) && (!operand || operand_open(&text, operand, problem)) &&
              sweep_run_list(&run, operand ? &text.source : NULL, problem);
    if (ok) {
        interrupt_begin();
        sweep_run_all(&run);
        interrupt_end();
        code = finish(&run, out, problem);
    }
    sweep_run_free(&run);
    text_close(&text);
    return code;
}
