#include "lanescope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/version.h"
#include "../sim/census/count.h"
#include "../sim/report/audit.h"
#include "../sim/report/rung.h"
#include "../sim/session/explain.h"

const char *lanescope_version(void)
{
    return LANESCOPE_VERSION;
}

static void fill_error(struct lanescope_error *error, const struct problem *problem)
{
    static const enum lanescope_error_kind kinds[] = {[PROBLEM_INPUT] = LANESCOPE_INPUT,
                                                      [PROBLEM_WORLD] = LANESCOPE_WORLD,
                                                      [PROBLEM_KERNEL] = LANESCOPE_KERNEL};
    if (!error)
        return;
    *error = (struct lanescope_error){
        .kind = kinds[problem->kind], .line = problem->line, .column = problem->column};
    (void)snprintf(error->message, sizeof error->message, "%s", problem->message);
    (void)snprintf(error->file, sizeof error->file, "%s", problem->file);
    (void)problem_format(problem, NULL, error->complaint, sizeof error->complaint);
}

static bool take_text(const struct lanescope_question *q, struct source *text, struct problem *problem)
{
    if (q->text) {
        *text = (struct source){.name = q->name ? q->name : "kernel.cu",
                                .bytes = q->text,
                                .size = q->text_bytes ? q->text_bytes : strlen(q->text)};
        return true;
    }
    if (!q->name)
        return problem_say(problem, "the question has neither a text nor the name of a kernel");
    const struct rung *rung = kernel_find(q->name);
    if (!rung)
        return problem_say(problem, "no kernel that comes with the library is called %s", q->name);
    *text = rung->source;
    return true;
}

/* What is given: a missing y or z is 1. */
static bool take_shape(const uint32_t from[3], const char *what, struct shape *shape, struct problem *problem)
{
    if (!from[0]) {
        if (from[1] || from[2])
            return problem_say(problem, "%s has a y or z, but x is 0", what);
        return true;
    }
    *shape = (struct shape){.count = 3, .size = {from[0], from[1] ? from[1] : 1, from[2] ? from[2] : 1}};
    return true;
}

static bool take_list(const char *const *from, const char *what, const char **list, unsigned *count,
                      struct problem *problem)
{
    for (; from && *from; from++) {
        if (*count == SCENARIO_TEXT_LIMIT)
            return problem_say(problem, "there are more than %u %s", SCENARIO_TEXT_LIMIT, what);
        list[(*count)++] = *from;
    }
    return true;
}

static bool take_question(const struct lanescope_question *q, struct source *text, struct scenario_options *o,
                          struct problem *problem)
{
    *o = (struct scenario_options){.kernel = q->kernel,
                                   .template_arguments = q->template_arguments,
                                   .rows = q->rows,
                                   .cols = q->cols,
                                   .elem_bytes = q->elem_bytes,
                                   .dynamic_shared = q->shared_bytes,
                                   .in = q->input,
                                   .out = q->output,
                                   .budget = q->budget};
    if (q->rows > INT32_MAX || q->cols > INT32_MAX)
        return problem_say(problem, "rows and cols are at most %d", INT32_MAX);
    if (q->elem_bytes > 16 || (q->elem_bytes & (q->elem_bytes - 1)))
        return problem_say(problem, "elem_bytes is 1, 2, 4, 8 or 16, not %u", q->elem_bytes);
    o->device = q->device ? device_find(q->device) : NULL;
    if (q->device && !o->device)
        return problem_say(problem, "no device of the table is called %s", q->device);
    return take_text(q, text, problem) && take_shape(q->block, "the block", &o->block, problem) &&
           take_shape(q->grid, "the grid", &o->grid, problem) &&
           take_list(q->definitions, "definitions", o->definitions, &o->definition_count, problem) &&
           take_list(q->arguments, "arguments", o->arguments, &o->argument_count, problem) &&
           take_list(q->offsets, "offsets", o->offsets, &o->offset_count, problem) &&
           take_list(q->data, "buffers with data", o->data, &o->data_count, problem);
}

/* By census, or block by block where it gives up. The tally is to be freed either way. */
static bool count(const struct scenario *s, struct tally *tally, struct noticed *noticed,
                  struct problem *problem)
{
    struct census_count census;
    struct execution *execution = execution_new(s->program, &s->launch, false, problem);
    tally_init(tally, s->program->site_count);
    if (!execution)
        return false;
    bool ok = census_count(execution, &s->launch, CENSUS_REGIONS, tally, &census, problem);
    if (!ok && !problem->set) {
        const struct sink sink = {.self = tally, .access = tally_access};
        tally_free(tally);
        tally_init(tally, s->program->site_count);
        execution_free(execution);
        execution = execution_new(s->program, &s->launch, false, problem);
        ok = execution && execution_run_blocks(execution, 0, launch_blocks(&s->launch), &sink, problem);
    }
    if (ok)
        *noticed = execution_noticed(execution);
    execution_free(execution);
    return ok;
}

/* What is given away, and what it points at. */
struct counts {
    struct lanescope_counts answer; /* first */
    struct arena arena;
};

static int line_of(const struct place *place)
{
    int line = 0, column;
    if (place->source)
        source_place(place->source, place->begin, &line, &column);
    return line;
}

static int by_place(const void *a, const void *b)
{
    const struct lanescope_row *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

static void fill_row(struct lanescope_row *row, const struct site *site, const struct site_tally *sum,
                     struct arena *arena)
{
    char access[160];
    explain_site(site, access, sizeof access);
    *row = (struct lanescope_row){.line = site->line,
                                  .column = site->column,
                                  .kind = site->kind->name,
                                  .access = arena_copy(arena, access, strlen(access)),
                                  .unit = site->kind->units,
                                  .lane_bytes = site->lane_bytes,
                                  .requests = sum->requests,
                                  .lanes = sum->lanes,
                                  .actual = sum->units,
                                  .ideal = sum->ideal,
                                  .lines = sum->lines,
                                  .out_of_bounds = sum->out_of_bounds,
                                  .misaligned = sum->misaligned};
}

static struct lanescope_counts *answer_of(const struct scenario *s, const struct tally *tally,
                                          const struct noticed *noticed)
{
    struct counts *counts = memory_take(1, sizeof *counts);
    struct lanescope_counts *a = &counts->answer;
    size_t size = (s->program->site_count + 1u) * sizeof(struct lanescope_row);
    struct lanescope_row *rows = arena_take(&counts->arena, size);
    for (unsigned i = 0; i < s->program->site_count; i++)
        fill_row(&rows[i], &s->program->sites[i], &tally->sites[s->program->sites[i].id], &counts->arena);
    qsort(rows, s->program->site_count, sizeof *rows, by_place);
    *a = (struct lanescope_counts){.row_count = s->program->site_count,
                                   .rows = rows,
                                   .rows_of_input = s->rows,
                                   .cols_of_input = s->cols,
                                   .elem_bytes = s->elem_bytes,
                                   .device = s->device->name,
                                   .verified = s->device->verified,
                                   .overflow_line =
                                       noticed->overflow.lanes ? line_of(&noticed->overflow.place) : 0,
                                   .uncounted_line = line_of(&noticed->uncounted)};
    memcpy(a->block, s->launch.block, sizeof a->block);
    memcpy(a->grid, s->launch.grid, sizeof a->grid);
    return a;
}

struct lanescope_counts *lanescope_count(const struct lanescope_question *question,
                                         struct lanescope_error *error)
{
    struct problem problem = {0};
    struct scenario scenario;
    struct scenario_options options;
    struct source text;
    struct lanescope_counts *answer = NULL;
    if (take_question(question, &text, &options, &problem) &&
        scenario_open(&scenario, &text, &options, &problem)) {
        struct tally tally;
        struct noticed noticed;
        if (count(&scenario, &tally, &noticed, &problem))
            answer = answer_of(&scenario, &tally, &noticed);
        tally_free(&tally);
        scenario_close(&scenario);
    }
    if (!answer)
        fill_error(error, &problem);
    return answer;
}

void lanescope_counts_free(struct lanescope_counts *counts)
{
    struct counts *all = (struct counts *)(void *)counts;
    if (!all)
        return;
    arena_free(&all->arena);
    free(all);
}

struct verdict {
    struct lanescope_audit answer; /* first */
    struct arena arena;
};

static struct lanescope_audit *verdict_of(const struct audit_result *r)
{
    struct verdict *verdict = memory_take(1, sizeof *verdict);
    struct lanescope_finding *findings =
        arena_take(&verdict->arena, (r->findings.count + 1) * sizeof *findings);
    for (size_t i = 0; i < r->findings.count; i++) {
        const struct finding *f = &r->findings.at[i];
        findings[i] = (struct lanescope_finding){
            .is_fault = f->severity == FINDING_FAULT,
            .cause = f->cause,
            .kind = finding_word(f->kind),
            .title = finding_title(f->kind),
            .line = f->line,
            .sentence = arena_copy(&verdict->arena, f->sentence, strlen(f->sentence))};
    }
    verdict->answer =
        (struct lanescope_audit){.correct = r->verdict == AUDIT_CORRECT,
                                 .faultless = r->verdict == AUDIT_CORRECT && !r->findings.leading,
                                 .cells = r->cells.cells,
                                 .wrong = r->cells.wrong + r->cells.disagreeing + r->cells.missing,
                                 .finding_count = r->findings.count,
                                 .findings = findings};
    return &verdict->answer;
}

struct lanescope_audit *lanescope_audit(const struct lanescope_question *question,
                                        struct lanescope_error *error)
{
    enum { STEP = 1024 }; /* blocks */
    struct problem problem = {0};
    struct scenario scenario;
    struct scenario_options options;
    struct source text;
    struct lanescope_audit *answer = NULL;
    if (take_question(question, &text, &options, &problem) &&
        scenario_open(&scenario, &text, &options, &problem)) {
        struct audit *audit = audit_begin(&scenario, NULL, &problem);
        while (audit && audit_step(audit, STEP))
            ;
        const struct audit_result *result = audit ? audit_result(audit) : NULL;
        if (result && result->problem.set && !result->findings.leading)
            problem = result->problem;
        else if (result)
            answer = verdict_of(result);
        audit_free(audit);
        scenario_close(&scenario);
    }
    if (!answer)
        fill_error(error, &problem);
    return answer;
}

void lanescope_audit_free(struct lanescope_audit *audit)
{
    struct verdict *all = (struct verdict *)(void *)audit;
    if (!all)
        return;
    arena_free(&all->arena);
    free(all);
}
