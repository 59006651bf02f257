/* cause.c - which finding follows from which. */
#include "finding.h"

#define KIND(kind) (UINT64_C(1) << (kind))
#define CELLS                                                                                                \
    (KIND(FINDING_TORN) | KIND(FINDING_COMPUTED) | KIND(FINDING_WRONG) | KIND(FINDING_DISAGREE) |            \
     KIND(FINDING_MISSING) | KIND(FINDING_TWICE) | KIND(FINDING_UNLOADED))
#define SHARED_ONES (KIND(FINDING_UNSET_READ) | KIND(FINDING_NO_EXCHANGE) | KIND(FINDING_BARRIER_UNNEEDED))
#define ADDRESSES                                                                                            \
    (KIND(FINDING_OUT_OF_BOUNDS) | KIND(FINDING_MISALIGNED) | KIND(FINDING_CLASH) | KIND(FINDING_MEETING) |  \
     KIND(FINDING_SHARED_RACE) | KIND(FINDING_GLOBAL_RACE) | KIND(FINDING_WARP_RACE) |                       \
     KIND(FINDING_PAD_UNUSED) | KIND(FINDING_WRAP))
#define ALL_OF_THE_RUN (CELLS | SHARED_ONES | ADDRESSES | KIND(FINDING_OVERFLOW))

enum scope {
    ANYWHERE,
    SAME_LINE,       /* the consequence is at the cause's line */
    IF_STALE,        /* ... brings only what nobody wrote */
    IF_OUTSIDE,      /* ... or only what was read outside */
    UNLESS_STALE,    /* the cause brings other things too than what nobody wrote */
    LATER_SAME_LINE, /* both of one kind, at one line: the first leads */
    OF_SHARED,       /* the cause is in shared memory */
    OF_GLOBAL
};

/* In this order: an earlier rule wins. A kind leads only to kinds that no rule lets lead to it. */
static const struct rule {
    enum finding_kind cause;
    uint64_t effects;
    enum scope scope;
} rules[] = {
    {FINDING_BARRIER_DIVERGED, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_ENDLESS, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_FORBIDDEN, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_OVERFLOW, ALL_OF_THE_RUN & ~KIND(FINDING_OVERFLOW), ANYWHERE},
    {FINDING_GRID_SWAPPED, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_GRID_SHORT, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_BLOCK_MISMATCH, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_GRID_WIDTH, ALL_OF_THE_RUN, ANYWHERE},
    {FINDING_SHARED_RACE, CELLS | SHARED_ONES | KIND(FINDING_WARP_RACE), ANYWHERE},
    {FINDING_GLOBAL_RACE, CELLS | KIND(FINDING_WARP_RACE), ANYWHERE},
    {FINDING_CLASH, CELLS | SHARED_ONES | KIND(FINDING_WARP_RACE) | KIND(FINDING_MEETING), ANYWHERE},
    {FINDING_SWIZZLE_DIFFERS, CELLS | SHARED_ONES, ANYWHERE},
    {FINDING_UNLOADED, (CELLS & ~KIND(FINDING_UNLOADED)) | KIND(FINDING_UNSET_READ), ANYWHERE},
    {FINDING_OUT_OF_BOUNDS, CELLS | SHARED_ONES, OF_SHARED},
    {FINDING_OUT_OF_BOUNDS, CELLS, IF_OUTSIDE},
    {FINDING_OUT_OF_BOUNDS, CELLS | KIND(FINDING_UNSET_READ) | KIND(FINDING_MISALIGNED), SAME_LINE},
    {FINDING_OUT_OF_BOUNDS, KIND(FINDING_OUT_OF_BOUNDS), LATER_SAME_LINE},
    {FINDING_UNSET_READ, CELLS, IF_STALE},
    {FINDING_NO_EXCHANGE, CELLS | KIND(FINDING_BARRIER_UNNEEDED), ANYWHERE},
    {FINDING_WRONG, KIND(FINDING_UNSET_READ), UNLESS_STALE},
    {FINDING_TORN, CELLS & ~KIND(FINDING_TORN), ANYWHERE},
    {FINDING_COMPUTED, CELLS & ~(KIND(FINDING_TORN) | KIND(FINDING_COMPUTED)), SAME_LINE},
    {FINDING_WRONG, KIND(FINDING_DISAGREE) | KIND(FINDING_MISSING) | KIND(FINDING_TWICE), ANYWHERE},
    {FINDING_COMPUTED, KIND(FINDING_DISAGREE) | KIND(FINDING_MISSING) | KIND(FINDING_TWICE), ANYWHERE},
    {FINDING_DISAGREE, KIND(FINDING_MISSING) | KIND(FINDING_TWICE), ANYWHERE},
    {FINDING_OUT_OF_BOUNDS, KIND(FINDING_MISSING), OF_GLOBAL},
};

static bool leads_to(const struct rule *rule, const struct finding *cause, const struct finding *effect)
{
    if (cause->kind != rule->cause || !(rule->effects >> effect->kind & 1) ||
        cause->severity != FINDING_FAULT)
        return false;
    switch (rule->scope) {
    case SAME_LINE:
        return cause->line == effect->line;
    case IF_STALE:
        return effect->stale;
    case IF_OUTSIDE:
        return effect->outside && !cause->is_shared;
    case UNLESS_STALE:
        return !cause->stale;
    case LATER_SAME_LINE:
        return cause->line == effect->line && cause < effect;
    case OF_SHARED:
        return cause->is_shared;
    case OF_GLOBAL:
        return !cause->is_shared;
    case ANYWHERE:
        break;
    }
    return true;
}

/* The first that a rule finds, if it leads itself; otherwise what that one follows from. */
static int cause_of(const struct findings *findings, const struct finding *effect)
{
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t i = 0; i < findings->count; i++) {
            const struct finding *cause = &findings->at[i];
            if (cause != effect && leads_to(&rules[r], cause, effect))
                return cause->cause >= 0 ? cause->cause : (int)i;
        }
    return -1;
}

void findings_explain(struct findings *findings)
{
    bool stale = false;
    for (size_t i = 0; i < findings->count; i++)
        stale = stale || findings->at[i].partly_stale;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->at[i].kind == FINDING_UNSET_READ && !stale)
            findings->at[i].severity = FINDING_NOTE;
    for (int kind = 0; kind < FINDING_KINDS; kind++) /* causes before what follows from them */
        for (size_t i = 0; i < findings->count; i++)
            if (findings->at[i].kind == (enum finding_kind)kind && findings->at[i].cause < 0)
                findings->at[i].cause = cause_of(findings, &findings->at[i]);
}
