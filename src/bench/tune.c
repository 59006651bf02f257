#include "tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../base/progress.h"
#include "../../sim/report/rung.h"
#include "../sweep/sweep.h"

enum {
    STATIC_SHARED = 48 << 10, /* bytes that a compiler gives a block without being asked */
    GRID_LIMIT = 65535,       /* of y and z */
    TRIAL_LIMIT = 10000
};

/* Tiles below each other that come before those beside them: as many as there are, or bands of so many. */
#define BANDS "BAND=((rows+HEIGHT-1)/HEIGHT),4,16,64"

/* The axes that --sweep gives, or those of one's own: of what the text has and the command line leaves open.
 */
static unsigned axes_of(const struct options *o, const struct source *text,
                        const char *axes[SCENARIO_TEXT_LIMIT])
{
    unsigned count = o->sweep.axis_count;
    memcpy(axes, o->sweep.axes, count * sizeof *axes);
    if (count)
        return count;
    if (source_mentions(text, "TILE") && !o->scenario.tile)
        axes[count++] = "TILE=16,32,64,128";
    if (source_mentions(text, "BLOCK_ROWS") && !o->scenario.block_rows)
        axes[count++] = "BLOCK_ROWS=2,4,8,16,32";
    if (source_mentions(text, "BAND") && source_mentions(text, "HEIGHT"))
        axes[count++] = BANDS;
    return count;
}

void bench_macros(const struct scenario_options *options, char *text, size_t size)
{
    const struct {
        const char *name;
        uint32_t value;
    } known[] = {{"TILE", options->tile}, {"BLOCK_ROWS", options->block_rows}, {"PITCH", options->pitch}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known && used < size; i++)
        if (known[i].value)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%" PRIu32, used ? " " : "",
                                     known[i].name, known[i].value);
    for (unsigned i = 0; i < options->definition_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", options->definitions[i]);
}

/* The configurations of one kernel, as sweep lists them. */
static bool list(struct sweep_run *sweep, const struct options *options, const struct source *text,
                 struct problem *problem)
{
    const char *axes[SCENARIO_TEXT_LIMIT];
    unsigned count = axes_of(options, text, axes);
    if (!count)
        return problem_say(problem,
                           "%s has no TILE, BLOCK_ROWS or BAND to vary: say with --sweep NAME=VALUES what "
                           "is tried",
                           options->operands[0]);
    sweep->options = options;
    if (!axes_read(&sweep->axes, axes, count, problem) || !sweep_run_list(sweep, text, problem))
        return false;
    return sweep->count <= TRIAL_LIMIT ||
           problem_say(problem, "these are %zu configurations; at most %d are timed", sweep->count,
                       TRIAL_LIMIT);
}

/* As tune.h says: what is passed over. */
static bool is_launchable(const struct scenario *s, bool own_axes)
{
    const struct launch *launch = &s->launch;
    return s->shared_bytes - launch->dynamic_shared_bytes <= STATIC_SHARED && launch->grid[1] <= GRID_LIMIT &&
           launch->grid[2] <= GRID_LIMIT &&
           !(own_axes && s->tile && s->block_rows && s->tile % s->block_rows);
}

/* The options of a configuration, as sweep makes them. */
static bool options_for(const struct sweep_run *sweep, const struct sweep_row *row,
                        struct scenario_options *o, struct arena *arena, struct problem *problem)
{
    const struct sweep_text *text = &sweep->texts[row->text];
    *o = sweep->options->scenario;
    return axes_apply(&sweep->axes, row->configuration, text->used, text->is_rung, o, arena) ||
           problem_say(problem, "there are more than %u definitions", SCENARIO_TEXT_LIMIT);
}

static bool try_all(const struct bench_tuning *t, const struct sweep_run *sweep, const struct source *text,
                    const char *name, struct scenario_options *best, struct arena *arena,
                    struct problem *problem)
{
    double least = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        struct scenario_options o;
        struct scenario scenario;
        struct problem reason = {0};
        struct bench_row row = {0};
        progress_show(t->progress, i, sweep->count);
        if (!options_for(sweep, &sweep->rows[i], &o, arena, problem))
            return false;
        if (!scenario_open(&scenario, text, &o, &reason))
            continue;
        bool tried = is_launchable(&scenario, !t->options->sweep.axis_count);
        bool ok = !tried || bench_scenario(t->bench, &scenario, name, &row, problem);
        scenario_close(&scenario);
        if (!ok)
            return false;
        if (!tried)
            continue;
        row.kind = BENCH_TRIAL;
        bench_macros(&o, row.macros, sizeof row.macros);
        *bench_rows_add(t->rows) = row;
        if (row.timing.repeats && (!(least > 0) || row.timing.median < least)) {
            least = row.timing.median;
            *best = o;
        }
    }
    return least > 0 || problem_say(problem, "%s: no configuration that was tried runs and is right", name);
}

bool bench_tune(const struct bench_tuning *tuning, const struct source *text, const char *name,
                struct scenario_options *best, struct arena *arena, struct problem *problem)
{
    struct options options = *tuning->options;
    struct sweep_run sweep = {0};
    options.operands[0] = name;
    bool ok =
        list(&sweep, &options, text, problem) && try_all(tuning, &sweep, text, name, best, arena, problem);
    sweep_run_free(&sweep);
    return ok;
}

bool bench_tune_check(const struct options *options, const struct source *text, const char *name,
                      struct problem *problem)
{
    struct options copy = *options;
    struct sweep_run sweep = {0};
    copy.operands[0] = name;
    bool ok = list(&sweep, &copy, text, problem);
    sweep_run_free(&sweep);
    return ok;
}
