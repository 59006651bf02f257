/* confirm_counters.c - each launch's hardware counters beside their predictions, and the recorded table. */
#include "confirm_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../base/arena.h"

static void begin_record(const struct confirm_run *run)
{
    FILE *file = run->record.stream;
    if (!file)
        return;
    confirm_print_head(&run->confirmer, file);
    confirm_print_columns(file);
    for (size_t i = 0; i < metric_count; i++)
        (void)fprintf(file, ",%s", metrics[i].name);
    (void)fputc('\n', file);
}

/* Overruled counters become an empty field, with a comment line before. */
static void record_row(const struct confirm_run *run, const struct configuration *configuration,
                       const struct launch_verdict *v)
{
    FILE *file = run->record.stream;
    if (!file)
        return;
    for (size_t i = 0; i < metric_count; i++)
        if (v->judged[i].verdict == VERDICT_OVERRULED)
            (void)fprintf(file,
                          "# next row: %s was %" PRIu64 "; the hardware's own counter says %" PRIu64
                          ", as predicted\n",
                          metrics[i].name, v->measured->value[i], v->predicted[i].value);
    confirm_print_configuration(configuration, file);
    for (size_t i = 0; i < metric_count; i++)
        if (v->judged[i].verdict == VERDICT_ABSENT || v->judged[i].verdict == VERDICT_OVERRULED)
            (void)fputc(',', file);
        else
            (void)fprintf(file, ",%" PRIu64, v->measured->value[i]);
    (void)fputc('\n', file);
}

static void say_differences(const struct confirm_run *run, const struct configuration *configuration,
                            const struct launch_verdict *v)
{
    for (size_t i = 0; i < metric_count; i++)
        if (v->judged[i].differs)
            (void)fprintf(confirm_say_differs(run, configuration),
                          "%s: predicted %" PRIu64 ", measured %" PRIu64 "\n", metrics[i].name,
                          v->predicted[i].value, v->measured->value[i]);
}

static bool judge_all(struct confirm_run *run, struct measurement *m)
{
    struct progress progress;
    bool ok = counters_are_of(&m->table, run->sweep.count, run->problem);
    if (ok)
        begin_record(run);
    progress_begin(&progress, "confirm, counters");
    for (size_t i = 0; ok && i < run->sweep.count; i++) {
        struct launch_verdict verdict;
        uint64_t before = m->differing;
        ok = measurement_judge(m, &run->sweep.list[i], i, run->device, &verdict, run->problem);
        if (ok && m->differing > before && before < DIFFERENCES_SHOWN) {
            progress_clear(&progress);
            say_differences(run, &run->sweep.list[i], &verdict);
        }
        if (ok)
            record_row(run, &run->sweep.list[i], &verdict);
        progress_show(&progress, i + 1, run->sweep.count);
    }
    progress_clear(&progress);
    return ok;
}

int confirm_counters(struct confirm_run *run)
{
    struct measurement *m = memory_take(1, sizeof *m);
    int code = EXIT_ABSENT;
    (void)fflush(run->out);
    if (measurement_take(m, CONFIRM_LAUNCH_ONLY, run->problem))
        code = !judge_all(run, m) ? EXIT_TROUBLE : m->differing ? EXIT_NO : EXIT_FINE;
    bool judged = code == EXIT_FINE || code == EXIT_NO;
    if (run->options->format != FORMAT_TEXT)
        confirm_print_both(run, judged ? m : NULL);
    else if (judged)
        confirm_print_counters(run, m);
    measurement_free(m);
    free(m);
    return code;
}
