#include "verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void verdict_begin(struct verdict *verdict, const struct session *session)
{
    const struct scenario *s = &session->scenario;
    const struct owners_task task = scenario_task(s);
    struct problem problem = {0};
    *verdict = (struct verdict){.session = session, .total = session->blocks};
    verdict->owners = owners_new(&task, &problem);
    if (verdict->owners)
        verdict->execution = execution_new(s->program, &s->launch, true, &problem);
    if (verdict->execution)
        return;
    verdict->answer = VERDICT_NONE;
    verdict->finished = true;
}

void verdict_free(struct verdict *verdict)
{
    execution_free(verdict->execution);
    if (verdict->owners)
        owners_free(verdict->owners);
    *verdict = (struct verdict){.session = NULL};
}

static void add(struct verdict *verdict, const char *title, uint64_t count, const struct place *place,
                const char *sentence)
{
    char digits[32];
    int column;
    if (!count || verdict->count == VERDICT_FINDINGS)
        return;
    struct verdict_finding *finding = &verdict->findings[verdict->count++];
    *finding = (struct verdict_finding){.title = title, .is_fault = true};
    if (place && place->source)
        source_place(place->source, place->begin, &finding->line, &column);
    (void)snprintf(digits, sizeof digits, "%" PRIu64, count);
    (void)snprintf(finding->sentence, sizeof finding->sentence, "%s %s", digits, sentence);
    verdict->faults++;
}

/* What is known so far; cells that nobody wrote only count in the end. */
static void judge(struct verdict *verdict)
{
    struct problem problem = {0};
    struct owners_report *r = &verdict->cells;
    verdict->count = verdict->faults = 0;
    if (!owners_report(verdict->owners, r, &problem)) {
        verdict->answer = VERDICT_NONE;
        verdict->finished = true;
        return;
    }
    add(verdict, "race in shared memory", r->hazards, &r->hazard,
        "lanes touch a shared cell that another warp touches too, without a barrier in between");
    add(verdict, "lanes of one store disagree", r->clashing, &r->clash,
        "lanes store where another lane of the same instruction stores a different value");
    add(verdict, "misaligned", r->misaligned, &r->misalignment,
        "lanes have an address that is no multiple of the bytes they move: an error on hardware");
    add(verdict, "out of bounds", r->out_of_bounds_reads, NULL, "lanes read outside their buffer");
    add(verdict, "out of bounds", r->out_of_bounds_writes, NULL, "lanes write outside their buffer");
    add(verdict, "cells wrong", r->wrong, NULL, "cells get an element that belongs elsewhere");
    add(verdict, "cells disagree", r->disagreeing, NULL, "cells are written with different values");
    if (verdict->finished)
        add(verdict, "cells missing", r->missing, NULL, "cells are written by nobody");
    verdict->answer = verdict->faults     ? VERDICT_NOT_CORRECT
                      : verdict->finished ? VERDICT_CORRECT
                                          : VERDICT_UNKNOWN;
}

bool verdict_step(struct verdict *verdict, uint64_t blocks)
{
    struct problem problem = {0};
    struct sink sink = {.self = verdict->owners, .access = owners_access, .barrier = owners_barrier};
    if (verdict->finished)
        return false;
    uint64_t left = verdict->total - verdict->done;
    blocks = blocks < left ? blocks : left;
    if (!execution_run_blocks(verdict->execution, verdict->done, blocks, &sink, &problem)) {
        verdict->answer = VERDICT_NONE;
        verdict->finished = true;
        return false;
    }
    verdict->done += blocks;
    if (verdict->done == verdict->total) {
        verdict->finished = !owners_next_pass(verdict->owners);
        verdict->done = verdict->finished ? verdict->done : 0;
    }
    judge(verdict);
    return !verdict->finished;
}

static void with_commas(char *out, size_t size, uint64_t value)
{
    char digits[24];
    size_t used = 0;
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    for (int i = 0; i < length && used + 2 < size; i++) {
        out[used++] = digits[i];
        if ((length - 1 - i) % 3 == 0 && i + 1 < length)
            out[used++] = ',';
    }
    out[used] = '\0';
}

/* ", 3,066 cells wrong", where it still fits. */
static void add_clause(char *out, size_t size, int cols, bool *first, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void add_clause(char *out, size_t size, int cols, bool *first, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = strlen(out), more = strlen(text) + 2;
    if (used + more >= size || (int)(used + more) > cols)
        return;
    (void)snprintf(out + used, size - used, "%s%s", *first ? ": " : ", ", text);
    *first = false;
}

void verdict_headline(const struct verdict *verdict, int cols, char *out, size_t size)
{
    bool first = true;
    if (verdict->answer == VERDICT_NONE) {
        (void)snprintf(out, size, cols < 24 ? "not judged" : "not judged: no in and out");
        return;
    }
    if (verdict->answer == VERDICT_CORRECT) {
        (void)snprintf(out, size, cols < 20 ? "correct" : "correct (all blocks)");
        return;
    }
    if (verdict->answer == VERDICT_UNKNOWN) {
        unsigned percent = (unsigned)(100.0 * (double)verdict->done / (double)verdict->total);
        (void)snprintf(out, size, cols < 20 ? "%u %%" : "not yet known %u %%", percent > 99 ? 99 : percent);
        return;
    }
    (void)snprintf(out, size, "NOT CORRECT");
    const struct owners_report *r = &verdict->cells;
    const struct {
        uint64_t count;
        const char *what;
    } cells[] = {{r->wrong, "wrong"},
                 {verdict->finished ? r->missing : 0, "missing"},
                 {r->disagreeing, "with disagreeing writers"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char count[32];
        with_commas(count, sizeof count, cells[i].count);
        if (cells[i].count)
            add_clause(out, size, cols, &first, "%s cell%s %s", count, cells[i].count == 1 ? "" : "s",
                       cells[i].what);
    }
    for (unsigned i = 0; i < verdict->count; i++) {
        const struct verdict_finding *finding = &verdict->findings[i];
        if (finding->is_fault && finding->line)
            add_clause(out, size, cols, &first, "%s at line %d", finding->title, finding->line);
    }
    if (first && verdict->count)
        add_clause(out, size, cols, &first, "%s", verdict->findings[0].title);
}
