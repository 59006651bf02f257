/* main.c - the simulator without a machine around it: the seed of a page in a browser.
 *
 * A WebAssembly command (wasi): it reads no file, knows no terminal and prints to standard output.
 *     ladder ROWS COLS                            one row a rung, as `lanescope ladder -f csv` has it
 *     owners RUNG ROWS COLS                       is each output cell written once, with the right element
 *     frame RUNG ROWS COLS LINES COLUMNS [KEYS]   what the terminal UI shows after these keys
 * Exit code 0: done; 1: the owners are not right; 2: not understood, or not possible, and a sentence says
 * why.
 *
 * The same file builds as a program of this machine, so that a test can hold one against the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/parse_number.h"
#include "../base/table.h"
#include "../sim/audit/owners.h"
#include "../sim/report/matrix.h"
#include "../sim/report/rung.h"
#include "../sim/report/summary.h"
#include "../src/tui/input.h"
#include "../src/tui/save.h"
#include "../src/tui/view.h"

enum { DONE, NOT_RIGHT, TROUBLE };

#define SIZE_LIMIT 2147483647u /* of rows and columns: scenario.h */

static const char usage[] = "usage: ladder ROWS COLS\n"
                            "       owners RUNG ROWS COLS\n"
                            "       frame RUNG ROWS COLS LINES COLUMNS [KEYS]\n";

static int complain(const struct problem *problem)
{
    char text[PROBLEM_MESSAGE_SIZE + 2 * PROBLEM_LINE_SIZE];
    problem_format(problem, NULL, text, sizeof text);
    (void)fprintf(stderr, "%s\n", text);
    return TROUBLE;
}

static bool take_size(const char *text, uint32_t limit, uint32_t *out, struct problem *problem)
{
    uint64_t number;
    if (!parse_number(text, 1, limit, &number))
        return problem_say(problem, "a size is a whole number from 1 to %u, not '%.80s'", limit, text);
    *out = (uint32_t)number;
    return true;
}

static bool take_sizes(char **text, struct scenario_options *options, struct problem *problem)
{
    return take_size(text[0], SIZE_LIMIT, &options->rows, problem) &&
           take_size(text[1], SIZE_LIMIT, &options->cols, problem);
}

static const struct rung *take_rung(const char *name, struct problem *problem)
{
    const struct rung *rung = rung_find(name);
    if (!rung)
        problem_say(problem, "there is no rung '%.80s'; ladder lists them", name);
    return rung;
}

/* The whole launch into a sink. */
static bool run_launch(const struct scenario *scenario, const struct sink *sink, bool track_values,
                       struct problem *problem)
{
    struct execution *execution = execution_new(scenario->program, &scenario->launch, track_values, problem);
    bool ok =
        execution && execution_run_blocks(execution, 0, launch_blocks(&scenario->launch), sink, problem);
    execution_free(execution);
    return ok;
}

/* Names and meanings are those of `lanescope ladder`. */
static const struct column ladder_columns[] = {
    {"rung", NULL},
    {"rows", NULL},
    {"cols", NULL},
    {"load_requests", NULL},
    {"load_lines", NULL},
    {"load_sectors", NULL},
    {"load_ideal_sectors", NULL},
    {"load_efficiency", NULL},
    {"store_requests", NULL},
    {"store_lines", NULL},
    {"store_sectors", NULL},
    {"store_ideal_sectors", NULL},
    {"store_efficiency", NULL},
    {"shared_load_instructions", NULL},
    {"shared_load_wavefronts", NULL},
    {"shared_load_ideal", NULL},
    {"shared_store_instructions", NULL},
    {"shared_store_wavefronts", NULL},
    {"shared_store_ideal", NULL},
};

static void add_global(struct table *table, const struct site_tally *sum)
{
    table_count(table, sum->requests);
    table_count(table, sum->lines);
    table_count(table, sum->units);
    table_count(table, sum->ideal);
    table_real(table, tally_efficiency(sum), 1);
}

static void add_shared(struct table *table, const struct site_tally *sum)
{
    table_count(table, sum->requests);
    table_count(table, sum->units);
    table_count(table, sum->ideal);
}

static bool add_rung(struct table *table, const struct rung *rung, const struct scenario_options *options,
                     struct problem *problem)
{
    struct scenario scenario;
    struct tally tally;
    if (!scenario_open(&scenario, &rung->source, options, problem))
        return false;
    tally_init(&tally, scenario.program->site_count);
    struct sink sink = {.self = &tally, .access = tally_access};
    bool ok = run_launch(&scenario, &sink, false, problem);
    struct summary sum = summary_of(&scenario, &tally, 0);
    table_text(table, rung->name);
    table_count(table, scenario.rows);
    table_count(table, scenario.cols);
    add_global(table, &sum.of[GLOBAL_LOAD]);
    add_global(table, &sum.of[GLOBAL_STORE]);
    add_shared(table, &sum.of[SHARED_LOAD]);
    add_shared(table, &sum.of[SHARED_STORE]);
    tally_free(&tally);
    scenario_close(&scenario);
    return ok;
}

static int ladder(char **text)
{
    struct problem problem = {0};
    struct scenario_options options = {0};
    if (!take_sizes(text, &options, &problem))
        return complain(&problem);
    struct table *table = table_new(ladder_columns, sizeof ladder_columns / sizeof *ladder_columns);
    bool ok = true;
    for (size_t i = 0; ok && i < rung_count; i++)
        ok = add_rung(table, &rungs[i], &options, &problem);
    if (ok)
        table_write(table, FORMAT_CSV, false, stdout);
    table_free(table);
    return ok ? DONE : complain(&problem);
}

static bool audit(const struct scenario *scenario, struct owners_report *report, struct problem *problem)
{
    const struct scenario *s = scenario;
    struct owners_task task = scenario_task(s);
    struct owners *owners = owners_new(&task, problem);
    struct sink sink = {.self = owners, .access = owners_access};
    bool ok = owners && run_launch(s, &sink, true, problem);
    while (ok && owners_next_pass(owners))
        ok = run_launch(s, &sink, true, problem);
    ok = ok && owners_report(owners, report, problem);
    owners_free(owners);
    return ok;
}

static int owners(char **text)
{
    struct problem problem = {0};
    struct scenario_options options = {0};
    struct scenario scenario;
    struct owners_report report;
    const struct rung *rung = take_rung(text[0], &problem);
    if (!rung || !take_sizes(text + 1, &options, &problem) ||
        !scenario_open(&scenario, &rung->source, &options, &problem))
        return complain(&problem);
    bool ok = audit(&scenario, &report, &problem);
    scenario_close(&scenario);
    if (!ok)
        return complain(&problem);
    (void)printf("%s: %" PRIu64 " cells, %" PRIu64 " missing, %" PRIu64 " wrong\n",
                 report.correct ? "correct" : "not correct", report.cells, report.missing, report.wrong);
    return report.correct ? DONE : NOT_RIGHT;
}

static void draw(struct state *state, const char *keys)
{
    struct canvas canvas;
    for (; *keys; keys++)
        input_key(state, (unsigned char)*keys);
    while (state_work(state))
        ;
    canvas_init(&canvas, state->rows, state->cols, state->ascii);
    view_draw(&canvas, state);
    save_text(&canvas, stdout);
    canvas_free(&canvas);
}

static int frame(char **text, const char *keys)
{
    struct problem problem = {0};
    struct scenario_options options = {0};
    uint32_t rows, cols;
    struct state state;
    const struct rung *rung = take_rung(text[0], &problem);
    if (!rung || !take_sizes(text + 1, &options, &problem) ||
        !take_size(text[3], CANVAS_LIMIT, &rows, &problem) ||
        !take_size(text[4], CANVAS_LIMIT, &cols, &problem))
        return complain(&problem);
    struct state_start start = {rung->name, &rung->source, false, &options, (int)rows, (int)cols, false};
    if (!state_init(&state, &start, &problem))
        return complain(&problem);
    draw(&state, keys);
    state_free(&state);
    return DONE;
}

int main(int count, char **text)
{
    if (count == 4 && strcmp(text[1], "ladder") == 0)
        return ladder(text + 2);
    if (count == 5 && strcmp(text[1], "owners") == 0)
        return owners(text + 2);
    if ((count == 7 || count == 8) && strcmp(text[1], "frame") == 0)
        return frame(text + 2, count == 8 ? text[7] : "");
    (void)fputs(usage, stderr);
    return TROUBLE;
}

/* Division of 128-bit numbers comes from the compiler's library, which was built to look after its stack. */
extern uintptr_t __stack_chk_guard;
uintptr_t __stack_chk_guard = 0x5bd1e995u;

__attribute__((noreturn)) void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
    __builtin_trap();
}
