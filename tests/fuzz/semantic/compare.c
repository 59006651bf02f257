/* compare.c - the threads on the host against the simulator's stream. */
#include "compare.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../sim/exec/exec.h"
#include "../../../sim/lang/lang.h"

struct logged { /* as in host.hpp */
    unsigned long long address, turns;
    unsigned site, phase;
    unsigned char bytes, is_store;
};

enum { THREADS = 1024, RECORDS = 1 << 18, TABLE = 1 << 19 };

struct together { /* lanes of a warp that come to one place in the same turns */
    uint64_t key;
    uint32_t mask;
};

struct state {
    const struct gen *g;
    const struct program *program;
    struct comparison *result;
    struct logged records[RECORDS];
    struct together table[TABLE];
    unsigned start[THREADS + 1], at[THREADS]; /* records of each thread, and the next one to be met */
    unsigned threads, phase;
};

static bool differ(struct state *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool differ(struct state *s, const char *format, ...)
{
    if (s->result->outcome == OUTCOME_DIFFERS)
        return false;
    s->result->outcome = OUTCOME_DIFFERS;
    va_list list;
    va_start(list, format);
    (void)vsnprintf(s->result->message, sizeof s->result->message, format, list);
    va_end(list);
    return false;
}

static uint64_t key_of(const struct logged *r, unsigned warp)
{
    uint64_t key = r->turns ^ (uint64_t)r->site * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)r->is_store << 63;
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + warp;
    return key ? key : 1;
}

static struct together *find(struct state *s, uint64_t key)
{
    uint64_t at = (key ^ key >> 32) % TABLE;
    while (s->table[at].key && s->table[at].key != key)
        at = (at + 1) % TABLE;
    s->table[at].key = key;
    return &s->table[at];
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        (void)fprintf(stderr, "semantic: the host text has no %s\n", name);
        exit(2);
    }
    return found;
}

static void set(void *library, const char *name, const uint32_t xyz[3])
{
    memcpy(symbol(library, name), xyz, 3 * sizeof *xyz);
}

/* Runs the block's threads one by one. False if they access too much. */
static bool run_host(struct state *s, void *library, void (*run)(void), const uint32_t block[3])
{
    const uint32_t *size = s->g->block;
    uint32_t *thread = symbol(library, "threadIdx");
    unsigned *count = symbol(library, "fuzz_count");
    set(library, "blockIdx", block);
    *(struct logged **)symbol(library, "fuzz_log") = s->records;
    *(unsigned *)symbol(library, "fuzz_limit") = RECORDS;
    *count = 0;
    memset(s->table, 0, sizeof s->table);
    for (unsigned t = 0; t < s->threads; t++) {
        thread[0] = t % size[0];
        thread[1] = t / size[0] % size[1];
        thread[2] = t / size[0] / size[1];
        *(unsigned *)symbol(library, "fuzz_phase") = 0;
        s->start[t] = s->at[t] = *count;
        run();
        if (*count > RECORDS)
            return false;
        for (unsigned i = s->start[t]; i < *count; i++) {
            struct together *lanes = find(s, key_of(&s->records[i], t / 32));
            if (lanes->mask >> t % 32 & 1)
                abort(); /* the generator's fault: a thread came to one place twice in the same turns */
            lanes->mask |= 1u << t % 32;
        }
    }
    s->start[s->threads] = *count;
    return true;
}

/* What the launch says about lanes beyond their buffer. */
static bool check_faults(struct state *s, const struct access *access, unsigned lane, int64_t offset)
{
    const struct gen *g = s->g;
    bool shared = access->site->kind->space == SPACE_SHARED;
    int64_t bytes = access->site->lane_bytes, first = 0, size, misalignment = 0;
    if (shared) {
        unsigned array =
            (unsigned)atoi(s->program->shared[access->buffer].name + 1) % SHARED_ARRAYS; /* s0, s1 */
        first = (int64_t)g->shared[array].offset;
        size = (int64_t)g->shared[array].bytes;
    } else {
        size = g->parameter_value[access->buffer];
        misalignment = g->parameter_misalignment[access->buffer];
    }
    bool outside = offset < first || offset + bytes > first + size;
    bool crooked = (offset + misalignment) % bytes != 0;
    if (outside != (access->out_of_bounds >> lane & 1))
        return differ(s, "lane %u at byte %lld of buffer %d is %sout of bounds", lane, (long long)offset,
                      access->buffer, outside ? "" : "not ");
    if (crooked != (access->misaligned >> lane & 1))
        return differ(s, "lane %u at byte %lld of buffer %d is %smisaligned", lane, (long long)offset,
                      access->buffer, crooked ? "" : "not ");
    return true;
}

/* lanescope's span may have the operand's own parentheses too. */
static bool check_span(struct state *s, const struct site *site, unsigned number)
{
    uint32_t begin = s->g->site_begin[number], end = s->g->site_end[number];
    const char *text = s->g->cu.at;
    while (begin > site->place.begin && text[begin - 1] == '(')
        begin--;
    while (end < site->place.end && text[end] == ')')
        end++;
    if (site->place.begin == begin && site->place.end == end)
        return true;
    return differ(s, "line %d: the access is said to be bytes %u to %u of the text, not %u to %u", site->line,
                  site->place.begin, site->place.end, begin, end);
}

static bool check_lane(struct state *s, const struct access *access, unsigned lane, uint64_t *key)
{
    unsigned t = access->warp * 32 + lane;
    if (t >= s->threads)
        return differ(s, "lane %u of warp %u does not exist", lane, access->warp);
    if (s->at[t] == s->start[t + 1])
        return differ(s, "thread %u makes an access in line %d that it should not make", t,
                      access->site->line);
    const struct logged *r = &s->records[s->at[t]++];
    const struct site *site = access->site;
    int64_t buffer = (int64_t)((r->address + (UINT64_C(1) << 51)) >> 52) - 1;
    int64_t offset = (int64_t)(r->address - ((uint64_t)(buffer + 1) << 52)),
            here = access_offset(access, lane);
    bool shared = site->kind->space == SPACE_SHARED;
    if (shared != (buffer == SHARED_BUFFER) || (!shared && buffer != access->buffer) || offset != here ||
        r->bytes != site->lane_bytes || r->is_store != site->kind->writes || r->phase != s->phase)
        return differ(s,
                      "block %u,%u,%u thread %u, line %d: %s of %u bytes at byte %lld of %s %d after %u "
                      "barriers; right "
                      "is: %s of %u at byte %lld of %s %d after %u",
                      access->block[0], access->block[1], access->block[2], t, site->line,
                      site->kind->op_name, site->lane_bytes, (long long)here, shared ? "shared" : "parameter",
                      access->buffer, s->phase, r->is_store ? "store" : "load", r->bytes, (long long)offset,
                      buffer == SHARED_BUFFER ? "shared" : "parameter",
                      buffer == SHARED_BUFFER ? 0 : (int)buffer, r->phase);
    if (r->site < NUMBERS && !site->in_macro && !check_span(s, site, r->site))
        return false;
    *key = key_of(r, access->warp);
    return check_faults(s, access, lane, here);
}

static void take_access(void *self, const struct access *access)
{
    struct state *s = self;
    uint64_t key = 0, first = 0;
    if (s->result->outcome == OUTCOME_DIFFERS)
        return;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(access->mask >> lane & 1))
            continue;
        if (!check_lane(s, access, lane, &key))
            return;
        first = first ? first : key;
        if (key != first) {
            differ(s, "line %d: lanes of different places or turns are in one access", access->site->line);
            return;
        }
    }
    uint32_t right = find(s, first)->mask;
    if (right != access->mask)
        differ(s, "line %d: an access of lanes %08x, right is one of %08x", access->site->line, access->mask,
               right);
    s->result->accesses++;
}

static void take_barrier(void *self, const struct barrier *barrier)
{
    struct state *s = self;
    (void)barrier;
    s->phase++;
}

static struct launch launch_of(const struct gen *g)
{
    struct launch launch = {.dynamic_shared_bytes = g->dynamic_bytes, .budget = 300000};
    memcpy(launch.grid, g->grid, sizeof launch.grid);
    memcpy(launch.block, g->block, sizeof launch.block);
    for (unsigned i = 0; i < g->parameter_count; i++)
        if (g->parameter_is_pointer[i])
            launch.arguments[i] = (struct argument){.bytes = (uint64_t)g->parameter_value[i],
                                                    .misalignment = g->parameter_misalignment[i]};
        else
            launch.arguments[i].value = g->parameter_value[i];
    return launch;
}

static void refuse(struct comparison *result, const struct problem *problem)
{
    if (result->outcome == OUTCOME_DIFFERS)
        return;
    result->outcome = OUTCOME_REFUSED;
    result->line = problem->line;
    result->column = problem->column;
    (void)snprintf(result->message, sizeof result->message, "%s", problem->message);
}

static void compare_blocks(struct state *s, struct execution *execution, void *library, void (*run)(void),
                           struct problem *problem)
{
    const uint32_t *grid = s->g->grid;
    struct sink sink = {.self = s, .access = take_access, .barrier = take_barrier};
    set(library, "gridDim", grid);
    set(library, "blockDim", s->g->block);
    for (uint32_t i = 0; i < grid[0] * grid[1] * grid[2] && s->result->outcome == OUTCOME_EQUAL; i++) {
        uint32_t block[3] = {i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]};
        s->phase = 0;
        if (!run_host(s, library, run, block)) {
            s->result->outcome = OUTCOME_LONG;
            return;
        }
        if (!execution_run_block(execution, block, &sink, problem)) {
            refuse(s->result, problem);
            return;
        }
        for (unsigned t = 0; t < s->threads; t++)
            if (s->at[t] != s->start[t + 1])
                differ(s, "thread %u makes %u accesses, right is %u", t, s->at[t] - s->start[t],
                       s->start[t + 1] - s->start[t]);
    }
}

void compare(const struct gen *g, void *library, unsigned host_name, bool track_values,
             struct comparison *result)
{
    static struct state s;
    char name[32];
    struct problem problem = {0};
    struct source source = {"k.cu", g->cu.at, g->cu.size};
    *result = (struct comparison){.outcome = OUTCOME_EQUAL};
    s.g = g;
    s.result = result;
    s.threads = g->block[0] * g->block[1] * g->block[2];
    (void)snprintf(name, sizeof name, "run_%u", host_name);
    void (*run)(void);
    *(void **)&run = symbol(library, name);
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    s.program = unit ? unit_compile(unit, "k", &problem) : NULL;
    struct launch launch = launch_of(g);
    struct execution *execution =
        s.program ? execution_new(s.program, &launch, track_values, &problem) : NULL;
    if (execution)
        compare_blocks(&s, execution, library, run, &problem);
    else
        refuse(result, &problem);
    execution_free(execution);
    unit_close(unit);
}

void compare_features(void)
{
    for (int i = 0; i < FEATURE_COUNT; i++) {
        struct problem problem = {0};
        struct source source = {"feature.cu", gen_features[i].sample, strlen(gen_features[i].sample)};
        struct unit *unit = unit_open(&source, NULL, 0, &problem);
        gen_features[i].on = unit && unit_compile(unit, "k", &problem);
        unit_close(unit);
    }
}
