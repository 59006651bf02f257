/* confirm_accesses.c - single accesses instead of kernels: measured and recorded. */
#include <inttypes.h>

#include "../cuda/accesses.h"
#include "../sim/report/recorded_columns.h"
#include "confirm_run.h"
#include "../base/text.h"

enum { ACCESSES_DEFAULT = 200, PATTERNS_LIMIT = 1 << 26 };

static void record_columns(FILE *file)
{
    for (enum access_column i = 0; i < ACCESS_COLUMN_COUNT; i++)
        (void)fprintf(file, "%s%s", i ? "," : "", access_columns[i]);
    (void)fputc('\n', file);
}

static void record_access(const struct single_access *a, const struct access_verdict *v, FILE *file)
{
    bool shared = a->space == SPACE_SHARED;
    (void)fprintf(file, "%s,%s,%s,%u,0x%08" PRIx32 ",", a->name, shared ? "shared" : "global",
                  a->op == ACCESS_STORE ? "store" : "load", a->bytes, a->mask);
    for (unsigned lane = 0; lane < 32; lane++)
        (void)fprintf(file, "%s%" PRIu64, lane ? " " : "", a->offsets[lane]);
    (void)fprintf(file, shared ? ",%" PRIu64 ",%" PRIu64 ",,\n" : ",,,%" PRIu64 ",%" PRIu64 "\n",
                  v->measured[0], v->measured[1]);
}

static int record_all(struct confirm_run *run, const struct access_list *accesses)
{
    struct counter_table table;
    uint64_t differ = 0;
    (void)fflush(run->out);
    if (!access_list_measure(CONFIRM_LAUNCH_ONLY, &table, run->problem))
        return EXIT_ABSENT;
    if (!counters_are_of(&table, accesses->count, run->problem)) {
        counter_table_free(&table);
        return EXIT_TROUBLE;
    }
    confirm_print_head(&run->confirmer, run->record.stream);
    record_columns(run->record.stream);
    for (size_t i = 0; i < accesses->count; i++) {
        struct access_verdict v = access_judge(&accesses->list[i], &table.rows[i]);
        record_access(&accesses->list[i], &v, run->record.stream);
        if (v.differs)
            (void)fprintf(
                confirm_people(run),
                "differs: %s: predicted %" PRIu64 " and %" PRIu64 ", measured %" PRIu64 " and %" PRIu64 "\n",
                accesses->list[i].name, v.predicted[0], v.predicted[1], v.measured[0], v.measured[1]);
        differ += v.differs;
    }
    confirm_print_accesses(run, table.count, differ);
    counter_table_free(&table);
    return differ ? EXIT_NO : EXIT_FINE;
}

int confirm_accesses(struct confirm_run *run)
{
    const struct options *o = run->options;
    struct access_list accesses = {0};
    struct text text = {0};
    bool ok = true;
    if (o->confirm.patterns)
        ok = text_read_file(&text, o->confirm.patterns, PATTERNS_LIMIT, run->problem) &&
             access_list_read(&accesses, &text.source, run->problem);
    else
        access_list_random(&accesses, o->scenario.seed,
                           o->confirm.random ? o->confirm.random : ACCESSES_DEFAULT);
    text_close(&text);
    int code = EXIT_TROUBLE;
    if (ok && o->confirm.launch_only)
        code = access_list_launch(&run->confirmer, &accesses, run->problem) ? EXIT_FINE : EXIT_TROUBLE;
    else if (ok)
        code = record_all(run, &accesses);
    access_list_free(&accesses);
    return code;
}
