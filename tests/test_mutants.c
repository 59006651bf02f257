/* test_mutants.c - every rung with one token changed, in every place: the audit finds each that matters.
 *
 * A mutant is refused, or found by a finding that the rung itself does not have; or it is in the list of
 * those that are equivalent: same cells, in a defined order. And the other way round: no findings on the
 * ladder and the zoo's twins, whatever their sizes.
 */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/report/audit.h"

enum { TEXT_SIZE = 8192 };

struct word {
    size_t begin, length;
};

/* The next token from `at` on, past blanks, comments and lines that begin with #; length 0: none. */
static struct word next_word(const char *text, size_t at)
{
    static const char *const longer[] = {"+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++"};
    for (;;) {
        while (isspace((unsigned char)text[at]))
            at++;
        if ((text[at] == '/' && text[at + 1] == '/') || text[at] == '#')
            at += strcspn(text + at, "\n");
        else
            break;
    }
    struct word token = {at, text[at] != '\0'};
    if (isalnum((unsigned char)text[at]) || text[at] == '_')
        while (isalnum((unsigned char)text[at + token.length]) || text[at + token.length] == '_')
            token.length++;
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strncmp(text + at, longer[i], 2) == 0)
            token.length = 2;
    return token;
}

/* What a token may become: others of its group. An empty one is left out. */
static const char *const groups[][13] = {
    {"x", "y", "z", "ox", "oy", "j", "rows", "cols", "bx", "by", "left", "top"},
    {"threadIdx", "blockIdx"},
    {"gridDim", "blockDim"},
    {"TILE", "BLOCK_ROWS", "PITCH"},
    {"<", "<=", ">", "!="},
    {"*", "+", "-", "/"},
    {"+", "-", "*"},
    {"%", "*"},
    {"&&", "||"},
    {"^", "|", "&", "+"},
    {"+=", "="},
    {"__syncthreads", "__threadfence"},
    {"upper", "lower"},
    {"in", "out"},
};

/* Mutants that nothing is wrong with: rung:line: token -> other. */
static const char *const equivalent[] = {
#include "mutants_equivalent.inc"
    NULL};

static bool is_equivalent(const char *name)
{
    for (size_t i = 0; equivalent[i]; i++)
        if (strcmp(equivalent[i], name) == 0)
            return true;
    return false;
}

struct counts {
    unsigned mutants, refused, found, equivalent, missed;
};

/* How many findings lead; -1: it was refused. */
static int audit_text(const char *name, const char *text, const struct scenario_options *options)
{
    struct source source = {name, text, strlen(text)};
    struct problem problem = {0};
    struct scenario s;
    if (!scenario_open(&s, &source, options, &problem))
        return -1;
    struct audit *audit = audit_begin(&s, NULL, &problem);
    int leading = -1;
    while (audit && audit_step(audit, 1000))
        ;
    if (audit) {
        const struct audit_result *r = audit_result(audit);
        leading = r->problem.set ? -1 : (int)(r->findings.leading + r->findings.leading_notes);
    }
    audit_free(audit);
    scenario_close(&s);
    return leading;
}

static const struct scenario_options sizes[] = {
    {.rows = 21, .cols = 19, .tile = 16, .block_rows = 8, .budget = 20000},
    {.rows = 33, .cols = 48, .tile = 16, .block_rows = 4, .budget = 20000},
};

static void try_mutant(const struct rung *rung, const char *text, struct word token, const char *other,
                       struct counts *counts)
{
    char mutant[TEXT_SIZE], name[200];
    struct source source = {rung->name, text, strlen(text)};
    int line, column;
    source_place(&source, token.begin, &line, &column);
    (void)snprintf(name, sizeof name, "%s:%d:%d: %.*s -> %s", rung->name, line, column, (int)token.length,
                   text + token.begin, other);
    (void)snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)token.begin, text, other,
                   text + token.begin + token.length);
    counts->mutants++;
    bool refused = false, found = false;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes && !found && !refused; i++) {
        int own = audit_text(rung->name, text, &sizes[i]),
            leading = audit_text(rung->name, mutant, &sizes[i]);
        refused = leading < 0;
        found = leading > own;
    }
    counts->refused += refused;
    counts->found += found;
    if (refused || found) {
        if (is_equivalent(name))
            fail_msg("%s is called equivalent, but it is found or refused", name);
        return;
    }
    counts->equivalent++;
    if (is_equivalent(name))
        return;
    counts->missed++;
    print_message("    \"%s\",\n", name);
}

static void mutate(const struct rung *rung, struct counts *counts)
{
    char *text = memory_take(rung->source.size + 1, 1);
    memcpy(text, rung->source.bytes, rung->source.size);
    const char *kernel = strstr(text, "__global__");
    assert_non_null(kernel);
    const char *body = strchr(kernel, '{');
    for (struct word t = next_word(text, (size_t)(body - text)); t.length;
         t = next_word(text, t.begin + t.length))
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
            unsigned self = 0;
            const char *const *group = groups[g];
            while (group[self] &&
                   (strlen(group[self]) != t.length || strncmp(group[self], text + t.begin, t.length) != 0))
                self++;
            for (unsigned k = 0; group[self] && group[k]; k++)
                if (k != self)
                    try_mutant(rung, text, t, group[k], counts);
            if (group[self] && isdigit((unsigned char)text[t.begin]))
                break;
        }
    free(text);
}

static void each_mutant_of_the_ladder_that_matters_is_found(void **state)
{
    (void)state;
    struct counts counts = {0};
    for (size_t i = 0; i < rung_count; i++)
        mutate(&rungs[i], &counts);
    print_message("%u mutants: %u refused, %u found, %u equivalent\n", counts.mutants, counts.refused,
                  counts.found, counts.equivalent);
    assert_int_equal(counts.missed, 0);
    assert_true(counts.mutants > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mutant_of_the_ladder_that_matters_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
