/* cmd_owners.c - who wrote each output cell, and was it the right one. */
#include <inttypes.h>

#include "../sim/audit/ownermap.h"
#include "command.h"

static const struct column columns[] = {
    {"missing", "missing"},
    {"wrong", "wrong"},
    {"written_twice", "written twice"},
    {"out_of_bounds_reads", "reads out of bounds"},
    {"out_of_bounds_writes", "writes out of bounds"},
    {"unset_tile_reads", "unset tile reads"},
    {"correct", "correct"},
    DEVICE_COLUMNS,
};

enum { CELLS_SHOWN = 400 };

struct owners_run {
    struct owners *owners;
    struct ownermap map;
    bool small;
};

static void take_access(void *self, const struct access *access)
{
    struct owners_run *run = self;
    owners_access(run->owners, access);
    if (run->small)
        ownermap_access(&run->map, access);
}

static void print_cells(const struct scenario *s, const struct owners_task *task, const struct ownermap *map,
                        FILE *out)
{
    uint32_t width = s->is_copy ? s->cols : s->rows;
    (void)fprintf(out,
                  "\nwhat arrived in each output cell, as (row,column) of the input; ! wrong, * written more "
                  "than once, . never\n");
    for (uint64_t cell = 0; cell < map->count; cell++) {
        const struct owner *owner = &map->cells[cell];
        struct origin origin = data_origin(owner->token);
        char text[64];
        int64_t element = origin.offset / (int64_t)s->elem_bytes;
        bool right =
            owner->writes && owner->token == data_token((unsigned)s->in, owners_expected(task, cell));
        if (!owner->writes)
            (void)snprintf(text, sizeof text, ".");
        else if (origin.kind == ORIGIN_BUFFER)
            (void)snprintf(text, sizeof text, "%" PRId64 ",%" PRId64 "%s%s", element / s->cols,
                           element % s->cols, right ? "" : "!", owner->writes > 1 ? "*" : "");
        else
            (void)snprintf(text, sizeof text, "%s!%s", origin.kind == ORIGIN_UNSET ? "unset" : "other",
                           owner->writes > 1 ? "*" : "");
        (void)fprintf(out, "%8s%s", text, (cell + 1) % width ? "" : "\n");
    }
    (void)fprintf(out, "\nwho wrote it last: block x,y:warp.lane\n");
    for (uint64_t cell = 0; cell < map->count; cell++) {
        const struct owner *owner = &map->cells[cell];
        char text[64] = ".";
        if (owner->writes)
            (void)snprintf(text, sizeof text, "%u,%u:%u.%u", owner->block[0], owner->block[1], owner->warp,
                           owner->lane);
        (void)fprintf(out, "%12s%s", text, (cell + 1) % width ? "" : "\n");
    }
}

static void print_verdict(const struct scenario *s, const struct owners_report *r, FILE *out)
{
    const char *task = s->is_copy ? "copy" : "transpose";
    if (r->correct) {
        (void)fprintf(
            out, "correct: a %s of %u x %u, each of the %" PRIu64 " output cells has its element%s\n", task,
            s->rows, s->cols, r->cells, r->written_twice ? ", some written more than once" : "");
        return;
    }
    (void)fprintf(out, "not correct: as a %s of %u x %u it leaves", task, s->rows, s->cols);
    const struct {
        uint64_t count;
        const char *what;
    } faults[] = {{r->missing, "missing"},
                  {r->wrong, "wrong"},
                  {r->disagreeing, "with writers that disagree"},
                  {r->out_of_bounds_reads, "lane reads out of bounds"},
                  {r->out_of_bounds_writes, "lane writes out of bounds"}};
    const char *separator = " ";
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].count) {
            (void)fprintf(out, "%s%" PRIu64 "%s %s", separator, faults[i].count, i < 3 ? " cells" : "",
                          faults[i].what);
            separator = ", ";
        }
    (void)fputc('\n', out);
}

static void print(const struct scenario *s, const struct owners_task *task, const struct owners_run *run,
                  const struct owners_report *r, const struct options *options, FILE *out)
{
    struct table *table = table_new(columns, sizeof columns / sizeof *columns);
    table_count(table, r->missing);
    table_count(table, r->wrong);
    table_count(table, r->written_twice);
    table_count(table, r->out_of_bounds_reads);
    table_count(table, r->out_of_bounds_writes);
    table_count(table, r->unset_tile_reads);
    table_text(table, r->correct ? "yes" : "no");
    table_judge(table, r->correct);
    table_device(table, s->device);
    if (options->format == FORMAT_TEXT) {
        print_verdict(s, r, out);
        (void)fputc('\n', out);
    }
    table_write(table, options->format, options->color, out);
    table_free(table);
    if (options->format == FORMAT_TEXT && run->small)
        print_cells(s, task, &run->map, out);
}

/* What the columns do not say. */
static void print_notes(const struct scenario *s, const struct owners_report *r,
                        const struct options *options, FILE *out)
{
    if (options->format == FORMAT_TEXT)
        (void)fprintf(out, "\njudged: %s is the input, %s the output\n", s->program->parameters[s->in].name,
                      s->program->parameters[s->out].name);
    (void)fflush(out);
    if (r->computed)
        (void)fprintf(stderr,
                      "lanescope: %" PRIu64
                      " values written are results of arithmetic, which is not followed: they count as "
                      "wrong\n",
                      r->computed);
    if (!r->racing)
        return;
    struct problem race = {0};
    problem_at(&race, r->race.source, r->race.begin,
               "a race: %" PRIu64
               " lanes touch shared cells that another warp touches too without a barrier in between; "
               "what they see is not defined",
               r->racing);
    report_problem(&race);
}

static bool audit(const struct scenario *s, struct owners_run *run, const struct owners_task *task,
                  struct owners_report *report, bool *overflow, struct problem *problem)
{
    struct execution *execution = execution_new(s->program, &s->launch, true, problem);
    if (!execution)
        return false;
    run->owners = owners_new(task, problem);
    struct sink sink = {.self = run, .access = take_access};
    bool ok = run->owners && run_launch(execution, &s->launch, &sink, "owners", problem);
    *overflow = ok && report_overflow(execution);
    sink = (struct sink){.self = run->owners, .access = owners_access};
    while (ok && owners_next_pass(run->owners))
        ok = run_launch(execution, &s->launch, &sink, "owners, wrong cells", problem);
    ok = ok && owners_report(run->owners, report, problem);
    execution_free(execution);
    return ok;
}

int command_owners(const struct options *options, FILE *out, struct problem *problem)
{
    struct text text;
    struct scenario s;
    struct owners_report report;
    bool overflow = false;
    int code = EXIT_TROUBLE;
    if (!text_open(&text, options->operands[0], problem))
        return EXIT_TROUBLE;
    if (scenario_open(&s, &text.source, &options->scenario, problem)) {
        report_passed_over(&s);
        struct owners_task task = {s.rows, s.cols, s.elem_bytes, s.in, s.out, s.is_copy};
        struct owners_run run = {.small = (uint64_t)s.rows * s.cols <= CELLS_SHOWN};
        if (run.small)
            ownermap_init(&run.map, s.out, s.elem_bytes, 0, (uint64_t)s.rows * s.cols);
        if (audit(&s, &run, &task, &report, &overflow, problem)) {
            print(&s, &task, &run, &report, options, out);
            print_notes(&s, &report, options, out);
            code = report.correct && !overflow && !report.racing ? EXIT_FINE : EXIT_NO;
        }
        owners_free(run.owners);
        ownermap_free(&run.map);
        scenario_close(&s);
    }
    text_close(&text);
    return code;
}
