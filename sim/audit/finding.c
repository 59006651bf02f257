#include "finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

static const struct {
    const char *word, *title;
    enum finding_severity severity;
} kinds[FINDING_KINDS] = {
    [FINDING_LIMIT] = {"limit", "more than the hardware has", FINDING_FAULT},
    [FINDING_BARRIER_DIVERGED] = {"barrier-diverged", "a barrier that not all threads reach", FINDING_FAULT},
    [FINDING_ENDLESS] = {"endless-loop", "a loop that never ends", FINDING_FAULT},
    [FINDING_FORBIDDEN] = {"forbidden", "what no kernel may do", FINDING_FAULT},
    [FINDING_OVERFLOW] = {"overflow", "integer overflow", FINDING_FAULT},
    [FINDING_GRID_SWAPPED] = {"grid-swapped", "the grid's axes are exchanged", FINDING_FAULT},
    [FINDING_GRID_SHORT] = {"grid-short", "the grid is too small", FINDING_FAULT},
    [FINDING_BLOCK_MISMATCH] = {"block-mismatch", "the block is not the one that the constants assume",
                                FINDING_FAULT},
    [FINDING_GRID_WIDTH] = {"grid-width", "a width taken from the grid", FINDING_FAULT},
    [FINDING_SHARED_RACE] = {"shared-race", "race in shared memory", FINDING_FAULT},
    [FINDING_GLOBAL_RACE] = {"global-race", "race in global memory", FINDING_FAULT},
    [FINDING_CLASH] = {"clash", "two lanes of one store, different values", FINDING_FAULT},
    [FINDING_SWIZZLE_DIFFERS] = {"swizzle-differs", "swizzled on one side only", FINDING_FAULT},
    [FINDING_UNLOADED] = {"input-not-read", "elements of the input that are never read", FINDING_FAULT},
    [FINDING_OUT_OF_BOUNDS] = {"out-of-bounds", "out of bounds", FINDING_FAULT},
    [FINDING_MISALIGNED] = {"misaligned", "misaligned", FINDING_FAULT},
    [FINDING_UNSET_READ] = {"unset-read", "read of shared memory that nobody wrote", FINDING_FAULT},
    [FINDING_TORN] = {"torn-vector", "a vector of which only a part is right", FINDING_FAULT},
    [FINDING_COMPUTED] = {"computed", "arithmetic where a move was due", FINDING_FAULT},
    [FINDING_WRONG] = {"wrong-cell", "wrong cells", FINDING_FAULT},
    [FINDING_DISAGREE] = {"disagreeing-writes", "cells written more than once, with different values",
                          FINDING_FAULT},
    [FINDING_MISSING] = {"missing-cell", "cells that are never written", FINDING_FAULT},
    [FINDING_PAD_UNUSED] = {"pad-unused", "a pad that is declared and not used", FINDING_FAULT},
    [FINDING_NO_EXCHANGE] = {"no-exchange", "a tile through which nothing moves between threads",
                             FINDING_FAULT},
    [FINDING_WARP_RACE] = {"warp-race", "lanes of a warp without __syncwarp", FINDING_NOTE},
    [FINDING_ADDS] = {"adds", "adds to what is there", FINDING_NOTE},
    [FINDING_UNREAD] = {"unread", "a pointer that is never touched", FINDING_NOTE},
    [FINDING_TWICE] = {"written-twice", "cells written more than once, with equal values", FINDING_NOTE},
    [FINDING_MEETING] = {"meeting-lanes", "two lanes of one store, equal values", FINDING_NOTE},
    [FINDING_BARRIER_UNNEEDED] = {"barrier-unneeded", "a barrier that nothing needs", FINDING_NOTE},
    [FINDING_WRAP] = {"wrap-around", "unsigned arithmetic wraps around", FINDING_NOTE},
    [FINDING_NARROWED] = {"narrowed", "data converted to a narrower type", FINDING_NOTE},
    [FINDING_LOCAL_ARRAY] = {"local-array", "an array in local memory", FINDING_NOTE},
    [FINDING_PARTIAL_WARP] = {"partial-warp", "a warp that is not full", FINDING_NOTE},
    [FINDING_GUARD_ONE_SIDED] = {"size-dependent", "right for these sizes only", FINDING_NOTE},
    [FINDING_OCCUPANCY] = {"occupancy", "shared memory limits occupancy", FINDING_NOTE},
    [FINDING_MERGED] = {"merged-accesses", "accesses that a compiler makes one of", FINDING_NOTE},
};

const char *finding_word(enum finding_kind kind)
{
    return kinds[kind].word;
}

const char *finding_title(enum finding_kind kind)
{
    return kinds[kind].title;
}

const char *finding_severity_word(enum finding_severity severity)
{
    return severity == FINDING_FAULT ? "fault" : "note";
}

struct finding *findings_add(struct findings *findings, enum finding_kind kind)
{
    if (findings->count == findings->capacity) {
        findings->capacity = findings->capacity ? 2 * findings->capacity : 16;
        findings->at = memory_resize(findings->at, findings->capacity, sizeof *findings->at);
    }
    struct finding *finding = &findings->at[findings->count++];
    *finding = (struct finding){
        .kind = kind, .severity = kinds[kind].severity, .cause = -1, .site = -1, .buffer = -1};
    return finding;
}

void findings_place(struct finding *finding, const struct place *place)
{
    int column;
    if (!place->source)
        return;
    finding->source = place->source;
    finding->begin = place->begin;
    finding->end = place->end;
    source_place(place->source, place->begin, &finding->line, &column);
}

void findings_say(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(finding->sentence, sizeof finding->sentence, format, arguments);
    va_end(arguments);
    for (char *c = finding->sentence; *c; c++) /* names come from hostile text */
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
}

/* Leading faults, leading notes, consequences. */
static int rank_of(const struct finding *finding)
{
    return finding->cause >= 0 ? 2 : finding->severity == FINDING_NOTE;
}

struct ranked {
    struct finding finding;
    int old;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int first = rank_of(&x->finding), second = rank_of(&y->finding);
    if (first != second)
        return first - second;
    if (x->finding.line != y->finding.line)
        return x->finding.line - y->finding.line;
    return x->old - y->old;
}

void findings_settle(struct findings *findings)
{
    size_t count = findings->count;
    struct ranked *sorted = memory_take(count + 1, sizeof *sorted);
    int *now = memory_take(count + 1, sizeof *now);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct ranked){findings->at[i], (int)i};
    if (count)
        qsort(sorted, count, sizeof *sorted, compare_ranked);
    for (size_t i = 0; i < count; i++)
        now[sorted[i].old] = (int)i;
    findings->faults = findings->notes = findings->leading = findings->leading_notes = 0;
    for (size_t i = 0; i < count; i++) {
        struct finding *finding = &findings->at[i];
        *finding = sorted[i].finding;
        finding->cause = finding->cause < 0 ? -1 : now[finding->cause];
        bool note = finding->severity == FINDING_NOTE;
        findings->faults += !note;
        findings->notes += note;
        findings->leading += !note && finding->cause < 0;
        findings->leading_notes += note && finding->cause < 0;
    }
    free(sorted);
    free(now);
}

void findings_free(struct findings *findings)
{
    free(findings->at);
    *findings = (struct findings){0};
}
