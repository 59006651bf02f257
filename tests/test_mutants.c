/* test_mutants.c - every rung with one token changed, in every place: the audit finds each that matters.
 *
 * A mutant does not compile, or its run stops at a line, or it is found by a finding that the rung itself
 * does not have; or it is in the list of those that are equivalent: same cells, in a defined order. And the
 * other way round: no findings on the ladder and the zoo's twins, whatever their sizes.
 */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/arena.h"
#include "../sim/report/audit.h"

enum { TEXT_SIZE = 16384 };

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

/* Mutants that nothing is wrong with: rung:line:column: token -> other. */
static const char *const equivalent[] = {
    /* as many rows as fit a pitch, or no pad: the same cells, elsewhere in the tile */
    "tiled:26:26: TILE -> PITCH", "tiled:26:32: PITCH -> TILE", "padded:26:26: TILE -> PITCH",
    "padded:26:32: PITCH -> TILE", "swizzled:46:26: TILE -> PITCH", "copy-tile:27:26: TILE -> PITCH",
    "copy-tile:27:32: PITCH -> TILE", "diagonal:26:26: TILE -> PITCH", "diagonal:26:32: PITCH -> TILE",
    "inplace:26:27: TILE -> PITCH", "inplace:26:33: PITCH -> TILE", "inplace:26:47: TILE -> PITCH",
    "inplace:26:53: PITCH -> TILE",
    /* nothing needs that barrier */
    "copy-tile:37:5: __syncthreads -> __threadfence",
    /* another order of the blocks, each of them once */
    "diagonal:30:67: by -> rows", "diagonal:30:67: by -> cols",
    /* the blocks below the diagonal instead of those above it */
    "inplace:29:14: < -> >",
    /* on the diagonal the second tile is loaded too, wholly or in part, and nobody reads it */
    "inplace:36:13: left -> rows", "inplace:36:13: left -> cols", "inplace:36:21: top -> j",
    "inplace:36:21: top -> rows",
    /* left is never below top there */
    "inplace:36:18: != -> >", "inplace:46:18: != -> >",
    /* branches for elements of other widths, which are discarded */
    "vector:92:", "vector:94:", "vector:96:", "lines:184:", "lines:186:",
    /* a pass or a column more is outside of the tile, and no pass is left over at the end */
    "wide:31:23: < -> <=", "wide:31:23: < -> !=", "wide:33:27: < -> !=", "wide:43:23: < -> <=",
    "wide:43:23: < -> !=", "wide:45:27: < -> !=", "ordered:31:23: < -> <=", "ordered:31:23: < -> !=",
    "ordered:33:27: < -> !=", "ordered:43:23: < -> <=", "ordered:43:23: < -> !=", "ordered:45:27: < -> !=",
    "sheared:35:23: < -> !=", "sheared:44:23: < -> !=",
    /* no pad: the same cells, elsewhere in the tile */
    "sheared:30:43: PITCH -> TILE",
    /* the block's place in its band and the band's do not overlap in these launches */
    "sheared:33:40: + -> ^", "sheared:33:40: + -> |",
    /* tests that are left out where the passes fit: the other half of the condition decides the same */
    "sheared:37:22: + -> *", "sheared:37:22: + -> -", "sheared:37:22: + -> /", "sheared:37:22: + -> ^",
    "sheared:37:22: + -> |", "sheared:37:22: + -> &", "sheared:37:32: % -> *",
    "sheared:37:34: BLOCK_ROWS -> TILE", "sheared:37:34: BLOCK_ROWS -> PITCH", "sheared:52:25: % -> *",
    "sheared:52:27: TILE -> BLOCK_ROWS", "sheared:52:61: % -> *", "sheared:52:63: BLOCK_ROWS -> PITCH",
    /* another shift, by which the tiles of a row still meet: right, and not at sectors */
    "sheared:48:41: - -> *", "sheared:48:41: - -> +", "sheared:48:49: % -> *",
    /* the cells before the first sector are fewer than a warp, and fewer than the rows; one more is written
       twice alike */
    "sheared:56:54: < -> <=", "sheared:56:54: < -> !=", "sheared:56:56: rows -> cols",
    "sheared:56:64: += -> =", "sheared:56:67: TILE -> PITCH", NULL};

static bool is_equivalent(const char *name)
{
    for (size_t i = 0; equivalent[i]; i++) {
        size_t length = strlen(equivalent[i]);
        bool all = equivalent[i][length - 1] == ':'; /* of that line */
        if (all ? strncmp(equivalent[i], name, length) == 0 : strcmp(equivalent[i], name) == 0)
            return true;
    }
    return false;
}

struct counts {
    unsigned tried, mutants, refused, stopped, found, equivalent, missed;
};

enum outcome { REFUSED, STOPPED, JUDGED };

/* A bit for each kind of finding that leads. STOPPED: its run ended at a line, in a division by zero or in a
 * variable without a value. */
static enum outcome audit_text(const char *name, const char *text, const struct scenario_options *options,
                               uint64_t *leading)
{
    struct source source = {name, text, strlen(text)};
    struct problem problem = {0};
    struct scenario s;
    if (!scenario_open(&s, &source, options, &problem)) {
        assert_true(problem.line > 0); /* each refusal has its place */
        return REFUSED;
    }
    struct audit *audit = audit_begin(&s, NULL, &problem);
    assert_non_null(audit);
    while (audit_step(audit, 1000))
        ;
    const struct audit_result *r = audit_result(audit);
    enum outcome outcome = r->problem.set ? STOPPED : JUDGED;
    assert_true(outcome == JUDGED || r->problem.line > 0);
    *leading = 0;
    for (size_t i = 0; i < r->findings.count; i++)
        *leading |= r->findings.at[i].cause < 0 ? UINT64_C(1) << r->findings.at[i].kind : 0;
    audit_free(audit);
    scenario_close(&s);
    return outcome;
}

/* Edges in both directions, more rows and more columns; a tile that is no power of two. */
static struct scenario_options size_of(const struct rung *rung, unsigned i)
{
    static const struct scenario_options sizes[] = {{.rows = 21, .cols = 19, .tile = 16, .block_rows = 8},
                                                    {.rows = 26, .cols = 53, .tile = 12, .block_rows = 4},
                                                    {.rows = 53, .cols = 24, .tile = 12, .block_rows = 6}};
    /* Tiles of several times TILE: several of them, with whole vectors and without. */
    static const struct scenario_options large[] = {{.rows = 53, .cols = 45, .tile = 8, .block_rows = 4},
                                                    {.rows = 70, .cols = 61, .tile = 11, .block_rows = 5},
                                                    {.rows = 72,
                                                     .cols = 56,
                                                     .tile = 8,
                                                     .block_rows = 3,
                                                     .definitions = {"BAND=2"},
                                                     .definition_count = 1}};
    bool is_large = strstr(rung->source.bytes, "EDGE") || strstr(rung->source.bytes, "HEIGHT");
    struct scenario_options options = is_large ? large[i] : sizes[i];
    options.budget = 20000;
    if (i && strstr(rung->source.bytes, "// pitch: any"))
        options.pitch = 15;
    return options;
}
enum { SIZES = 3 };

static void try_mutant(const struct rung *rung, const char *text, struct word token, const char *other,
                       struct counts *counts)
{
    char mutant[TEXT_SIZE], name[200];
    if (is_sanitized() && counts->tried++ % 4) /* four times as slow; the release build tries all */
        return;
    struct source source = {rung->name, text, strlen(text)};
    int line, column;
    source_place(&source, token.begin, &line, &column);
    (void)snprintf(name, sizeof name, "%s:%d:%d: %.*s -> %s", rung->name, line, column, (int)token.length,
                   text + token.begin, other);
    (void)snprintf(mutant, sizeof mutant, "%.*s%s%s", (int)token.begin, text, other,
                   text + token.begin + token.length);
    counts->mutants++;
    enum outcome outcome = JUDGED;
    bool found = false;
    for (unsigned i = 0; i < SIZES && !found && outcome == JUDGED; i++) {
        const struct scenario_options options = size_of(rung, i);
        uint64_t leading, own;
        assert_int_equal(audit_text(rung->name, text, &options, &own), JUDGED);
        outcome = audit_text(rung->name, mutant, &options, &leading);
        found = outcome == JUDGED && (leading & ~own);
    }
    counts->refused += outcome == REFUSED;
    counts->stopped += outcome == STOPPED;
    counts->found += found || outcome == STOPPED;
    if (outcome != JUDGED || found) {
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
    char said[300], *document = read_file("docs/audit.md");
    (void)snprintf(
        said, sizeof said,
        "%u mutants, of which %u do not compile, %u are found (%u of them because their run stops at a "
        "line) and %u are equivalent",
        counts.mutants, counts.refused, counts.found, counts.stopped, counts.equivalent);
    print_message("%s\n", said);
    assert_int_equal(counts.missed, 0);
    assert_true(counts.mutants > 1000);
    for (char *c = document; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (!is_sanitized() && !strstr(document, said))
        fail_msg("docs/audit.md does not say: %s", said);
    free(document);
}

static const uint32_t elements[] = {1, 2, 4, 8, 16};

/* A rung or a twin of any size must be correct, and nothing at fault with it. Notes may be. */
static void expect_no_fault(const struct rung *rung, const struct scenario_options *options, bool alias)
{
    struct problem problem = {0};
    struct scenario s;
    if (!scenario_open(&s, &rung->source, options, &problem))
        fail_msg("%s: %s", rung->name, problem.message);
    const struct audit_options in_place = {.alias = alias ? "out=in" : NULL};
    struct audit *audit = audit_begin(&s, &in_place, &problem);
    if (!audit)
        fail_msg("%s: %s", rung->name, problem.message);
    while (audit_step(audit, UINT64_MAX))
        ;
    const struct audit_result *r = audit_result(audit);
    if (r->problem.set || r->findings.faults || r->verdict != AUDIT_CORRECT)
        fail_msg("%s of %u x %u, tile %u, rows of threads %u, pitch %u, %u bytes: %s", rung->name,
                 options->rows, options->cols, options->tile, options->block_rows, options->pitch,
                 options->elem_bytes, r->findings.count ? r->findings.at[0].sentence : r->problem.message);
    audit_free(audit);
    scenario_close(&s);
}

/* $LANESCOPE_AUDITS says how many: 2,000 by default. */
static void there_is_no_false_alarm(void **state)
{
    (void)state;
    const char *wanted = getenv("LANESCOPE_AUDITS");
    long count = wanted ? strtol(wanted, NULL, 10) : is_sanitized() ? 200 : 2000;
    struct random random = {wanted ? (uint64_t)count : 11};
    const struct scenario_options room_at_the_end = {.rows = 46,
                                                     .cols = 41,
                                                     .tile = 12,
                                                     .block_rows = 7,
                                                     .elem_bytes = 16}; /* 45 elements: 9 rows of 5? */
    expect_no_fault(rung_find("lines"), &room_at_the_end, false);
    for (long i = 0; i < count; i++) {
        struct scenario_options o = {.rows = 1 + random_below(&random, 70),
                                     .cols = 1 + random_below(&random, 70)};
        if (random_below(&random, 4) == 0) {
            const struct rung *twin = &zoo[1 + 2 * random_below(&random, (uint32_t)zoo_count / 2)];
            if (strncmp(twin->name, "aliased", 7) == 0)
                o.rows = o.cols;
            expect_no_fault(twin, &o, false);
            continue;
        }
        const struct rung *rung = &rungs[random_below(&random, (uint32_t)rung_count)];
        bool alias = strcmp(rung->name, "inplace") == 0 && random_below(&random, 2);
        o.rows = alias ? o.cols : o.rows;
        o.tile = 1 + random_below(&random, 34);
        o.block_rows = 1 + random_below(&random, o.tile < 28 ? o.tile : 28);
        o.elem_bytes = elements[random_below(&random, 5)];
        if (strstr(rung->source.bytes, "// pitch: any"))
            o.pitch = o.tile + random_below(&random, 5);
        expect_no_fault(rung, &o, alias);
    }
    print_message("%ld random configurations without a fault\n", count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_false_alarm),
        cmocka_unit_test(each_mutant_of_the_ladder_that_matters_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
