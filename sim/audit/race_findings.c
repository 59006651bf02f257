/* race_findings.c - what race.h saw, as findings: races and where their barrier is missing, barriers that
 * nothing needs, tiles without exchange, pads without use. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "structure.h"

static int array_of(const struct program *program, uint64_t bytes)
{
    int best = 0;
    for (unsigned i = 0; i < program->shared_count; i++)
        if (program->shared[i].offset <= bytes && program->shared[i].offset >= program->shared[best].offset)
            best = (int)i;
    return best;
}

static uint64_t granules_of_element(const struct program *program, int array)
{
    uint64_t bytes = type_size(&program->shared[array].element);
    return bytes > program->granule ? bytes / program->granule : 1;
}

/* The finding of this array whose barrier is missing there, if there is one already. */
static struct finding *find_race(struct findings *findings, int array, int line, bool after)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *f = &findings->at[i];
        if (f->kind == FINDING_SHARED_RACE && f->buffer == array && f->barrier_line == line && line &&
            f->after == after)
            return f;
    }
    return NULL;
}

static const char *verb(const struct site *site)
{
    return site->kind->op == ACCESS_LOAD ? "reads" : site->kind->op == ACCESS_STORE ? "writes" : "updates";
}

static void say_race(const struct program *program, struct finding *f, const struct race_pair *pair)
{
    const struct site *a = &program->sites[pair->first], *b = &program->sites[pair->second];
    char name[100], where[120] = "";
    gather_shared_name(program, f->buffer, pair->cell, name, sizeof name);
    if (f->barrier_line)
        (void)snprintf(where, sizeof where, "; a __syncthreads() is missing %s line %d",
                       f->after ? "behind" : "before", f->barrier_line);
    findings_say(
        f,
        "warp %u, lane %u %s %s in line %d and warp %u, lane %u %s it here, in block (%u,%u), with no "
        "barrier in between; %" PRIu64 " cell%s in all%s",
        f->other.warp, f->other.lane, verb(a), name, a->line, f->thread.warp, f->thread.lane, verb(b),
        f->thread.block[0], f->thread.block[1], f->cells, f->cells == 1 ? "" : "s", where);
}

/* Two sites that meet in either order, as warps do that have nothing to do at one of them: the order that
 * more cells show is told, with the sum. */
static bool is_told(const struct races *races, size_t i, uint64_t *cells)
{
    const struct race_pair *pair = &races->pairs[i];
    for (size_t k = 0; k < races->pair_count; k++) {
        const struct race_pair *other = &races->pairs[k];
        if (k == i || other->first != pair->second || other->second != pair->first)
            continue;
        *cells += other->cells;
        if (other->cells > pair->cells || (other->cells == pair->cells && k < i))
            return false;
    }
    return true;
}

static void add_races(const struct races *races, struct findings *findings)
{
    const struct program *program = races->program;
    for (size_t i = 0; i < races->pair_count; i++) {
        const struct race_pair *pair = &races->pairs[i];
        uint64_t sum = pair->cells;
        if (!is_told(races, i, &sum))
            continue;
        bool after;
        int array = array_of(program, pair->cell);
        uint64_t per = granules_of_element(program, array), cells = (sum + per - 1) / per;
        int line = structure_barrier_line(program, pair->first, pair->second, &after);
        struct finding *f = find_race(findings, array, line, after);
        if (f) {
            f->cells += cells;
            continue;
        }
        f = findings_add(findings, FINDING_SHARED_RACE);
        const struct shared_array *shared = &program->shared[array];
        uint64_t element = type_size(&shared->element);
        uint64_t index = (pair->cell - shared->offset) / (element ? element : 1), width = 0;
        if (shared->type.kind == TYPE_ARRAY && shared->type.to->kind == TYPE_ARRAY && element)
            width = type_size(shared->type.to) / element;
        findings_place(f, &program->sites[pair->second].place);
        f->line = program->sites[pair->second].line;
        f->other_line = program->sites[pair->first].line;
        f->barrier_line = line;
        f->after = after;
        f->site = (int)pair->second;
        f->has_thread = f->has_other = f->has_cell = f->is_shared = true;
        f->thread = pair->b;
        f->other = pair->a;
        f->buffer = array;
        f->row = width ? index / width : 0;
        f->col = width ? index % width : index;
        f->cells = cells;
        say_race(program, f, pair);
    }
}

/* Sentences name the sum of the pairs that share a barrier. */
static void say_sums(const struct races *races, struct findings *findings)
{
    for (size_t i = 0; i < races->pair_count; i++)
        for (size_t k = 0; k < findings->count; k++)
            if (findings->at[k].kind == FINDING_SHARED_RACE &&
                findings->at[k].site == (int)races->pairs[i].second &&
                findings->at[k].other_line == races->program->sites[races->pairs[i].first].line &&
                findings->at[k].thread.step == races->pairs[i].b.step)
                say_race(races->program, &findings->at[k], &races->pairs[i]);
}

/* Does memory carry anything between threads but shared memory? */
static bool exchanges_globally(const struct program *program)
{
    for (unsigned i = 0; i < program->parameter_count; i++)
        if (program->parameters[i].is_stored && program->parameters[i].is_loaded)
            return true;
    return false;
}

static void add_barriers(const struct races *races, struct findings *findings)
{
    bool full = false, stored = false; /* edges of a matrix need less than the whole tile does */
    for (unsigned i = 0; i < races->program->shared_count; i++) {
        full = full || races->arrays[i].full_warps;
        stored = stored || races->arrays[i].stores;
    }
    for (unsigned i = 0; i < races->barrier_count; i++) {
        const struct race_barrier *barrier = &races->barriers[i];
        if (barrier->needed || (stored && !full) || exchanges_globally(races->program))
            continue;
        struct finding *f = findings_add(findings, FINDING_BARRIER_UNNEEDED);
        findings_place(f, &barrier->place);
        findings_say(f, "nothing needs this barrier: no thread touches after it what another one touched "
                        "before it, unless both only read");
    }
}

/* The first site of the array in the text that writes, or that reads. */
static const struct site *site_of(const struct program *program, int array, bool writes)
{
    for (unsigned i = 0; i < program->site_count; i++) {
        const struct site *site = &program->sites[i];
        if (site->kind->space == SPACE_SHARED && site->buffer == array &&
            (writes ? site->kind->writes : site->kind->reads))
            return site;
    }
    return NULL;
}

static void add_exchange(const struct races *races, int i, struct findings *findings)
{
    const struct race_array *array = &races->arrays[i];
    const struct site *load = site_of(races->program, i, false), *store = site_of(races->program, i, true);
    if (!array->stores || !array->loads || array->exchanged || !array->full_warps || !load || !store)
        return;
    struct finding *f = findings_add(findings, FINDING_NO_EXCHANGE);
    findings_place(f, &load->place);
    f->line = load->line;
    f->other_line = store->line;
    f->site = (int)load->id;
    f->buffer = i;
    f->is_shared = true;
    f->lanes = array->loads;
    findings_say(f,
                 "each thread reads from %s what it put there itself in line %d: nothing moves between "
                 "threads, so the tile turns nothing and costs its time and space",
                 races->program->shared[i].name, store->line);
}

/* Elements [0, count) are touched in some block, none from there on; 0: otherwise. */
static uint64_t touched_prefix(const struct races *races, const struct shared_array *array)
{
    uint64_t granule = races->program->granule, first = array->offset / granule, all = array->bytes / granule;
    uint64_t touched = 0;
    while (touched < all && races->touched[first + touched])
        touched++;
    for (uint64_t i = touched; i < all; i++)
        if (races->touched[first + i])
            return 0;
    return touched * granule / type_size(&array->element);
}

static bool is_power_of_two(uint64_t value)
{
    return (value & (value - 1)) == 0;
}

/* The pad of an array of rows x (cols + pad) elements of which exactly the first rows x cols are touched; 0:
 * none. An array of one dimension does not say its rows: both are then powers of two, or any array with room
 * at its end would be one with a pad. */
static uint64_t unused_pad(const struct shared_array *array, uint64_t all, uint64_t used)
{
    uint64_t spare = all - used, declared = 0;
    if (array->type.kind == TYPE_ARRAY && array->type.to->kind == TYPE_ARRAY)
        declared = array->bytes / type_size(array->type.to);
    for (uint64_t pad = 1; used && spare && pad <= 8; pad++) {
        uint64_t rows = spare / pad, cols = rows ? used / rows : 0;
        bool fits = spare % pad == 0 && rows >= 4 && used % rows == 0 && cols >= 4 * pad;
        bool edge = fits && used % (cols + pad) == 0; /* whole rows are left out */
        if (fits && !edge && (declared ? rows == declared : is_power_of_two(rows) && is_power_of_two(cols)))
            return pad;
    }
    return 0;
}

static void add_pad(const struct races *races, int i, struct findings *findings)
{
    const struct shared_array *array = &races->program->shared[i];
    const struct site *store = site_of(races->program, i, true);
    uint64_t element = type_size(&array->element);
    if (array->dynamic || !element || element % races->program->granule || !store)
        return;
    uint64_t all = array->bytes / element, used = touched_prefix(races, array);
    uint64_t pad = unused_pad(array, all, used);
    if (!pad)
        return;
    uint64_t rows = (all - used) / pad;
    struct finding *f = findings_add(findings, FINDING_PAD_UNUSED);
    findings_place(f, &store->place);
    f->line = store->line;
    f->site = (int)store->id;
    f->buffer = i;
    f->is_shared = true;
    f->cells = all - used;
    findings_say(f,
                 "%s is declared with rows of %" PRIu64 " elements and indexed with rows of %" PRIu64
                 ": its last %" PRIu64 " elements are never touched, and the pad keeps nothing apart",
                 array->name, used / rows + pad, used / rows, all - used);
}

void race_findings(const struct races *races, bool whole, bool may_keep, struct findings *findings)
{
    add_races(races, findings);
    say_sums(races, findings);
    if (!whole)
        return;
    add_barriers(races, findings);
    for (unsigned i = 0; i < races->program->shared_count; i++) {
        if (!may_keep)
            add_exchange(races, (int)i, findings);
        add_pad(races, (int)i, findings);
    }
}
