#include "explain.h"
#include "repitch.h"
#include "words.h"

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

/* Of an access that takes no wavefront more than it must: why that is so. */
static void say_why_ideal(struct words *words, const struct trace_access *at,
                          const struct bank_spread *spread)
{
    unsigned active = (unsigned)__builtin_popcount(at->access.mask);
    if (at->cost.ideal > 1)
        words_say(words, "That is the ideal: %u bytes a lane need %u passes.", at->access.site->lane_bytes,
                  at->cost.ideal);
    else if (spread->words < active)
        words_say(words, "Lanes that share a word are served together: a broadcast costs nothing.");
    else
        words_say(words, "No bank is asked for two words: conflict-free.");
}

static void say_conflict(struct words *words, const struct session *session, const struct trace_access *at,
                         const struct bank_spread *spread)
{
    words_say(words, "One bank hands out one word at a time: %s %u-way conflict, %u would do. ",
              article(spread->ways), spread->ways, at->cost.ideal);
    struct repitch found;
    if (repitch_find(session, &at->access, &found) && found.pitch % 2 == 0)
        words_say(words, "Cure: press + for pitch %u: one spare column moves each row to other banks.",
                  (unsigned)found.pitch + 1);
}

static void say_shared(struct words *words, const struct session *session, const struct trace_access *at)
{
    const struct lanes lanes = access_lanes(&at->access);
    const struct bank_spread spread = bank_spread_of(&lanes);
    unsigned active = (unsigned)__builtin_popcount(at->access.mask), wavefronts = at->cost.units;
    words_say(words, "Shared %s: %u lane%s, %u word%s, %u bank%s: %u wavefront%s%s. ",
              at->access.site->kind->op_name, active, plural(active), spread.words, plural(spread.words),
              spread.banks, plural(spread.banks), wavefronts, plural(wavefronts),
              wavefronts > 1 ? ", one after another" : ", all at once");
    if (wavefronts == at->cost.ideal)
        say_why_ideal(words, at, &spread);
    else
        say_conflict(words, session, at, &spread);
}

/* Atomics: lanes do not share, so what counts is how many meet. */
static void say_atomic(struct words *words, const struct trace_access *at)
{
    bool shared = at->access.site->kind->space == SPACE_SHARED;
    unsigned active = (unsigned)__builtin_popcount(at->access.mask), units = at->cost.units;
    const char *unit = at->access.site->kind->unit;
    words_say(words, "%s atomic: %u lane%s", shared ? "Shared" : "Global", active, plural(active));
    if (at->access.site->atomic == ATOMIC_EMULATED) {
        words_say(words,
                  ". The hardware has no such atomic in shared memory: the compiler writes a loop, whose "
                  "cost is not "
                  "predicted.");
        return;
    }
    words_say(words, ": %u %s%s. ", units, unit, plural(units));
    if (units > at->cost.ideal)
        words_say(words,
                  shared
                      ? "Each lane is served alone: lanes of one bank, of one word too, wait for each other."
                      : "Lanes of one address are served one after another: each takes the sector anew.");
}

static void say_global(struct words *words, const struct trace_access *at)
{
    unsigned active = (unsigned)__builtin_popcount(at->access.mask);
    unsigned sectors = at->cost.units, ideal = at->cost.ideal, bytes = at->access.site->lane_bytes;
    words_say(words, "Global %s: %u lane%s x %u byte%s lie in %u sector%s of 32 bytes",
              at->access.site->kind->op_name, active, plural(active), bytes, plural(bytes), sectors,
              plural(sectors));
    if (sectors == ideal)
        words_say(words, ", the fewest that can hold them: coalesced.");
    else if (sectors == ideal + 1)
        words_say(words, "; %u would do: neighbours, but the row does not begin at a sector's edge.", ideal);
    else if (sectors >= active)
        words_say(
            words,
            "; %u would do. Each lane pulls a sector of its own and uses %u of its 32 bytes: not coalesced, "
            "%.1fx the traffic.",
            ideal, bytes, (double)sectors / ideal);
    else
        words_say(words, "; %u would do: %.1fx the traffic.", ideal, (double)sectors / ideal);
}

/* What is wrong with it, first of all. */
static void say_faults(struct words *words, const struct access *access)
{
    uint32_t lanes = access->out_of_bounds ? access->out_of_bounds
                     : access->misaligned  ? access->misaligned
                                           : access->uninitialized;
    const char *fault = access->out_of_bounds ? "OUT OF BOUNDS"
                        : access->misaligned  ? "MISALIGNED, an error on hardware"
                                              : "reading what NOBODY WROTE";
    unsigned count = (unsigned)__builtin_popcount(lanes);
    if (lanes)
        words_say(words, "%u lane%s %s %s. ", count, plural(count), count == 1 ? "is" : "are", fault);
}

void explain_access(const struct session *session, const struct trace_access *at, char out[EXPLAIN_SIZE])
{
    const struct access *access = &at->access;
    unsigned active = (unsigned)__builtin_popcount(access->mask);
    struct words words = words_in(out, EXPLAIN_SIZE);
    say_faults(&words, access);
    bool faulty = words.used != 0;
    if (access->site->kind->op == ACCESS_ATOMIC)
        say_atomic(&words, at);
    else if (access->site->kind->space == SPACE_SHARED)
        say_shared(&words, session, at);
    else
        say_global(&words, at);
    if (!faulty && active < LANES)
        words_say(&words, " %u lanes take no part.", LANES - active);
}

void explain_overflow(const struct session *session, char out[EXPLAIN_SIZE])
{
    const struct overflow *o = session_overflow(session);
    int line, column;
    struct words words = words_in(out, EXPLAIN_SIZE);
    if (!o)
        return;
    source_place(o->place.source, o->place.begin, &line, &column);
    if (o->kind == OVERFLOW_SHIFT)
        words_say(&words, "A shift by %lld at line %d in block %u,%u: 0 to %u are defined.",
                  (long long)o->value, line, o->block[0], o->block[1], o->bits - 1);
    else
        words_say(&words, "%u-bit arithmetic overflows at line %d in block %u,%u%s", o->bits, line,
                  o->block[0], o->block[1], o->bits == 32 ? ": use size_t." : ".");
}

static void say_lanes(struct words *words, uint32_t lanes)
{
    words_say(words, "lane%s", plural((unsigned)__builtin_popcount(lanes)));
    const char *before = " ";
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last + 1 < LANES && (lanes >> (last + 1) & 1))
            last++;
        words_say(words, "%s%u", before, lane);
        if (last > lane)
            words_say(words, "-%u", last);
        before = ", ";
        lane = last;
    }
}

void explain_part(const struct trace_access *at, unsigned part, char out[EXPLAIN_SIZE])
{
    bool shared = at->access.site->kind->space == SPACE_SHARED;
    struct words words = words_in(out, EXPLAIN_SIZE);
    words_say(&words, "%s %u of %u serves ", shared ? "Wavefront" : "Sector", part + 1, access_parts(at));
    say_lanes(&words, access_part_lanes(at, part));
    words_say(&words, ".");
}

/* The lanes that touch the sector or word that this lane's first byte lies in. */
static uint32_t sharers_of(const struct access *access, unsigned lane, int64_t unit, int64_t *index)
{
    uint32_t lanes = 0;
    *index = unit_of(session_address(access, lane), unit);
    for (unsigned other = 0; other < LANES; other++)
        if ((access->mask >> other & 1) && unit_of(session_address(access, other), unit) == *index)
            lanes |= UINT32_C(1) << other;
    return lanes;
}

void explain_sharing(const struct trace_access *at, char out[EXPLAIN_SIZE])
{
    const struct access *access = &at->access;
    bool global = access->site->kind->space == SPACE_GLOBAL;
    const char *name = global ? "sector" : "word", *title = global ? "Sector" : "Word";
    struct words words = words_in(out, EXPLAIN_SIZE);
    uint32_t told = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        int64_t index;
        if (!(access->mask >> lane & 1) || told >> lane & 1)
            continue;
        uint32_t lanes = sharers_of(access, lane, global ? SECTOR_BYTES : BANK_BYTES, &index);
        told |= lanes;
        if (!(lanes & (lanes - 1)))
            continue;
        words_say(&words, "%s%s %lld: ", words.used ? "; " : "", words.used ? name : title, (long long)index);
        say_lanes(&words, lanes);
    }
    if (words.used)
        words_say(&words, ".");
    else
        words_say(&words, "No two lanes share a %s.", name);
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
