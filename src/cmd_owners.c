/* cmd_owners.c - who wrote each output cell, and was it the right one. */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/arena.h"
#include "../base/text.h"
#include "../sim/report/device_columns.h"
#include "../sim/report/matrix.h"
#include "command.h"
#include "interrupt.h"
#include "operand.h"
#include "owners_run.h"
#include "report.h"

static const struct column columns[] = {
    {"missing", "missing"},
    {"wrong", "wrong"},
    {"disagreeing", NULL}, /* what has no title here is in the verdict and the notes where it is not 0 */
    {"written_twice", "written twice"},
    {"out_of_bounds_reads", "reads out of bounds"},
    {"out_of_bounds_writes", "writes out of bounds"},
    {"misaligned_lanes", NULL},
    {"unset_tile_reads", "unset tile reads"},
    {"racing_lanes", NULL},
    {"clashing_lanes", NULL},
    {"unordered_cells", NULL},
    {"missed_barriers", NULL},
    {"computed_writes", NULL},
    {"elem_bytes", NULL},
    {"correct", "correct"},
    DEVICE_COLUMNS,
    {"partial", NULL},
};

enum { CELLS_SHOWN = 400 };

/* How a cell stands out in the map, by the same judgement as the totals. */
static const char *mark_of(enum cell_state state)
{
    return state == CELL_DISAGREE          ? "#"
           : !cell_is_written_twice(state) ? (cell_is_wrong(state) ? "!" : "")
           : cell_is_wrong(state)          ? "!*"
                                           : "*";
}

static void print_arrived(const struct scenario *s, const struct ownermap *map, FILE *out)
{
    (void)fprintf(out,
                  "\nwhat arrived in each output cell, as (row,column) of the input; ! wrong, * written more "
                  "than once, # by writers that disagree, . never\n");
    for (uint64_t cell = 0; cell < task_cells(&map->task); cell++) {
        const struct owner *owner = &map->cells[cell];
        struct origin origin = data_origin(owner->token);
        int64_t element = origin.offset / (int64_t)s->elem_bytes;
        char text[64];
        if (!owner->writes)
            (void)snprintf(text, sizeof text, ".");
        else if (origin.kind == ORIGIN_BUFFER)
            (void)snprintf(text, sizeof text, "%" PRId64 ",%" PRId64 "%s", element / s->cols,
                           element % s->cols, mark_of(owner->state));
        else
            (void)snprintf(text, sizeof text, "%s%s", origin.kind == ORIGIN_UNINITIALIZED ? "unset" : "other",
                           mark_of(owner->state));
        (void)fprintf(out, "%8s%s", text, (cell + 1) % map->window.cols ? "" : "\n");
    }
}

static void print_writers(const struct ownermap *map, FILE *out)
{
    (void)fprintf(out, "\nwho wrote it last: block x,y:warp.lane\n");
    for (uint64_t cell = 0; cell < task_cells(&map->task); cell++) {
        const struct owner *owner = &map->cells[cell];
        char text[64] = ".";
        if (owner->writes)
            (void)snprintf(text, sizeof text, "%u,%u:%u.%u", owner->block[0], owner->block[1], owner->warp,
                           owner->lane);
        (void)fprintf(out, "%12s%s", text, (cell + 1) % map->window.cols ? "" : "\n");
    }
}

/* After Ctrl-C: of what the numbers are. */
static void print_partial(const struct owners_run *run, const struct owners_report *r, FILE *out)
{
    if (run->done < run->blocks)
        (void)fprintf(out,
                      "partial: Ctrl-C ended this after %" PRIu64 " of %" PRIu64
                      " blocks: the numbers are of what those wrote, and which cells stay missing is not "
                      "known\n",
                      run->done, run->blocks);
    else
        (void)fprintf(out,
                      "partial: Ctrl-C ended this while the writers of %" PRIu64
                      " wrong cells were compared: whether those agree is not known\n",
                      r->undecided);
}

/* Is anything wrong that more blocks would not mend? */
static bool is_wrong(const struct owners_run *run, const struct owners_report *r, bool overflow)
{
    return overflow || (r->missing && run->done == run->blocks) || r->undecided || r->wrong ||
           r->disagreeing || r->out_of_bounds_reads || r->out_of_bounds_writes || r->misaligned ||
           r->hazards || r->clashing;
}

static void print_verdict(const struct scenario *s, const struct owners_report *r, bool overflow, FILE *out)
{
    char task[200];
    scenario_task_name(s, task, sizeof task);
    if (r->correct && !overflow) {
        (void)fprintf(out, "correct: a %s, each of the %" PRIu64 " output cells has its own%s\n", task,
                      r->cells, r->written_twice ? ", some written more than once" : "");
        return;
    }
    (void)fprintf(out, "not correct: as a %s it leaves", task);
    const struct {
        uint64_t count;
        const char *what;
    } faults[] = {{r->missing, " cells missing"},
                  {r->wrong, " cells wrong"},
                  {r->disagreeing, " cells with writers that disagree"},
                  {r->out_of_bounds_reads, " lane reads out of bounds"},
                  {r->out_of_bounds_writes, " lane writes out of bounds"},
                  {r->misaligned, " lanes misaligned"},
                  {r->hazards, " lanes in a race"},
                  {r->clashing, " lanes whose stores clash"}};
    const char *separator = " ";
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].count) {
            (void)fprintf(out, "%s%" PRIu64 "%s", separator, faults[i].count, faults[i].what);
            separator = ", ";
        }
    (void)fprintf(out, "%s\n",
                  !overflow    ? ""
                  : r->correct ? " no cell wrong, but its integers overflow"
                               : ", and its integers overflow");
}

static void print(const struct scenario *s, const struct owners_run *run, const struct owners_report *r,
                  bool overflow, const struct options *options, FILE *out)
{
    const uint64_t counts[] = {r->missing,
                               r->wrong,
                               r->disagreeing,
                               r->written_twice,
                               r->out_of_bounds_reads,
                               r->out_of_bounds_writes,
                               r->misaligned,
                               r->uninitialized_tile_reads,
                               r->hazards,
                               r->clashing,
                               r->unordered,
                               r->missed,
                               r->computed,
                               s->elem_bytes};
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    bool is_text = options->format == FORMAT_TEXT, wrong = is_wrong(run, r, overflow);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        if (i == 0 && run->done < run->blocks)
            table_absent(table);
        else
            table_count(table, counts[i]);
    table_text(table, wrong ? "no" : run->partial ? "unknown" : "yes");
    table_judge(table, !wrong);
    table_device(table, s->device);
    table_text(table, run->partial ? "yes" : "no");
    report_launch(s, is_text, out);
    if (run->partial)
        print_partial(run, r, is_text ? out : stderr);
    if (is_text) {
        if (!run->partial)
            print_verdict(s, r, overflow, out);
        (void)fputc('\n', out);
    }
    table_write(table, options->format, options->color, out);
    table_free(table);
    if (options->format != FORMAT_TEXT)
        return;
    if (run->has_map) {
        print_arrived(s, &run->map, out);
        print_writers(&run->map, out);
    }
    if (run->is_proof)
        report_by_census(s, run->proof.census.regions, run->proof.boxes, r->cells - r->missing, out);
    (void)fprintf(out, "\njudged: %s is the input, %s the output\n", s->program->parameters[s->in].name,
                  s->program->parameters[s->out].name);
    report_data(s, out);
}

/* Where the data stood in the input, or what else it is. */
static void describe_token(const struct scenario *s, int64_t token, char *text, size_t size)
{
    struct origin origin = data_origin(token);
    int64_t element = origin.offset / (int64_t)s->elem_bytes;
    if (origin.kind == ORIGIN_BUFFER && (int)origin.buffer == s->in && origin.offset >= 0)
        (void)snprintf(text, size, "element (%" PRId64 ",%" PRId64 ") of %s", element / s->cols,
                       element % s->cols, s->program->parameters[s->in].name);
    else if (origin.kind == ORIGIN_BUFFER)
        (void)snprintf(text, size, "byte %" PRId64 " of %s", origin.offset,
                       s->program->parameters[origin.buffer].name);
    else
        (void)snprintf(text, size, "%s",
                       origin.kind == ORIGIN_UNINITIALIZED ? "a cell of shared memory that nobody wrote"
                       : origin.kind == ORIGIN_CONSTANT    ? "a constant"
                                                           : "a result of arithmetic");
}

/* One cell that is not right, which a run of its block has confirmed. */
static void print_example(const struct scenario *s, const struct owners_run *run)
{
    const struct proof_example *e = &run->proof.example;
    struct problem place = {0};
    char brings[200];
    if (!run->proof.has_example)
        return;
    if (e->state == CELL_MISSING) {
        (void)fprintf(
            stderr, "lanescope: for example, output cell (%" PRIu64 ",%" PRIu64 ") is written by no block\n",
            e->row, e->col);
        return;
    }
    describe_token(s, e->token, brings, sizeof brings);
    problem_at(&place, e->site->place.source, e->site->place.begin,
               "for example, output cell (%" PRIu64 ",%" PRIu64
               ") %s: block (%u,%u,%u), warp %u, lane %u brings %s",
               e->row, e->col, e->state == CELL_DISAGREE ? "has writers that disagree" : "is wrong",
               e->block[0], e->block[1], e->block[2], e->warp, e->lane, brings);
    report_problem(&place);
}

/* What the numbers do not say: what it means, and where it was seen first. */
static void print_notes(const struct owners_report *r)
{
    report_at(
        r->hazards, &r->hazard, "a race: ",
        " lanes touch shared cells that another warp touches too without a barrier in between; what they "
        "see is not defined");
    report_at(
        r->clashing, &r->clash, "",
        " lanes store where another lane of the same instruction stores a different value: which of them "
        "stays is not defined");
    report_at(r->misaligned, &r->misalignment, "",
              " lanes are misaligned: their address is no multiple of the bytes that they move, which is an "
              "error on hardware");
    report_at(
        r->unordered, &r->disorder, "note: ",
        " shared cells pass between lanes of one warp without a __syncwarp() in between: right while the "
        "lanes run in step, which CUDA does not promise since Volta");
    report_missed(r->missed, &r->barrier);
    if (r->meeting)
        (void)fprintf(stderr,
                      "lanescope: note: %" PRIu64
                      " lanes store the value that another lane of the same instruction stores there too\n",
                      r->meeting);
    if (r->updates)
        (void)fprintf(
            stderr,
            "lanescope: %" PRIu64
            " lanes update global memory by atomics: what they leave is a result of arithmetic, which is "
            "not followed\n",
            r->updates);
    if (r->computed)
        (void)fprintf(stderr,
                      "lanescope: %" PRIu64
                      " values written are results of arithmetic, which is not followed: they count as "
                      "wrong\n",
                      r->computed);
}

int command_owners(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    struct scenario s;
    int code = EXIT_TROUBLE;
    if (!operand_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    struct scenario_options all = options->scenario;
    all.any_grid = !options->enumerate;
    if (scenario_open(&s, &text.source, &all, problem)) {
        report_passed_over(&s);
        struct owners_task task = scenario_task(&s);
        struct owners_run run = {.has_map = task_cells(&task) <= CELLS_SHOWN,
                                 .workers = options_workers(options)};
        interrupt_begin();
        bool ok = owners_run_all(&run, &s, options->enumerate, problem);
        interrupt_end();
        bool overflow = report_overflow(&run.noticed);
        if (ok)
            report_narrowed(s.program, &run.noticed);
        if (ok) {
            bool fits = report_grid(&s);
            print(&s, &run, &run.report, overflow, options, out);
            (void)fflush(out);
            print_notes(&run.report);
            code = run.partial                               ? EXIT_INTERRUPTED
                   : fits && run.report.correct && !overflow ? EXIT_FINE
                                                             : EXIT_NO;
        }
        print_example(&s, &run);
        owners_run_free(&run);
        scenario_close(&s);
    }
    text_close(&text);
    return code;
}
