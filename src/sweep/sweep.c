#include "sweep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/report/rung.h"
#include "../crew.h"
#include "../interrupt.h"

/* What the command line gives and the sweep varies would contradict each other. */
static bool check_given(const struct sweep_run *run, struct problem *problem)
{
    const struct scenario_options *o = &run->options->scenario;
    const struct {
        enum axis_kind kind;
        bool given;
        const char *option;
    } pairs[] = {{AXIS_TILE, o->tile, "--tile"},
                 {AXIS_BLOCK_ROWS, o->block_rows, "--block-rows"},
                 {AXIS_PITCH, o->pitch, "--pitch"},
                 {AXIS_ELEM, o->elem_bytes, "--elem"}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct sweep_axis *axis = axes_find(&run->axes, pairs[i].kind);
        if (axis && pairs[i].given)
            return problem_say(problem, "%s is swept and given by %s: leave out one of the two", axis->name,
                               pairs[i].option);
    }
    for (unsigned i = 0; i < o->definition_count; i++)
        for (unsigned k = 0; k < run->axes.count; k++) {
            size_t length = strlen(run->axes.list[k].name);
            if (strncmp(o->definitions[i], run->axes.list[k].name, length) == 0 &&
                (o->definitions[i][length] == '=' || !o->definitions[i][length]))
                return problem_say(problem, "%s is swept and given by -D %s: leave out one of the two",
                                   run->axes.list[k].name, o->definitions[i]);
        }
    return true;
}

/* Of a file the includes may mention what the file does not, and ELEM says how wide its cells are. */
static uint32_t used_axes(const struct sweep_axes *axes, const struct source *source, bool is_rung)
{
    bool includes = !is_rung && source_mentions(source, "include");
    uint32_t used = 0;
    for (unsigned i = 0; i < axes->count; i++) {
        const struct sweep_axis *axis = &axes->list[i];
        if (axis->kind != AXIS_RUNG &&
            (includes || (!is_rung && axis->kind == AXIS_ELEM) || source_mentions(source, axis->name)))
            used |= UINT32_C(1) << i;
    }
    return used;
}

static void add_text(struct sweep_run *run, const char *name, const struct source *source, bool is_rung)
{
    run->texts[run->text_count++] =
        (struct sweep_text){name, source, is_rung, used_axes(&run->axes, source, is_rung)};
}

/* The operand's text, or the rungs of the axis RUNG, or all. */
static bool list_texts(struct sweep_run *run, const struct source *text, struct problem *problem)
{
    const struct sweep_axis *axis = axes_find(&run->axes, AXIS_RUNG);
    if (text && axis)
        return problem_say(problem, "RUNG is swept and %s named: leave out one of the two",
                           run->options->operands[0]);
    if (text)
        add_text(run, run->options->operands[0], text, rung_find(run->options->operands[0]) != NULL);
    else if (axis && axis->count > SWEEP_TEXT_LIMIT)
        return problem_say(problem, "--sweep RUNG has more than %u values", SWEEP_TEXT_LIMIT);
    for (size_t i = 0; axis && i < axis->count; i++) {
        const struct rung *rung = rung_find(axis->values[i].text);
        add_text(run, rung->name, &rung->source, true);
    }
    for (size_t i = 0; !text && !axis && i < rung_count && i < SWEEP_TEXT_LIMIT; i++)
        add_text(run, rungs[i].name, &rungs[i].source, true);
    return true;
}

/* Is this the first of the configurations that are the same to the text? Axes that it does not use, and RUNG,
 * have their first value there. */
static bool is_first(const struct sweep_run *run, const struct sweep_text *text, uint64_t configuration)
{
    for (unsigned i = 0; i < run->axes.count; i++)
        if (!(text->used >> i & 1) && axes_index(&run->axes, i, configuration))
            return false;
    return true;
}

bool sweep_run_list(struct sweep_run *run, const struct source *text, struct problem *problem)
{
    uint32_t used = 0;
    if (!check_given(run, problem) || !list_texts(run, text, problem))
        return false;
    for (unsigned t = 0; t < run->text_count; t++)
        used |= run->texts[t].used;
    for (unsigned i = 0; i < run->axes.count; i++)
        if (run->axes.list[i].kind != AXIS_RUNG && !(used >> i & 1))
            return problem_say(problem, "%s does not use %s, so that sweeping it changes nothing",
                               run->text_count == 1 ? run->texts[0].name : "the ladder",
                               run->axes.list[i].name);
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (unsigned t = 0; t < run->text_count; t++)
            for (uint64_t c = 0; c < run->axes.configurations; c++) {
                if (!is_first(run, &run->texts[t], c))
                    continue;
                if (pass)
                    run->rows[count] = (struct sweep_row){.text = t, .configuration = c};
                count++;
            }
        if (count > CONFIGURATION_LIMIT)
            return problem_say(problem, "these are more than %llu configurations",
                               (unsigned long long)CONFIGURATION_LIMIT);
        if (!pass)
            run->rows = memory_take(count, sizeof *run->rows);
        run->count = count;
    }
    return true;
}

static bool open_with(const struct sweep_run *run, const struct sweep_row *row,
                      const struct scenario_options *given, struct scenario *scenario, struct arena *arena,
                      struct problem *problem)
{
    const struct sweep_text *text = &run->texts[row->text];
    struct scenario_options options = *given;
    if (text->is_rung)
        options.compiler = NULL; /* it is understood as it stands */
    if (!axes_apply(&run->axes, row->configuration, text->used, text->is_rung, &options, arena))
        return problem_say(problem, "there are more than %u definitions", SCENARIO_TEXT_LIMIT);
    return scenario_open(scenario, text->source, &options, problem);
}

bool sweep_run_open(const struct sweep_run *run, const struct sweep_row *row, struct scenario *scenario,
                    struct arena *arena, struct problem *problem)
{
    return open_with(run, row, &run->options->scenario, scenario, arena, problem);
}

static char *copy_text(const char *text)
{
    char *copy = memory_take(strlen(text) + 1, 1);
    return memcpy(copy, text, strlen(text) + 1);
}

static void refuse(struct sweep_row *row, const struct problem *problem)
{
    char text[PROBLEM_MESSAGE_SIZE + 40] = "";
    if (problem->line)
        (void)snprintf(text, sizeof text, "line %d: ", problem->line);
    size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "%s", problem->message);
    row->state = SWEEP_REFUSED;
    row->faulty = problem->kind == PROBLEM_KERNEL;
    row->reason = copy_text(text);
}

/* What makes the numbers suspect; the command owners says more. */
static void note_faults(struct sweep_row *row, const struct totals *totals)
{
    const struct {
        uint64_t count;
        const char *what;
    } faults[] = {{totals->out_of_bounds, "lane accesses out of bounds"},
                  {totals->misaligned, "misaligned lane accesses"},
                  {totals->noticed.overflow.lanes, "integer operations that overflow"},
                  {totals->missed, "barriers that a warp ended without"}};
    char text[300] = "";
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) {
        size_t used = strlen(text);
        if (faults[i].count)
            (void)snprintf(text + used, sizeof text - used, "%s%llu %s", used ? ", " : "",
                           (unsigned long long)faults[i].count, faults[i].what);
    }
    row->faulty = text[0] != '\0';
    row->reason = row->faulty ? copy_text(text) : NULL;
}

static void take_totals(struct sweep_row *row, const struct scenario *s, const struct totals *totals)
{
    const struct summary *sum = &totals->summary;
    static const enum access_kind_id shared[] = {SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC},
                                     global[] = {GLOBAL_LOAD, GLOBAL_STORE, GLOBAL_ATOMIC};
    row->state = SWEEP_RAN;
    row->rows = s->rows;
    row->cols = s->cols;
    row->tile = s->tile;
    row->block_rows = s->block_rows;
    row->pitch = s->pitch;
    row->elem_bytes = s->elem_bytes;
    row->shared_bytes = sum->shared_bytes;
    row->occupancy = sum->occupancy;
    for (unsigned i = 0; i < sizeof shared / sizeof *shared; i++) {
        row->wavefronts += sum->of[shared[i]].units;
        row->ideal += sum->of[shared[i]].ideal;
        row->sectors += sum->of[global[i]].units;
        row->ideal_sectors += sum->of[global[i]].ideal;
    }
    note_faults(row, totals);
}

/* Rows share what is not made for several threads: who reads includes, who compiles elsewhere. */
struct toil {
    struct sweep_run *run;
    unsigned launch_workers; /* of each launch */
    struct progress *progress;
    pthread_mutex_t lock;
    struct scenario_options options; /* with these two: */
    struct include_reader includes;
    struct scenario_compiler compiler;
};

static const struct source *read_alone(void *self, const char *name, const struct source *from)
{
    struct toil *toil = self;
    const struct include_reader *inner = toil->run->options->scenario.includes;
    (void)pthread_mutex_lock(&toil->lock);
    const struct source *source = inner->read(inner->self, name, from);
    (void)pthread_mutex_unlock(&toil->lock);
    return source;
}

static bool compile_alone(void *self, unsigned attempt, const struct device_part_request *request,
                          struct scenario_compiled *compiled, struct problem *problem)
{
    struct toil *toil = self;
    const struct scenario_compiler *inner = toil->run->options->scenario.compiler;
    (void)pthread_mutex_lock(&toil->lock);
    bool ok = inner->compile(inner->self, attempt, request, compiled, problem);
    (void)pthread_mutex_unlock(&toil->lock);
    return ok;
}

static void share(struct toil *toil)
{
    const struct scenario_options *o = &toil->run->options->scenario;
    toil->options = *o;
    toil->includes = (struct include_reader){
        .self = toil, .read = read_alone, .is_of_others = o->includes ? o->includes->is_of_others : NULL};
    toil->options.includes = o->includes ? &toil->includes : NULL;
    if (o->compiler) {
        toil->compiler = (struct scenario_compiler){toil, o->compiler->only, compile_alone};
        toil->options.compiler = &toil->compiler;
    }
}

static void run_row(struct toil *toil, struct sweep_row *row)
{
    const struct options *o = toil->run->options;
    const struct totals_how how = {
        .workers = toil->launch_workers, .registers = o->registers, .progress = toil->progress};
    struct arena arena = {0};
    struct problem problem = {0};
    struct scenario scenario;
    if (!open_with(toil->run, row, &toil->options, &scenario, &arena, &problem)) {
        refuse(row, &problem);
    } else {
        struct totals totals;
        if (!totals_of(&totals, &scenario, &how, &problem))
            refuse(row, &problem);
        else if (!totals.partial)
            take_totals(row, &scenario, &totals);
        totals_free(&totals);
        scenario_close(&scenario);
    }
    arena_free(&arena);
}

static bool run_rows(void *self, unsigned worker, uint64_t first, uint64_t count)
{
    struct toil *toil = self;
    struct sweep_run *run = toil->run;
    (void)worker;
    for (uint64_t i = first; i < first + count && !interrupt_asked(); i++) {
        if (toil->progress)
            progress_part(toil->progress, run->texts[run->rows[i].text].name, i, run->count);
        run_row(toil, &run->rows[i]);
    }
    return true;
}

void sweep_run_all(struct sweep_run *run)
{
    struct progress progress = {0};
    unsigned workers = options_workers(run->options);
    bool by_rows = run->count >= 2 * (size_t)workers; /* else each launch uses all threads */
    struct toil toil = {.run = run, .launch_workers = by_rows ? 1 : workers};
    struct crew crew = {.total = run->count,
                        .workers = by_rows ? workers : 1,
                        .self = &toil,
                        .piece = run_rows,
                        .progress = by_rows ? &progress : NULL};
    (void)pthread_mutex_init(&toil.lock, NULL);
    toil.progress = by_rows ? NULL : &progress;
    share(&toil);
    progress_begin(&progress, "sweep");
    (void)crew_run(&crew);
    progress_clear(&progress);
    (void)pthread_mutex_destroy(&toil.lock);
    for (size_t i = 0; i < run->count; i++)
        run->partial = run->partial || run->rows[i].state == SWEEP_NOT_RUN;
}

void sweep_run_free(struct sweep_run *run)
{
    for (size_t i = 0; run->rows && i < run->count; i++)
        free(run->rows[i].reason);
    free(run->rows);
    axes_free(&run->axes);
}
