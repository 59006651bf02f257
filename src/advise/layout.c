#include "layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../crew.h"
#include "../interrupt.h"
#include "../../sim/lang/token.h"

static unsigned log2_of(uint64_t value) /* rounded down */
{
    unsigned bits = 0;
    while (value >>= 1)
        bits++;
    return bits;
}

static bool is_power(uint64_t value)
{
    return value && !(value & (value - 1));
}

void swizzle_print(const struct swizzle *w, char *out, size_t size)
{
    (void)snprintf(out, size, "byte ^ (byte >> %u & 0x%x)", w->s, ((1u << w->b) - 1) << w->m);
}

static const char *bytes_at(const struct layout *l, struct span span)
{
    return l->scenario->text.bytes + span.begin;
}

static int length_of(struct span span)
{
    return (int)(span.end - span.begin);
}

/* Can the expression stand beside any operator as it is: a number, or names with dots? */
static bool is_plain(const char *text, int length)
{
    for (int i = 0; i < length; i++) {
        char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
              c == '.'))
            return false;
    }
    return length > 0;
}

/* The subscript as an operand. */
static const char *operand(struct layout *l, struct span span)
{
    const char *text = bytes_at(l, span);
    int length = length_of(span);
    while (length && text[0] == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    char *out = arena_take(&l->arena, (size_t)length + 3);
    (void)snprintf(out, (size_t)length + 3, is_plain(text, length) ? "%.*s" : "(%.*s)", length, text);
    return out;
}

/* The row that a use is in, all subscripts but the last as one number: "r", or "(a * 8 + b)". */
static const char *row_of(struct layout *l, const struct use *use)
{
    const char *row = operand(l, use->subscripts[0]);
    for (unsigned d = 1; d + 1 < l->uses.dimensions; d++) {
        const char *next = operand(l, use->subscripts[d]);
        size_t size = strlen(row) + strlen(next) + 40;
        char *out = arena_take(&l->arena, size);
        (void)snprintf(out, size, "(%s * %" PRIu64 " + %s)", row, l->uses.sizes[d], next);
        row = out;
    }
    return row;
}

/* One use of an array of several dimensions, by a swizzle of element offsets. */
static bool swizzle_use(struct layout *l, struct edits *edits, const struct use *use, const struct swizzle *w)
{
    unsigned last = l->uses.dimensions - 1, mask = (1u << w->b) - 1;
    struct span col = use->subscripts[last];
    const char *c = operand(l, col);
    if (last == 0)
        return edits_add(edits, &l->arena, col.begin, col.end, "%s ^ (%s >> %u & %u)", c, c, w->s,
                         mask << w->m);
    uint64_t width = l->uses.sizes[last];
    unsigned bits = log2_of(width);
    const char *r = row_of(l, use);
    bool in_row = is_power(width) && w->m + w->b <= bits;
    if (in_row && w->m + w->s >= bits) { /* all that comes in are bits of the row */
        unsigned down = w->m + w->s - bits;
        char shifted[24] = "";
        if (down)
            (void)snprintf(shifted, sizeof shifted, " >> %u", down);
        uint64_t rows = 1;
        for (unsigned d = 0; d < last; d++)
            rows *= l->uses.sizes[d];
        if (!w->m && !down && rows <= mask + 1u)
            return edits_add(edits, &l->arena, col.begin, col.end, "%s ^ %s", c, r);
        if (!w->m)
            return edits_add(edits, &l->arena, col.begin, col.end, "%s ^ (%s%s & %u)", c, r, shifted, mask);
        return edits_add(edits, &l->arena, col.begin, col.end, "%s ^ ((%s%s & %u) << %u)", c, r, shifted,
                         mask, w->m);
    }
    if (in_row)
        return edits_add(edits, &l->arena, col.begin, col.end, "%s ^ ((%s * %" PRIu64 " + %s) >> %u & %u)", c,
                         r, width, c, w->s, mask << w->m);
    return edits_add(edits, &l->arena, use->name.begin, col.end + 1,
                     "(&%.*s[0]%s%s%s)[(%s * %" PRIu64 " + %s) ^ ((%s * %" PRIu64 " + %s) >> %u & %u)]",
                     length_of(use->name), bytes_at(l, use->name), last > 0 ? "[0]" : "",
                     last > 1 ? "[0]" : "", last > 2 ? "[0]" : "", r, width, c, r, width, c, w->s,
                     mask << w->m);
}

/* The same on elements instead of bytes. */
static bool edit_swizzle(struct layout *l, struct candidate *candidate)
{
    struct swizzle w = candidate->swizzle;
    w.m -= log2_of(l->elem_bytes);
    for (unsigned i = 0; i < l->uses.count; i++)
        if (!swizzle_use(l, candidate->edits, &l->uses.list[i], &w))
            return false;
    return true;
}

static bool edit_pad(struct layout *l, struct candidate *candidate)
{
    unsigned last = l->uses.dimensions - 1;
    struct span size = l->uses.declared[last];
    uint64_t row = BANK_PERIOD / l->elem_bytes, pad = candidate->pad;
    const char *text = operand(l, size);
    if (last > 0)
        return edits_add(candidate->edits, &l->arena, size.end, size.end, " + %" PRIu64, pad);
    if (!edits_add(candidate->edits, &l->arena, size.begin, size.end, "%s + %s / %" PRIu64 " * %" PRIu64,
                   text, text, row, pad))
        return false;
    for (unsigned i = 0; i < l->uses.count; i++) {
        struct span index = l->uses.list[i].subscripts[0];
        const char *c = operand(l, index);
        if (!edits_add(candidate->edits, &l->arena, index.begin, index.end,
                       "%s + %s / %" PRIu64 " * %" PRIu64, c, c, row, pad))
            return false;
    }
    return true;
}

/* The candidate's text as a scenario; both live as long as the arena. */
static bool open_candidate(const struct layout *l, const struct candidate *candidate,
                           struct scenario *scenario, struct arena *arena, struct problem *problem)
{
    struct scenario_options options = l->options->scenario;
    options.rows = l->scenario->rows;
    options.cols = l->scenario->cols;
    struct source text = edits_apply(candidate->edits, &l->scenario->text, arena);
    return scenario_open(scenario, &text, &options, problem);
}

static void sample_candidate(struct layout *l, struct candidate *candidate)
{
    struct scenario scenario;
    struct arena arena = {0};
    struct problem problem = {0};
    candidate->edits = arena_take(&l->arena, sizeof *candidate->edits);
    if ((candidate->is_pad ? edit_pad(l, candidate) : edit_swizzle(l, candidate)) &&
        open_candidate(l, candidate, &scenario, &arena, &problem)) {
        candidate->runs = sample_of(&candidate->sample, &scenario, &l->target, NULL, false, &problem);
        candidate->same = candidate->runs && candidate->sample.fingerprint == l->before.fingerprint &&
                          candidate->sample.cost.faults <= l->before.cost.faults;
        scenario_close(&scenario);
    }
    arena_free(&arena);
}

static uint64_t excess_of(const struct cost *cost)
{
    return cost->units - cost->ideal;
}

static void count_candidate(struct layout *l, struct candidate *candidate)
{
    const struct totals_how how = {
        .workers = options_workers(l->options), .registers = l->options->registers, .progress = NULL};
    struct scenario scenario;
    struct arena arena = {0};
    struct problem problem = {0};
    if (!open_candidate(l, candidate, &scenario, &arena, &problem)) {
        arena_free(&arena);
        return;
    }
    candidate->has_trial = trial_of(&candidate->trial, &scenario, &l->target, &how, NULL, &problem);
    candidate->is_clean = candidate->has_trial && !candidate->trial.partial &&
                          !excess_of(&candidate->trial.cost) &&
                          candidate->trial.cost.faults <= l->now.cost.faults;
    scenario_close(&scenario);
    arena_free(&arena);
}

unsigned layout_alignment(const struct layout *l, const struct candidate *candidate)
{
    uint64_t row = l->uses.dimensions > 1 ? l->uses.sizes[l->uses.dimensions - 1] * l->elem_bytes : 16,
             aligned = 16;
    if (candidate && candidate->is_pad)
        row += candidate->pad * l->elem_bytes;
    while (row % aligned)
        aligned /= 2;
    if (candidate && !candidate->is_pad && aligned > UINT64_C(1) << candidate->swizzle.m)
        aligned = UINT64_C(1) << candidate->swizzle.m;
    return (unsigned)aligned;
}

static struct candidate *add(struct layout *l, struct candidate candidate)
{
    l->list[l->count] = candidate;
    return &l->list[l->count++];
}

static void list_pads(struct layout *l)
{
    const struct uses *uses = &l->uses;
    uint64_t period = BANK_PERIOD;
    for (uint64_t bytes = l->elem_bytes; period > 1 && bytes % 2 == 0; bytes /= 2)
        period /= 2;
    if (uses->array->dynamic)
        (void)snprintf(l->no_pads, sizeof l->no_pads,
                       "the launch gives its size, and its rows are the kernel's");
    else if (!uses->is_declared)
        (void)snprintf(l->no_pads, sizeof l->no_pads, "%.180s", uses->refusal);
    else if (uses->dimensions == 1 && uses->refusal[0])
        (void)snprintf(l->no_pads, sizeof l->no_pads, "%.180s", uses->refusal);
    else if (uses->dimensions == 1 && BANK_PERIOD % l->elem_bytes)
        (void)snprintf(l->no_pads, sizeof l->no_pads, "its elements have %u bytes", l->elem_bytes);
    for (uint64_t pad = 1; !l->no_pads[0] && pad <= period; pad++)
        (void)add(l, (struct candidate){.is_pad = true, .pad = pad});
    l->pads = l->count;
}

static void list_swizzles(struct layout *l)
{
    const struct uses *uses = &l->uses;
    uint64_t bytes = uses->array->dynamic ? l->scenario->launch.dynamic_shared_bytes : uses->array->bytes;
    unsigned size = log2_of(bytes) + !is_power(bytes);
    if (uses->refusal[0])
        (void)snprintf(l->no_swizzles, sizeof l->no_swizzles, "%.180s", uses->refusal);
    else if (!is_power(l->elem_bytes))
        (void)snprintf(l->no_swizzles, sizeof l->no_swizzles, "its elements have %u bytes", l->elem_bytes);
    if (l->no_swizzles[0])
        return;
    for (unsigned m = log2_of(l->elem_bytes); m < 7; m++)
        for (unsigned b = 1; m + b <= 7 && bytes % (UINT64_C(1) << (m + b)) == 0; b++)
            for (unsigned s = b; m + s + b <= size; s++)
                (void)add(l, (struct candidate){.swizzle = {b, m, s}});
    l->swizzles = l->count - l->pads;
    if (!l->swizzles)
        (void)snprintf(l->no_swizzles, sizeof l->no_swizzles,
                       "its %" PRIu64 " bytes hold no two groups of bits of which one chooses the bank",
                       bytes);
}

/* How far a swizzle's unit is from the widest access. */
static unsigned distance(const struct layout *l, const struct candidate *candidate)
{
    unsigned widest = log2_of(l->widest), m = candidate->swizzle.m;
    return m > widest ? m - widest : widest - m;
}

/* Is a the better one: clean, then less excess; of pads the smaller; of swizzles the one whose unit is the
 * widest access, then fewer bits, then nearer bits. */
static bool is_better(const struct layout *l, const struct candidate *a, const struct candidate *b)
{
    uint64_t x = excess_of(&a->sample.cost), y = excess_of(&b->sample.cost);
    if (a->is_clean != b->is_clean)
        return a->is_clean;
    if (!a->is_clean && x != y)
        return x < y;
    if (a->is_pad)
        return a->pad < b->pad;
    if (distance(l, a) != distance(l, b))
        return distance(l, a) < distance(l, b);
    return a->swizzle.b != b->swizzle.b ? a->swizzle.b < b->swizzle.b : a->swizzle.s < b->swizzle.s;
}

static void choose(struct layout *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        struct candidate *candidate = &l->list[i];
        const struct candidate **best = candidate->is_pad ? &l->pad : &l->swizzle;
        *(candidate->is_pad ? &l->clean_pads : &l->clean_swizzles) += candidate->is_clean;
        if (candidate->same && (!*best || is_better(l, candidate, *best)))
            *best = candidate;
    }
}

bool layout_search(struct layout *l, const struct options *options, const struct scenario *scenario,
                   unsigned index, struct problem *problem)
{
    const struct totals_how how = {
        .workers = options_workers(options), .registers = options->registers, .progress = NULL};
    struct progress progress;
    *l = (struct layout){.options = options,
                         .scenario = scenario,
                         .target = {true, index},
                         .elem_bytes = (unsigned)type_size(&scenario->program->shared[index].element)};
    uses_find(&l->uses, scenario, index);
    for (unsigned i = 0; i < scenario->program->site_count; i++)
        if (target_has(&l->target, scenario->program, i) &&
            scenario->program->sites[i].lane_bytes > l->widest)
            l->widest = scenario->program->sites[i].lane_bytes;
    if (!sample_of(&l->before, scenario, &l->target, NULL, false, problem) ||
        !trial_of(&l->now, scenario, &l->target, &how, &l->tally, problem))
        return false;
    if (!excess_of(&l->now.cost) || l->now.partial)
        return true;
    list_pads(l);
    list_swizzles(l);
    progress_begin(&progress, "advise");
    progress_part(&progress, l->uses.array->name, 0, 1);
    for (unsigned i = 0; i < l->count && !interrupt_asked(); i++) {
        struct candidate *candidate = &l->list[i];
        sample_candidate(l, candidate);
        if (candidate->same && !excess_of(&candidate->sample.cost))
            count_candidate(l, candidate);
        progress_show(&progress, i + 1, l->count);
    }
    choose(l);
    for (unsigned i = 0; i < l->count && !interrupt_asked(); i++) /* the least bad, where none is free */
        if ((&l->list[i] == l->pad || &l->list[i] == l->swizzle) && !l->list[i].has_trial)
            count_candidate(l, &l->list[i]);
    progress_clear(&progress);
    return true;
}

void layout_free(struct layout *l)
{
    tally_free(&l->tally);
    arena_free(&l->arena);
}
