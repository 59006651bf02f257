/* compare.c - the threads on the host against the simulator's stream. */
#include "compare.h"

#include "threads.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../sim/exec/exec.h"
#include "../../../sim/lang/lang.h"

enum { THREADS = 1024, RECORDS = 1 << 18, TABLE = 1 << 19, CELLS = 1024 };

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
    unsigned start[THREADS], end[THREADS], at[THREADS]; /* records of each thread, and the next to be met */
    unsigned counts[THREADS];
    bool undefined, compiled; /* PTX: lanes may run together as the compiler saw fit */
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
    uint64_t key = r->turns ^ (uint64_t)r->site * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)r->kind << 62;
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

/* Runs the block's threads, each for itself up to where it waits for others (threads.h). False if they access
 * too much. */
static bool run_host(struct state *s, void *library, void (*run)(void), const uint32_t block[3])
{
    set(library, "blockIdx", block);
    memset(s->table, 0, sizeof s->table);
    unsigned limit = RECORDS / s->threads;
    if (!threads_run(library, run, s->g->block, s->records, limit, s->counts, &s->undefined))
        return false;
    for (unsigned t = 0; t < s->threads; t++) {
        s->start[t] = s->at[t] = t * limit;
        s->end[t] = s->start[t] + s->counts[t];
        for (unsigned i = s->start[t]; i < s->end[t]; i++) {
            struct together *lanes = find(s, key_of(&s->records[i], t / 32));
            if (lanes->mask >> t % 32 & 1) { /* the generator's fault */
                (void)fprintf(stderr, "semantic: a thread came twice to place %u in the same turns:\n%.*s\n",
                              s->records[i].site, (int)s->g->cu.size, s->g->cu.at);
                abort();
            }
            lanes->mask |= 1u << t % 32;
        }
    }
    return true;
}

static unsigned array_of(const struct state *s, int buffer)
{
    return (unsigned)atoi(s->program->shared[buffer].name + 1) % SHARED_ARRAYS; /* s0, s1 */
}

/* Where functions have shared arrays, each array is compared by itself: from lanescope's place to the host's.
 */
static int64_t moved(const struct state *s, int buffer)
{
    bool inside = false;
    for (unsigned i = 0; i < s->g->shared_count; i++)
        inside = inside || s->g->shared[i].in_function;
    return inside ? (int64_t)s->g->shared[array_of(s, buffer)].offset -
                        (int64_t)s->program->shared[buffer].offset
                  : 0;
}

/* The place among the kernel's parameters, of which a struct is one: p2, c3. */
static int parameter_of(const struct state *s, int buffer)
{
    return atoi(s->program->parameters[buffer].name + (s->compiled ? 6 : 1)); /* or param_3 */
}

/* What the launch says about lanes beyond their buffer. */
static bool check_faults(struct state *s, const struct access *access, unsigned lane, int64_t offset)
{
    const struct gen *g = s->g;
    bool shared = access->site->kind->space == SPACE_SHARED;
    int64_t bytes = access->site->lane_bytes, first = 0, size, misalignment = 0;
    if (shared) {
        unsigned array = array_of(s, access->buffer);
        first = (int64_t)g->shared[array].offset;
        size = (int64_t)g->shared[array].bytes;
    } else {
        unsigned own = (unsigned)parameter_of(s, access->buffer) % PARAMETERS;
        size = g->parameter_value[own];
        misalignment = g->parameter_misalignment[own];
    }
    bool outside = offset < first || offset + bytes > first + size;
    int64_t there = shared ? offset - moved(s, access->buffer) : offset; /* lanescope's own */
    bool crooked = (there + misalignment) % bytes != 0;
    if (outside != (access->out_of_bounds >> lane & 1))
        return differ(s, "lane %u at byte %lld of buffer %d is %sout of bounds", lane, (long long)offset,
                      access->buffer, outside ? "" : "not ");
    if (crooked != (access->misaligned >> lane & 1))
        return differ(s, "lane %u at byte %lld of buffer %d is %smisaligned", lane, (long long)offset,
                      access->buffer, crooked ? "" : "not ");
    return true;
}

/* lanescope's span may have the operand's own parentheses too, with a cast in them that changes nothing. */
static bool check_span(struct state *s, const struct site *site, unsigned number)
{
    uint32_t begin = s->g->site_begin[number], end = s->g->site_end[number];
    const char *text = s->g->cu.at;
    while (begin > site->place.begin && (text[begin - 1] == '(' || text[begin - 1] == '+'))
        begin--;
    bool cast = false;
    for (uint32_t i = site->place.begin; i < begin; i++)
        cast = cast || strncmp(text + i, "cast<", 5) == 0 || (i > 0 && text[i - 1] == '(' && text[i] >= 'a');
    if (cast && begin > site->place.begin)
        begin = site->place.begin;
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
    if (s->at[t] == s->end[t])
        return differ(s, "thread %u makes an access in line %d that it should not make", t,
                      access->site->line);
    const struct logged *r = &s->records[s->at[t]++];
    const struct site *site = access->site;
    int64_t buffer = (int64_t)((r->address + (UINT64_C(1) << 51)) >> 52) - 1;
    int64_t offset = (int64_t)(r->address - ((uint64_t)(buffer + 1) << 52)),
            here = access_offset(access, lane);
    bool shared = site->kind->space == SPACE_SHARED;
    if (shared && !s->compiled)
        here += moved(s, access->buffer);
    if (shared != (buffer == SHARED_BUFFER) || (!shared && buffer != parameter_of(s, access->buffer)) ||
        offset != here || r->bytes != site->lane_bytes || r->kind != (unsigned)site->kind->op ||
        r->phase != s->phase)
        return differ(s,
                      "block %u,%u,%u thread %u, line %d: %s of %u bytes at byte %lld of %s %d after %u "
                      "barriers; right "
                      "is: %s of %u at byte %lld of %s %d after %u",
                      access->block[0], access->block[1], access->block[2], t, site->line,
                      site->kind->op_name, site->lane_bytes, (long long)here, shared ? "shared" : "parameter",
                      shared ? access->buffer : parameter_of(s, access->buffer), s->phase,
                      r->kind == 2 ? "atomic"
                      : r->kind    ? "store"
                                   : "load",
                      r->bytes, (long long)offset, buffer == SHARED_BUFFER ? "shared" : "parameter",
                      buffer == SHARED_BUFFER ? 0 : (int)buffer, r->phase);
    if (s->compiled)
        return true;
    if (r->site < NUMBERS && !site->in_macro && !s->g->site_is_pointer[r->site] &&
        !check_span(s, site, r->site))
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
        if (!s->compiled && key != first) {
            differ(s, "line %d: lanes of different places or turns are in one access", access->site->line);
            return;
        }
    }
    uint32_t right = s->compiled ? access->mask : find(s, first)->mask;
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

/* What buffer p holds when the kernel begins: small numbers that its type has. */
static int64_t content(unsigned p, const struct ctype *type, uint64_t cell)
{
    uint64_t x = (cell + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ p * UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 31;
    int64_t value = (int64_t)(x % 120);
    return type->is_signed && x >> 40 & 1 ? -value : value;
}

struct held {
    unsigned parameter;
    struct ctype type;
};

static bool values(const void *self, uint32_t mask, const int64_t index[32], int64_t value[32],
                   struct problem *problem)
{
    const struct held *held = self;
    (void)problem;
    for (unsigned i = 0; i < 32; i++)
        if (mask >> i & 1)
            value[i] = content(held->parameter, &held->type, (uint64_t)index[i]);
    return true;
}

/* Parameters by name, since a struct is as many as it has members. */
static struct launch launch_of(const struct gen *g, const struct program *program)
{
    static struct held held[PARAMETERS];
    static struct contents contents[PARAMETERS];
    struct launch launch = {.dynamic_shared_bytes = g->dynamic_bytes, .budget = 300000};
    memcpy(launch.grid, g->grid, sizeof launch.grid);
    memcpy(launch.block, g->block, sizeof launch.block);
    if (program->is_compiled) /* all in one array */
        launch.dynamic_shared_bytes += (g->static_bytes + 15) / 16 * 16;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        const char *name = program->parameters[i].name;
        struct argument *argument = &launch.arguments[i];
        unsigned own = (unsigned)atoi(name + (program->is_compiled ? 6 : 1)) % PARAMETERS; /* p2, param_3 */
        for (unsigned k = 0; k < g->scalar_count; k++)
            if (program->is_compiled ? (unsigned)atoi(g->scalars[k].name + 1) == own
                                     : strcmp(g->scalars[k].name, name) == 0)
                argument->value = g->scalars[k].value;
        if (g->parameter_is_pointer[own])
            argument->value = INT64_C(1) << 52; /* where only asked whether it is null */
        if (program->parameters[i].type.kind != TYPE_POINTER)
            continue;
        argument->bytes = (uint64_t)g->parameter_value[own];
        argument->misalignment = g->parameter_misalignment[own];
        held[own] = (struct held){own, g->parameter_type[own]};
        contents[own] = (struct contents){.self = &held[own], .values = values};
        argument->contents = g->parameter_has_contents[own] ? &contents[own] : NULL;
    }
    return launch;
}

/* The same numbers for the host, and zeros in shared memory. */
static void fill_memory(const struct gen *g, void *library)
{
    static unsigned char memory[SHARED_BUFFER + 1][8 * CELLS];
    unsigned char **at = symbol(library, "fuzz_memory");
    unsigned long long *bytes = symbol(library, "fuzz_bytes");
    memset(at, 0, (SHARED_BUFFER + 1) * sizeof *at);
    for (unsigned p = 0; p < g->parameter_count; p++) {
        if (!g->parameter_has_contents[p])
            continue;
        at[p] = memory[p];
        bytes[p] = (unsigned long long)g->parameter_value[p];
        for (unsigned i = 0; i < bytes[p] / g->parameter_type[p].bytes; i++) {
            int64_t value = content(p, &g->parameter_type[p], i);
            memcpy(memory[p] + (size_t)i * g->parameter_type[p].bytes, &value, g->parameter_type[p].bytes);
        }
    }
    if (!g->may_contents)
        return;
    at[SHARED_BUFFER] = memory[SHARED_BUFFER];
    bytes[SHARED_BUFFER] = g->static_bytes;
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
        fill_memory(s->g, library);
        if (!run_host(s, library, run, block)) {
            s->result->outcome = OUTCOME_LONG;
            return;
        }
        if (s->undefined) {
            s->result->outcome = OUTCOME_UNDEFINED;
            return;
        }
        if (!execution_run_block(execution, block, &sink, problem)) {
            refuse(s->result, problem);
            return;
        }
        for (unsigned t = 0; t < s->threads; t++)
            if (s->at[t] != s->end[t])
                differ(s, "thread %u makes %u accesses, right is %u", t, s->at[t] - s->start[t],
                       s->start[t + 1] - s->start[t]);
    }
}

static void compare_program(const struct gen *g, const struct program *program, void *library,
                            unsigned host_name, bool track_values, struct problem *problem,
                            struct comparison *result)
{
    static struct state s;
    char name[32];
    *result = (struct comparison){.outcome = OUTCOME_EQUAL};
    if (!program) {
        refuse(result, problem);
        return;
    }
    s.g = g;
    s.program = program;
    s.result = result;
    s.undefined = false;
    s.compiled = program->is_compiled;
    s.threads = g->block[0] * g->block[1] * g->block[2];
    (void)snprintf(name, sizeof name, "run_%u", host_name);
    void (*run)(void);
    *(void **)&run = symbol(library, name);
    struct launch launch = launch_of(g, program);
    struct execution *execution = execution_new(program, &launch, track_values, problem);
    if (execution)
        compare_blocks(&s, execution, library, run, problem);
    else
        refuse(result, problem);
    execution_free(execution);
}

void compare(const struct gen *g, void *library, unsigned host_name, bool track_values,
             struct comparison *result)
{
    struct problem problem = {0};
    struct source source = {"k.cu", g->cu.at, g->cu.size};
    struct unit *unit = unit_open(&source, NULL, 0, &problem);
    compare_program(g, unit ? unit_compile(unit, "k", &problem) : NULL, library, host_name, track_values,
                    &problem, result);
    unit_close(unit);
}

void compare_ptx(const struct gen *g, struct ptx_unit *unit, void *library, unsigned host_name,
                 struct comparison *result)
{
    struct problem problem = {0};
    char name[32];
    (void)snprintf(name, sizeof name, "k%u", host_name);
    compare_program(g, ptx_compile(unit, name, &problem), library, host_name, false, &problem, result);
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
