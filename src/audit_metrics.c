#include "audit_metrics.h"

#include <stdlib.h>
#include <string.h>

#include "assertion.h"
#include "ladder_row.h"

struct numbers {
    const struct audit_result *result;
    const struct table *table; /* the ladder's row */
};

/* How many findings there are of a kind, by its word with _ for -. */
static bool count_kind(const struct findings *findings, const char *name, double *value)
{
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
        const char *word = finding_word((enum finding_kind)kind);
        size_t i = 0;
        while (word[i] && (word[i] == '-' ? '_' : word[i]) == name[i])
            i++;
        if (word[i] || name[i])
            continue;
        *value = 0;
        for (size_t k = 0; k < findings->count; k++)
            *value += findings->at[k].kind == (enum finding_kind)kind;
        return true;
    }
    return false;
}

static bool number_of(const void *self, const char *name, double *value)
{
    const struct numbers *n = self;
    const struct audit_result *r = n->result;
    double loads, stores;
    const struct {
        const char *name;
        uint64_t value;
    } own[] = {{"correct", r->verdict == AUDIT_CORRECT},
               {"faults", r->findings.leading},
               {"notes", r->findings.leading_notes},
               {"missing", r->cells.missing},
               {"wrong", r->cells.wrong},
               {"disagreeing", r->cells.disagreeing},
               {"written_twice", r->cells.written_twice},
               {"out_of_bounds_reads", r->cells.out_of_bounds_reads},
               {"out_of_bounds_writes", r->cells.out_of_bounds_writes},
               {"misaligned_lanes", r->cells.misaligned}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0) {
            *value = (double)own[i].value;
            return true;
        }
    if (strcmp(name, "excess") == 0 && table_number(n->table, "shared_load_excess", &loads) &&
        table_number(n->table, "shared_store_excess", &stores)) {
        *value = loads + stores;
        return true;
    }
    return count_kind(&r->findings, name, value) || table_number(n->table, name, value);
}

bool audit_assert(const struct options *options, const struct scenario *scenario,
                  const struct audit_result *result, bool *holds, struct problem *problem)
{
    struct ladder_row row = {.name = scenario->text.name, .scenario = *scenario};
    struct progress progress;
    struct problem ended = {0}; /* a launch that ends early has the numbers so far; the audit has said why */
    struct column *columns;
    char clause[ASSERTION_CLAUSE];
    progress_begin(&progress, "counts");
    const struct totals_how how = {
        .workers = options_workers(options), .registers = options->registers, .progress = &progress};
    if (!ladder_row_count(&row, &how, false, &ended) && ended.kind != PROBLEM_KERNEL) {
        *problem = ended;
        return false;
    }
    struct table *table = ladder_table(&row, 1, true, &columns);
    const struct numbers numbers = {result, table};
    const struct assertion_names names = {&numbers, number_of};
    bool ok = assertion_holds(options->assertion, &names, holds, clause, problem);
    if (ok && !*holds)
        (void)fprintf(stderr, "lanescope: not so: %s\n", clause);
    table_free(table);
    free(columns);
    return ok;
}
