#include "explain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static const char *article(unsigned count)
{
    return count == 8 || count == 11 || count == 18 ? "an" : "a";
}

unsigned heat_level(uint64_t units, uint64_t ideal)
{
    static const unsigned quarters[] = {4, 5, 8, 16, 32}; /* 1x, 1.25x, 2x, 4x, 8x */
    for (unsigned level = 0; level < sizeof quarters / sizeof *quarters; level++)
        if (4 * units <= quarters[level] * ideal)
            return level;
    return sizeof quarters / sizeof *quarters;
}

static size_t say_shared(const struct session *session, const struct trace_access *at, char *out, size_t size)
{
    const struct lanes lanes = access_lanes(&at->access);
    const struct bank_spread spread = bank_spread_of(&lanes);
    unsigned active = (unsigned)__builtin_popcount(at->access.mask);
    unsigned units = at->cost.units, ideal = at->cost.ideal;
    const char *what = at->access.site->kind->op_name;
    int used =
        snprintf(out, size, "Shared %s: %u lane%s, %u word%s, %u bank%s: %u wavefront%s%s. ", what, active,
                 plural(active), spread.words, plural(spread.words), spread.banks, plural(spread.banks),
                 units, plural(units), units > 1 ? ", one after another" : ", all at once");
    out += used;
    size -= (size_t)used;
    if (units == ideal && units == 1 && spread.words < active)
        return (size_t)snprintf(out, size,
                                "Lanes that share a word are served together: a broadcast costs nothing.");
    if (units == ideal && units > 1)
        return (size_t)snprintf(out, size, "That is the ideal: %u bytes a lane need %u passes.",
                                at->access.site->lane_bytes, ideal);
    if (units == ideal)
        return (size_t)snprintf(out, size, "No bank is asked for two words: conflict-free.");
    used = snprintf(out, size, "One bank hands out one word at a time: %s %u-way conflict, %u would do. ",
                    article(spread.ways), spread.ways, ideal);
    if (session->scenario.pitch && session_mentions(session, "PITCH") && session->scenario.pitch % 2 == 0)
        used += snprintf(out + used, size - (size_t)used,
                         "Cure: press + for pitch %u: one spare column moves each row to other banks.",
                         (unsigned)session->scenario.pitch + 1);
    return (size_t)used;
}

static void say_global(const struct trace_access *at, char *out, size_t size)
{
    unsigned active = (unsigned)__builtin_popcount(at->access.mask);
    unsigned units = at->cost.units, ideal = at->cost.ideal, bytes = at->access.site->lane_bytes;
    const char *what = at->access.site->kind->op_name;
    int used = snprintf(out, size, "Global %s: %u lane%s x %u byte%s lie in %u sector%s of 32 bytes", what,
                        active, plural(active), bytes, plural(bytes), units, plural(units));
    out += used;
    size -= (size_t)used;
    if (units == ideal)
        (void)snprintf(out, size, ", the fewest that can hold them: coalesced.");
    else if (units == ideal + 1)
        (void)snprintf(out, size, "; %u would do: neighbours, but the row does not begin at a sector's edge.",
                       ideal);
    else if (units >= active)
        (void)snprintf(
            out, size,
            "; %u would do. Each lane pulls a sector of its own and uses %u of its 32 bytes: not coalesced, "
            "%.1fx the traffic.",
            ideal, bytes, (double)units / ideal);
    else
        (void)snprintf(out, size, "; %u would do: %.1fx the traffic.", ideal, (double)units / ideal);
}

/* What is wrong with it, first of all; returns the bytes written. */
static size_t say_faults(const struct access *access, char *out, size_t size)
{
    uint32_t lanes = access->out_of_bounds ? access->out_of_bounds
                     : access->misaligned  ? access->misaligned
                                           : access->unset;
    const char *fault = access->out_of_bounds ? "OUT OF BOUNDS"
                        : access->misaligned  ? "MISALIGNED, an error on hardware"
                                              : "reading what NOBODY WROTE";
    unsigned count = (unsigned)__builtin_popcount(lanes);
    out[0] = '\0';
    return lanes ? (size_t)snprintf(out, size, "%u lane%s %s %s. ", count, plural(count),
                                    count == 1 ? "is" : "are", fault)
                 : 0;
}

void explain_access(const struct session *session, const struct trace_access *at, char out[EXPLAIN_SIZE])
{
    const struct access *access = &at->access;
    unsigned active = (unsigned)__builtin_popcount(access->mask);
    size_t used = say_faults(access, out, EXPLAIN_SIZE);
    bool faulty = used != 0;
    if (access->site->kind->space == SPACE_SHARED)
        (void)say_shared(session, at, out + used, EXPLAIN_SIZE - used);
    else
        say_global(at, out + used, EXPLAIN_SIZE - used);
    used = strlen(out);
    if (!faulty && active < LANES)
        (void)snprintf(out + used, EXPLAIN_SIZE - used, " %u lanes take no part.", LANES - active);
}

void explain_overflow(const struct session *session, char out[EXPLAIN_SIZE])
{
    const struct overflow *o = session_overflow(session);
    int line, column;
    out[0] = '\0';
    if (!o)
        return;
    source_place(o->place.source, o->place.begin, &line, &column);
    if (o->kind == OVERFLOW_SHIFT)
        (void)snprintf(out, EXPLAIN_SIZE, "A shift by %lld at line %d in block %u,%u: 0 to %u are defined.",
                       (long long)o->value, line, o->block[0], o->block[1], o->bits - 1);
    else
        (void)snprintf(out, EXPLAIN_SIZE, "%u-bit arithmetic overflows at line %d in block %u,%u%s", o->bits,
                       line, o->block[0], o->block[1], o->bits == 32 ? ": use size_t." : ".");
}

void explain_part(const struct trace_access *at, unsigned part, char out[EXPLAIN_SIZE])
{
    uint32_t lanes = access_part_lanes(at, part);
    bool shared = at->access.site->kind->space == SPACE_SHARED;
    int used = snprintf(out, EXPLAIN_SIZE, "%s %u of %u serves lane%s", shared ? "Wavefront" : "Sector",
                        part + 1, access_parts(at), plural((unsigned)__builtin_popcount(lanes)));
    const char *before = " ";
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < LANES && (lanes >> (last + 1) & 1))
            last++;
        used += snprintf(out + used, EXPLAIN_SIZE - (size_t)used, "%s%u", before, lane);
        if (last > lane)
            used += snprintf(out + used, EXPLAIN_SIZE - (size_t)used, "-%u", last);
        before = ", ";
        lane = last;
    }
    (void)snprintf(out + used, EXPLAIN_SIZE - (size_t)used, ".");
}

void explain_site(const struct site *site, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s ", site->kind->op_name);
    const char *text = site->place.source->bytes;
    for (uint32_t i = site->place.begin; i < site->place.end && used + 1 < size; i++) {
        char c = text[i];
        if (isspace((unsigned char)c)) {
            if (out[used - 1] == ' ')
                continue;
            c = ' ';
        }
        out[used++] = c;
    }
    out[used] = '\0';
}
