/* cmd_confirm.c - the simulation held against a real device. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/report/element.h"
#include "confirm_run.h"
#include "interrupt.h"
#include "operand.h"

enum { TABLE_LIMIT = 1 << 26 };

static void group_add(struct group *group, const struct confirmation *c)
{
    group->configurations++;
    group->cells += c->cells;
    group->wrong += c->wrong;
    group->guard += c->guard_changed;
    group->owners += c->owners.differ;
    group->lanes += c->addresses.compared;
    group->addresses += c->addresses.differ;
    group->recorded += c->blocks_recorded;
    group->blocks += c->blocks;
}

static struct group *group_of(struct confirm_run *run, const struct configuration *c)
{
    for (size_t i = 0; i < run->group_count; i++)
        if (run->groups[i].rows == c->options.rows && run->groups[i].cols == c->options.cols &&
            strcmp(run->groups[i].name, c->name) == 0)
            return &run->groups[i];
    run->groups = memory_resize(run->groups, run->group_count + 1, sizeof *run->groups);
    struct group *group = &run->groups[run->group_count++];
    *group = (struct group){.name = c->name, .rows = c->options.rows, .cols = c->options.cols};
    return group;
}

static void take_result(struct confirm_run *run, const struct configuration *c,
                        const struct confirmation *result)
{
    group_add(group_of(run, c), result);
    group_add(&run->total, result);
    if (confirmation_is_clean(result) || run->differing++ >= DIFFERENCES_SHOWN)
        return;
    (void)fprintf(confirm_say_differs(run, c),
                  "wrong values %" PRIu64 ", guard bytes written %" PRIu64 ", wrong owners %" PRIu64
                  ", wrong addresses %" PRIu64 "\n  first: %s\n%s%s%s",
                  result->wrong, result->guard_changed, result->owners.differ, result->addresses.differ,
                  result->first, *result->disorder ? "  " : "", result->disorder,
                  *result->disorder ? "\n" : "");
}

static void show_progress(void *self, size_t done, size_t count)
{
    progress_show(self, done, count);
}

static bool confirm_all(struct confirm_run *run)
{
    struct confirmation *results = memory_take(run->sweep.count + 1, sizeof *results);
    bool *confirmed = memory_take(run->sweep.count + 1, sizeof *confirmed);
    size_t count = 0;
    struct progress progress;
    progress_begin(&progress, "confirm");
    struct work work = {.confirmer = &run->confirmer,
                        .sweep = &run->sweep,
                        .device = run->device,
                        .seed = run->options->scenario.seed,
                        .threads = run->options->workers ? run->options->workers : workers_default(),
                        .results = results,
                        .confirmed = confirmed,
                        .stop = interrupt_asked,
                        .progress = show_progress,
                        .self = &progress};
    interrupt_begin();
    bool ok = workers_confirm(&work, run->problem);
    interrupt_end();
    progress_clear(&progress);
    for (size_t i = 0; ok && i < run->sweep.count; i++) {
        if (confirmed[i])
            take_result(run, &run->sweep.list[i], &results[i]);
        count += confirmed[i];
    }
    run->partial = count < run->sweep.count;
    if (ok && run->partial)
        (void)fprintf(
            confirm_people(run),
            "partial: Ctrl-C ended this after %zu of %zu configurations; what follows is of those\n", count,
            run->sweep.count);
    free(results);
    free(confirmed);
    return ok;
}

/* What would be run is compiled, and no more: no device is needed. */
static int compile_all(struct confirm_run *run)
{
    struct progress progress;
    bool ok = confirmer_open_dry(&run->confirmer, run->problem);
    if (!ok)
        return EXIT_ABSENT;
    run->confirmer.only_addresses = run->options->confirm.only_addresses;
    progress_begin(&progress, "confirm, compiling");
    for (size_t i = 0; ok && i < run->sweep.count; i++) {
        struct scenario scenario;
        struct confirmation ignored;
        ok = configuration_open(&run->sweep.list[i], NULL, &scenario, run->problem);
        if (ok) {
            ok = confirm_scenario(&run->confirmer, &scenario, 0, &ignored, run->problem);
            scenario_close(&scenario);
        }
        progress_show(&progress, i + 1, run->sweep.count);
    }
    progress_clear(&progress);
    confirmer_close(&run->confirmer);
    if (ok)
        (void)fprintf(run->out, "%zu configuration%s compile%s, with every access recorded and without\n",
                      run->sweep.count, run->sweep.count == 1 ? "" : "s", run->sweep.count == 1 ? "s" : "");
    return ok ? EXIT_FINE : EXIT_TROUBLE;
}

static bool launch_all(struct confirm_run *run)
{
    bool ok = true;
    for (size_t i = 0; ok && i < run->sweep.count; i++) {
        struct scenario scenario;
        ok = configuration_open(&run->sweep.list[i], run->device, &scenario, run->problem);
        if (ok) {
            ok = confirm_launch_only(&run->confirmer, &scenario, run->problem);
            scenario_close(&scenario);
        }
    }
    return ok;
}

static bool only_operand(const struct confirm_run *run)
{
    const struct options *o = run->options;
    return o->operand_count && strcmp(o->operands[0], "all") != 0;
}

/* One kernel as the options describe it. A rung's ELEM is an unsigned type; a file's too, if --elem says. */
static struct configuration single(const struct options *o, const struct text *text)
{
    const struct rung *rung = rung_find(o->operands[0]);
    struct configuration c = {.name = o->operands[0], .text = &text->source, .options = o->scenario};
    c.options.compiler = NULL;
    if (rung && !c.options.elem_bytes)
        c.options.elem_bytes = 4;
    if (c.options.elem_bytes)
        c.options.elem_type = element_integer_type(c.options.elem_bytes);
    return c;
}

/* The compiler gets the text as it stands. */
static bool check_overrides(const struct scenario *s, struct problem *problem)
{
    for (unsigned i = 0; i < s->options.definition_count; i++) {
        char name[80];
        const char *definition = s->options.definitions[i];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(definition, "="), definition);
        if (unit_overrides(s->unit, name))
            return problem_say(problem,
                               "the compiler would take the text's own #define %s, not -D %s: put #ifndef %s "
                               "around it",
                               name, definition, name);
    }
    return true;
}

/* What the simulator refuses is the text's or the list's fault, and said before a device is looked for. */
static bool check_sweep(struct confirm_run *run)
{
    struct progress progress;
    bool ok = true;
    progress_begin(&progress, "confirm, reading the list");
    for (size_t i = 0; ok && i < run->sweep.count; i++) {
        struct scenario scenario;
        struct configuration *c = &run->sweep.list[i];
        ok = configuration_open(c, NULL, &scenario, run->problem);
        if (!ok)
            break;
        c->options.rows = scenario.rows; /* where the text's launch says them */
        c->options.cols = scenario.cols;
        ok = check_overrides(&scenario, run->problem);
        scenario_close(&scenario);
        progress_show(&progress, i + 1, run->sweep.count);
    }
    progress_clear(&progress);
    return ok;
}

static bool build_sweep(struct confirm_run *run, struct text *text)
{
    const struct options *o = run->options;
    struct text table;
    if (o->via > VIA_BUILTIN)
        return problem_say(run->problem,
                           "confirm records accesses in the text that the built-in language has read, which "
                           "no compiler's code tells: leave out --via");
    if (only_operand(run)) {
        if (o->confirm.configs || o->confirm.random)
            return problem_say(run->problem,
                               "--configs and --random name the kernels themselves: leave out %s",
                               o->operands[0]);
        if (!operand_open(text, o->operands[0], run->problem))
            return false;
        if (ptx_is_text(&text->source))
            return problem_say(
                run->problem,
                "%s is PTX, and confirm records the accesses of a kernel's source: give it the .cu",
                o->operands[0]);
        struct configuration c = single(o, text);
        sweep_add(&run->sweep, &c);
        return check_sweep(run);
    }
    if (o->confirm.configs) {
        if (!text_read_file(&table, o->confirm.configs, TABLE_LIMIT, run->problem))
            return false;
        bool ok = sweep_read(&run->sweep, &table.source, run->problem);
        text_close(&table);
        if (!ok)
            return false;
    }
    if (o->confirm.random)
        sweep_random(&run->sweep, o->scenario.seed, o->confirm.random);
    if (!o->confirm.configs && !o->confirm.random)
        sweep_builtin(&run->sweep);
    if (!run->sweep.count)
        return problem_say(run->problem, "%s lists no configuration", o->confirm.configs);
    return check_sweep(run);
}

/* Values, owners and addresses, then counters. */
static int run_checks(struct confirm_run *run)
{
    const struct options *o = run->options;
    if (o->confirm.launch_only)
        return launch_all(run) ? EXIT_FINE : EXIT_TROUBLE;
    if (!confirm_all(run))
        return EXIT_TROUBLE;
    bool counters = !run->partial && (o->confirm.counters || o->confirm.record);
    if (!counters || o->format == FORMAT_TEXT) /* otherwise one document has both */
        confirm_print_values(run);
    int code = run->partial ? EXIT_INTERRUPTED : run->differing ? EXIT_NO : EXIT_FINE;
    if (!counters)
        return code;
    int measured = confirm_counters(run);
    return measured > code ? measured : code; /* trouble outweighs an answer */
}

/* The recorded table, before the device is asked for anything: measuring takes long. A profiled copy of this
 * program only launches. */
static bool open_record(struct confirm_run *run)
{
    const struct options *o = run->options;
    const char *path = o->confirm.record_accesses ? o->confirm.record_accesses : o->confirm.record;
    if (!path || o->confirm.launch_only)
        return true;
    if (o->confirm.record_accesses && o->confirm.record)
        return problem_say(run->problem, "--record is of kernels, --record-accesses of single accesses "
                                         "instead of them: give one of the two");
    return output_file_open(&run->record, path, OUTPUT_REPLACES, run->problem);
}

int command_confirm(const struct options *options, FILE *out, struct problem *problem)
{
    struct confirm_run run = {.options = options, .out = out, .problem = problem};
    struct text text = {0};
    char name[32];
    if (options->scenario.batch || options->scenario.map) {
        problem_say(problem, "confirm knows the tasks transpose and copy");
        return EXIT_TROUBLE;
    }
    if (!build_sweep(&run, &text)) {
        sweep_free(&run.sweep);
        text_close(&text);
        return EXIT_TROUBLE;
    }
    if (options->confirm.dry_run) {
        int dry = compile_all(&run);
        sweep_free(&run.sweep);
        text_close(&text);
        return dry;
    }
    int code = EXIT_ABSENT;
    if (confirmer_open(&run.confirmer, problem)) {
        const struct gpu_facts *facts = gpu_facts(run.confirmer.gpu);
        run.confirmer.only_addresses = options->confirm.only_addresses;
        (void)snprintf(name, sizeof name, "sm_%u%u", facts->major, facts->minor);
        run.device = device_find(name);
        run.named = run.device ? *run.device : (struct device){.name = name};
        if (options->format == FORMAT_TEXT && !options->confirm.launch_only)
            confirm_print_device(&run.confirmer, "", out);
        if (!open_record(&run))
            code = EXIT_TROUBLE;
        else if (options->confirm.record_accesses)
            code = confirm_accesses(&run);
        else
            code = run_checks(&run);
        if (!output_file_finish(&run.record, code <= EXIT_NO && !problem->set, problem))
            code = EXIT_TROUBLE;
        confirmer_close(&run.confirmer);
    }
    free(run.groups);
    sweep_free(&run.sweep);
    text_close(&text);
    return code;
}
