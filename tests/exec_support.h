/* exec_support.h - a kernel's text, run for one block, and what it did. For tests of the language and the
 * executor; include it in one file of a test program. */
#ifndef LANESCOPE_TESTS_EXEC_SUPPORT_H
#define LANESCOPE_TESTS_EXEC_SUPPORT_H

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_LIMIT = 4096 };

struct seen {
    struct access access;
    int64_t delta[32], value[32];
};

struct recorded {
    struct seen *at;
    size_t count;
    unsigned barriers;
};

static inline void record_access(void *self, const struct access *access)
{
    struct recorded *record = self;
    if (record->count == SEEN_LIMIT)
        return;
    struct seen *seen = &record->at[record->count++];
    seen->access = *access;
    for (unsigned i = 0; i < 32; i++) {
        seen->delta[i] = access->delta[i];
        seen->value[i] = access->site->kind->writes ? access->data[0].base + access->data[0].delta[i] : 0;
    }
}

static inline void record_barrier(void *self, const struct barrier *barrier)
{
    struct recorded *record = self;
    assert_int_equal(barrier->index, record->barriers++);
}

static inline int64_t offset(const struct seen *seen, unsigned lane)
{
    return seen->access.base + seen->delta[lane];
}

struct machine {
    struct source source;
    struct unit *unit;
    struct launch launch;
    struct recorded record;
    struct problem problem;
    struct overflow overflow, wrap;
};

/* Runs block (0,0,0) of the only kernel; pointer parameters get 1 MB, scalar ones the values in order. */
static inline bool run_kernel(struct machine *m, const char *text, uint32_t x, uint32_t y,
                              const int64_t *scalars)
{
    *m = (struct machine){.source = text_source(text),
                          .launch = {.grid = {4, 4, 1}, .block = {x, y, 1}, .dynamic_shared_bytes = 1024}};
    m->record.at = calloc(SEEN_LIMIT, sizeof *m->record.at);
    m->unit = unit_open(&m->source, NULL, 0, &m->problem);
    const struct program *program = m->unit ? unit_compile(m->unit, NULL, &m->problem) : NULL;
    if (!program)
        return false;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        if (program->parameters[i].type.kind == TYPE_POINTER)
            m->launch.arguments[i].bytes = 1 << 20;
        else if (scalars)
            m->launch.arguments[i].value = *scalars++;
    }
    m->launch.budget = 10000000;
    struct execution *execution = execution_new(program, &m->launch, true, &m->problem);
    if (!execution)
        return false;
    struct sink sink = {.self = &m->record, .access = record_access, .barrier = record_barrier};
    bool ok = execution_run_block(execution, (uint32_t[3]){0, 0, 0}, &sink, &m->problem);
    m->overflow = *execution_overflow(execution);
    m->wrap = *execution_wrap(execution);
    execution_free(execution);
    return ok;
}

static inline void end(struct machine *m)
{
    unit_close(m->unit);
    free(m->record.at);
}

static inline void run_well(struct machine *m, const char *text, uint32_t x, uint32_t y)
{
    if (!run_kernel(m, text, x, y, NULL))
        fail_msg("%d:%d: %s", m->problem.line, m->problem.column, m->problem.message);
}

#define KERNEL "__global__ void k(const float *in, float *out) {\nint t = threadIdx.x;\n"

static inline uint32_t mask_of(const struct machine *m, size_t index)
{
    assert_true(index < m->record.count);
    return m->record.at[index].access.mask;
}

/* The offsets / 4 of a lane's accesses, in order; `expected` ends with -1. */
static inline void stores(const char *text, unsigned lane, const int *expected)
{
    struct machine m;
    run_well(&m, text, 32, 1);
    size_t i = 0;
    for (size_t at = 0; at < m.record.count; at++) {
        if (!(mask_of(&m, at) >> lane & 1))
            continue;
        if (expected[i] < 0 || offset(&m.record.at[at], lane) != 4 * expected[i])
            fail_msg("%s: access %zu of lane %u is element %lld, not %d", text, i, lane,
                     (long long)offset(&m.record.at[at], lane) / 4, expected[i]);
        i++;
    }
    if (expected[i] >= 0)
        fail_msg("%s: lane %u has %zu accesses only", text, lane, i);
    end(&m);
}

#define STORES(text, lane, ...) stores(text, lane, (const int[]){__VA_ARGS__, -1})

#endif
